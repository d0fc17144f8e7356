"""Write ``fixtures/checks/<check>/`` anew: for every check the shortest log that passes, and those that fail.

    python -m scripts.make_check_fixtures

To add a fixture, add a case to a module of ``tests/kit/check_cases`` and run this tool.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from tests.kit.check_cases.fixtures import CASES, write

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "checks"


def main(argv: list[str] | None = None) -> None:
    """Write all fixtures anew."""
    argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0]).parse_args(argv)
    shutil.rmtree(FOLDER, ignore_errors=True)
    write(FOLDER)
    print(f"{len(CASES)} checks in {FOLDER}")


if __name__ == "__main__":
    main()

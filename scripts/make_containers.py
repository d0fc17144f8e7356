"""Store the logs of a folder in every way that people store them: zips, tars, databases, nested archives.

    python -m scripts.make_containers LOGS FOLDER

The same logs must give the same findings in all of them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.kit.containers import NAMES, make


def main(argv: list[str] | None = None) -> None:
    """Store the logs of a folder in every way."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", type=Path, help="folder of logs")
    parser.add_argument("folder", type=Path, help="where to write the containers")
    options = parser.parse_args(argv)
    files = sorted(path for path in options.logs.rglob("*") if path.is_file())
    logs = {str(path.relative_to(options.logs)): path.read_bytes() for path in files}
    count = sum(len(make(name, logs, options.folder)) for name in NAMES)
    print(f"{len(logs)} logs in {len(NAMES)} containers: {count} members")


if __name__ == "__main__":
    main()

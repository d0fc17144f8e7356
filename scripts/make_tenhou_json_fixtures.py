"""Write the shipped files in Tenhou's JSON, from the shipped games in Tenhou's XML.

python -m scripts.make_tenhou_json_fixtures [--out FOLDER]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.kit.conversion.tenhou_json import files

FOLDER = Path(__file__).resolve().parents[1] / "fixtures" / "tenhou_json"


def main(argv: list[str] | None = None) -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder for the files (default: %(default)s)")
    options = parser.parse_args(argv)
    options.out.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (options.out / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

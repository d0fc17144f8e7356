"""Convert self-played games of 電脳麻将 (majiang-core) into Tenhou mjlog XML.

    python -m scripts.convert_majiang FILES... --out FOLDER [--manifest FILE]

The tool refuses a game in which the two rule sets would diverge. ``tests/kit/conversion/games.py`` lists the values
that the converter invents. Exit code 1 if a game of the manifest was refused.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.kit.conversion.games import STYLES, convert, file_name, read_games, read_manifest, render
from tests.kit.conversion.tiles import RefusedError


def main(argv: list[str] | None = None) -> int:
    """Convert self-play files; say which games were refused and why."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="+", type=Path, help="*.jsonl.gz of selfplay/majiang")
    parser.add_argument("--out", type=Path, required=True, help="folder for the logs")
    parser.add_argument("--manifest", type=Path, help="CSV with columns game,style: convert only these games")
    parser.add_argument("--style", choices=STYLES, default="plain", help="style without a manifest")
    options = parser.parse_args(argv)
    wanted = read_manifest(options.manifest) if options.manifest else None
    options.out.mkdir(parents=True, exist_ok=True)
    refused = 0
    for game in read_games(options.sources):
        if wanted is not None and game["id"] not in wanted:
            continue
        style = wanted[game["id"]] if wanted else options.style
        try:
            data = render(convert(game, early=style == "early"), style)
        except RefusedError as reason:
            refused += 1
            print(f"{game['id']} ({game['rule_name']}) refused: {reason}", file=sys.stderr)
        else:
            (options.out / file_name(game, style)).write_bytes(data)
    return int(bool(wanted) and refused > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Convert games of three players that riichienv kept the rules of into Tenhou mjlog XML.

    python -m scripts.convert_riichienv FILES... --out FOLDER [--manifest FILE]

``scripts/play_riichienv.py`` plays such games. The tool refuses a game that Tenhou would not have played so.
``tests/kit/conversion/sanma_games.py`` lists the values that it invents. Exit code 1 if a game of the manifest was
refused.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.kit.conversion.games import STYLES, read_games, render
from tests.kit.conversion.sanma_games import RECENT, TYPES, convert, file_name, read_manifest
from tests.kit.conversion.tiles import RefusedError


def main(argv: list[str] | None = None) -> int:
    """Convert recorded games; say which were refused and why."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="+", type=Path, help="files of scripts/play_riichienv.py")
    parser.add_argument("--out", type=Path, required=True, help="folder for the logs")
    parser.add_argument("--manifest", type=Path, help="CSV with columns game,type,style: convert only these games")
    parser.add_argument("--style", choices=(*STYLES, RECENT), default="plain", help="style without a manifest")
    options = parser.parse_args(argv)
    wanted = read_manifest(options.manifest) if options.manifest else None
    options.out.mkdir(parents=True, exist_ok=True)
    refused = 0
    for game in read_games(options.sources):
        if wanted is not None and game["id"] not in wanted:
            continue
        kind, style = wanted[game["id"]] if wanted else (TYPES[game["mode"]], options.style)
        try:
            data = render(convert(game, kind, style), style)
        except RefusedError as reason:
            refused += 1
            print(f"{game['id']} refused: {reason}", file=sys.stderr)
        else:
            (options.out / file_name(game, kind, style)).write_bytes(data)
    return int(bool(wanted) and refused > 0)


if __name__ == "__main__":
    sys.exit(main())

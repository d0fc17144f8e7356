"""Play games of three players with riichienv, which keeps the rules and scores the wins, and record them.

    pip install riichienv==0.4.11
    python -m scripts.play_riichienv FILE --games 100 --first 0 [--mode 3p-red-half]

Each line of FILE, which is compressed, is a game as ``tests/kit/conversion/sanma_games.py`` describes it. The players
are those of ``scripts/oracles/riichienv_games.py``.
"""

from __future__ import annotations

import argparse
import gzip
import json
from importlib import import_module
from pathlib import Path

MODES = ("3p-red-half", "3p-red-east")


def main(argv: list[str] | None = None) -> None:
    """Play games from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="seed of the first game")
    parser.add_argument("--mode", default=MODES[0], choices=MODES)
    options = parser.parse_args(argv)
    play = import_module("scripts.oracles.riichienv_games").play  # help answers without the other engine
    with gzip.open(options.file, "wt", encoding="utf-8") as lines:
        for seed in range(options.first, options.first + options.games):
            print(json.dumps(play(seed, options.mode), separators=(",", ":")), file=lines)


if __name__ == "__main__":
    main()

"""Make an archive of any size from the shipped Tenhou logs, for benchmarks and load tests.

    python -m scripts.make_archive COUNT FOLDER [--three SHARE]

Every game is a shipped one with its tiles renamed (``tests/kit/renamed_games.py``). A seed fixes every file.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from tests.kit.renamed_games import make_archive


def main(argv: list[str] | None = None) -> None:
    """Make an archive from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, help="number of games")
    parser.add_argument("folder", type=Path, help="where to write them")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--gzip", action="store_true", help="pack every file")
    parser.add_argument(
        "--three", type=float, default=0, metavar="SHARE", help="share of games of three players, 0 to 1"
    )
    options = parser.parse_args(argv)
    start = time.perf_counter()
    make_archive(options.count, options.folder, seed=options.seed, packed=options.gzip, three=options.three)
    seconds = time.perf_counter() - start
    print(f"{options.count} games in {seconds:.1f} s ({options.count / seconds:.0f} a second)")


if __name__ == "__main__":
    main()

"""Compare the shanten of three players with another engine and with a plain definition.

    pip install riichienv
    python -m scripts.compare_sanma_shanten [--hands N] [--plain N]

Hands of 13 tiles are dealt from the 108 tiles; in every second one some kinds come first with all four copies, 1m and
9m more often than others, because only there the kinds matter. riichienv (``calculate_shanten_3p``) judges all of
them, the plain definition of `tests.kit.plain.reference` the first ones: it takes milliseconds a hand. Exit code 1 if
an answer differs.
"""

from __future__ import annotations

import argparse
import sys
from importlib import import_module

import numpy as np

from engine.shapes.shanten import shanten
from engine.tiles.hands import Hands
from engine.tiles.kinds import KINDS, SANMA, kinds_in, notation
from tests.kit.plain import reference

TILES = 13
_KINDS = np.array(kinds_in(SANMA))


def deal(n: int, seed: int = 1) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Deal n hands; counts int64 [n, 34]."""
    rng = np.random.default_rng(seed)
    counts = np.zeros((n, KINDS), dtype=np.int64)
    for row, hand in enumerate(counts):
        if row % 2:
            hand[rng.choice(_KINDS, rng.integers(TILES // 4 + 1), replace=False)] = 4
            if hand.sum() <= TILES - 8:
                hand[_KINDS[:2]] = 4
        wall = np.repeat(_KINDS, 4 - hand[_KINDS])
        np.add.at(hand, rng.permutation(wall)[: TILES - hand.sum()], 1)
    return counts


def main() -> int:
    """Run the tool; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=200_000)
    parser.add_argument("--plain", type=int, default=20_000)
    known = parser.parse_args()
    counts = deal(known.hands)
    keys, none = Hands.from_counts(counts).keys, np.zeros(known.hands, dtype=np.int64)
    own = shanten(keys, none, sanma=True).tolist()
    four = shanten(keys, none).tolist()
    print(f"{known.hands} hands, {sum(a != b for a, b in zip(own, four, strict=True))} differ from four players")
    ask = import_module("riichienv").calculate_shanten_3p
    tiles = [[4 * kind + copy for kind in np.flatnonzero(hand) for copy in range(hand[kind])] for hand in counts]
    answers = {
        "riichienv": list(map(ask, tiles)),
        "plain definition": [
            reference.shanten(hand, 0, reference.sanma_standard) for hand in counts[: known.plain].tolist()
        ],
    }
    different = 0
    for name, theirs in answers.items():
        wrong = [row for row, answer in enumerate(theirs) if answer != own[row]]
        different += len(wrong)
        print(f"{name}: {len(theirs)} hands, {len(wrong)} differ")
        for row in wrong[:10]:
            print(
                f"  {notation(np.repeat(np.arange(KINDS), counts[row]).tolist())}: {own[row]} here, {theirs[row]} there"
            )
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())

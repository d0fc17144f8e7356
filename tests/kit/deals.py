"""Seeded random hands: dealt, of one suit, with many quads, with many orphans, close to a win."""

from __future__ import annotations

import numpy as np

from engine.tiles.hands import Hands

KINDS_OF = {
    "dealt": range(34),
    "sanma": [0, *range(8, 34)],
    "flush": range(9, 18),
    "half flush": [*range(18, 27), 27, 29, 31],
    "orphans": [0, 8, 9, 17, 18, 26, *range(27, 34)],
    "honours": range(27, 34),
}


def deal(kind, n, tiles, seed=0):
    """Deal n hands of the same number of tiles; gives counts [n, 34]."""
    rng = np.random.default_rng(seed)
    if kind == "quads":
        return np.array([_quads(rng, tiles) for _ in range(n)])
    if kind == "near":
        return np.array([_near(rng, tiles) for _ in range(n)])
    wall = np.repeat(np.array(list(KINDS_OF[kind])), 4)
    return np.array([np.bincount(rng.permutation(wall)[:tiles], minlength=34) for _ in range(n)])


def _quads(rng, tiles):
    """Deal hands that start with whole quads and continue with any tiles."""
    counts = np.zeros(34, dtype=np.int64)
    counts[rng.choice(34, tiles // 4, replace=False)] = 4
    return _filled(rng, counts, tiles)


def _near(rng, tiles):
    """Deal random sets and a pair, then exchange up to two tiles."""
    counts = winning(rng, tiles // 3)
    for _ in range(rng.integers(0, 3)):
        counts[rng.choice(np.flatnonzero(counts))] -= 1
    while counts.sum() > tiles:
        counts[rng.choice(np.flatnonzero(counts))] -= 1
    return _filled(rng, counts, tiles)


def _filled(rng, counts, tiles):
    while counts.sum() < tiles:
        counts[rng.choice(np.flatnonzero(counts < 4))] += 1
    return counts


def winning(rng, sets, suits=4):
    """Make a winning hand with this number of sets and a pair, from the first suits; gives counts [34]."""
    while True:
        counts = np.zeros(34, dtype=np.int64)
        counts[rng.integers(min(34, 9 * suits))] += 2
        for _ in range(sets):
            lowest = int(rng.integers(min(34, 9 * suits)))
            if lowest < 27 and lowest % 9 <= 6 and rng.random() < 0.7:
                counts[lowest : lowest + 3] += 1
            else:
                counts[lowest] += 3
        if counts.max() <= 4:
            return counts


def hands(counts):
    """Turn counts into a batch."""
    return Hands.from_counts(np.asarray(counts))

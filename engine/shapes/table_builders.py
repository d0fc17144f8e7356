"""Builders of the lookup tables over suit keys. `engine.shapes.tables` serves the tables.

A table has one row for every key: 5**9 for a number suit, 5**7 for the honours. A *piece* is a row of nine counts
(seven for honours); the run 123 is ``1 1 1 0 0 0 0 0 0``. In a view of a table with shape (5,)*9 each axis is one
position, so "the same tiles and one more" is a shifted slice. Position 0 is the last axis.

The *vector* of a key has ten numbers. Column ``5 * j + m`` is what the suit lacks to contribute m sets and j pairs (0
or 1) to the hand. The shanten of a hand is the cheapest way to share four sets and one pair among its suits. There are
only some hundred different vectors, the *classes*. So a first table maps each key to its class, and a second one has
the cheapest share for each combination of classes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from math import comb
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy.typing as npt

    from engine.tiles.arrays import I64, U8, U16, Arrays, Bools

T = TypeVar("T", bound=np.generic)
S = TypeVar("S", bound=np.generic)

FAR = 100
"""Stands for "impossible": more than any distance, and the sum of two still fits a byte."""

NO_SET, SETS_ONLY, SETS_AND_PAIR = range(3)
"""How the tiles of a key divide without a rest: not at all, into sets alone, or into sets and one pair."""

MAKES_PAIR = 1 << 9
"""Bit in a mask of waits: the completed suit has a pair, not sets alone."""


PAIR_UNIT, KIND_UNIT, ORPHAN_UNIT, ORPHAN_PAIR_UNIT = 1, 1 << 4, 1 << 8, 1 << 12
"""Units of the four counts in a sum of `tallies`. Each has four bits, enough for 14 tiles."""


def _pieces(size: int, *shapes: tuple[int, ...]) -> I64:
    """List each shape at each position where it fits; int64 [pieces, size]."""
    rows = [
        (0,) * start + shape + (0,) * (size - start - len(shape))
        for shape in shapes
        for start in range(size - len(shape) + 1)
    ]
    return np.array(rows, dtype=np.int64)


SUIT_SETS = _pieces(9, (1, 1, 1), (3,))
"""Runs 123 to 789 (rows 0 to 6), then triplets (rows 7 to 15)."""
HONOUR_SETS = _pieces(7, (3,))
SUIT_BLOCKS = _pieces(9, (1,), (2,), (1, 1), (1, 0, 1), (1, 1, 1), (3,))
"""What the block formula counts: single tile, pair, two neighbours, two tiles with a gap, run, triplet."""
HONOUR_BLOCKS = _pieces(7, (1,), (2,), (3,))


def _keys(counts: I64) -> I64:
    keys: I64 = counts @ 5 ** np.arange(counts.shape[-1], dtype=np.int64)
    return keys


def _digits(size: int) -> U8:
    """Give the counts of every key; uint8 [size, 5**size]."""
    key = np.arange(5**size)
    return np.array([key // 5**i % 5 for i in range(size)], dtype=np.uint8)


@dataclass(frozen=True, slots=True)
class Divisions:
    """Every way to make up to four sets and at most one pair of one suit, without a fifth copy of a kind.

    Attributes
    ----------
    key
        Key of the tiles used; int64 [n].
    sets
        How often each set (row of the matrix of sets) occurs; int64 [n, sets].
    pair
        Position of the pair, -1 without one; int64 [n].
    """

    key: I64
    sets: I64
    pair: I64


def divisions(sets: I64) -> Divisions:
    """List the divisions made of the given sets, rows of counts such as ``SUIT_SETS``."""
    kinds, size = sets.shape
    chosen = np.concatenate([_multisets(kinds, n) for n in range(5)])
    pairs = np.concatenate([np.zeros((1, size), np.int64), _pieces(size, (2,))])
    counts = (chosen @ sets)[:, None, :] + pairs[None, :, :]
    row, pair = np.nonzero((counts <= 4).all(axis=2))
    return Divisions(_keys(counts[row, pair]), chosen[row], pair.astype(np.int64) - 1)


def _multisets(kinds: int, n: int) -> I64:
    """List every choice of n out of some kinds, with repetition, as rows of counts; int64 [choices, kinds]."""
    picks = np.array(list(combinations_with_replacement(range(kinds), n)), dtype=np.int64)
    picks = picks.reshape(comb(kinds + n - 1, n), n)
    counts: I64 = (picks[:, :, None] == np.arange(kinds)).sum(axis=1)
    return counts


def exact_vectors(sets: I64) -> U8:
    """Count the tiles to add until a suit holds m sets and j pairs, with at most four tiles of a kind.

    A target is a division with m sets and j pairs. Reaching it costs the tiles that each kind lacks; surplus tiles cost
    nothing. The cost is a sum over the kinds, so one pass over the kinds finds the nearest of all targets.

    Returns
    -------
    uint8 [5**size, 10]
        ``FAR`` where no target exists.
    """
    size = sets.shape[1]
    targets = divisions(sets)
    column = 5 * (targets.pair >= 0) + targets.sets.sum(axis=1)
    distance = np.full((10, 5**size), FAR, dtype=np.uint8)
    distance[column, targets.key] = 0
    for position in range(size):
        by_count = np.moveaxis(distance.reshape(10, -1, 5, 5**position), 2, 0)
        for n in (3, 2, 1, 0):
            np.minimum(by_count[n], by_count[n + 1] + np.uint8(1), out=by_count[n])
        for n in (1, 2, 3, 4):
            np.minimum(by_count[n], by_count[n - 1], out=by_count[n])
    capped: U8 = np.minimum(distance, FAR).T
    return capped


def block_vectors(blocks: I64, heads: I64 | None = None) -> U8:
    """Count the places that the tiles leave open in m sets and j pairs, by the block formula of RULES.md 3.6.

    A set is filled with the tiles of one piece of `blocks`, a pair with those of one piece of `heads`: without `heads`,
    with the single tiles and pairs of `blocks`. The formula does not ask whether the missing tiles exist. The number is
    ``3m + 2j`` minus the most tiles that can be used.

    Returns
    -------
    uint8 [5**size, 10]
    """
    size = blocks.shape[1]
    if heads is None:
        heads = blocks[(blocks.sum(axis=1) <= 2) & (blocks.max(axis=1) == blocks.sum(axis=1))]
    used = [np.zeros(5**size, dtype=np.uint8)]
    for m in range(4):
        used.append(_with_one_more(used[m], blocks))
    used += [_with_one_more(body, heads) for body in used[:5]]
    wanted = [3 * m + 2 * j for j in range(2) for m in range(5)]
    unfilled: U8 = np.array(wanted, dtype=np.uint8) - np.array(used).T
    return unfilled


def restricted_blocks(runs: int, triplets: int, pairs: int) -> Callable[[], Arrays]:
    """Make the builder of a `RestrictedTable`: block vectors of a suit where only some sets and pairs count.

    A set is filled with any part of an allowed set, a pair with any part of an allowed pair.

    Parameters
    ----------
    runs, triplets, pairs
        What is allowed, as masks of lowest positions: 7, 9 and 9 bits.

    Returns
    -------
    callable
        Builds the fields of ``tables.RestrictedTable``.
    """
    sets = SUIT_SETS[_flags(runs, 7) + _flags(triplets, 9)]
    blocks, heads = _parts(sets), _parts(_pieces(9, (2,))[_flags(pairs, 9)])

    def build() -> Arrays:
        number, vectors = _classify(block_vectors(blocks, heads))
        return {
            "number": number.astype(np.min_scalar_type(len(vectors))),
            "vectors": np.ascontiguousarray(vectors.T),
        }

    return build


def _flags(mask: int, size: int) -> list[bool]:
    return [bool(mask >> i & 1) for i in range(size)]


def _parts(pieces: I64) -> I64:
    """List each part of the pieces once, without the empty one."""
    parts = {part for piece in pieces.tolist() for part in product(*(range(n + 1) for n in piece)) if any(part)}
    return np.array(sorted(parts), dtype=np.int64).reshape(-1, pieces.shape[1])


def _with_one_more(used: U8, blocks: I64) -> U8:
    """Find how many tiles can be used at most if one more block is taken out of the suit; by key."""
    best = used.copy()
    for block in blocks:
        held, rest = _with_and_without(best, used, block)
        np.maximum(held, rest + np.uint8(block.sum()), out=held)
    return best


def _with_and_without(
    table: npt.NDArray[T], other: npt.NDArray[S], piece: I64
) -> tuple[npt.NDArray[T], npt.NDArray[S]]:
    """View `table` at the keys that hold a piece, and `other` at the same keys without it."""
    axes = piece[::-1].tolist()
    held = tuple(slice(n, None) for n in axes)
    rest = tuple(slice(None, 5 - n) for n in axes)
    return table.reshape((5,) * len(axes))[held], other.reshape((5,) * len(axes))[rest]


def merge(left: U8, right: U8) -> U8:
    """Give the vector of two groups of suits together, from the vector of each; uint8 [..., 10], broadcast."""
    shape = np.broadcast_shapes(left.shape, right.shape)
    best = np.full(shape, FAR, dtype=np.uint8)
    for column in range(10):
        for one, other in _shares(column):
            cost = left[..., one] + right[..., other]
            np.minimum(best[..., column], cost, out=best[..., column])
    return best


def _shares(column: int) -> Iterator[tuple[int, int]]:
    """List the pairs of columns whose sets and pairs add up to those of a column."""
    j, m = divmod(column, 5)
    for left_j in range(j + 1):
        for left_m in range(m + 1):
            yield 5 * left_j + left_m, 5 * (j - left_j) + m - left_m


def exact_distance() -> Arrays:
    """Build the distance tables of the exact shanten (fields of ``tables.DistanceTables``)."""
    return _distance(exact_vectors(SUIT_SETS), exact_vectors(HONOUR_SETS))


def block_distance() -> Arrays:
    """Build the distance tables of the block formula (fields of ``tables.DistanceTables``)."""
    return _distance(block_vectors(SUIT_BLOCKS), block_vectors(HONOUR_BLOCKS))


def _distance(suit_vectors: U8, honour_vectors: U8) -> Arrays:
    suit, suit_classes = _classify(suit_vectors)
    honour, honour_classes = _classify(honour_vectors)
    pair, pair_classes = _classify(_merge_all(suit_classes, suit_classes))
    last, last_classes = _classify(_merge_all(suit_classes, honour_classes))
    whole = _merge_all(pair_classes, last_classes)[:, 5:]
    return {
        "suit": suit.astype(np.uint8),
        "honour": honour.astype(np.uint8),
        "first_suits": pair.reshape(len(suit_classes), -1).astype(np.uint16),
        "last_suits": last.reshape(len(suit_classes), -1).astype(np.uint16),
        "distance": np.ascontiguousarray(whole.T).reshape(5, len(pair_classes), -1).astype(np.int8),
    }


def _merge_all(left: U8, right: U8) -> U8:
    return merge(left[:, None, :], right[None, :, :]).reshape(-1, 10)


def _classify(vectors: U8) -> tuple[I64, U8]:
    """Find the different vectors; give the number of the vector of each row, and the vectors by number."""
    capped = np.minimum(vectors, 15).astype(np.int64)
    code = capped @ 16 ** np.arange(10, dtype=np.int64)
    _, first, number = np.unique(code, return_index=True, return_inverse=True)
    return number.astype(np.int64), np.where(capped[first] == 15, FAR, capped[first]).astype(np.uint8)


def tallies() -> Arrays:
    """Build the sums for seven pairs and thirteen orphans (see ``tables.tallies``)."""
    return {"suit": _tally(9, [0, 8]), "honour": _tally(7, list(range(7)))}


def _tally(size: int, orphans: list[int]) -> U16:
    counts = _digits(size)
    orphan_counts = counts[orphans]
    total = (counts >= 2).sum(axis=0) * PAIR_UNIT + (counts >= 1).sum(axis=0) * KIND_UNIT
    total += (orphan_counts >= 1).sum(axis=0) * ORPHAN_UNIT
    total += (orphan_counts >= 2).sum(axis=0) * ORPHAN_PAIR_UNIT
    tally: U16 = total.astype(np.uint16)
    return tally


def suit_shapes() -> Arrays:
    """Build the shapes of suit keys (fields of ``tables.ShapeTables``)."""
    return _shapes(SUIT_SETS)


def honour_shapes() -> Arrays:
    """Build the shapes of honour keys (fields of ``tables.ShapeTables``)."""
    return _shapes(HONOUR_SETS)


def _shapes(sets: I64) -> Arrays:
    size = sets.shape[1]
    division = divisions(sets)
    shape = np.zeros(5**size, dtype=np.uint8)
    shape[division.key] = np.where(division.pair >= 0, SETS_AND_PAIR, SETS_ONLY)
    waits = np.zeros(5**size, dtype=np.uint16)
    pair_flag = np.array([0, 0, MAKES_PAIR], dtype=np.uint16)
    for i, tile in enumerate(_pieces(size, (1,))):
        made, before = _with_and_without(shape, waits, tile)
        before |= np.where(made > NO_SET, np.uint16(1 << i) | pair_flag[made], np.uint16(0))
    return {"shape": shape, "waits": waits}


def suit_splits() -> Arrays:
    """Build the divisions of suit keys (fields of ``tables.SplitTables``)."""
    return _splits(SUIT_SETS, runs=7)


def honour_splits() -> Arrays:
    """Build the divisions of honour keys (fields of ``tables.SplitTables``)."""
    return _splits(HONOUR_SETS, runs=0)


def _splits(sets: I64, runs: int) -> Arrays:
    division = divisions(sets)
    order = np.argsort(division.key, kind="stable")
    key, start = np.unique(division.key[order], return_index=True)
    held = division.sets[order]
    run_bits = np.array([_bits(held[:, :runs] >= n) for n in (1, 2, 3, 4)], dtype=np.int16)
    pair = division.pair[order]
    return {
        "key": key.astype(np.int32),
        "start": np.append(start, len(order)).astype(np.int32),
        "pair": np.where(pair >= 0, 1 << np.maximum(pair, 0), 0).astype(np.int16),
        "runs": run_bits,
        "triplets": _bits(held[:, runs:] >= 1).astype(np.int16),
    }


def _bits(flags: Bools) -> I64:
    bits: I64 = flags @ (1 << np.arange(flags.shape[1], dtype=np.int64))
    return bits

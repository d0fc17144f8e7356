"""Directed shanten: how far a hand is from tenpai for an aim, such as one yaku or several at once.

It is the block formula, ``13 - 3 sets - 2 partial sets - single tiles`` in at most four blocks and a pair. Only those
blocks count that can become a set or pair that the aim allows. The idea is that of the article
向聴数を求めるプログラム(修正版) of koba::blog. Sets that the aim requires take their tiles first, because a tile
is worth no more elsewhere. Like the block formula, it ignores whether the missing tiles exist, so an aim that needs a
fifth copy of a kind has a finite shanten too.

Directed shanten is never less than block shanten.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Self

import numpy as np

from engine.shapes.shanten import CHUNK, seven_pairs, thirteen_orphans
from engine.shapes.table_builders import FAR, merge
from engine.shapes.tables import RestrictedTable, restricted_table
from engine.tiles.hands import CHI, NO_MELD, PON
from engine.tiles.kinds import KINDS, SUIT_START, SUITS, UNIT, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.shapes.aims import Aim, Plan
    from engine.tiles.arrays import I8, I16, I32, I64, U8, Bools, Ints
    from engine.tiles.hands import Hands

UNREACHABLE = FAR
"""Shanten towards an aim that the melds rule out, or that contradicts itself."""


def directed_shanten(hands: Hands, aims: Sequence[Aim]) -> I8:
    """Find the shanten of each hand towards each aim.

    Parameters
    ----------
    hands
        Hands of any number of concealed tiles.
    aims
        Aims of ``aims.AIMS``, ``aims.yakuhai`` or ``aims.pinfu``, or several combined by ``&`` and ``|``.

    Returns
    -------
    int8 [n, aims]
        -1 for a complete hand, 13 for a hand without a tile that counts, ``UNREACHABLE`` where a meld rules the aim
        out.
    """
    plans = tuple(dict.fromkeys(plan for aim in aims for plan in aim.plans))
    result = np.full((len(hands), len(aims)), UNREACHABLE, dtype=np.int8)
    columns = [[plans.index(plan) for plan in aim.plans] for aim in aims]
    rows = max(CHUNK // max(len(plans), 1), 1)
    for start in range(0, len(hands), rows):
        part = slice(start, start + rows)
        distances = _distances(hands[part], _Plans.of(plans))
        for column, chosen in enumerate(columns):
            result[part, column] = distances[:, chosen].min(axis=1, initial=UNREACHABLE)
    return result


@dataclass(frozen=True, slots=True)
class _Plans:
    """Plans as arrays: masks are int64 [plans], counts of required sets by lowest kind int16 [plans, 34]."""

    runs: I64
    triplets: I64
    required_runs: I16
    required_triplets: I16
    standard: Bools
    closed: Bools
    orphans: Bools
    seven_pairs: dict[int, Bools]
    """For each mask of kinds, which plans allow seven pairs of these kinds; bool [plans]."""
    tables: tuple[list[tuple[RestrictedTable, I64]], ...]
    """For each suit its tables, each with the rows of the plans that use it."""

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, plans: tuple[Plan, ...]) -> Self:
        """Build the arrays."""
        pairs = [plan.seven_pairs if plan.seven_pairs.bit_count() >= 7 else 0 for plan in plans]
        return cls(
            runs=np.array([plan.runs for plan in plans], dtype=np.int64),
            triplets=np.array([plan.triplets for plan in plans], dtype=np.int64),
            required_runs=_required(plans, run=True),
            required_triplets=_required(plans, run=False),
            standard=np.array([plan.standard for plan in plans], dtype=np.bool_),
            closed=np.array([plan.closed for plan in plans], dtype=np.bool_),
            orphans=np.array([plan.orphans for plan in plans], dtype=np.bool_),
            seven_pairs={kinds: np.array([kinds == other for other in pairs]) for kinds in set(pairs) - {0}},
            tables=tuple(_tables(plans, suit) for suit in range(SUITS)),
        )

    def __len__(self) -> int:
        """Count the plans."""
        return len(self.runs)


def _required(plans: Iterable[Plan], *, run: bool) -> I16:
    lowest = [[one.lowest for one in plan.required if one.run == run] for plan in plans]
    return np.array([np.bincount(kinds, minlength=KINDS) for kinds in lowest], np.int16).reshape(-1, KINDS)


def _tables(plans: Sequence[Plan], suit: int) -> list[tuple[RestrictedTable, I64]]:
    """Group the plans by what they allow in a suit, and give the table of each group."""
    start = SUIT_START[suit]
    allowed = [(p.runs >> start & 0x7F, p.triplets >> start & 0x1FF, p.pairs >> start & 0x1FF) for p in plans]
    return [
        (restricted_table(*masks), np.array([i for i, other in enumerate(allowed) if other == masks]))
        for masks in dict.fromkeys(allowed)
    ]


def _distances(hands: Hands, plans: _Plans) -> I8:
    """Find the shanten towards each plan, the least over its forms of hand; int8 [n, plans]."""
    counts = hands.counts()
    result = np.where(plans.standard & _melds_fit(hands, plans), _standard(hands, counts, plans), UNREACHABLE)
    no_melds = (hands.meld_type == NO_MELD).all(axis=1)[:, None]
    for kinds, chosen in plans.seven_pairs.items():
        allowed = counts * np.array([kinds >> kind & 1 for kind in range(KINDS)], dtype=np.uint8)
        np.minimum(result, seven_pairs(_keys(allowed))[:, None], out=result, where=chosen & no_melds)
    np.minimum(result, thirteen_orphans(hands.keys)[:, None], out=result, where=plans.orphans & no_melds)
    return result


def _standard(hands: Hands, counts: U8, plans: _Plans) -> I8:
    """Find the shanten of standard hands: fill the required sets, then the other sets; int8 [n, plans]."""
    runs = np.maximum(plans.required_runs - _melded(hands, hands.meld_type == CHI), 0)
    triplets = np.maximum(plans.required_triplets - _melded(hands, hands.meld_type >= PON), 0)
    others = 4 - hands.n_melds.astype(np.int64)[:, None] - (runs + triplets).sum(axis=2)
    needed = 3 * triplets + runs
    needed[..., 1:] += runs[..., :-1]
    needed[..., 2:] += runs[..., :-2]
    spare = counts.astype(np.int16)[:, None, :] - needed
    missing = np.maximum(-spare, 0).sum(axis=2)
    vectors = _vectors(_keys(np.maximum(spare, 0)), plans)
    unfilled = np.take_along_axis(vectors, 5 + np.maximum(others, 0)[..., None], axis=2)[..., 0]
    return np.where(others >= 0, missing + unfilled - 1, UNREACHABLE).astype(np.int8)


def _melded(hands: Hands, chosen: Bools) -> I16:
    """Count the chosen melds of each hand by their lowest kind; int16 [n, 1, 34]."""
    counts = np.zeros((len(hands), KINDS), dtype=np.int16)
    row, slot = np.nonzero(chosen)
    np.add.at(counts, (row, hands.meld_tile[row, slot]), 1)
    return counts[:, None, :]


def _melds_fit(hands: Hands, plans: _Plans) -> Bools:
    """Flag the plans that allow all melds of the hand; bool [n, plans]."""
    bits = np.int64(1) << hands.meld_tile.astype(np.int64)
    chi = np.bitwise_or.reduce(np.where(hands.meld_type == CHI, bits, 0), axis=1)
    broken = some(chi[:, None] & ~plans.runs) | some(hands.melded_triplets[:, None] & ~plans.triplets)
    fit: Bools = ~broken & (hands.closed[:, None] | ~plans.closed)
    return fit


def _vectors(keys: I32, plans: _Plans) -> U8:
    """Count the places left open in m sets and j pairs over all suits; uint8 [n, plans, 10], by ``5 * j + m``."""
    suits = []
    for suit in range(SUITS):
        vectors = np.empty((10, *keys.shape[:2]), dtype=np.uint8)
        for table, chosen in plans.tables[suit]:
            vectors[:, :, chosen] = table.vectors.take(table.number.take(keys[:, chosen, suit]), axis=1)
        suits.append(np.moveaxis(vectors, 0, -1))
    return merge(merge(suits[0], suits[1]), merge(suits[2], suits[3]))


def _keys(counts: Ints) -> I32:
    """Turn counts [..., 34] into suit keys [..., 4]."""
    keys: I32 = np.add.reduceat(counts * UNIT[:KINDS], SUIT_START, axis=-1).astype(np.int32)
    return keys

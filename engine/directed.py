"""Shanten toward an aim: how far a hand is from tenpai for a given yaku, or for several at once.

It is the block formula of the seed article on shanten, ``13 - 3 sets - 2 partials - isolated`` in four blocks and a
head, for any number of tiles, where only those blocks count that can become what the aim allows. Sets that the
aim requires take their tiles first, as a tile that could go elsewhere is worth no more there. As in the formula,
the supply of a kind is not limited; with an aim that four copies cannot reach the number is still finite.

A hand is never nearer to an aim than to any hand: directed shanten is at least block shanten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.definitions import FAR, merge
from engine.hands import CHI, NO_MELD, PON
from engine.shanten import seven_pairs, thirteen_orphans
from engine.tables import restricted_table
from engine.tiles import KINDS, SUIT_START, SUITS, UNIT, some

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.aims import Aim, Plan, Set
    from engine.arrays import I8, I32, I64, U8, Bools, Ints
    from engine.hands import Hands

UNREACHABLE = FAR
"""Shanten toward an aim that the melds have ruled out, or that contradicts itself."""


def directed_shanten(hands: Hands, aims: Sequence[Aim]) -> I8:
    """Find how far each hand is from each aim.

    Parameters
    ----------
    hands
        Hands of any number of concealed tiles.
    aims
        What to reach: of ``aims.AIMS``, ``aims.yakuhai``, ``aims.pinfu``, or combined by ``&`` and ``|``.

    Returns
    -------
    int8 [n, aims]
        -1 for a complete hand, 13 for a hand without one useful tile, ``UNREACHABLE`` where a meld breaks the aim.
    """
    plans = list(dict.fromkeys(plan for aim in aims for plan in aim.plans))
    counts = hands.counts()
    distances = {plan: _distance(hands, counts, plan) for plan in plans}
    result = np.full((len(hands), len(aims)), UNREACHABLE, dtype=np.int8)
    for column, aim in enumerate(aims):
        for plan in aim.plans:
            np.minimum(result[:, column], distances[plan], out=result[:, column])
    return result


def _distance(hands: Hands, counts: U8, plan: Plan) -> I8:
    """Find the shanten toward one plan: the least of its forms; int8 [n]."""
    result = np.full(len(hands), UNREACHABLE, dtype=np.int8)
    if plan.standard:
        np.minimum(result, _standard(hands, counts, plan), out=result)
    no_melds = (hands.meld_type == NO_MELD).all(axis=1)
    if plan.seven_pairs.bit_count() >= 7:
        allowed = counts * _flags(plan.seven_pairs)
        np.minimum(result, seven_pairs(_keys(allowed)), out=result, where=no_melds)
    if plan.orphans:
        np.minimum(result, thirteen_orphans(hands.keys), out=result, where=no_melds)
    return result


def _standard(hands: Hands, counts: U8, plan: Plan) -> I8:
    """Fill the required sets, then as many others as there is room for."""
    wanted = {one: plan.required.count(one) for one in plan.required}
    lacking = {one: np.maximum(n - _melded(hands, one), 0) for one, n in wanted.items()}
    others = 4 - hands.n_melds.astype(np.int64) - sum(lacking.values())
    needed = np.zeros((len(hands), KINDS), dtype=np.int64)
    for one, n in lacking.items():
        for kind in one.kinds:
            needed[:, kind] += n
    missing = np.maximum(needed - counts, 0).sum(axis=1)
    vectors = _vectors(_keys(np.maximum(counts - needed, 0)), plan)
    unfilled = vectors[np.arange(len(hands)), 5 + np.maximum(others, 0)]
    reachable = _melds_fit(hands, plan) & (others >= 0)
    return np.where(reachable, missing + unfilled - 1, UNREACHABLE).astype(np.int8)


def _melded(hands: Hands, one: Set) -> I64:
    """Count the melds that are a given set; [n]."""
    right_type = hands.meld_type == CHI if one.run else hands.meld_type >= PON
    times: I64 = (right_type & (hands.meld_tile == one.lowest)).sum(axis=1)
    return times


def _melds_fit(hands: Hands, plan: Plan) -> Bools:
    """Tell which hands have no meld that breaks the plan; [n]."""
    bits = np.int64(1) << hands.meld_tile.astype(np.int64)
    broken = (hands.meld_type == CHI) & some(bits & ~np.int64(plan.runs))
    broken |= (hands.meld_type >= PON) & some(bits & ~np.int64(plan.triplets))
    fit: Bools = ~broken.any(axis=1)
    return fit & hands.closed if plan.closed else fit


def _vectors(keys: I32, plan: Plan) -> U8:
    """Give the tiles that m sets (and a pair) leave unfilled over all suits; uint8 [n, 10] by 5 * pairs + m."""
    suits = []
    for suit in range(SUITS):
        runs, triplets, pairs = (mask >> SUIT_START[suit] for mask in (plan.runs, plan.triplets, plan.pairs))
        table = restricted_table(runs & 0x7F, triplets & 0x1FF, pairs & 0x1FF)
        suits.append(table.vectors.take(table.number.take(keys[:, suit]), axis=1).T)
    return merge(merge(suits[0], suits[1]), merge(suits[2], suits[3]))


def _keys(counts: Ints) -> I32:
    """Turn counts [n, 34] into suit keys [n, 4]."""
    keys: I32 = np.add.reduceat(counts * UNIT[:KINDS], SUIT_START, axis=1).astype(np.int32)
    return keys


def _flags(kinds: int) -> U8:
    return np.array([kinds >> kind & 1 for kind in range(KINDS)], dtype=np.uint8)

"""Waits: the kinds that complete a hand, as bit masks.

The waits of three players need no argument: a hand without 2m to 8m has no run of manzu and never waits for one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.shapes.shanten import seven_pairs, thirteen_orphans
from engine.shapes.table_builders import MAKES_PAIR, NO_SET, SETS_AND_PAIR
from engine.shapes.tables import shape_tables
from engine.tiles.hands import counts_of
from engine.tiles.kinds import ORPHANS, SUIT_START, kind_mask

if TYPE_CHECKING:
    from engine.tiles.arrays import I32, I64, Bools, Ints
    from engine.tiles.hands import Hands


def waits(keys: I32, n_melds: Ints) -> I64:
    """Find the kinds that complete each hand with one more tile.

    A kind is not a wait if the concealed tiles hold all four of it. Copies in melds do not matter (RULES.md 3.6,
    Tenhou).

    Parameters
    ----------
    keys
        Suit keys of the concealed tiles of hands that are one tile short; int32 [n, 4].
    n_melds
        Melds of each hand; [n].

    Returns
    -------
    int64 [n]
        Bit *k* is set if kind *k* is a wait. 0 for a hand that is not tenpai.
    """
    result = _standard_waits(keys)
    closed = np.flatnonzero(np.asarray(n_melds) == 0)
    if closed.size:
        result[closed] |= _special_waits(keys[closed])
    return result


def waits_of(hands: Hands, *, whole_hand: Bools | bool = False) -> I64:
    """Find the waits of hands under either rule on the fifth tile (RULES.md 3.6).

    Parameters
    ----------
    hands
        Hands one tile short.
    whole_hand
        Whether copies in melds count too, so that a kind is not a wait if concealed tiles and melds hold four of it:
        the rule ``fifth_tile_wait`` is ``"whole_hand"``. One value for all hands, or [n].

    Returns
    -------
    int64 [n]
        Masks as `waits` gives them.
    """
    found = waits(hands.keys, hands.n_melds)
    if not np.any(whole_hand):
        return found
    return found & ~np.where(whole_hand, kind_mask(hands.all_counts() >= 4), 0)


def _standard_waits(keys: I32) -> I64:
    """Find the waits of standard hands: one suit lacks one tile, the others divide without a rest, one pair in all."""
    suit, honour = shape_tables()
    tables = (suit, suit, suit, honour)
    shapes = np.stack([table.shape[keys[:, i]] for i, table in enumerate(tables)])
    broken = shapes == NO_SET
    paired = shapes == SETS_AND_PAIR
    all_broken, all_paired = broken.sum(axis=0), paired.sum(axis=0)
    result = np.zeros(len(keys), dtype=np.int64)
    for i, table in enumerate(tables):
        others_exact = all_broken - broken[i] == 0
        other_pairs = all_paired - paired[i]
        wanted = table.waits[keys[:, i]]
        fits = others_exact & (other_pairs + (wanted >= MAKES_PAIR) == 1)
        kinds = np.where(fits, wanted & (MAKES_PAIR - 1), 0)
        result |= kinds.astype(np.int64) << SUIT_START[i]
    return result


def _special_waits(keys: I32) -> I64:
    """Find the waits of seven pairs and of thirteen orphans, of hands without melds."""
    result = np.zeros(len(keys), dtype=np.int64)
    pairs = np.flatnonzero(seven_pairs(keys) == 0)
    result[pairs] |= kind_mask(counts_of(keys[pairs]) == 1)
    orphans = np.flatnonzero(thirteen_orphans(keys) == 0)
    missing = ORPHANS & ~kind_mask(counts_of(keys[orphans]) > 0)
    result[orphans] |= np.where(missing == 0, ORPHANS, missing)
    return result

"""Useful tiles: the kinds that lower the shanten of a hand, how many tiles are left, and the same after each discard.

A kind is useful if drawing it lowers the exact shanten. A kind is not useful if the concealed tiles hold all four
of it, because it cannot be drawn. With three players 2m to 8m cannot be drawn either. The useful kinds of a tenpai
hand are its waits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.shapes.shanten import CHUNK, shanten
from engine.tiles.hands import counts_of
from engine.tiles.kinds import ALL_KINDS, KINDS, SANMA, SUIT, SUITS, UNIT, kind_mask

if TYPE_CHECKING:
    from engine.tiles.arrays import I8, I32, I64, U8, Bools, Ints

HANDS = CHUNK // 34
"""Hands in a chunk; each becomes 34 hands, one for each kind drawn."""

_DRAWS: I32 = np.where(np.arange(SUITS) == SUIT[:KINDS, None], UNIT[:KINDS, None], 0).astype(np.int32)
"""The amount that a draw of each kind adds to the four suit keys; int32 [34, 4]."""

NOT_HELD = 127
"""Shanten after the discard of a kind that the hand does not hold."""


def useful(keys: I32, n_melds: Ints, *, sanma: Bools | bool = False) -> I64:
    """Find the kinds that lower the exact shanten of each hand.

    Parameters
    ----------
    keys
        Suit keys of the concealed tiles; int32 [n, 4].
    n_melds
        Melds of each hand; [n].
    sanma
        Whether three players play, as in `engine.shapes.shanten.shanten`.

    Returns
    -------
    int64 [n]
        Bit *k* is set if kind *k* is useful.
    """
    result = np.empty(len(keys), dtype=np.int64)
    sanma = np.broadcast_to(sanma, len(keys))
    for start in range(0, len(keys), HANDS):
        part = slice(start, start + HANDS)
        # A fifth tile would carry into the next digit of the key.
        possible = counts_of(keys[part]) < 4
        drawn = keys[part, None, :] + _DRAWS * possible[:, :, None]
        melds = np.asarray(n_melds)[part]
        three = sanma[part]
        of_draws = np.repeat(three, KINDS) if three.any() else False
        after = shanten(drawn.reshape(-1, SUITS), np.repeat(melds, KINDS), sanma=of_draws)
        before = shanten(keys[part], melds, sanma=three)
        result[part] = kind_mask(after.reshape(-1, KINDS) < before[:, None])
    return result & np.where(sanma, SANMA, ALL_KINDS)


def left(kinds: I64, visible: Ints) -> U8:
    """Count the unseen tiles of some kinds.

    Parameters
    ----------
    kinds
        Masks of kinds, such as `useful` gives; int64 [n].
    visible
        Tiles of each kind that the seat sees: its own, all melds, rivers and indicators; [n, 34].

    Returns
    -------
    uint8 [n, 34]
        Unseen tiles of each kind in the mask, 0 for the other kinds.
    """
    unseen = 4 - np.minimum(np.asarray(visible, dtype=np.int64), 4)
    chosen = kinds[:, None] >> np.arange(KINDS) & 1
    counts: U8 = (chosen * unseen).astype(np.uint8)
    return counts


@dataclass(frozen=True, slots=True)
class DiscardChoices:
    """Shanten and useful kinds after each possible discard of n hands.

    Attributes
    ----------
    shanten
        Exact shanten after the discard of each kind, ``NOT_HELD`` where the hand does not hold it; int8 [n, 34].
    useful
        Masks of the useful kinds after the discard, 0 where the hand does not hold it; int64 [n, 34].
    """

    shanten: I8
    useful: I64


def after_discards(keys: I32, n_melds: Ints, *, sanma: Bools | bool = False) -> DiscardChoices:
    """Find shanten and useful tiles after every discard.

    Parameters
    ----------
    keys
        Suit keys of hands with one tile too many; int32 [n, 4].
    n_melds
        Melds of each hand; [n].
    sanma
        Whether three players play, as in `engine.shapes.shanten.shanten`.
    """
    counts = counts_of(keys)
    row, kind = np.nonzero(counts)
    rest = keys[row]
    rest[np.arange(len(row)), SUIT[kind]] -= UNIT[kind]
    melds, three = np.asarray(n_melds)[row], np.broadcast_to(sanma, len(keys))[row]
    distance = np.full(counts.shape, NOT_HELD, dtype=np.int8)
    distance[row, kind] = shanten(rest, melds, sanma=three)
    kinds = np.zeros(counts.shape, dtype=np.int64)
    kinds[row, kind] = useful(rest, melds, sanma=three)
    return DiscardChoices(distance, kinds)

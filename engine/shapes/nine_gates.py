"""Nine gates: the shape 1112345678999 of one suit, and the tile of a hand beyond it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.tiles.hands import NO_MELD
from engine.tiles.kinds import UNIT

if TYPE_CHECKING:
    from engine.tiles.arrays import I32, Bools
    from engine.tiles.hands import Hands

NINE_GATES_KEY = 3 + 3 * 5**8 + sum(5**i for i in range(1, 8))
"""Suit key of 1112345678999."""


def surplus(hands: Hands) -> I32:
    """Subtract the nine gates from each hand of one suit without melds.

    Parameters
    ----------
    hands
        Whole hands, winning tile included; n.

    Returns
    -------
    int32 [n]
        Key of the suit minus the key of 1112345678999. Where the hand holds these thirteen tiles, that is the unit
        (`engine.tiles.kinds.UNIT`) of its fourteenth tile; every other hand of fourteen tiles gives no unit. -1 for
        hands with melds, or of more than one suit.
    """
    suit_key = hands.keys[:, :3].max(axis=1)
    pure = (hands.keys.sum(axis=1) == suit_key) & (hands.meld_type == NO_MELD).all(axis=1)
    return np.where(pure, suit_key - NINE_GATES_KEY, -1).astype(np.int32)


def holds_nine_gates(hands: Hands) -> Bools:
    """Flag the whole hands of 1112345678999 and one more tile of the suit, without melds; bool [n]."""
    holds: Bools = np.isin(surplus(hands), UNIT[:9])
    return holds

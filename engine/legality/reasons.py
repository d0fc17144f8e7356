"""Reasons why an action is not legal. Each is one bit, so that a number can hold several; 0 is legal."""

from __future__ import annotations

from enum import IntFlag, auto


class Reason(IntFlag):
    """A reason against an action (RULES.md 2.1 to 2.6)."""

    NOT_HELD = auto()
    """The concealed tiles do not hold the tiles that the action takes from them."""
    LAST_TILE = auto()
    """No tile is left to draw, so that no call and no kan is possible."""
    RIICHI_HAND = auto()
    """The hand is in riichi: it cannot call or make a kakan, and discards only the tile just drawn."""
    NOT_FROM_LEFT = auto()
    """The called tile is not the discard of the left seat, which a chi needs."""
    NO_RUN = auto()
    """The tiles do not make a run: they are honours or of two suits, or the called tile is not in it."""
    NO_DISCARD = auto()
    """After the call every possible discard would be kuikae."""
    KUIKAE_SAME = auto()
    """The discard is of the kind that was just called (kuikae); a red five is a five."""
    KUIKAE_SUJI = auto()
    """The discard is of the kind at the other end of the run that was just called (kuikae)."""
    FIFTH_KAN = auto()
    """Four kans have been made in the round, by all seats together."""
    AFTER_CALL = auto()
    """The seat has just made chi or pon; it must discard and cannot make a kan."""
    NO_PON = auto()
    """The hand has no pon of the kind, which a kakan needs."""
    OPEN_HAND = auto()
    """The hand has a meld other than ankan, so that riichi is not possible."""
    DECLARED = auto()
    """The hand is already in riichi."""
    NOT_TENPAI = auto()
    """The hand would not be tenpai after the action."""
    NO_WAIT = auto()
    """The hand would have the shape of tenpai, but only a fifth copy of a kind completes it (RULES.md 3.6)."""
    NO_NEXT_DRAW = auto()
    """Fewer than four tiles are left, so that the seat has no draw after riichi."""
    TOO_FEW_POINTS = auto()
    """The seat has too few points for riichi."""
    NOT_DRAWN = auto()
    """After riichi, the kan is not of the tile just drawn (okuri-kan)."""
    KAN_IN_RIICHI = auto()
    """The rules do not allow a kan after riichi."""
    SHAPE_CHANGES = auto()
    """The kan after riichi takes a reading from the hand (rule ``riichi_ankan_level`` 1)."""
    WAITS_CHANGE = auto()
    """The kan after riichi changes what the hand waits for (rule ``riichi_ankan_level`` 2)."""


def reasons(bits: int) -> tuple[str, ...]:
    """Give the names of the reasons in one number, such as ``("OPEN_HAND", "NO_NEXT_DRAW")``."""
    return tuple(reason.name for reason in Reason if reason & bits and reason.name)

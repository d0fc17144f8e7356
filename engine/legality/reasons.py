"""Why an action is not legal: one bit a reason, so that an array holds all of them and 0 is legal."""

from __future__ import annotations

from enum import IntFlag, auto


class Reason(IntFlag):
    """A reason against an action. Sources are RULES.md 2.1 to 2.6."""

    NOT_HELD = auto()
    """The concealed tiles do not hold what the action takes from them."""
    LAST_TILE = auto()
    """No tile is left to draw, so nothing may be called and no kan be made."""
    RIICHI_HAND = auto()
    """The hand is in riichi: no call, no kakan, no discard but the tile just drawn."""
    NOT_FROM_LEFT = auto()
    """A chi takes the discard of the left seat only."""
    NO_RUN = auto()
    """The tiles make no run: honours, two suits, or the called tile is not in it."""
    NO_DISCARD = auto()
    """After the call every tile that is left would be kuikae."""
    KUIKAE_SAME = auto()
    """The discard is of the kind that was just called; a red five is a five."""
    KUIKAE_SUJI = auto()
    """The discard would have completed the run that was just called at its other end."""
    FIFTH_KAN = auto()
    """Four kans have been made in the round."""
    AFTER_CALL = auto()
    """A discard follows chi or pon, not a kan."""
    NO_PON = auto()
    """A kakan adds to a pon of its kind."""
    OPEN_HAND = auto()
    """Riichi needs a hand without melds but ankan."""
    DECLARED = auto()
    """Riichi has been declared before."""
    NOT_TENPAI = auto()
    """The hand would not be tenpai."""
    NO_WAIT = auto()
    """The hand would have the shape of tenpai, but only a fifth tile completes it (RULES.md 3.6)."""
    NO_NEXT_DRAW = auto()
    """Fewer than four tiles are left, so that no own draw follows riichi."""
    TOO_FEW_POINTS = auto()
    """The seat has too few points for riichi."""
    NOT_DRAWN = auto()
    """After riichi only the tile just drawn makes a kan (okuri-kan)."""
    KAN_IN_RIICHI = auto()
    """The rules know no kan after riichi."""
    SHAPE_CHANGES = auto()
    """The kan after riichi takes a reading from the hand."""
    WAITS_CHANGE = auto()
    """The kan after riichi changes what the hand waits for."""


def reasons(bits: int) -> tuple[str, ...]:
    """Name the reasons in one value, such as ``("OPEN_HAND", "NO_NEXT_DRAW")``."""
    return tuple(reason.name for reason in Reason if reason & bits and reason.name)

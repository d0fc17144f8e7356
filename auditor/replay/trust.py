"""Trust: what speaks against relying on a round, a hand or a win, one bit a reason.

A log can be wrong, cut or unreadable at one place and right everywhere else. Each stage of the replay adds the reasons
that it finds (:class:`Doubt`). A frame asks for the rows that are free of the reasons which matter to it, and is null,
or has no row, elsewhere: there the check is not possible, and the fault itself is the finding of another check. A hand
also has the doubts of its round, a win those of its round and of the winner's hand.

Reasons are found, in this order, by the log itself (:func:`as_read`), the order of turns (turn_order.py), the tiles
(holdings.py), the ends of rounds and hands (last_states.py), and the wins (win_context.py, scored_wins.py).

What each frame cannot say where there are which doubts, and the checks that are silent then:

===============  ==================================  ==================================================================
frame            checks                              cannot say
===============  ==================================  ==================================================================
problems         L002                                that a result is missing: REST_NOT_READ
problems         L004                                what the reader found out of order: NO_ORDER
turns            (table of turns)                    shanten: HAND_DOUBTS
turns            D102                                tiles beyond the last: OUT_OF_ORDER
discards         D103                                where the tile came from: HAND_DOUBTS
calls            C101 C102 C104 C105 C106 D104 D105  anything: TURN_DOUBTS
calls            C105                                tiles left: ORDER_DOUBTS
calls            C106                                that no discard is legal: HAND_DOUBTS
kans             K101 K102 K103 T102                 that tiles or the pon are missing: TILE_DOUBTS
kans             K104                                tiles left: ORDER_DOUBTS
kans             K108 K109 K110 K114                 what an ankan in riichi changes: HAND_DOUBTS
indicators       K112                                when one is due: ORDER_DOUBTS
miscounted       T103                                tiles held at a draw: ORDER_DOUBTS
riichis          R101 R102                           melds, waits: END_HAND_DOUBTS
riichis          R105 R107                           tiles left, whether the stick is due: ROUND_DOUBTS
riichi_waits     (table of riichis)                  double: ORDER_DOUBTS; paid: STICKS_UNKNOWN, NO_RESULT
riichi_waits     (table of riichis)                  tiles unseen: TABLE_DOUBTS, HAND_DOUBTS of one of the four hands
locked_discards  R103                                the tile drawn: END_HAND_DOUBTS
shows            T105                                the hand: HAND_DOUBTS, OWN_TILE; of a ron also END_DOUBTS
wins             T105                                melds: MELD_DOUBTS
wins             W101 W102 W104 W105 W106            value: SCORE_DOUBTS, OTHER_HAND_SHOWN; if it hangs on an event that
                                                     may be missing, also ROUND_DOUBTS
wins             W107 W108 W111                      the same, and DORA_UNKNOWN
wins             W108                                indicators on the table: INDICATOR_DOUBTS
wins             W109                                the last tile: END_DOUBTS
rons             W103                                furiten: SCORE_DOUBTS, END_HAND_DOUBTS, ROUND_DOUBTS
ura_indicators   W112                                how many are due: INDICATOR_DOUBTS
payments         P101 P102 P103 P104                 changes of a win: PAYMENT_DOUBTS
payments         P107                                changes of a nagashi mangan: ROUND_DOUBTS
drawn_rounds     X101 X107                           tiles drawn, river: ROUND_DOUBTS
hands_at_draw    X102 X103                           tenpai: ROUND_DOUBTS, END_HAND_DOUBTS
aborted          X105                                its condition: ROUND_DOUBTS; if it hangs on hands, END_HAND_DOUBTS
overrun          X106                                that play went on: ROUND_DOUBTS
scores           P105                                scores carried over: STICK_DOUBTS
ends             G104 G105 G106                      scores at a round's end: STICK_DOUBTS
succession       G101 G102 G103                      what follows from the round before: STICKS_UNKNOWN
===============  ==================================  ==================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, auto
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.tables import SEATS

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy.typing as npt

    from auditor.log.tables import Log

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


class Doubt(IntFlag):
    """A reason not to rely on a round, a hand or a win."""

    # Of a round, from the log itself.
    PLAY_NOT_READ = auto()
    """Something of the play could not be read, so hands and turns cannot be followed."""
    REST_NOT_READ = auto()
    """The rest of the round could not be read, so its result is missing."""
    STICKS_UNKNOWN = auto()
    """Nobody knows who paid riichi sticks: readers infer that from the play, and PLAY_NOT_READ."""
    WIND_NOT_STATED = auto()
    """The log does not state the round's wind."""
    DEALER_NOT_STATED = auto()
    """The log does not state the dealer."""
    HONBA_NOT_STATED = auto()
    """The log does not state the honba at the round's start."""
    STICKS_NOT_STATED = auto()
    """The log does not state the riichi sticks on the table at the round's start."""
    INDICATOR_NOT_STATED = auto()
    """The log does not state the first dora indicator."""

    # Of a round, from the order of its events.
    OUT_OF_ORDER = auto()
    """An event cannot follow the one before it: a row of ``TurnOrder.misplaced``."""
    NO_ORDER = auto()
    """So many events are out of order that no turn can be followed."""
    NO_RESULT = auto()
    """The round has no result."""
    END_OUT_OF_ORDER = auto()
    """One of the last actions before the result is out of order."""
    LAST_TILE_NOT_READ = auto()
    """The last draw, discard or call before the result is of a tile that the log does not name."""

    # Of a round, from its tiles.
    INDICATORS_WRONG = auto()
    """An indicator is missing, one too many, or turned at a wrong time (K112)."""
    EXTRA_COPY = auto()
    """A tile comes into play more often than the set has it (T101)."""

    # Of a hand.
    NOT_DEALT = auto()
    """The log does not deal it."""
    TILE_NOT_READ = auto()
    """It drew or gave away a tile that the log does not name."""
    ACTION_MISSING = auto()
    """By the order of events it has a draw or a discard too few or too many, of an unknown tile."""
    TILE_NOT_HELD = auto()
    """It gave away a tile that it did not have (T102)."""
    HOLDS_EXTRA_COPY = auto()
    """It got a tile that comes into play too often (T101)."""
    WRONG_NUMBER = auto()
    """At the round's end it has not as many tiles as a hand has."""

    # Of a win.
    TILE_IS_NOT_LAST = auto()
    """The last action is no draw of the winner (tsumo), no discard or kakan of the payer (ron), or of no known tile."""
    OWN_TILE = auto()
    """The winner of a ron has discarded the tile itself: the log names the wrong seats."""
    DORA_UNKNOWN = auto()
    """INDICATORS_WRONG, and the win does not show its indicators either."""
    OTHER_HAND_SHOWN = auto()
    """The win shows another hand than was played (T105)."""


# Of rounds.
TURN_DOUBTS = Doubt.PLAY_NOT_READ | Doubt.NO_ORDER
"""Against saying of most events which one they follow."""
ORDER_DOUBTS = Doubt.PLAY_NOT_READ | Doubt.OUT_OF_ORDER
"""Against saying that no event before is missing or one too many."""
ROUND_DOUBTS = ORDER_DOUBTS | Doubt.NO_RESULT
"""Against saying so of the whole round."""
END_DOUBTS = TURN_DOUBTS | Doubt.NO_RESULT | Doubt.END_OUT_OF_ORDER | Doubt.LAST_TILE_NOT_READ
"""Against saying what the last action before the result was."""
INDICATOR_DOUBTS = Doubt.PLAY_NOT_READ | Doubt.INDICATOR_NOT_STATED | Doubt.INDICATORS_WRONG
"""Against saying which indicators, and how many, lie on the table."""
TABLE_DOUBTS = ORDER_DOUBTS | INDICATOR_DOUBTS | Doubt.EXTRA_COPY
"""Against counting the tiles that lie open."""
STICK_DOUBTS = Doubt.STICKS_UNKNOWN | Doubt.NO_ORDER
"""Against saying who paid riichi sticks."""

# Of hands.
TILE_DOUBTS = TURN_DOUBTS | Doubt.NOT_DEALT | Doubt.TILE_NOT_READ | Doubt.ACTION_MISSING
"""Against saying which tiles come into the hand and leave it."""
HAND_DOUBTS = TILE_DOUBTS | Doubt.TILE_NOT_HELD | Doubt.HOLDS_EXTRA_COPY
"""Against relying on what the hand holds at any time of the round."""
END_HAND_DOUBTS = HAND_DOUBTS | Doubt.WRONG_NUMBER
"""Against relying on what it holds at the round's end."""

# Of wins.
MELD_DOUBTS = HAND_DOUBTS | Doubt.OWN_TILE
"""Against relying on the winner's melds."""
SCORE_DOUBTS = (
    HAND_DOUBTS | Doubt.TILE_IS_NOT_LAST | Doubt.WIND_NOT_STATED | Doubt.DEALER_NOT_STATED | Doubt.INDICATOR_NOT_STATED
)
"""Against scoring the hand."""
PAYMENT_DOUBTS = (
    Doubt.OWN_TILE | Doubt.DEALER_NOT_STATED | Doubt.HONBA_NOT_STATED | Doubt.STICKS_NOT_STATED | Doubt.STICKS_UNKNOWN
)
"""Against saying who pays how much for a given value."""


@dataclass(frozen=True)
class Doubts:
    """The doubts of each row: ``bits`` uint32[n] of :class:`Doubt`, and all reasons that have been ``looked_for``."""

    bits: npt.NDArray[np.uint32]
    looked_for: Doubt

    def free_of(self, doubts: Doubt) -> Bools:
        """Return which rows have none of these doubts, bool[n].

        Raises
        ------
        ValueError
            if one of them has not been looked for yet

        """
        if missing := doubts & ~self.looked_for:
            raise ValueError(f"not looked for yet: {missing!r}")
        free: Bools = (self.bits & np.uint32(doubts)) == 0
        return free

    def rows_with(self, doubts: Doubt) -> pl.Series:
        """Return the numbers of the rows that have one of these doubts."""
        return pl.Series(~self.free_of(doubts)).arg_true()

    def of(self, rows: Ints) -> Doubts:
        """Return those of some rows, by number."""
        return Doubts(self.bits[rows], self.looked_for)

    def plus(self, found: Mapping[Doubt, Bools | Ints]) -> Doubts:
        """Return the same with further reasons, each with the rows that it holds for: a mask, or their numbers."""
        bits, looked_for = self.bits.copy(), self.looked_for
        for doubt, rows in found.items():
            bits[rows] |= np.uint32(doubt)
            looked_for |= doubt
        return Doubts(bits, looked_for)


@dataclass(frozen=True)
class Trust:
    """The doubts of all ``rounds`` of a batch, and of all ``hands`` (``round * SEATS + seat``), as far as found."""

    rounds: Doubts
    hands: Doubts

    def plus(self, *, rounds: Mapping[Doubt, Bools | Ints], hands: Mapping[Doubt, Bools | Ints]) -> Trust:
        """Return the same with further reasons; those of a round become reasons of its hands."""
        of_rounds, of_hands = self.rounds.plus(rounds), self.hands.plus(hands)
        bits = of_hands.bits | np.repeat(of_rounds.bits, SEATS)
        return Trust(of_rounds, Doubts(bits, of_hands.looked_for | of_rounds.looked_for))


_STATED = {
    Doubt.WIND_NOT_STATED: "wind",
    Doubt.DEALER_NOT_STATED: "dealer",
    Doubt.HONBA_NOT_STATED: "honba",
    Doubt.STICKS_NOT_STATED: "sticks",
    Doubt.INDICATOR_NOT_STATED: "dora",
}
"""The column of ``log.rounds`` that is null for each."""


def as_read(log: Log) -> Trust:
    """Return the doubts that the log itself tells."""
    rounds, hands = (
        Doubts(np.zeros(count, np.uint32), Doubt(0)) for count in (len(log.rounds), len(log.rounds) * SEATS)
    )
    play_not_read = np.zeros(len(log.rounds), dtype=bool)
    play_not_read[_with_problem(log, "play")] = True
    hand = log.deals["round"].to_numpy().astype(np.int64) * SEATS + log.deals["seat"].to_numpy()
    return Trust(rounds, hands).plus(
        rounds={
            Doubt.PLAY_NOT_READ: play_not_read,
            Doubt.REST_NOT_READ: _with_problem(log, "rest"),
            Doubt.STICKS_UNKNOWN: play_not_read & log.deposits_inferred,
            **{doubt: log.rounds[column].is_null().to_numpy() for doubt, column in _STATED.items()},
        },
        hands={Doubt.NOT_DEALT: np.bincount(hand, minlength=len(log.rounds) * SEATS) == 0},
    )


def _with_problem(log: Log, mark: str) -> Ints:
    """Return the rounds that have a problem with this mark."""
    found: Ints = log.problems.filter(pl.col(mark))["round"].drop_nulls().to_numpy().astype(np.int64)
    return found

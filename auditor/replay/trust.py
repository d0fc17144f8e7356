"""Trust: the reasons not to rely on a round, a hand or a win, one bit for each reason.

A log can be wrong, cut off or unreadable at one place and right everywhere else. Each stage of the replay adds the
reasons that it finds (:class:`Doubt`). A frame asks for the rows that are free of the reasons which matter to it. In
other rows it has null, or it omits them: they are not checkable, and another check reports the fault itself. A hand
also has the doubts of its round, and a win those of its round and of the winner's hand.

The stages are, in this order: the log itself (:func:`as_read`), the order of turns (turn_order.py), the tiles
(holdings.py), the ends of rounds and hands (last_states.py), and the wins (win_context.py, scored_wins.py).

For each frame: the values that it does not know under some doubts, and the checks that depend on these values:

===============  ==================================  ==================================================================
frame            checks                              unknown values: under which doubts
===============  ==================================  ==================================================================
problems         L002                                whether a result is missing: REST_NOT_READ
problems         L004                                events that the reader found out of order: NO_ORDER
turns            (table of turns)                    shanten: HAND_DOUBTS
turns            D102                                tiles beyond the last: OUT_OF_ORDER
discards         D103                                where the tile came from: HAND_DOUBTS
calls            C101 C102 C104 C105 C106 D104 D105  anything: TURN_DOUBTS
calls            C105                                tiles left: ORDER_DOUBTS
calls            C106                                whether no discard is legal: HAND_DOUBTS
kans             K101 K102 K103 T102                 whether tiles or the pon are missing: TILE_DOUBTS
kans             K104                                tiles left: ORDER_DOUBTS
kans             K108 K109 K110 K114                 the changes by an ankan in riichi: HAND_DOUBTS
kitas            N101                                whether the tile is missing: TILE_DOUBTS
kitas            N106                                tiles left: ORDER_DOUBTS
indicators       K112                                when one is due: ORDER_DOUBTS
miscounted       T103                                tiles held at a draw: ORDER_DOUBTS
riichis          R101 R102                           melds, waits: END_HAND_DOUBTS
riichis          R105 R107                           tiles left, whether the stick is due: ROUND_DOUBTS
riichi_waits     (table of riichis)                  double: ORDER_DOUBTS; paid: STICKS_UNKNOWN, NO_RESULT
riichi_waits     (table of riichis)                  tiles unseen: TABLE_DOUBTS, HAND_DOUBTS of one of the four hands
locked_discards  R103                                the tile drawn: END_HAND_DOUBTS
shows            T105                                the hand: HAND_DOUBTS, OWN_TILE; of a ron also END_DOUBTS
wins             T105 N104                           melds, Norths set aside: MELD_DOUBTS
wins             W101 W102 W104 W105 W106            value: SCORE_DOUBTS, OTHER_HAND_SHOWN; if it depends on an event
                                                     that may be missing, also ROUND_DOUBTS
wins             W107 W108 W111                      the same, and DORA_UNKNOWN
wins             W108                                indicators on the table: INDICATOR_DOUBTS
wins             W109 N107                           the last tile: END_DOUBTS
rons             W103                                furiten: SCORE_DOUBTS, END_HAND_DOUBTS, ROUND_DOUBTS
ura_indicators   W112                                how many are due: INDICATOR_DOUBTS
payments         P101 P102 P103 P104                 changes of a win: PAYMENT_DOUBTS
payments         P107                                changes of a nagashi mangan: ROUND_DOUBTS
drawn_rounds     X101 X107                           tiles drawn, river: ROUND_DOUBTS
hands_at_draw    X102 X103                           tenpai: ROUND_DOUBTS, END_HAND_DOUBTS
aborted          X105                                its condition: ROUND_DOUBTS; of hands also END_HAND_DOUBTS
overrun          X106                                whether play went on: ROUND_DOUBTS
scores           P105                                scores carried over: STICK_DOUBTS
ends             G104 G105 G106                      scores at a round's end: STICK_DOUBTS
succession       G101 G102 G103                      everything after the round before: STICKS_UNKNOWN
succession       G101 G102 G103                      whether the dealer is misshown at nagashi: as hands_at_draw
===============  ==================================  ==================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, auto
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import is_known
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
    """A part of the play could not be read, so hands and turns cannot be followed."""
    REST_NOT_READ = auto()
    """The rest of the round could not be read, so its result is missing."""
    STICKS_UNKNOWN = auto()
    """It is unknown who paid riichi sticks: the reader infers that from the play, which has PLAY_NOT_READ."""
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
    """The last draw, discard or call before the result is of a tile that the log does not name, or is N101's kita."""

    # Of a round, from its tiles.
    INDICATORS_WRONG = auto()
    """An indicator is missing, superfluous, or turned at a wrong time (K112)."""
    EXTRA_COPY = auto()
    """A tile comes into play more often than the set has it (T101)."""

    # Of a hand.
    NOT_DEALT = auto()
    """The log does not state the tiles that it was dealt."""
    TILE_NOT_READ = auto()
    """It drew or gave away a tile that the log does not name, or set aside one that is no North (N101)."""
    NO_MELD = auto()
    """The tiles of one of its melds form none (C103), so it is unknown which tiles it laid down."""
    ACTION_MISSING = auto()
    """By the order of events, it lacks a draw or a discard, or has one too many."""
    TILE_NOT_HELD = auto()
    """It gave away a tile that it did not hold (T102)."""
    HOLDS_EXTRA_COPY = auto()
    """It got a tile that comes into play too often (T101)."""
    WRONG_NUMBER = auto()
    """At the round's end, the number of its tiles is not that of a hand."""

    # Of a win.
    TILE_IS_NOT_LAST = auto()
    """The last action is not the winner's draw (tsumo) or the payer's discard, kakan or kita (ron) of a known tile."""
    OWN_TILE = auto()
    """The winner of a ron discarded the winning tile: the log names the wrong seats."""
    DORA_UNKNOWN = auto()
    """The round has INDICATORS_WRONG, and the win does not show its indicators."""
    OTHER_HAND_SHOWN = auto()
    """The win shows another hand than was played (T105)."""


# Of rounds.
TURN_DOUBTS = Doubt.PLAY_NOT_READ | Doubt.NO_ORDER
"""Under these, the event before most events is unknown."""
ORDER_DOUBTS = Doubt.PLAY_NOT_READ | Doubt.OUT_OF_ORDER
"""Under these, an earlier event may be missing or superfluous."""
ROUND_DOUBTS = ORDER_DOUBTS | Doubt.NO_RESULT
"""Under these, any event of the round may be missing or superfluous."""
END_DOUBTS = TURN_DOUBTS | Doubt.NO_RESULT | Doubt.END_OUT_OF_ORDER | Doubt.LAST_TILE_NOT_READ
"""Under these, the last action before the result is unknown."""
INDICATOR_DOUBTS = Doubt.PLAY_NOT_READ | Doubt.INDICATOR_NOT_STATED | Doubt.INDICATORS_WRONG
"""Under these, the indicators on the table, or their number, are unknown."""
TABLE_DOUBTS = ORDER_DOUBTS | INDICATOR_DOUBTS | Doubt.EXTRA_COPY
"""Under these, the tiles that lie open cannot be counted."""
STICK_DOUBTS = Doubt.STICKS_UNKNOWN | Doubt.NO_ORDER
"""Under these, it is unknown who paid riichi sticks."""

# Of hands.
TILE_DOUBTS = TURN_DOUBTS | Doubt.NOT_DEALT | Doubt.TILE_NOT_READ | Doubt.NO_MELD | Doubt.ACTION_MISSING
"""Under these, the tiles that enter and leave the hand are unknown."""
HAND_DOUBTS = TILE_DOUBTS | Doubt.TILE_NOT_HELD | Doubt.HOLDS_EXTRA_COPY
"""Under these, the tiles of the hand at some time of the round are unknown."""
END_HAND_DOUBTS = HAND_DOUBTS | Doubt.WRONG_NUMBER
"""Under these, the tiles of the hand at the round's end are unknown."""

# Of wins.
MELD_DOUBTS = HAND_DOUBTS | Doubt.OWN_TILE
"""Under these, the winner's melds are unknown."""
SCORE_DOUBTS = (
    HAND_DOUBTS | Doubt.TILE_IS_NOT_LAST | Doubt.WIND_NOT_STATED | Doubt.DEALER_NOT_STATED | Doubt.INDICATOR_NOT_STATED
)
"""Under these, the hand cannot be scored."""
PAYMENT_DOUBTS = (
    Doubt.OWN_TILE | Doubt.DEALER_NOT_STATED | Doubt.HONBA_NOT_STATED | Doubt.STICKS_NOT_STATED | Doubt.STICKS_UNKNOWN
)
"""Under these, it is unknown who pays how much for a hand of known value."""


@dataclass(frozen=True)
class Doubts:
    """The doubts about n rows: ``bits`` uint32[n] of :class:`Doubt`; ``looked_for`` has the reasons examined so far."""

    bits: npt.NDArray[np.uint32]
    looked_for: Doubt

    def free_of(self, doubts: Doubt) -> Bools:
        """Return which rows have none of these doubts, bool[n].

        Raises
        ------
        ValueError
            if no stage has looked for one of them yet

        """
        if missing := doubts & ~self.looked_for:
            raise ValueError(f"not looked for yet: {missing!r}")
        free: Bools = (self.bits & np.uint32(doubts)) == 0
        return free

    def rows_with(self, doubts: Doubt) -> pl.Series:
        """Return the numbers of the rows that have at least one of these doubts."""
        return pl.Series(~self.free_of(doubts)).arg_true()

    def of(self, rows: Ints) -> Doubts:
        """Return the doubts about some rows, given by number."""
        return Doubts(self.bits[rows], self.looked_for)

    def plus(self, found: Mapping[Doubt, Bools | Ints]) -> Doubts:
        """Return these doubts with further ones; ``found`` maps each to its rows, as a mask or as row numbers."""
        bits, looked_for = self.bits.copy(), self.looked_for
        for doubt, rows in found.items():
            bits[rows] |= np.uint32(doubt)
            looked_for |= doubt
        return Doubts(bits, looked_for)


@dataclass(frozen=True)
class Trust:
    """The doubts found so far about all ``rounds`` and all ``hands`` (``round * SEATS + seat``) of a batch."""

    rounds: Doubts
    hands: Doubts

    def plus(self, *, rounds: Mapping[Doubt, Bools | Ints], hands: Mapping[Doubt, Bools | Ints]) -> Trust:
        """Return these doubts with further ones; the doubts about a round also become doubts about its hands."""
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
"""For each of these doubts, the column of ``log.rounds`` that is null."""


def as_read(log: Log) -> Trust:
    """Return the doubts that follow from the log itself, before any replay."""
    rounds, hands = (
        Doubts(np.zeros(count, np.uint32), Doubt(0)) for count in (len(log.rounds), len(log.rounds) * SEATS)
    )
    play_not_read = np.zeros(len(log.rounds), dtype=bool)
    play_not_read[_with_problem(log, "play")] = True
    return Trust(rounds, hands).plus(
        rounds={
            Doubt.PLAY_NOT_READ: play_not_read,
            Doubt.REST_NOT_READ: _with_problem(log, "rest"),
            Doubt.STICKS_UNKNOWN: play_not_read & log.deposits_inferred,
            **{doubt: ~is_known(log.rounds[column]) for doubt, column in _STATED.items()},
        },
        hands={Doubt.NOT_DEALT: log.seated & (log.dealt == 0)},
    )


def _with_problem(log: Log, mark: str) -> Ints:
    """Return the rounds with a problem whose column ``mark`` (``play`` or ``rest``) is true."""
    rounds = log.problems["round"].filter(log.problems[mark])
    return rounds.drop_nulls().to_numpy().astype(np.int64)

"""Turn order: find the actions that cannot follow the action before them, and the check that reports each.

A table lookup for each pair of neighbouring actions says whether the second can follow the first. Rounds in which some
action cannot are examined again, seat by seat: after a draw, chi or pon a seat must discard; otherwise it must not.
This second pass separates the fault from its consequences: one misplaced event makes later events look wrong, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import filled, rows_where, where_known
from auditor.log.event_kinds import CODE, OPEN_CALLS, PLAYS, REPLACED, is_kind
from auditor.log.seats import steps_on
from auditor.log.tables import KINDS, SEATS
from auditor.replay.trust import Doubt

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

ACTIONS = (*PLAYS, "result")
"""Events that turn order is about; it ignores the others (riichi, deposit, dora, leave, return)."""

SAME, NEXT, OTHER, DEALER, ANY = range(5)
"""Which seat can act next, relative to the seat that acted before."""

_FOLLOWS: dict[str, dict[str, int]] = {
    "deal": {"draw": DEALER, "result": ANY},
    "draw": {"discard": SAME, "ankan": SAME, "kakan": SAME, "kita": SAME, "result": ANY},
    "discard": {"draw": NEXT, "chi": NEXT, "pon": OTHER, "daiminkan": OTHER, "result": ANY},
    "chi": {"discard": SAME},
    "pon": {"discard": SAME},
    "daiminkan": {"draw": SAME},
    "ankan": {"draw": SAME, "result": ANY},
    "kakan": {"draw": SAME, "result": ANY},
    "kita": {"draw": SAME, "result": ANY},
    "result": {"result": ANY},
}
"""For each action, the actions that can follow it, and by which seat.

A result can follow an ankan because some rules allow robbing it.
"""

_NEVER, _STEPS = 5, SEATS + 1
_ALLOWED: npt.NDArray[np.bool_] = np.zeros((len(KINDS), len(KINDS), _STEPS), dtype=bool)
"""Whether a kind can follow a kind: [before, after, step], the step being the seats that the turn moves on.

The last step stands for the dealer's first draw after the deal.
"""
_STEP_OF = {SAME: [0], NEXT: [1], OTHER: [1, 2, 3], DEALER: [SEATS], ANY: [0, 1, 2, 3, SEATS]}
for _before, _afters in _FOLLOWS.items():
    for _after, _relation in _afters.items():
        _ALLOWED[CODE[_before], CODE[_after], _STEP_OF[_relation]] = True

MOST = 3
"""How many reported events out of order a round can have before its order counts as lost (``Doubt.NO_ORDER``)."""

_FULL = ("draw", "chi", "pon")
"""After these a seat holds one tile more than between turns."""

CODES = ("", "L004", "D101", "D106", "C102", "K106", "K113", "N102", "N103")
"""The check that reports an event out of order. Empty: the event is in order, or is the consequence of another."""
_OUT_OF_ORDER, _DRAW, _DISCARD, _CALL, _AFTER_CALL, _NOT_REPLACED, _KITA, _KITA_NOT_REPLACED = range(1, len(CODES))


@dataclass(frozen=True)
class TurnOrder:
    """The actions of a batch in the order of the log, and those that are out of order.

    ``misplaced`` has one row for each action that a check reports as out of order: the columns of the event, ``row``,
    ``code`` (one of :data:`CODES`), and the kind and seat of the action before (``previous``, ``previous_seat``; null
    after the deal). For a round with ``Doubt.NO_ORDER`` it has only the first. ``trust`` has the doubts so far, with
    those about turn order.
    """

    played: Replay
    misplaced: pl.DataFrame
    trust: Trust

    @property
    def row(self) -> Ints:
        """The row of each action in ``log.events``, int64[actions]."""
        return self.played.rows(*ACTIONS)

    def before(self, rows: Ints) -> Ints:
        """Return the row of the action before each of ``rows``, which must come after a deal."""
        return self.played.latest(rows - 1, *ACTIONS)

    def after(self, rows: Ints) -> Ints:
        """Return the row of the action after each of ``rows``; after the batch's last action, that action itself."""
        acts = self.played.is_kind(*ACTIONS)
        found = np.minimum(rows + 1, len(acts) - 1)
        # Almost always the event after is an action; only the others are searched.
        apart = np.flatnonzero(~acts[found])
        found[apart] = self.row[np.minimum(np.searchsorted(self.row, rows[apart], side="right"), len(self.row) - 1)]
        return found


def turn_order(log: Log, played: Replay, trust: Trust) -> TurnOrder:
    """Find the misplaced actions in all rounds of a batch, except rounds with ``Doubt.PLAY_NOT_READ``."""
    wrong = np.union1d(_wrong(log, played), _unreplaced(log, played))
    wrong = wrong[trust.rounds.free_of(Doubt.PLAY_NOT_READ)[played.round[wrong]]]
    action_missing = np.zeros(played.rounds * SEATS, dtype=bool)
    many = np.bincount(played.round[wrong], minlength=played.rounds)
    row, code = wrong, np.zeros(0, dtype=np.uint8)
    if len(wrong):
        row = np.flatnonzero((many > 0).take(played.round) & played.is_kind(*ACTIONS))
        code = _again(_Turns.of(log, played, row, np.isin(row, wrong)), action_missing)
    named = np.bincount(played.round[row[code > 0]], minlength=played.rounds)
    no_order = (named > MOST) | (many > 2 * MOST)
    code[no_order[played.round[row]] & ~_first_named(played.round[row], code)] = 0
    misplaced = _misplaced(log, played, row, code)
    trust = trust.plus(
        rounds={Doubt.OUT_OF_ORDER: misplaced["round"].to_numpy(), Doubt.NO_ORDER: no_order},
        hands={Doubt.ACTION_MISSING: action_missing},
    )
    return TurnOrder(played, misplaced, trust)


def _first_named(round_: Ints, code: npt.NDArray[np.uint8]) -> Bools:
    """Return which actions are the first with a code in their round, bool[actions]."""
    named = np.flatnonzero(code)
    first = np.zeros(len(code), dtype=bool)
    first[named[np.unique(round_[named], return_index=True)[1]]] = True
    return first


def _wrong(log: Log, played: Replay) -> Ints:
    """Return the rows of the actions that cannot follow the action before, ascending."""
    draw, discard = played.is_kind("draw"), played.is_kind("discard")
    step = steps_on(played.seat[1:], played.seat[:-1], log.players, played.round[1:])
    # Comparisons of bytes settle nine of ten actions; a lookup takes ten times as long.
    usual = draw[:-1] & discard[1:] & (step == 0)
    usual |= discard[:-1] & draw[1:] & (step == 1)
    row = np.flatnonzero(~usual) + 1
    # A round has four deal rows; play begins after the last of them.
    row = row[played.is_kind(*ACTIONS)[row] & ~played.is_kind("deal")[row]]
    before = played.latest(row - 1, *ACTIONS)
    step = steps_on(played.seat[row], played.seat[before], log.players, played.round[row])
    begins = np.flatnonzero(played.kind[before] == CODE["deal"])
    dealer = filled(log.rounds["dealer"], -1)[played.round[row[begins]]]
    step[begins] = np.where((dealer == played.seat[row[begins]]) | (dealer < 0), SEATS, 0)
    wrong: Ints = row[~_ALLOWED[played.kind[before], played.kind[row], step]]
    return wrong


def _unreplaced(log: Log, played: Replay) -> Ints:
    """Return the rows of results that are a tsumo directly after the winner's own kan, without its replacement."""
    row = played.rows("result")
    before = played.latest(row - 1, *ACTIONS)
    winner, payer = (filled(log.claims[name], -1) for name in ("winner", "payer"))
    own_kan = is_kind(played.kind[before], *REPLACED) & (winner == played.seat[before])
    found: Ints = row[own_kan & (winner >= 0) & (winner == payer)]
    return found


@dataclass(frozen=True)
class _Turns:
    """The actions of some rounds, in order.

    ``own`` is the place (index into these arrays) of the same seat's action before; the place itself if there is none.
    ``wrong`` marks actions that cannot follow the action before. ``foreign`` marks calls whose stated feeder is not
    the seat that acted before, and chi from a seat other than the left neighbour.
    """

    round: Ints
    kind: npt.NDArray[np.uint8]
    seat: npt.NDArray[np.int8]
    wrong: Bools
    own: Ints
    foreign: Bools

    @classmethod
    def of(cls, log: Log, played: Replay, row: Ints, wrong: Bools) -> _Turns:
        """Select actions by their rows in the replay; ``wrong`` has an entry for each of them."""
        round_, seat = played.round[row], played.seat[row]
        hand = round_ * (SEATS + 1) + seat + 1
        order = np.argsort(hand, kind="stable")
        own = np.arange(len(row))
        follows = hand[order][1:] == hand[order][:-1]
        own[order[1:][follows]] = order[:-1][follows]
        fed = np.flatnonzero(is_kind(played.kind[row], *OPEN_CALLS))
        made = played.made
        source = made.source[np.searchsorted(made.row, row[fed])]
        took = seat[np.maximum(fed - 1, 0)]
        foreign = np.zeros(len(row), dtype=bool)
        far = steps_on(seat[fed], took, log.players, round_[fed]) != 1
        foreign[fed] = (source != took) | ((played.kind[row[fed]] == CODE["chi"]) & far)
        return cls(round_, played.kind[row], seat, wrong, own, foreign)

    def is_kind(self, places: Ints | slice, *kinds: str) -> Bools:
        return is_kind(self.kind[places], *kinds)


def _again(turns: _Turns, action_missing: Bools) -> npt.NDArray[np.uint8]:
    """Return the code of each action, as its place in CODES, uint8[actions].

    Sets ``action_missing``, bool[rounds * SEATS], for hands with an action too few or too many.
    """
    every = slice(None)
    last = np.maximum(np.arange(len(turns.kind)) - 1, 0)
    is_discard, is_draw = turns.is_kind(every, "discard"), turns.is_kind(every, "draw")
    is_kan, is_fed = turns.is_kind(every, "ankan", "kakan", "kita"), turns.is_kind(every, *OPEN_CALLS)
    acts = is_discard | is_kan
    own_full, own_kan = turns.is_kind(turns.own, *_FULL), turns.is_kind(turns.own, *REPLACED)
    own_called = turns.is_kind(turns.own, "chi", "pon")
    over = _ended(turns)
    unreplaced = turns.wrong & turns.is_kind(every, "result") & turns.is_kind(last, *REPLACED)
    code = np.select(
        [
            unreplaced & ~over,
            over | (turns.wrong & turns.is_kind(every, "result")),
            is_draw & turns.wrong,
            is_fed & ~(turns.is_kind(last, "discard") & (turns.seat[last] != turns.seat)),
            acts & own_kan,
            is_kan & own_called,
            is_discard & ~own_full,
            is_kan & ~own_full,
        ],
        [_NOT_REPLACED, _OUT_OF_ORDER, _DRAW, _CALL, _NOT_REPLACED, _AFTER_CALL, _DISCARD, _OUT_OF_ORDER],
        0,
    )
    lost = (is_draw | is_fed) & (own_full | (is_fed & own_kan))
    lacks = (lost | np.isin(code, (_OUT_OF_ORDER, _DRAW, _DISCARD, _NOT_REPLACED))) & (turns.seat >= 0) & ~over
    action_missing[turns.round[lacks] * SEATS + turns.seat[lacks]] = True
    undone = turns.wrong & turns.is_kind(last, *_FULL) & (turns.seat[last] != turns.seat) & ~over
    action_missing[turns.round[undone] * SEATS + turns.seat[last][undone]] = True
    action_missing[turns.round[unreplaced] * SEATS + turns.seat[last][unreplaced]] = True
    code = np.where(_follows(turns, code, is_draw, last), 0, code)
    return _of_kita(turns, code, over, np.where(unreplaced, last, turns.own))


def _of_kita(turns: _Turns, code: npt.NDArray[np.integer], over: Bools, own: Ints) -> npt.NDArray[np.uint8]:
    """Return the codes with those of kita in place of those of kans; ``own`` is the place of the seat's action before.

    A kita after the round's end is out of order as any other event.
    """
    early = turns.is_kind(slice(None), "kita") & np.isin(code, (_OUT_OF_ORDER, _AFTER_CALL)) & ~over
    unreplaced = (code == _NOT_REPLACED) & turns.is_kind(own, "kita")
    found: npt.NDArray[np.uint8] = np.select([early, unreplaced], [_KITA, _KITA_NOT_REPLACED], code).astype(np.uint8)
    return found


def _follows(turns: _Turns, code: npt.NDArray[np.integer], is_draw: Bools, last: Ints) -> Bools:
    """Return which actions with a code are only the consequence of another action out of order.

    These are:

    - an action directly after one with a code, unless it is the call of another seat's discard;
    - a discard directly after a call that states the wrong feeder;
    - the next draw after a draw with a code, or after a draw directly behind an action with a code;
    - the action after a kan whose replacement was drawn before the kan;
    - the replacement draw of a daiminkan with a code.
    """
    follows: Bools = (code[last] > 0) & ((code != _CALL) | (turns.seat[last] == turns.seat))
    follows |= turns.foreign[last] & (code == _DISCARD)
    named = code > 0
    draws = np.flatnonzero(is_draw)
    follows[draws[1:]] |= (named | named[last])[draws[:-1]] & named[draws[1:]]
    follows[draws[1:]] &= turns.round[draws[1:]] == turns.round[draws[:-1]]
    early = last[np.where(turns.kind == CODE["result"], last, turns.own)]
    follows |= is_draw & named[turns.own] & turns.is_kind(turns.own, "daiminkan")
    same = (turns.seat[early] == turns.seat) | (turns.kind == CODE["result"])
    follows |= (code == _NOT_REPLACED) & named[early] & is_draw[early] & same
    return follows


def _ended(turns: _Turns) -> Bools:
    """Return which actions, other than results, come after a result of their round."""
    result = turns.kind == CODE["result"]
    count = np.cumsum(result)
    first = np.flatnonzero(np.diff(turns.round, prepend=-1))
    before = np.repeat(count[first] - result[first], np.diff(np.append(first, len(result))))
    ended: Bools = (count > before) & ~result
    return ended


def _misplaced(log: Log, played: Replay, row: Ints, code: npt.NDArray[np.uint8]) -> pl.DataFrame:
    place = np.flatnonzero(code)
    chosen = np.zeros(len(played.kind), dtype=bool)
    chosen[row[place]] = True
    kind, seat = played.kind[row[place - 1]], played.seat[row[place - 1]]
    acts = kind != CODE["deal"]
    return rows_where(log.events, chosen).hstack(
        [
            pl.Series("row", row[place]),
            pl.Series("code", np.array(CODES, dtype=object)[code[place]].tolist(), dtype=pl.String),
            where_known(pl.Series("previous", np.array(KINDS, dtype=object)[kind].tolist(), dtype=pl.String), acts),
            where_known(pl.Series("previous_seat", seat), acts & (seat >= 0)),
        ]
    )

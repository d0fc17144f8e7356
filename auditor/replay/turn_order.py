"""Whose turn it is: every event of play beside the one before it, and which code names what stands out of order.

One lookup a pair of neighbouring actions says whether the second may follow the first. Only the rounds in which one
may not are looked at again, seat by seat: a seat that holds a tile too many must discard, one that does not must not.
That second look tells the fault from what follows of it: of two changed events one is out of turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.event_kinds import CODE, OPEN_CALLS, PLAYS, REPLACED, is_kind
from auditor.log.tables import KINDS, SEATS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

ACTIONS = (*PLAYS, "result")
"""Events that pass the turn; the others (riichi, deposit, dora, leave, return) stand between them."""

SAME, NEXT, OTHER, DEALER, ANY = range(5)
"""Who may act, seen from the seat that acted before."""

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
"""What may follow what, and by whom. After an ankan a result is possible where rules let it be robbed."""

_NEVER, _STEPS = 5, SEATS + 1
_ALLOWED: npt.NDArray[np.bool_] = np.zeros((len(KINDS), len(KINDS), _STEPS), dtype=bool)
"""Whether a kind may follow a kind, by how many seats the turn moves on; the last column is for the deal."""
_STEP_OF = {SAME: [0], NEXT: [1], OTHER: [1, 2, 3], DEALER: [SEATS], ANY: [0, 1, 2, 3, SEATS]}
for _before, _afters in _FOLLOWS.items():
    for _after, _relation in _afters.items():
        _ALLOWED[CODE[_before], CODE[_after], _STEP_OF[_relation]] = True

MOST = 3
"""Events out of order that a round may have and still be followed."""

_FULL = ("draw", "chi", "pon")
"""After these a seat holds one tile more than between turns."""

CODES = ("", "L004", "D101", "D106", "C102", "K106", "K113")
"""Which check names an event that stands out of order; the first, none: it is right, or follows of another."""
_OUT_OF_ORDER, _DRAW, _DISCARD, _CALL, _AFTER_CALL, _NOT_REPLACED = range(1, len(CODES))


@dataclass(frozen=True)
class TurnOrder:
    """The actions of a batch in order.

    ``row`` int64 are their rows in ``log.events``, ``misplaced`` those that cannot stand where they do (columns of
    the event, ``row``, ``code``, and what they follow: ``previous``, ``previous_seat``, null after the deal), and
    ``unclear`` bool[rounds * SEATS] the hands of which thereby an unknown tile is missing or one too many.
    ``jumbled`` bool[rounds] are rounds with so many of them that they are no order of play at all: of each the first
    is named, all hands are unclear.
    """

    row: Ints
    misplaced: pl.DataFrame
    unclear: Bools
    jumbled: Bools

    def before(self, rows: Ints) -> Ints:
        """Return the row of the action before each of these, which are actions after a deal."""
        found: Ints = self.row[np.searchsorted(self.row, rows) - 1]
        return found

    def after(self, rows: Ints) -> Ints:
        """Return the row of the action after each of these; the last has itself."""
        found: Ints = self.row[np.minimum(np.searchsorted(self.row, rows, side="right"), len(self.row) - 1)]
        return found


def turn_order(log: Log, played: Replay) -> TurnOrder:
    """Return the actions of all rounds of a batch in order, and which of them stand out of order."""
    row = np.flatnonzero(played.is_kind(*ACTIONS))
    unclear = np.zeros(len(log.rounds) * SEATS, dtype=bool)
    wrong = (_wrong(log, played, row) | _unreplaced(log, played, row)) & ~np.isin(played.round[row], log.disturbed)
    code = np.zeros(len(row), dtype=np.uint8)
    if wrong.any():
        spoiled = np.zeros(len(log.rounds), dtype=bool)
        spoiled[played.round[row[wrong]]] = True
        again = np.flatnonzero(spoiled[played.round[row]])
        code[again] = _again(_Turns.of(played, row[again], wrong[again]), unclear)
    named, odd = (np.bincount(played.round[row[each]], minlength=len(log.rounds)) for each in (code > 0, wrong))
    jumbled = (named > MOST) | (odd > 2 * MOST)
    if jumbled.any():
        unclear[np.repeat(jumbled, SEATS)] = True
        code[jumbled[played.round[row]] & ~_first_named(played.round[row], code)] = 0
    return TurnOrder(row, _misplaced(log, row, code), unclear, jumbled)


def _first_named(round_: Ints, code: npt.NDArray[np.uint8]) -> Bools:
    """Return which actions are the first of their rounds that a code names."""
    named = np.flatnonzero(code)
    first = np.zeros(len(code), dtype=bool)
    first[named[np.unique(round_[named], return_index=True)[1]]] = True
    return first


def _wrong(log: Log, played: Replay, row: Ints) -> Bools:
    """Return which actions cannot follow the one before."""
    kind, seat = played.kind[row], played.seat[row]
    wrong = np.zeros(len(row), dtype=bool)
    before = kind[:-1]
    step = (seat[1:] - seat[:-1]) & (SEATS - 1)
    begins = np.flatnonzero((before == CODE["deal"]) & (kind[1:] != CODE["deal"]))
    dealer = log.rounds["dealer"].fill_null(-1).to_numpy()[played.round[row[begins + 1]]]
    step[begins] = np.where((dealer == seat[begins + 1]) | (dealer < 0), SEATS, 0)
    wrong[1:] = ~_ALLOWED.ravel()[(before.astype(np.int16) * len(KINDS) + kind[1:]) * _STEPS + step]
    # Deals are four rows a round: play begins after the last of them.
    wrong[kind == CODE["deal"]] = False
    return wrong


def _unreplaced(log: Log, played: Replay, row: Ints) -> Bools:
    """Return which results are a tsumo straight after an own kan: its replacement tile was not drawn."""
    kind = played.kind[row]
    found = np.zeros(len(row), dtype=bool)
    at = np.flatnonzero(kind == CODE["result"])
    winner, payer = (log.claims[name].fill_null(-1).to_numpy() for name in ("winner", "payer"))
    before = np.maximum(at - 1, 0)
    is_kan = is_kind(kind[before], *REPLACED)
    found[at] = is_kan & (winner >= 0) & (winner == payer) & (winner == played.seat[row[before]])
    return found


@dataclass(frozen=True)
class _Turns:
    """The actions of some rounds, ``before`` and ``own`` the places of the table's and of the seat's last before each.

    ``own`` is the place itself where the seat has done nothing before, ``wrong`` what cannot follow the table's last,
    ``foreign`` which calls are of another seat's discard than they say, or chi from another seat than the left.
    """

    round: Ints
    kind: npt.NDArray[np.uint8]
    seat: npt.NDArray[np.int8]
    wrong: Bools
    own: Ints
    foreign: Bools

    @classmethod
    def of(cls, played: Replay, row: Ints, wrong: Bools) -> _Turns:
        """Take some actions."""
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
        foreign[fed] = (source != took) | ((played.kind[row[fed]] == CODE["chi"]) & ((took + 1) % SEATS != seat[fed]))
        return cls(round_, played.kind[row], seat, wrong, own, foreign)

    def is_kind(self, places: Ints | slice, *kinds: str) -> Bools:
        return is_kind(self.kind[places], *kinds)


def _again(turns: _Turns, unclear: Bools) -> npt.NDArray[np.uint8]:
    """Return which code names each action, by its place in CODES; mark the hands that are unclear."""
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
    doubtful = (lost | np.isin(code, (_OUT_OF_ORDER, _DRAW, _DISCARD, _NOT_REPLACED))) & (turns.seat >= 0) & ~over
    unclear[turns.round[doubtful] * SEATS + turns.seat[doubtful]] = True
    undone = turns.wrong & turns.is_kind(last, *_FULL) & (turns.seat[last] != turns.seat) & ~over
    unclear[turns.round[undone] * SEATS + turns.seat[last][undone]] = True
    unclear[turns.round[unreplaced] * SEATS + turns.seat[last][unreplaced]] = True
    return np.where(_follows(turns, code, is_draw, last), 0, code).astype(np.uint8)


def _follows(turns: _Turns, code: npt.NDArray[np.integer], is_draw: Bools, last: Ints) -> Bools:
    """Return which actions out of order follow of another.

    What stands directly behind one, unless it is a call of another's discard; behind a call that names the wrong
    seats; the next draw after a draw out of turn, or after one straight behind an action out of order; what goes on
    after a kan whose replacement was drawn before it; the replacement of a daiminkan out of order.
    """
    follows: Bools = (code[last] > 0) & ((code != _CALL) | (turns.seat[last] == turns.seat))
    follows |= turns.foreign[last] & (code == _DISCARD)
    odd = code > 0
    draws = np.flatnonzero(is_draw)
    follows[draws[1:]] |= (odd | odd[last])[draws[:-1]] & odd[draws[1:]]
    follows[draws[1:]] &= turns.round[draws[1:]] == turns.round[draws[:-1]]
    early = last[np.where(turns.kind == CODE["result"], last, turns.own)]
    follows |= is_draw & odd[turns.own] & turns.is_kind(turns.own, "daiminkan")
    same = (turns.seat[early] == turns.seat) | (turns.kind == CODE["result"])
    follows |= (code == _NOT_REPLACED) & odd[early] & is_draw[early] & same
    return follows


def _ended(turns: _Turns) -> Bools:
    """Return which actions come after a result of their round."""
    result = turns.kind == CODE["result"]
    count = np.cumsum(result)
    first = np.flatnonzero(np.diff(turns.round, prepend=-1))
    before = np.repeat(count[first] - result[first], np.diff(np.append(first, len(result))))
    ended: Bools = (count > before) & ~result
    return ended


def _misplaced(log: Log, row: Ints, code: npt.NDArray[np.uint8]) -> pl.DataFrame:
    place = np.flatnonzero(code)
    previous = log.events[row[place - 1]]
    dealt = previous["kind"] == "deal"
    found: pl.DataFrame = log.events[row[place]]
    return found.with_columns(
        row=row[place],
        code=pl.Series(CODES).gather(code[place]),
        previous=pl.when(~dealt).then(previous["kind"].cast(pl.String)),
        previous_seat=pl.when(~dealt).then(previous["seat"]),
    )

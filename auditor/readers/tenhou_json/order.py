"""The order of turns, which Tenhou's JSON does not state: each seat has its own lists of takes and discards.

Each take says whose turn came before: that of the seat that fed the call, that of the same seat after a kan, or else
that of the seat before. A seat's own turns are in order. So there is one way back from the last turn, and at most one
order of all turns, even if a seat discards the same tile several times. The last turn is that of the seat that gets the
turn once more than it passes it on (auditor/readers/tenhou_json/FORMAT.md 5).

Where the lists do not fit together, the turns are followed from the dealer on, as far as that goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log.columns import SEATS
from auditor.log.event_kinds import CODE, OPEN_CALLS
from auditor.readers.tenhou_json.results import UNCLEAR
from auditor.readers.tenhou_json.rounds import Fault
from auditor.readers.tenhou_json.tiles import NOTHING, UNREAD

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.tenhou_json.turns import Turns

    Ints = npt.NDArray[np.int32]
    Places = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

STAYS = (CODE["ankan"], CODE["kakan"], CODE["kita"], NOTHING)
"""After these, the same seat draws a replacement tile."""
_CALLS = {CODE[kind] for kind in OPEN_CALLS}
_NOWHERE = -1
_SHOWN = 20


class Order(NamedTuple):
    """The turns of all rounds in the order of play, int32[m], and the rounds whose lists do not fit together.

    In these rounds, the turns behind some point fit nowhere and are left out.
    """

    turn: Ints
    faults: list[Fault]


def order(turns: Turns, dealer: Places, players: Places, lacks: npt.NDArray[np.int8]) -> Order:
    """Return the order of all turns.

    ``dealer`` (-1 unknown), ``players`` and ``lacks`` (see Endings) are of each round, int[rounds].
    """
    count = turns.count.reshape(-1, SEATS)
    before = _before(turns, dealer, players)
    passed_on = np.bincount(before[before != _NOWHERE], minlength=count.size).reshape(-1, SEATS)
    kept = count - passed_on
    last = kept.argmax(axis=1)
    fits = (dealer >= 0) & (np.abs(kept).sum(axis=1) == 1) & (kept.max(axis=1, initial=0) == 1)
    fits &= _discards_fit(turns, last, lacks)
    sequence = _backwards(turns, before, np.flatnonzero(fits), last)
    total = count.sum(axis=1)
    placed = np.add.reduceat(np.append(sequence != _NOWHERE, False), turns.first[::SEATS]) if len(dealer) else total
    fits &= np.where(total > 0, placed, 0) == total
    faults = []
    for round_ in np.flatnonzero(~fits & (dealer >= 0)).tolist():
        begin, end = int(turns.first[round_ * SEATS]), int(turns.first[round_ * SEATS] + total[round_])
        sequence[begin:end] = _NOWHERE
        found = _forwards(turns, round_, int(dealer[round_]), int(players[round_]))
        sequence[begin : begin + len(found)] = found
        faults.append(_fault(turns, round_, found, int(last[round_]), int(lacks[round_])))
    return Order(sequence[sequence != _NOWHERE], faults)


def _before(turns: Turns, dealer: Places, players: Places) -> Ints:
    """Return the hand (round * 4 + seat) whose turn came before each turn, int32[n]; _NOWHERE for the first of all."""
    place = turns.round * np.int32(SEATS)
    seat = (turns.seat - 1) % players.astype(np.int8)[turns.round]
    first = np.zeros(len(seat), dtype=bool)
    first[turns.first[turns.count > 0]] = True
    stays = np.flatnonzero(np.isin(turns.did[:-1], STAYS) & ~first[1:]) + 1
    seat[stays] = turns.seat[stays]
    calls = np.flatnonzero(turns.feeder > 0)
    seat[calls] = (turns.seat[calls] + turns.feeder[calls]) % SEATS
    before: Ints = place + seat
    begins = np.flatnonzero(dealer >= 0) * SEATS + dealer[dealer >= 0]
    begins = turns.first[begins[turns.count[begins] > 0]]
    before[begins[turns.feeder[begins] == 0]] = _NOWHERE
    return before


def _discards_fit(turns: Turns, last: Places, lacks: npt.NDArray[np.int8]) -> Bools:
    """Return the rounds in which each seat discards as often as it takes, but the ``last`` one as its result says."""
    lack = turns.lack.reshape(-1, SEATS).copy()
    rows = np.arange(len(last))
    ending = lack[rows, last]
    lack[rows, last] = 0
    found: Bools = (lack == 0).all(axis=1) & np.where(lacks == UNCLEAR, (ending == 0) | (ending == 1), ending == lacks)
    return found


def _backwards(turns: Turns, before: Ints, rounds: Places, last: Places) -> Ints:
    """Return the turns of these rounds in their order, at each round's places among all turns; _NOWHERE elsewhere."""
    sequence = np.full(len(before), _NOWHERE, dtype=np.int32)
    end = turns.first + turns.count - 1
    hand, place = rounds * SEATS + last[rounds], end[rounds * SEATS + SEATS - 1]
    while len(hand):
        turn = end[hand]
        sequence[place] = turn
        end[hand] = turn - 1
        hand, place = before[turn], place - 1
        on = hand != _NOWHERE
        if not on.all():
            hand, place = hand[on], place[on]
    return sequence


def _forwards(turns: Turns, round_: int, dealer: int, players: int) -> list[int]:
    """Return the turns of a round from the dealer on, as far as they follow each other."""
    hands = range(round_ * SEATS, (round_ + 1) * SEATS)
    left = [list(range(turns.first[hand], turns.first[hand] + turns.count[hand]))[::-1] for hand in hands]
    found: list[int] = []
    seat, called = dealer, False
    while left[seat] and (turns.took[left[seat][-1]] in _CALLS) == called:
        turn = left[seat].pop()
        found.append(turn)
        if turns.did[turn] == UNREAD:
            break
        if turns.did[turn] in STAYS:
            called = False
            continue
        calls = [other for other in range(SEATS) if left[other] and _takes_up(turns, left[other][-1], turn)]
        seat, called = (calls[0], True) if calls else ((seat + 1) % players, False)
    return found


def _takes_up(turns: Turns, turn: int, discard: int) -> bool:
    """Return whether a turn begins with a call of the discard of another turn."""
    feeder = (turns.seat[turn] + turns.feeder[turn]) % SEATS
    called = turns.took[turn] in _CALLS and feeder == turns.seat[discard]
    return bool(called and turns.taken[turn] == turns.given[discard])


def _fault(turns: Turns, round_: int, found: list[int], last: int, lacks: int) -> Fault:
    """Return why the lists of a round do not fit together: their lengths, or else the takes that have no place."""
    for seat in range(SEATS):
        hand = round_ * SEATS + seat
        lack, takes = int(turns.lack[hand]), int(turns.count[hand])
        fitting = (0,) if seat != last else (0, 1) if lacks == UNCLEAR else (lacks,)
        if lack not in fitting:
            recorded = f"{takes - lack} discards of seat {seat} after {takes} takes"
            expected = "a discard after each take" if 0 in fitting else "no discard after the last take"
            return Fault(round_, recorded, expected, play=True, rest=True, code="L004")
    used = np.bincount(turns.seat[found], minlength=SEATS)
    left = [
        f"{turns.take_text(turns.first[round_ * SEATS + seat] + used[seat])[:_SHOWN]} by seat {seat}"
        for seat in range(SEATS)
        if used[seat] < turns.count[round_ * SEATS + seat]
    ]
    recorded = f"takes that follow no turn: {', '.join(left) or 'none'}"
    return Fault(round_, recorded, "takes and discards that fit together", play=True, rest=True, code="L004")

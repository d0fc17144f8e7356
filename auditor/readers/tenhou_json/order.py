"""The order of turns, which Tenhou's JSON does not state: each seat has its own lists of takes and discards.

Seats are followed from the dealer on, all rounds of a batch at the same time, turn by turn. After a discard the turn
goes to a seat whose next take is a call of that tile from that seat; if there is none, to the next seat, whose next
take must be a draw. This is the only order in nearly every round. It need not be, if a seat discards the same tile
twice before a seat that calls it acts again: these rounds, and those in which the first attempt fails, are searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log.event_kinds import CODE, OPEN_CALLS, is_kind
from auditor.log.tables import SEATS
from auditor.readers.tenhou_json.tiles import NOT_AN_ENTRY, NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_CALLS = frozenset(CODE[kind] for kind in OPEN_CALLS)
_STAYS = frozenset([*(CODE[kind] for kind in ("ankan", "kakan", "kita")), NOTHING])
"""After these, the same seat draws a replacement tile."""
_MOST_TURNS = 150
"""Rounds with more turns are not searched. None can have so many: 70 tiles can be drawn, and a call needs a discard."""


@dataclass(frozen=True)
class Turns:
    """The n turns of a batch: each a take and what follows it in the discards. Seat by seat, round by round.

    ``first`` int64[rounds, 4] is each seat's first turn and ``count`` int64[rounds, 4] how many it has. For each turn:
    ``took`` and ``did`` uint8[n] (codes of event kinds; NOT_AN_ENTRY if there is none, NOTHING after a daiminkan),
    ``taken`` and ``given`` int16[n] (the tile taken or called; the tile discarded), and ``feeder`` int8[n] (relative to
    the seat in a table of four; 0 for none).
    """

    first: Ints
    count: Ints
    took: npt.NDArray[np.uint8]
    did: npt.NDArray[np.uint8]
    taken: npt.NDArray[np.int16]
    given: npt.NDArray[np.int16]
    feeder: npt.NDArray[np.int8]


class Order(NamedTuple):
    """The turns in the order of play: ``turn``, ``round`` and ``seat`` int64[m].

    ``unique`` bool[rounds] says that no other order fits. ``whole`` bool[rounds] says that all turns of the round are in
    the order; where it is false, the turns behind some point fit nowhere and are left out.
    """

    turn: Ints
    round: Ints
    seat: Ints
    unique: Bools
    whole: Bools


def order(turns: Turns, dealer: Ints, players: Ints) -> Order:
    """Return the order of all turns; ``dealer`` int64[rounds] (-1 unknown) and ``players`` int64[rounds] of each round."""
    followed = _follow(turns, dealer, players)
    unique, whole = np.ones(len(dealer), dtype=bool), followed.whole
    kept = followed.unique & followed.whole
    chosen = kept[followed.round]
    parts = [(followed.turn[chosen], followed.round[chosen], followed.seat[chosen])]
    for round_ in np.flatnonzero(~kept).tolist():
        path, ways = _search(turns, round_, int(dealer[round_]), int(players[round_]))
        unique[round_], whole[round_] = ways < 2, ways > 0
        seats = np.array(path) if path else followed.seat[followed.round == round_]
        parts.append(_turns_of(turns, round_, seats))
    turn, round_of, seat = (np.concatenate(each) for each in zip(*parts, strict=True))
    by_round = np.argsort(round_of, kind="stable")
    return Order(turn[by_round], round_of[by_round], seat[by_round], unique, whole)


def _turns_of(turns: Turns, round_: int, seats: Ints) -> tuple[Ints, Ints, Ints]:
    """Return turn, round and seat of the turns of a round, of which ``seats`` int64[m] are the seats in order."""
    place = np.zeros(len(seats), dtype=np.int64)
    for seat in range(SEATS):
        place[seats == seat] = np.arange(np.count_nonzero(seats == seat))
    return turns.first[round_, seats] + place, np.full(len(seats), round_), seats


def _follow(turns: Turns, dealer: Ints, players: Ints) -> Order:
    """Return the order in which every discard is called as soon as a seat's next take is a call of it."""
    again = _again(turns)
    done = np.zeros_like(turns.count)
    unique = np.ones(len(dealer), dtype=bool)
    active = np.flatnonzero(dealer >= 0)
    seat, called = dealer[active], np.zeros(len(active), dtype=bool)
    steps: list[tuple[Ints, Ints, Ints]] = []
    is_call = is_kind(turns.took, *OPEN_CALLS)
    stays = np.isin(turns.did, list(_STAYS))
    padded = np.append(is_call, False)
    none = len(is_call)
    while len(active):
        # A seat can act if it has a take left, and the take is a call exactly if the turn came by one.
        place = done[active, seat]
        turn = np.where(place < turns.count[active, seat], turns.first[active, seat] + place, none)
        fits = (turn < none) & (padded[turn] == called)
        active, seat, turn = active[fits], seat[fits], turn[fits]
        done[active, seat] += 1
        steps.append((turn, active, seat))
        goes_on = (turns.did[turn] != NOT_AN_ENTRY)
        active, seat, turn = active[goes_on], seat[goes_on], turn[goes_on]
        thrown = turns.did[turn] == CODE["discard"]
        follower = np.where(stays[turn], seat, (seat + 1) % players[active])
        called, chi = np.zeros(len(active), dtype=bool), np.zeros(len(active), dtype=bool)
        for distance in range(1, SEATS):
            other = (seat + distance) % SEATS
            place = done[active, other]
            theirs = np.where(place < turns.count[active, other], turns.first[active, other] + place, none)
            takes = np.flatnonzero(thrown & padded[theirs])
            at = theirs[takes]
            takes = takes[(turns.taken[at] == turns.given[turn[takes]]) & ((other[takes] + turns.feeder[at]) % SEATS == seat[takes])]
            is_chi = turns.took[theirs[takes]] == CODE["chi"]
            unique[active[takes[called[takes]]]] = False
            later = takes[again[turn[takes]]]
            unique[active[later[_passed_over(turns, done, active[later], seat[later], distance)]]] = False
            takes = takes[~called[takes] | chi[takes]]
            follower[takes], called[takes], chi[takes] = other[takes], True, turns.took[theirs[takes]] == CODE["chi"]
        seat = follower
    turn, round_, seat = (np.concatenate(each) for each in zip(*steps, strict=True)) if steps else (done[:0, 0],) * 3
    whole = (done == turns.count).all(axis=1)
    return Order(turn, round_, seat, unique, whole)


def _again(turns: Turns) -> Bools:
    """Return which turns discard a tile that the same seat discards again later in the round, bool[n]."""
    owner = np.repeat(np.arange(turns.count.size), turns.count.ravel())
    key = owner * 1024 + turns.given
    by_key = np.argsort(key, kind="stable")
    found = np.zeros(len(key), dtype=bool)
    found[by_key[:-1]] = key[by_key[1:]] == key[by_key[:-1]]
    return found


def _passed_over(turns: Turns, done: Ints, round_: Ints, seat: Ints, distance: int) -> Bools:
    """Return whether the seat so far behind these seats could be passed over now, so that it calls a later tile instead.

    For that, a seat behind it must have a call as its next take, of a tile from a seat before it.
    """
    found = np.zeros(len(round_), dtype=bool)
    for further in range(distance + 1, SEATS + 1):
        other = (seat + further) % SEATS
        place = done[round_, other]
        there = place < turns.count[round_, other]
        turn = np.where(there, turns.first[round_, other] + place, 0)
        from_seat = (other + turns.feeder[turn] - seat) % SEATS
        found |= there & (turns.feeder[turn] > 0) & (from_seat >= 1) & (from_seat < distance)
    return found


def _search(turns: Turns, round_: int, dealer: int, players: int) -> tuple[list[int], int]:
    """Return an order that uses all turns of a round, as a list of seats, and how many there are: 0, 1, or 2 for more.

    The list is empty if there is none.
    """
    first, count = turns.first[round_].tolist(), turns.count[round_].tolist()
    if dealer < 0 or sum(count) > _MOST_TURNS:
        return [], 0
    took, did, taken, given, feeder = (
        [each[begin : begin + many].tolist() for begin, many in zip(first, count, strict=True)]
        for each in (turns.took, turns.did, turns.taken, turns.given, turns.feeder)
    )

    def following(seat: int, done: tuple[int, ...]) -> Iterator[tuple[int, bool]]:
        """Yield each seat that can act after a seat's last turn, and whether by a call."""
        place = done[seat] - 1
        if did[seat][place] in _STAYS:
            yield seat, False
        elif did[seat][place] == CODE["discard"]:
            for other in range(SEATS):
                here = done[other]
                if other != seat and here < count[other] and taken[other][here] == given[seat][place]:
                    if took[other][here] in _CALLS and (other + feeder[other][here]) % SEATS == seat:
                        yield other, True
            yield (seat + 1) % players, False

    @cache
    def ways(seat: int, called: bool, done: tuple[int, ...]) -> tuple[int, list[int]]:  # noqa: FBT001
        """Return how many orders there are from here on, at most 2, and one of them."""
        if done[seat] >= count[seat] or (took[seat][done[seat]] in _CALLS) != called:
            return 0, []
        done = (*done[:seat], done[seat] + 1, *done[seat + 1 :])
        if list(done) == count:
            return 1, [seat]
        total, path = 0, []
        for other, by_call in following(seat, done):
            more, rest = ways(other, by_call, done)
            total, path = total + more, path or rest
        return min(total, 2), [seat, *path] if total else []

    total, path = ways(dealer, False, (0,) * SEATS)
    return path, total

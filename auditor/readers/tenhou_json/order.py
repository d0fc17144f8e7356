"""The order of turns, which Tenhou's JSON does not state: each seat has its own lists of takes and discards.

Seats are followed from the dealer on, all rounds of a batch at the same time, turn by turn. After a discard the turn
goes to a seat whose next take is a call of that tile from that seat; if there is none, to the next seat, whose next
take must be a draw. This is the only order in nearly every round. It need not be, if two seats call the same discard,
or a seat discards the same tile twice before a seat that calls it acts again: these rounds, and those in which the
first attempt fails, are searched (search.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log.columns import SEATS
from auditor.log.event_kinds import CODE
from auditor.readers.tenhou_json.search import search
from auditor.readers.tenhou_json.tiles import NOTHING, UNREAD
from auditor.readers.tenhou_json.turns import NO_CALL, PER_SEAT

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.tenhou_json.turns import Turns

    Ints = npt.NDArray[np.int32]
    Places = npt.NDArray[np.intp]
    Bools = npt.NDArray[np.bool_]

STAYS = (CODE["ankan"], CODE["kakan"], CODE["kita"], NOTHING)
"""After these, the same seat draws a replacement tile."""
_SEATS = np.arange(SEATS)


class Order(NamedTuple):
    """The turns in the order of play, int32[m].

    ``unique`` bool[rounds] says that no other order fits. ``whole`` bool[rounds] says that all turns of the round are
    in the order; where it is false, the turns behind some point fit nowhere and are left out.
    """

    turn: Ints
    unique: Bools
    whole: Bools


def order(turns: Turns, dealer: Places, players: Places) -> Order:
    """Return the order of all turns; ``dealer`` (-1 unknown) and ``players`` are of each round, int[rounds]."""
    followed = _Following(turns, dealer, players)
    followed.follow()
    unique, whole, sequence = followed.unique, followed.whole, followed.sequence
    first = turns.first.reshape(-1, SEATS)
    for round_ in np.flatnonzero(~(unique & whole) & (dealer >= 0)).tolist():
        found = search(turns, round_, int(dealer[round_]), int(players[round_]))
        unique[round_] = found is not None and found.unique
        if found is not None and found.seats:
            whole[round_] = True
            begin, seats = first[round_, 0], np.array(found.seats)
            nth = (np.cumsum(seats[:, None] == _SEATS, axis=0) - 1)[np.arange(len(seats)), seats]
            sequence[begin : begin + len(seats)] = first[round_, seats] + nth
    return Order(sequence[sequence >= 0], unique, whole)


@dataclass
class _Following:
    """All rounds, followed at the same time.

    ``sequence`` int32[n] gets the turns of each round, in their order, at the round's places among all turns.
    """

    turns: Turns
    dealer: Places
    players: Places

    def __post_init__(self) -> None:
        turns = self.turns
        none = len(turns.wanted)
        self.next = turns.first.copy()
        self.end = turns.first + turns.count
        self.wanted = np.append(turns.wanted, np.int16(NO_CALL))
        self.wants = self.wanted[np.where(turns.count > 0, turns.first, none)]
        self.sequence = np.full(none, -1, dtype=np.int32)
        self.unique = np.ones(len(self.dealer), dtype=bool)
        self.again = _again(turns)

    @property
    def whole(self) -> Bools:
        """The rounds in which every turn is followed, bool[rounds]."""
        found: Bools = (self.next == self.end).reshape(-1, SEATS).all(axis=1)
        return found

    def follow(self) -> None:
        """Let one seat after the other act, in all rounds, until none can."""
        turns, none = self.turns, len(self.turns.wanted)
        stays, ends = np.isin(turns.did, STAYS), turns.did == UNREAD
        begin = turns.first[::SEATS]
        round_ = np.flatnonzero(self.dealer >= 0)
        hand, called, step = round_ * SEATS + self.dealer[round_], np.zeros(len(round_), dtype=bool), 0
        while len(round_):
            # A seat can act if it has a turn left, and its take is a call exactly if the turn came by one.
            turn = self.next[hand]
            acts = (turn < self.end[hand]) & ((self.wants[hand] >= 0) == called)
            round_, hand, turn = round_[acts], hand[acts], turn[acts]
            self.sequence[begin[round_] + step] = turn
            step += 1
            self.next[hand] = turn + 1
            self.wants[hand] = self.wanted[np.where(turn + 1 < self.end[hand], turn + 1, none)]
            goes_on = ~ends[turn]
            round_, hand, turn = round_[goes_on], hand[goes_on], turn[goes_on]
            callers = self.wants.reshape(-1, SEATS)[round_] == turns.offered[turn][:, None]
            called = callers.any(axis=1)
            following = (hand % SEATS + 1) % self.players[round_]
            taken = np.flatnonzero(called)
            following[taken] = callers[taken].argmax(axis=1)
            self._doubt(round_[taken], turn[taken], callers[taken])
            hand = np.where(stays[turn], hand, round_ * SEATS + following)

    def _doubt(self, round_: Places, turn: Ints, callers: Bools) -> None:
        """Mark rounds in which the calls of these discards may not be the only ones that fit; ``callers`` bool[m, 4]."""
        self.unique[round_[callers.sum(axis=1) > 1]] = False
        later = np.flatnonzero(self.again[turn])
        round_, seat, caller = round_[later], self.turns.seat[turn[later]], callers[later].argmax(axis=1)
        # If the caller were passed over now, to call a later discard, a seat behind it would have to call next, and
        # that from a seat before it.
        wants = self.wants.reshape(-1, SEATS)[round_]
        distance = (caller - seat) % SEATS
        behind = (_SEATS - seat[:, None] - 1) % SEATS + 1 > distance[:, None]
        source = (wants // PER_SEAT - seat[:, None]) % SEATS
        before = (wants >= 0) & (source > 0) & (source < distance[:, None])
        self.unique[round_[(behind & before).any(axis=1)]] = False


def _again(turns: Turns) -> Bools:
    """Return which turns discard a tile that the same seat discards again later in the round, bool[n]."""
    key = turns.round * (SEATS * PER_SEAT) + turns.offered
    by_key = np.argsort(key, kind="stable")
    found = np.zeros(len(key), dtype=bool)
    found[by_key[:-1]] = key[by_key[1:]] == key[by_key[:-1]]
    return found

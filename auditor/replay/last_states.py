"""The last events of each round and hand before the result, and helpers about hands that several modules share.

Rows are those of ``log.events``; a hand is ``round * SEATS + seat``; -1 means that there is no such row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.arrays import expanded
from auditor.log.event_kinds import CODE, PLAYS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE, KIND, NONE
from auditor.replay.trust import HAND_DOUBTS, Doubt
from engine.shapes.waits import waits
from engine.tiles.hands import counts_of
from engine.tiles.kinds import KINDS, NORTH, kind_mask

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LastStates:
    """The last rows of rounds and hands, int64.

    For each round: ``start`` (its first row), ``result`` (its first result), ``last`` (the last deal, draw, discard or
    call before the result). For each hand: ``own`` (its last row before the result), ``riichi`` (its first
    declaration). ``absent`` has the rows of events that take a tile from a hand that does not hold it. ``trust`` has
    all doubts about rounds and hands. ``discards_by_hand`` has the rows of all discards, hand by hand, and for each
    hand its first place there and how many they are.
    """

    start: Ints
    result: Ints
    last: Ints
    own: Ints
    riichi: Ints
    absent: Ints
    trust: Trust
    discards_by_hand: tuple[Ints, Ints, Ints]

    def discard(self, hand: Ints, nth: Ints) -> Ints:
        """Return the row of each hand's discard number ``nth`` (1 is the first); -1 if there is none."""
        rows, begin, count = self.discards_by_hand
        at = begin[hand] + nth - 1
        there = (nth >= 1) & (nth <= count[hand])
        return np.where(there, rows[np.where(there, at, 0)], -1) if len(rows) else np.full(there.shape, -1)


LAST_ACTIONS = 3
"""If one of so many actions before the result is out of order, the winning tile and its seat are unknown."""


def last_states(played: Replay, held: Holdings, order: TurnOrder) -> LastStates:
    """Return the last rows of all rounds and hands, and the doubts that follow from them."""
    misplaced = order.misplaced
    count = len(played.kind)
    result = np.where(played.result < count, played.result, -1)
    # The last action before the result, or before the next round.
    last = played.latest(np.minimum(played.result, np.append(played.start[1:], count)) - 1, *PLAYS)
    no_north = (played.kind[last] == CODE["kita"]) & (KIND[played.tile_id[last]] != NORTH)
    place, of_round = (misplaced[name].to_numpy() for name in ("row", "round"))
    late = np.searchsorted(order.row, np.maximum(result, 0)[of_round]) - np.searchsorted(order.row, place)
    trust = held.trust.plus(
        rounds={
            Doubt.NO_RESULT: result < 0,
            Doubt.END_OUT_OF_ORDER: of_round[late <= LAST_ACTIONS],
            Doubt.LAST_TILE_NOT_READ: no_north | ((played.kind[last] != CODE["deal"]) & (played.tile_id[last] >= NONE)),
        },
        hands={Doubt.WRONG_NUMBER: _wrong_number(played, played.seated & held.trust.hands.free_of(HAND_DOUBTS))},
    )
    return LastStates(
        start=played.start,
        result=result,
        last=last,
        own=played.own,
        riichi=played.declared,
        absent=held.absent["row"].to_numpy(),
        trust=trust,
        discards_by_hand=_discards_by_hand(played),
    )


def _wrong_number(played: Replay, followed: Bools) -> Bools:
    """Return which of the ``followed`` hands (bool[hands]) have a wrong number of tiles after their last row."""
    row = played.own[followed]
    # After its own draw a hand has one tile more.
    due = HAND_SIZE + (played.kind[row] == CODE["draw"])
    wrong = np.zeros(len(followed), dtype=bool)
    wrong[followed] = tiles_of(played.keys.take(row, axis=0)) + 3 * played.melds[row] != due
    return wrong


def _discards_by_hand(played: Replay) -> tuple[Ints, Ints, Ints]:
    """Return the rows of all discards, sorted by seat and round, and each hand's first place there and its count."""
    rows = np.concatenate([np.flatnonzero(played.is_kind("discard") & (played.seat == seat)) for seat in range(SEATS)])
    count = np.bincount(played.hand.take(rows), minlength=played.rounds * SEATS)
    by_seat = count.reshape(-1, SEATS).T
    return rows, (np.cumsum(by_seat).reshape(SEATS, -1) - by_seat).T.ravel(), count


_HALF = 5**5
_DIGIT_SUM: npt.NDArray[np.int8] = sum(np.arange(_HALF) // 5**place % 5 for place in range(5)).astype(np.int8)


def tiles_of(keys: npt.NDArray[np.int32]) -> Ints:
    """Return the number of tiles in suit keys int32[n, 4], int64[n]; the keys must be those of possible hands."""
    high = keys // _HALF  # many times as fast as divmod
    total: Ints = (_DIGIT_SUM[keys - high * _HALF] + _DIGIT_SUM[high]).sum(axis=1)
    return total


def seen_between(bits: Ints, start: Ints, end: Ints) -> Ints:
    """Return the OR of ``bits`` over each range of rows from ``start`` up to ``end``, which is excluded; 0 if empty."""
    if not len(start):
        return np.zeros(0, dtype=np.int64)
    edges = np.stack([start, np.maximum(start, end)], axis=1).ravel()
    found: Ints = np.bitwise_or.reduceat(np.append(bits, 0), edges)[::2]
    return np.where(start < end, found, 0)


def waits_at(played: Replay, rows: Ints, whole_hand: Bools) -> Ints:
    """Return the waits of the acting hands after these events, as masks of kinds, int64[n].

    Where ``whole_hand`` bool[n] is true, a kind of which the hand and its melds hold all four tiles is no wait (rule
    ``fifth_tile_wait``).
    """
    found = waits(played.keys[rows], played.melds[rows])
    asked = np.flatnonzero(whole_hand & (found != 0))
    if len(asked):
        found[asked] &= ~_four_held(played, rows[asked])
    return found


def _four_held(played: Replay, rows: Ints) -> Ints:
    """Return, as masks, the kinds of which the concealed tiles and the melds made so far hold four."""
    counts = counts_of(played.keys[rows]).astype(np.int64)
    hands = played.hand[rows]
    order = np.argsort(hands, kind="stable")
    made = played.made
    of_meld = played.hand[made.row]
    # Pair each meld with each of ``rows`` of its hand; there are at most a few for a hand.
    first = np.searchsorted(hands[order], of_meld, side="left")
    many = np.searchsorted(hands[order], of_meld, side="right") - first
    meld, at = expanded(first, many)
    at = order[at]
    early = made.row[meld] <= rows[at]
    meld, at = meld[early], at[early]
    added = played.kind[made.row[meld]] == CODE["kakan"]
    for place in range(4):
        kind = KIND[made.tile_ids[meld, place]]
        counts_here = (kind < KINDS) & (~added | (place == 0))
        np.add.at(counts, (at[counts_here], kind[counts_here]), 1)
    return kind_mask(counts >= 4)

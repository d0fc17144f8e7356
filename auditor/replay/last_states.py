"""The last state of each hand and round before its result, and facts of hands that several checks ask for.

Rows are those of ``log.events``; a hand is ``round * SEATS + seat``; -1 is "no such row".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.event_kinds import CODE, PLAYS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE, KIND, NONE
from auditor.replay.running_sums import first_results, riichi_rows, round_starts
from engine.shapes.waits import waits
from engine.tiles.hands import counts_of
from engine.tiles.kinds import KINDS, kind_mask

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Replay
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class LastStates:
    """The last rows of rounds and hands.

    By round: ``start`` (its first row), ``result`` (its first result), ``last`` (the last deal, draw, discard or
    call before that), ``settled`` (whether it has a result, and every event is read and follows from the one before),
    ``sure`` (whether the last of them are and do).
    By hand: ``own`` (its last row before the result), ``sound`` (nothing is wrong with it, and it has the right
    number of tiles), ``riichi`` (its first declaration). ``absent`` are the rows of discards and kans with a tile that
    the hand has not.
    """

    start: Ints
    result: Ints
    last: Ints
    settled: Bools
    sure: Bools
    own: Ints
    sound: Bools
    riichi: Ints
    absent: Ints
    _discards: tuple[Ints, Ints]

    def discard(self, hand: Ints, nth: Ints) -> Ints:
        """Return the row of each hand's discard number ``nth`` (1 its first); -1 where there is none."""
        rows, begins = self._discards
        at = begins[hand] + nth - 1
        there = (nth >= 1) & (at < begins[hand + 1])
        return np.where(there, rows[np.where(there, at, 0)], -1) if len(rows) else np.full(len(hand), -1)


LAST_ACTIONS = 3
"""So many at a round's end say who wins what."""


def last_states(log: Log, played: Replay, held: Holdings, order: TurnOrder) -> LastStates:
    """Return the last rows of all rounds and hands of a batch."""
    misplaced = order.misplaced
    rounds, count = len(log.rounds), len(played.kind)
    start = round_starts(played, rounds)
    ended = first_results(played.round, played.kind, rounds)
    result = np.where(ended < count, ended, -1)
    last = np.full(rounds, -1, dtype=np.int64)
    early = np.arange(count) < ended[played.round]
    acted = np.flatnonzero(early & played.is_kind(*PLAYS))
    last[played.round[acted]] = acted
    own = np.full(rounds * SEATS, -1, dtype=np.int64)
    mine = np.flatnonzero(early & (played.seat >= 0))
    own[played.hand[mine]] = mine
    riichi = riichi_rows(played, rounds)
    settled = result >= 0
    settled[misplaced["round"].to_numpy()] = False
    settled[log.disturbed] = False
    sound = held.sound & (own >= 0)
    sound[sound] = tiles_of(played.keys[own[sound]]) + 3 * played.melds[own[sound]] == HAND_SIZE
    # After an own draw a hand has a tile more.
    drew = held.sound & (own >= 0) & (played.kind[own] == CODE["draw"])
    sound[drew] = tiles_of(played.keys[own[drew]]) + 3 * played.melds[own[drew]] == HAND_SIZE + 1
    sure = (result >= 0) & ~order.jumbled
    place = np.searchsorted(order.row, misplaced["row"].to_numpy())
    late = np.searchsorted(order.row, np.maximum(result, 0))[misplaced["round"].to_numpy()] - place <= LAST_ACTIONS
    sure[misplaced["round"].to_numpy()[late]] = False
    sure[log.disturbed] = False
    sure &= (played.kind[last] == CODE["deal"]) | (played.tile_id[last] < NONE)
    return LastStates(
        start,
        result,
        last,
        settled,
        sure,
        own,
        sound,
        riichi,
        held.absent["row"].to_numpy(),
        _discards_by_hand(played, rounds),
    )


def _discards_by_hand(played: Replay, rounds: int) -> tuple[Ints, Ints]:
    rows = np.flatnonzero(played.kind == CODE["discard"])
    hand = played.hand[rows]
    order = np.argsort(hand, kind="stable")
    begins = np.zeros(rounds * SEATS + 1, dtype=np.int64)
    np.cumsum(np.bincount(hand, minlength=rounds * SEATS), out=begins[1:])
    return rows[order], begins


_HALF = 5**5
_DIGIT_SUM: npt.NDArray[np.int64] = sum((np.arange(_HALF) // 5**place % 5 for place in range(5)), np.zeros(_HALF, int))


def tiles_of(keys: npt.NDArray[np.int32]) -> Ints:
    """Return how many tiles suit keys int32[n, 4] hold; all of them must be keys of a hand."""
    high, low = np.divmod(keys, _HALF)
    total: Ints = (_DIGIT_SUM[low] + _DIGIT_SUM[high]).sum(axis=1)
    return total


def seen_between(bits: Ints, start: Ints, end: Ints) -> Ints:
    """Return the OR of ``bits`` over each of the ranges of rows ``start`` up to, but without, ``end``."""
    if not len(start):
        return np.zeros(0, dtype=np.int64)
    edges = np.stack([start, np.maximum(start, end)], axis=1).ravel()
    found: Ints = np.bitwise_or.reduceat(np.append(bits, 0), edges)[::2]
    return np.where(start < end, found, 0)


def tile_bits(played: Replay, *kinds: str) -> Ints:
    """Return the bit of the tile of every event of these kinds, 0 for all other events."""
    kind = KIND[played.tile_id]
    bits: Ints = np.where(played.is_kind(*kinds) & (kind < KINDS), np.int64(1) << np.minimum(kind, KINDS), 0)
    return bits


def waits_at(played: Replay, rows: Ints, whole_hand: Bools) -> Ints:
    """Return the waits of the acting hands after these events, as masks; ``whole_hand`` is the rule on fifth tiles."""
    found = waits(played.keys[rows], played.melds[rows])
    asked = np.flatnonzero(whole_hand & (found != 0))
    if len(asked):
        found[asked] &= ~_four_held(played, rows[asked])
    return found


def _four_held(played: Replay, rows: Ints) -> Ints:
    """Return the kinds of which concealed tiles and melds made so far together hold four."""
    counts = counts_of(played.keys[rows]).astype(np.int64)
    hands = played.hand[rows]
    order = np.argsort(hands, kind="stable")
    made = played.made
    of_meld = played.hand[made.row]
    # Each meld beside each of the asked rows of its hand: a hand is asked once or twice.
    first = np.searchsorted(hands[order], of_meld, side="left")
    many = np.searchsorted(hands[order], of_meld, side="right") - first
    meld = np.repeat(np.arange(len(of_meld)), many)
    at = order[np.repeat(first, many) + np.arange(many.sum()) - np.repeat(np.cumsum(many) - many, many)]
    early = made.row[meld] <= rows[at]
    meld, at = meld[early], at[early]
    added = played.kind[made.row[meld]] == CODE["kakan"]
    for place in range(4):
        kind = KIND[made.tile_ids[meld, place]]
        counts_here = (kind < KINDS) & (~added | (place == 0))
        np.add.at(counts, (at[counts_here], kind[counts_here]), 1)
    return kind_mask(counts >= 4)

"""Replay canonical events as running sums: the state of the acting seat's hand after every event.

The tiles of a suit are one base-5 integer, with one digit for each kind. A draw adds a power of five; a discard
subtracts one. So the hand of a seat at any event is the running sum of its own events since the deal.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.arrays import hand_numbers
from auditor.log.event_kinds import CODE, NEW_MELDS, OPEN_CALLS, PLAYS, is_kind
from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND, NONE, RED, TILE_IDS
from engine.tiles import kinds

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log

SUITS = 4
UNITS: npt.NDArray[np.int32] = np.zeros((TILE_IDS + 1, SUITS), dtype=np.int32)
"""What each tile adds to the four suit keys, int32[TILE_IDS + 1, 4]; zeros for NONE."""
for _tile_id in range(TILE_IDS):
    UNITS[_tile_id, kinds.SUIT[KIND[_tile_id]]] = kinds.UNIT[KIND[_tile_id]]


@dataclass(frozen=True)
class Made:
    """The m melds of a batch, in the order of the log.

    ``row`` int64[m] is the row in ``log.events``, ``source`` int8[m] the seat that fed the meld (-1 if none did).
    ``tile_ids`` int16[m, 4] has the called or added tile first; NONE pads it.
    """

    row: npt.NDArray[np.int64]
    source: npt.NDArray[np.int8]
    tile_ids: npt.NDArray[np.int16]

    def __getitem__(self, chosen: npt.NDArray[np.bool_]) -> Made:
        """Return the melds chosen by a mask."""
        return Made(self.row[chosen], self.source[chosen], self.tile_ids[chosen])


@dataclass(frozen=True)
class Replay:
    """The play of a batch as arrays, one entry for each of the n events of ``log.events``.

    Copied from the log: ``round`` int64, ``kind`` uint8 (a code of event_kinds.py), ``seat`` int8 (-1 if null),
    ``tile_id`` int16 (NONE if null), and the melds ``made``.

    State of the acting seat after the event: the suit ``keys`` int32[n, 4] of its concealed tiles, and as int32 the
    number of its ``melds``, its ``discards``, its ``riichi`` declarations and its ``reds`` (tiles with the id of a red
    five, in hand and melds, even if the set has no red fives). ``draws`` int64 counts the tiles drawn so far in the
    round, by all seats. ``masks`` and ``rows_by_kind`` cache the results of :meth:`is_kind` and :meth:`rows`.
    """

    round: npt.NDArray[np.int64]
    kind: npt.NDArray[np.uint8]
    seat: npt.NDArray[np.int8]
    tile_id: npt.NDArray[np.int16]
    made: Made
    keys: npt.NDArray[np.int32]
    melds: npt.NDArray[np.int32]
    discards: npt.NDArray[np.int32]
    riichi: npt.NDArray[np.int32]
    reds: npt.NDArray[np.int32]
    draws: npt.NDArray[np.int64]
    masks: dict[tuple[str, ...], npt.NDArray[np.bool_]] = field(default_factory=dict, repr=False)
    rows_by_kind: dict[tuple[str, ...], npt.NDArray[np.int64]] = field(default_factory=dict, repr=False)

    @cached_property
    def hand(self) -> npt.NDArray[np.int64]:
        """The hand number ``round * SEATS + seat`` of each event, int64[n]; meaningless where ``seat`` is -1."""
        hands = self.round * SEATS + self.seat
        hands.flags.writeable = False
        return hands

    @cached_property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which events come after the first result of their round, bool[n]."""
        ends = first_results(self.round, self.kind, int(self.round.max(initial=-1)) + 1)
        found: npt.NDArray[np.bool_] = np.arange(len(self.kind)) > ends[self.round]
        return found

    @cached_property
    def acted(self) -> npt.NDArray[np.int64]:
        """The row of the last deal, draw, discard or call at or before each event, int64[n]; 0 if there is none."""
        acts = self.is_kind(*PLAYS)
        rows: npt.NDArray[np.int64] = np.maximum.accumulate(np.where(acts, np.arange(len(acts)), 0))
        return rows

    def is_kind(self, *kinds: str) -> npt.NDArray[np.bool_]:
        """Return which events have one of these kinds, bool[n]; the array is cached and read-only."""
        if kinds not in self.masks:
            self.masks[kinds] = is_kind(self.kind, *kinds)
            self.masks[kinds].flags.writeable = False
        return self.masks[kinds]

    def rows(self, *kinds: str) -> npt.NDArray[np.int64]:
        """Return the rows of the events of these kinds, ascending, int64[m]; the array is cached and read-only."""
        if kinds not in self.rows_by_kind:
            self.rows_by_kind[kinds] = np.flatnonzero(self.is_kind(*kinds))
            self.rows_by_kind[kinds].flags.writeable = False
        return self.rows_by_kind[kinds]


def replay(log: Log) -> Replay:
    """Return the play of all rounds of a batch; events after a round's first result do not change it."""
    round_ = log.events["round"].to_numpy().astype(np.int64)
    kind = log.events["kind"].to_physical().to_numpy()
    seat = log.events["seat"].fill_null(-1).to_numpy()
    tile_id = log.events["tile_id"].fill_null(NONE).to_numpy()
    made = _made(log, tile_id)
    changes = np.empty((len(kind), SUITS + 4), dtype=np.int32)
    changes[:, :SUITS] = _key_changes(log, kind, tile_id, made)
    changes[:, SUITS] = is_kind(kind, *NEW_MELDS)
    changes[:, SUITS + 1] = is_kind(kind, "discard")
    changes[:, SUITS + 2] = is_kind(kind, "riichi")
    changes[:, SUITS + 3] = _red_changes(log, kind, tile_id)
    # Events after a round's result are not play; holdings.py ignores them, too.
    changes[np.arange(len(kind)) > first_results(round_, kind, len(log.rounds))[round_]] = 0
    state = running(changes, seat, kind == CODE["deal"])
    draws = np.cumsum(kind == CODE["draw"])
    first = np.flatnonzero(np.diff(round_, prepend=-1))
    before = np.repeat(draws[first], np.diff(np.append(first, len(round_))))
    return Replay(
        round=round_,
        kind=kind,
        seat=seat,
        tile_id=tile_id,
        made=made,
        keys=state[:, :SUITS],
        melds=state[:, SUITS],
        discards=state[:, SUITS + 1],
        riichi=state[:, SUITS + 2],
        reds=state[:, SUITS + 3],
        draws=draws - before,
    )


def first_rows(
    rows: npt.NDArray[np.int64], group: npt.NDArray[np.int64], groups: int, none: int
) -> npt.NDArray[np.int64]:
    """Return the first row of each group, int64[groups]; ``none`` for a group without rows.

    ``rows`` int64[n] must ascend; ``group`` int64[n] is the group (a round or a hand) of each row.
    """
    first = np.full(groups, none, dtype=np.int64)
    first[group[::-1]] = rows[::-1]  # backwards: the first row of a group is written last, and stays
    return first


def round_starts(played: Replay, rounds: int) -> npt.NDArray[np.int64]:
    """Return the row of each round's first event, int64[rounds]; -1 for a round without events."""
    rows = np.flatnonzero(np.diff(played.round, prepend=-1))
    return first_rows(rows, played.round[rows], rounds, none=-1)


def riichi_rows(played: Replay, rounds: int) -> npt.NDArray[np.int64]:
    """Return the row of each hand's first riichi declaration, int64[rounds * SEATS]; -1 if it has none."""
    rows = played.rows("riichi")
    return first_rows(rows, played.hand[rows], rounds * SEATS, none=-1)


def first_results(round_: npt.NDArray[np.int64], kind: npt.NDArray[np.uint8], rounds: int) -> npt.NDArray[np.int64]:
    """Return the row of each round's first result, int64[rounds]; for a round without one, the number of all rows."""
    rows = np.flatnonzero(kind == CODE["result"])
    return first_rows(rows, round_[rows], rounds, none=len(kind))


def running(
    changes: npt.NDArray[np.int32], seat: npt.NDArray[np.int8], restart: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int32]:
    """Return the running sums of changes int32[n, k], for each seat by itself, as int32[n, k].

    A seat's sum starts again from zero at each of its rows with ``restart``; its first row must be one of these. Rows
    without a seat (-1) are zero.
    """
    # The sum over a whole batch can wrap around; differences between its entries are still right.
    sums = np.zeros_like(changes)
    for here in range(SEATS):
        rows = np.flatnonzero(seat == here)
        if not len(rows):
            continue
        change = changes[rows]
        total = np.cumsum(change, axis=0, dtype=np.int32)
        begins = np.flatnonzero(restart[rows])
        lengths = np.diff(np.append(begins, len(rows)))
        sums[rows] = total - np.repeat(total[begins] - change[begins], lengths, axis=0)
    return sums


def _made(log: Log, tile_id: npt.NDArray[np.int16]) -> Made:
    row = log.melds["row"].to_numpy().astype(np.int64)
    others = [log.melds[name].fill_null(NONE).to_numpy() for name in ("p1", "p2", "p3")]
    return Made(row, log.melds["source"].fill_null(-1).to_numpy(), np.stack([tile_id[row], *others], axis=1))


def _key_changes(
    log: Log, kind: npt.NDArray[np.uint8], tile_id: npt.NDArray[np.int16], made: Made
) -> npt.NDArray[np.int32]:
    """Return the change of the acting seat's suit keys by each event, int32[n, 4]."""
    sign = np.zeros(len(CODE), dtype=np.int32)
    sign[CODE["draw"]] = 1
    sign[[CODE[name] for name in ("discard", "ankan", "kakan", "kita")]] = -1
    change: npt.NDArray[np.int32] = UNITS[tile_id] * sign[kind][:, None]
    melded = made[is_kind(kind, *NEW_MELDS)[made.row]]
    change[melded.row] -= UNITS[melded.tile_ids[:, 1:]].sum(axis=1, dtype=np.int32)
    change[kind == CODE["deal"]] = np.stack([_dealt(log, UNITS[:, suit]) for suit in range(SUITS)], axis=1)
    return change


def _red_changes(log: Log, kind: npt.NDArray[np.uint8], tile_id: npt.NDArray[np.int16]) -> npt.NDArray[np.int32]:
    """Return the change of the number of red tiles in the acting seat's hand and melds by each event, int32[n]."""
    sign = np.zeros(len(CODE), dtype=np.int32)
    sign[[CODE[name] for name in ("draw", *OPEN_CALLS)]] = 1
    sign[CODE["discard"]] = -1
    change: npt.NDArray[np.int32] = RED[tile_id] * sign[kind]
    change[kind == CODE["deal"]] = _dealt(log, RED)
    return change


def _dealt(log: Log, value: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    """Return the sum of a value over the dealt tiles of each hand, int64[rounds * SEATS]; ``value`` is by tile id."""
    hand = hand_numbers(log.deals)
    weights = value[log.deals["tile_id"].to_numpy()]
    return np.bincount(hand, weights=weights, minlength=len(log.rounds) * SEATS).astype(np.int64)

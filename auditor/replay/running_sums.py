"""A replay is a cumulative sum: canonical events → the state of the acting seat's hand after every event.

A suit's tiles are one base-5 integer, so a draw adds a power of five and a discard takes one away; the hand of
a seat at any event is the running sum of its own events since the deal.
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
"""What a tile adds to the four suit keys."""
for _tile_id in range(TILE_IDS):
    UNITS[_tile_id, kinds.SUIT[KIND[_tile_id]]] = kinds.UNIT[KIND[_tile_id]]


@dataclass(frozen=True)
class Made:
    """The melds of a batch, in order: ``row`` int64 (of events), ``source`` int8 (-1 nobody), ``tile_ids`` int16[m, 4].

    The first tile is the one called or added; NONE pads.
    """

    row: npt.NDArray[np.int64]
    source: npt.NDArray[np.int8]
    tile_ids: npt.NDArray[np.int16]

    def __getitem__(self, chosen: npt.NDArray[np.bool_]) -> Made:
        """Return some of them."""
        return Made(self.row[chosen], self.source[chosen], self.tile_ids[chosen])


@dataclass(frozen=True)
class Replay:
    """The play of a batch as arrays, one entry an event of ``log.events``.

    ``round`` int64, ``kind`` uint8 (its code, see event_kinds.py), ``seat`` int8 (-1 nobody) and ``tile_id`` int16
    (NONE where absent) restate the event, and ``made`` the melds. The rest is what the sums give: of the acting seat,
    after the event, ``keys`` int32[n, 4], ``melds``, ``discards``, ``riichi`` (declarations so far) and
    ``reds`` (red tiles in hand and melds, whether or not the set has red fives) int32; of the table,
    ``draws`` int64, how many tiles have been drawn in the round. ``masks`` is what :meth:`is_kind` has found.
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

    @property
    def hand(self) -> npt.NDArray[np.int64]:
        """``round * SEATS + seat`` of each event: one number a hand; meaningless where nobody acts."""
        return self.round * SEATS + self.seat

    def of_rounds(self, rounds: npt.NDArray[np.bool_]) -> Replay:
        """Return the play of some rounds alone (bool[rounds]): rows count in it, rounds keep their numbers."""
        row = np.flatnonzero(rounds[self.round])
        made = self.made[rounds[self.round[self.made.row]]]
        return Replay(
            made=Made(np.searchsorted(row, made.row), made.source, made.tile_ids),
            **{name: getattr(self, name)[row] for name in _ALONG},
        )

    @cached_property
    def acted(self) -> npt.NDArray[np.int64]:
        """The row of the last deal, draw, discard or call at or before each event; the first row before any."""
        acts = self.is_kind(*PLAYS)
        rows: npt.NDArray[np.int64] = np.maximum.accumulate(np.where(acts, np.arange(len(acts)), 0))
        return rows

    def is_kind(self, *kinds: str) -> npt.NDArray[np.bool_]:
        """Return the mask of the events of these kinds; the same array each time, not to be changed."""
        if kinds not in self.masks:
            self.masks[kinds] = is_kind(self.kind, *kinds)
            self.masks[kinds].flags.writeable = False
        return self.masks[kinds]


_ALONG = ("round", "kind", "seat", "tile_id", "keys", "melds", "discards", "riichi", "reds", "draws")
"""What a replay has one of an event."""


def replay(log: Log) -> Replay:
    """Replay all rounds of a batch at once."""
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
    # What is told after a round's result is no play of it; possession leaves it aside, too.
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
    """Return the first of some rows in each group, int64[groups]; ``none`` for a group that has no such row.

    ``rows`` int64[n] ascend; ``group`` int64[n] is the round or hand of each of them.
    """
    first = np.full(groups, none, dtype=np.int64)
    first[group[::-1]] = rows[::-1]  # backwards, so that of several rows the first one stays
    return first


def round_starts(played: Replay, rounds: int) -> npt.NDArray[np.int64]:
    """Return the row of each round's first event, int64[rounds]; -1 for a round without events."""
    rows = np.flatnonzero(np.diff(played.round, prepend=-1))
    return first_rows(rows, played.round[rows], rounds, none=-1)


def riichi_rows(played: Replay, rounds: int) -> npt.NDArray[np.int64]:
    """Return the row of each hand's first riichi declaration, int64[rounds * SEATS]; -1 without one."""
    rows = np.flatnonzero(played.is_kind("riichi"))
    return first_rows(rows, played.hand[rows], rounds * SEATS, none=-1)


def first_results(round_: npt.NDArray[np.int64], kind: npt.NDArray[np.uint8], rounds: int) -> npt.NDArray[np.int64]:
    """Return the row of each round's first result, int64[rounds]; the number of rows where a round has none."""
    rows = np.flatnonzero(kind == CODE["result"])
    return first_rows(rows, round_[rows], rounds, none=len(kind))


def running(
    changes: npt.NDArray[np.int32], seat: npt.NDArray[np.int8], restart: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int32]:
    """Return running sums of changes int32[n, k] seat by seat, begun anew at each of a seat's restarts.

    Rows without a seat (-1) stay zero. A seat's first row must be a restart.
    """
    # The sum over a whole batch may wrap around; differences of it are right all the same.
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
    """Return what each event adds to the acting seat's suit keys, int32[n, 4]."""
    sign = np.zeros(len(CODE), dtype=np.int32)
    sign[CODE["draw"]] = 1
    sign[[CODE[name] for name in ("discard", "ankan", "kakan", "kita")]] = -1
    change: npt.NDArray[np.int32] = UNITS[tile_id] * sign[kind][:, None]
    melded = made[is_kind(kind, *NEW_MELDS)[made.row]]
    change[melded.row] -= UNITS[melded.tile_ids[:, 1:]].sum(axis=1, dtype=np.int32)
    change[kind == CODE["deal"]] = np.stack([_dealt(log, UNITS[:, suit]) for suit in range(SUITS)], axis=1)
    return change


def _red_changes(log: Log, kind: npt.NDArray[np.uint8], tile_id: npt.NDArray[np.int16]) -> npt.NDArray[np.int32]:
    """Return how many red tiles each event adds to the acting seat's hand and melds, int32[n]."""
    sign = np.zeros(len(CODE), dtype=np.int32)
    sign[[CODE[name] for name in ("draw", *OPEN_CALLS)]] = 1
    sign[CODE["discard"]] = -1
    change: npt.NDArray[np.int32] = RED[tile_id] * sign[kind]
    change[kind == CODE["deal"]] = _dealt(log, RED)
    return change


def _dealt(log: Log, value: npt.NDArray[np.generic]) -> npt.NDArray[np.int64]:
    """Return the sum of a value by tile over every hand as dealt, int64[rounds * SEATS]."""
    hand = hand_numbers(log.deals)
    weights = value[log.deals["tile_id"].to_numpy()]
    return np.bincount(hand, weights=weights, minlength=len(log.rounds) * SEATS).astype(np.int64)

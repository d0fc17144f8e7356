"""Replay canonical events as running sums: the state of the acting seat's hand after every event.

The tiles of a suit are one base-5 integer, with one digit for each kind. A draw adds a power of five; a discard
subtracts one. So the hand of a seat at any event is the running sum of its own events since the deal.

The events of a batch make few different changes. Each is an entry of a table, in which several small numbers are packed
into one int64: one addition adds them all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.arrays import expanded, filled
from auditor.log.event_kinds import CODE, NEW_MELDS, OPEN_CALLS, is_kind
from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND, LIVE_TILES, NONE, RED, TILE_IDS
from engine.tiles import kinds

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

SUITS = 4
UNITS: npt.NDArray[np.int32] = np.zeros((TILE_IDS + 1, SUITS), dtype=np.int32)
"""What each tile adds to the four suit keys, int32[TILE_IDS + 1, 4]; zeros for NONE."""
for _tile_id in range(TILE_IDS):
    UNITS[_tile_id, kinds.SUIT[KIND[_tile_id]]] = kinds.UNIT[KIND[_tile_id]]

_MELD, _DISCARD, _RIICHI, _RED = (1 << bits for bits in (0, 16, 32, 48))
"""The counters in the last packed number, 16 bits each. Only the number of red tiles can fall below zero: it is on top,
where that does not change the others."""
_SIGN = 1 << 31
"""The sign of the lower key of a pair."""
_TILE: npt.NDArray[np.int64] = np.stack([*UNITS.view(np.int64).T, RED * np.int64(_RED)])
"""What each tile adds to the packed numbers, int64[3, TILE_IDS + 1]: two pairs of suit keys, then the counters."""


def _usual_changes() -> npt.NDArray[np.int64]:
    """Return what an event of each kind with each tile adds to the packed numbers, int64[3, kinds, TILE_IDS + 1].

    A deal's tiles are missing, and the tiles of a meld that the caller held.
    """
    changes = np.zeros((3, len(CODE), TILE_IDS + 1), dtype=np.int64)
    changes[:, CODE["draw"]] = _TILE
    changes[:, CODE["discard"]] = -_TILE
    for name in ("ankan", "kakan", "kita"):
        changes[:2, CODE[name]] = -_TILE[:2]  # red tiles count in melds, too
    for name in OPEN_CALLS:
        changes[2, CODE[name]] = _TILE[2]
    for name in NEW_MELDS:
        changes[2, CODE[name]] += _MELD
    changes[2, CODE["discard"]] += _DISCARD
    changes[2, CODE["riichi"]] += _RIICHI
    return changes


BLOCK = 256
"""Rounds that are added up at a time, so few that their arrays stay in the processor's cache."""

_USUAL = _usual_changes().reshape(3, -1)
_NO_CHANGE = CODE["result"] * (TILE_IDS + 1)
"""The place of an entry of zeros in ``_USUAL``."""


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

    State of the acting seat after the event: the suit ``keys`` int32[n, 4] of its concealed tiles, and as int16 the
    number of its ``melds``, its ``discards``, its ``riichi`` declarations and its ``reds`` (tiles with the id of a red
    five, in hand and melds, even if the set has no red fives). ``left`` int32 counts the tiles that can still be
    drawn in the round, negative after too many draws. ``over`` bool says whether the event comes after the round's
    first result.

    Rows: ``start`` int64[rounds] has each round's first event, ``result`` int64[rounds] its first result (or the number
    of all rows), ``own`` int64[rounds * SEATS] each hand's last event before the result; ``seated``
    bool[rounds * SEATS] says which hands exist. ``masks`` and ``rows_by_kind``
    cache the results of :meth:`is_kind` and :meth:`rows`.
    """

    round: npt.NDArray[np.int64]
    kind: npt.NDArray[np.uint8]
    seat: npt.NDArray[np.int8]
    tile_id: npt.NDArray[np.int16]
    made: Made
    keys: npt.NDArray[np.int32]
    melds: npt.NDArray[np.int16]
    discards: npt.NDArray[np.int16]
    riichi: npt.NDArray[np.int16]
    reds: npt.NDArray[np.int16]
    left: npt.NDArray[np.int32]
    over: Bools
    start: Ints
    result: Ints
    own: Ints
    seated: Bools
    masks: dict[tuple[str, ...], npt.NDArray[np.bool_]] = field(default_factory=dict, repr=False)
    rows_by_kind: dict[tuple[str, ...], npt.NDArray[np.int64]] = field(default_factory=dict, repr=False)

    @cached_property
    def hand(self) -> Ints:
        """The hand number ``round * SEATS + seat`` of each event, int64[n]; meaningless where ``seat`` is -1."""
        hands = self.round * SEATS + self.seat
        hands.flags.writeable = False
        return hands

    @cached_property
    def declared(self) -> Ints:
        """The row of each hand's first riichi declaration, int64[rounds * SEATS]; -1 if it has none."""
        rows = self.rows("riichi")
        return first_rows(rows, self.hand[rows], self.rounds * SEATS, none=-1)

    @property
    def rounds(self) -> int:
        """How many rounds the log has."""
        return len(self.start)

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

    def latest(self, rows: Ints, *kinds: str) -> Ints:
        """Return the row of the last event of these kinds, which include the deal, at or before each row, int64[m]."""
        # Almost always it is the event itself or the one before; only the others are searched.
        found = rows - ~self.is_kind(*kinds)[rows]
        apart = np.flatnonzero(~self.is_kind(*kinds)[found])
        found[apart] = self.rows(*kinds)[np.searchsorted(self.rows(*kinds), found[apart]) - 1]
        return found


def replay(log: Log) -> Replay:
    """Return the play of all rounds of a batch; events after a round's first result do not change it."""
    round_ = log.events["round"].to_numpy().astype(np.int64)
    kind = log.events["kind"].to_physical().to_numpy()
    seat, tile_id = filled(log.events["seat"], -1), filled(log.events["tile_id"], NONE)
    made = _made(log, tile_id)
    begins = kind == CODE["deal"]
    start, results = np.flatnonzero(begins)[::SEATS], np.flatnonzero(kind == CODE["result"])
    end = np.append(start[1:], len(kind))
    result = first_rows(results, round_[results], len(start), none=len(kind))
    late = expanded(result + 1, np.maximum(end - result - 1, 0))[1]
    over = np.zeros(len(kind), dtype=bool)
    over[late] = True
    changes, which = _changes(log, kind, tile_id, made)
    # Events after a round's result are not play; holdings.py ignores them, too.
    which[late] = _NO_CHANGE
    pairs, counters = np.empty((len(kind), 2), dtype=np.int64), np.empty(len(kind), dtype=np.int64)
    own = np.empty((len(start), SEATS), dtype=np.int64)
    for first in range(0, len(start), BLOCK):
        block = slice(first, first + BLOCK)
        rows = slice(start[first], end[block][-1])
        sums = (*pairs[rows].T, counters[rows])
        last = running(changes, which[rows], seat[rows], begins[rows], sums)
        own[block] = start[first] + last.reshape(SEATS, -1).T
        # A hand that discards a tile which it does not hold can have a negative key. In the lower half of a number,
        # such a key takes 1 from the key in the upper half.
        pairs[rows] += (pairs[rows] & _SIGN) << 1
    melds, discards, riichi, reds = counters.view(np.int16).reshape(-1, 4).T
    drawn = np.cumsum(kind == CODE["draw"], dtype=np.int32)
    left = (drawn[start] + LIVE_TILES[log.players]).repeat(end - start)
    left -= drawn
    played = Replay(
        round=round_,
        kind=kind,
        seat=seat,
        tile_id=tile_id,
        made=made,
        keys=pairs.view(np.int32),
        melds=melds,
        discards=discards,
        riichi=riichi,
        reds=reds,
        left=left,
        over=over,
        start=start,
        result=result,
        own=own.ravel(),
        seated=log.seated,
    )
    if over[played.own].any():
        rows_in_play = np.flatnonzero(~over & (seat >= 0))
        played.own[played.hand[rows_in_play]] = rows_in_play
    return played


def first_rows(rows: Ints, group: Ints, groups: int, none: int) -> Ints:
    """Return the first row of each group, int64[groups]; ``none`` for a group without rows.

    ``rows`` int64[n] must ascend; ``group`` int64[n] is the group (a round or a hand) of each row.
    """
    first = np.full(groups, none, dtype=np.int64)
    first[group[::-1]] = rows[::-1]  # backwards: the first row of a group is written last, and stays
    return first


def running(changes: Ints, which: Ints, seat: npt.NDArray[np.int8], restart: Bools, sums: tuple[Ints, ...]) -> Ints:
    """Write the running sums of k numbers, for each seat by itself, into ``sums``, int64[n] each.

    ``changes`` int64[k, m] has the different changes; ``which`` int64[n] is the change of each row. A seat's sum starts
    again from zero at each of its rows with ``restart``; its first row must be one of these. Rows without a seat (-1)
    are zero; none of them may have ``restart``.

    Return the last row of the seat before each of its restarts but the first, and its very last row; seat by seat.
    """
    by_seat = np.argsort(seat, kind="stable")
    which = which.take(by_seat)
    begin = np.flatnonzero(restart.take(by_seat))
    for change, found in zip(changes, sums, strict=True):
        total = change.take(which)
        total[: begin[0] if len(begin) else None] = 0
        # The first change also takes away the sum since the last restart, so one running sum serves all.
        total[begin[1:]] -= np.add.reduceat(total, begin)[:-1]
        found[by_seat] = np.cumsum(total, out=total)
    last: Ints = by_seat[np.append(begin, len(by_seat))[1:] - 1]
    return last


def _made(log: Log, tile_id: npt.NDArray[np.int16]) -> Made:
    row = log.melds["row"].to_numpy().astype(np.int64)
    others = [filled(log.melds[name], NONE) for name in ("p1", "p2", "p3")]
    return Made(row, filled(log.melds["source"], -1), np.stack([tile_id[row], *others], axis=1))


def _changes(log: Log, kind: npt.NDArray[np.uint8], tile_id: npt.NDArray[np.int16], made: Made) -> tuple[Ints, Ints]:
    """Return the different changes of the packed numbers, int64[3, m], and which of them each event makes, int64[n]."""
    which = (kind.astype(np.int16) * (TILE_IDS + 1) + tile_id).astype(np.int64)
    melded = made[is_kind(kind, *NEW_MELDS)[made.row]]
    of_melds = _USUAL[:, which[melded.row]]
    for place in (1, 2, 3):
        of_melds[:2] -= _TILE[:2].take(melded.tile_ids[:, place], axis=1)
    changes = np.concatenate([_USUAL, _dealt(log), of_melds], axis=1)
    rows = np.concatenate([np.flatnonzero(kind == CODE["deal"]), melded.row])
    which[rows] = np.arange(_USUAL.shape[1], changes.shape[1])
    return changes, which


def _dealt(log: Log) -> Ints:
    """Return what the tiles dealt to each hand add to the packed numbers, int64[3, rounds * SEATS]."""
    tile_id, begin = log.deals["tile_id"].to_numpy().astype(np.int64), np.cumsum(log.dealt) - log.dealt
    some = np.flatnonzero(log.dealt)
    dealt = np.zeros((3, len(log.dealt)), dtype=np.int64)
    dealt[:, some] = [np.add.reduceat(each.take(tile_id), begin[some]) for each in _TILE]
    return dealt

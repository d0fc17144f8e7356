"""Who holds which tile: follow every tile from wall to hand to table, and find tiles that cannot be there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import filled, hand_numbers
from auditor.log.event_kinds import NEW_MELDS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import NONE, PHYSICAL, TILE_IDS
from auditor.replay.trust import TILE_DOUBTS, Doubt
from engine.tiles.kinds import KINDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Moved:
    """The n tiles that go one way: ``row`` int64[n] of ``log.events``, and ``tile_id`` int16[n]."""

    played: Replay
    row: Ints
    tile_id: npt.NDArray[np.int16]

    def __getitem__(self, chosen: Bools | Ints) -> Moved:
        """Return the tiles chosen by a mask or by number."""
        return Moved(self.played, self.row[chosen], self.tile_id[chosen])

    @property
    def hand(self) -> Ints:
        """The number of the hand that each tile enters or leaves, int64[n]."""
        return self.played.hand.take(self.row)

    @cached_property
    def place(self) -> Ints:
        """Return ``round * TILE_IDS + tile_id``, a number for each tile id of each round, int64[n]."""
        return self.played.round.take(self.row) * TILE_IDS + self.tile_id

    def in_play(self) -> Moved:
        """Drop moves after a round's result, and moves without a tile."""
        kept = ~self.played.over.take(self.row) & (self.tile_id < NONE)
        return self if kept.all() else self[kept]

    def table(self) -> pl.DataFrame:
        """Return the columns row, round, seat and tile_id."""
        round_, seat = self.played.round[self.row], self.played.seat[self.row]
        columns: dict[str, npt.NDArray[np.integer]] = {
            "row": self.row,
            "round": round_,
            "seat": seat,
            "tile_id": self.tile_id,
        }
        return pl.DataFrame([pl.Series(name, values) for name, values in columns.items()])


@dataclass(frozen=True)
class Moves:
    """Every tile that enters or leaves a hand before the round's result.

    A called tile leaves (``left``) the hand that discards it and never comes to the caller's hand (``came``); the row
    of a dealt tile is that of the deal. ``turned`` are the indicators: those turned in play, and the first one, whose
    row is the round's first event. ``unread`` int64[n] has the hands that drew or gave away a tile that the log does
    not name.
    """

    came: Moved
    left: Moved
    turned: Moved
    unread: Ints

    @property
    def arrivals(self) -> pl.DataFrame:
        """The tiles that come to a hand: row, round, seat, tile_id."""
        return self.came.table()

    @property
    def departures(self) -> pl.DataFrame:
        """The tiles that leave a hand: row, round, seat, tile_id."""
        return self.left.table()

    @property
    def indicators(self) -> pl.DataFrame:
        """The indicators: row, round, tile_id."""
        return self.turned.table().drop("seat")


def moves(log: Log, played: Replay) -> Moves:
    """Return all moves of tiles in a batch."""
    deals, draws, turned = played.rows("deal"), played.rows("draw"), played.rows("dora")
    gone = played.rows("discard", "kakan", "ankan", "kita")
    melded = played.made[played.is_kind(*NEW_MELDS)[played.made.row]]

    def moved(*parts: tuple[Ints, npt.NDArray[np.int16]]) -> Moved:
        row, tile_id = (np.concatenate(each) for each in zip(*parts, strict=True))
        return Moved(played, row, tile_id).in_play()

    nameless = (played.tile_id == NONE) & played.is_kind("draw", "discard", "kakan", "ankan", "kita")
    return Moves(
        came=moved((np.repeat(deals, log.dealt), log.deals["tile_id"].to_numpy()), (draws, played.tile_id.take(draws))),
        left=moved(
            (gone, played.tile_id.take(gone)), *((melded.row, melded.tile_ids[:, place]) for place in (1, 2, 3))
        ),
        turned=moved((deals[::SEATS], filled(log.rounds["dora"], NONE)), (turned, played.tile_id[turned])),
        unread=played.hand[nameless],
    )


@dataclass(frozen=True)
class Holdings:
    """Who holds which tile, and the faults found.

    ``times_seen`` int64[rounds * TILE_IDS] is how often each tile of a round comes into play: is dealt, drawn or turned
    as an indicator, without draws out of order and superfluous indicators. ``twice`` (round, tile_id, row, capacity)
    has the tiles that come into play more often than the set has them (``capacity``); ``row`` is the first appearance
    too many. ``absent`` (row, round, seat, tile_id) has the departures of tiles that the hand does not hold at that
    moment. ``trust`` has the doubts so far, with those about tiles and indicators.
    """

    moved: Moves
    times_seen: Ints
    twice: pl.DataFrame
    absent: pl.DataFrame
    trust: Trust

    def held(self, hands: Ints) -> npt.NDArray[np.int8]:
        """Return how many of each tile these hands hold at the end of play, int8[n, TILE_IDS]."""
        line = np.full(len(self.trust.hands.bits), -1)
        line[hands] = np.arange(len(hands))
        counts = np.zeros(len(hands) * TILE_IDS, dtype=np.int8)
        for moved, change in ((self.moved.came, np.int8(1)), (self.moved.left, np.int8(-1))):
            mine = moved[np.flatnonzero((line >= 0).take(moved.hand))]
            np.add.at(counts, line.take(mine.hand) * TILE_IDS + mine.tile_id, change)
        # Of a hand asked for twice, only the last line has the counts.
        held: npt.NDArray[np.int8] = counts.reshape(-1, TILE_IDS)[line[hands]]
        return held


def holdings(log: Log, played: Replay, order: TurnOrder, turned: pl.DataFrame) -> Holdings:
    """Follow every tile of a batch; ``turned`` has one row for each indicator, with its fault (indicators.py)."""
    moved = moves(log, played)
    came, left = moved.came, moved.left
    wrong = turned["round"].filter(turned["fault"] != "").to_numpy()
    trust = order.trust.plus(rounds={Doubt.INDICATORS_WRONG: wrong}, hands={Doubt.TILE_NOT_READ: moved.unread})
    # A draw out of order is often a repetition, and an indicator without a kan is a fault of its own (K112): neither
    # is evidence that a tile exists twice.
    spare = turned["row"].filter(turned["fault"] == "extra").to_numpy()
    seen = _seen(moved, np.concatenate([order.misplaced["row"].to_numpy(), spare]))
    capacity = capacities(log).ravel()
    times_seen = np.bincount(np.concatenate([each.place for each in seen]), minlength=len(capacity))
    often = times_seen > capacity
    physical = max(each.tile_id.max(initial=0) for each in (came, left)) < PHYSICAL
    gone = np.flatnonzero((_by_id if physical else _by_tile)(moved, len(capacity)))
    gone = gone[~often[left.place[gone]] & trust.hands.free_of(TILE_DOUBTS)[left[gone].hand]]
    absent = left[gone].table()
    twice, holders = _too_often(seen, often, capacity), came[often.take(came.place)].hand
    trust = trust.plus(
        rounds={Doubt.EXTRA_COPY: twice["round"].to_numpy()},
        hands={Doubt.TILE_NOT_HELD: hand_numbers(absent), Doubt.HOLDS_EXTRA_COPY: holders},
    )
    return Holdings(moved, times_seen, twice, absent, trust)


def _by_id(moved: Moves, places: int) -> Bools:
    """Return which departures are of physical tiles that another hand holds, or that arrive later or left before.

    A physical tile has one owner in a round.
    """
    came, left, seat = moved.came, moved.left, moved.left.played.seat
    since = np.full(places, -1, dtype=np.int64)
    since[came.place] = came.row
    arrival = since.take(left.place)
    gone: Bools = (seat.take(arrival) != seat.take(left.row)) | (arrival > left.row) | (arrival < 0)
    # If a tile leaves its hand twice, the hand does not hold it the second time.
    departs = np.zeros(places, dtype=bool)
    departs[left.place] = True
    if np.count_nonzero(departs) < len(gone):
        again = np.flatnonzero((np.bincount(left.place)[left.place] > 1) & ~gone)
        again = again[np.lexsort((left.row[again], left.place[again]))]
        gone[again[1:]] |= left.place[again[1:]] == left.place[again[:-1]]
    return gone


def _by_tile(moved: Moves, _: int) -> Bools:
    """Return which departures are of tiles not held: a hand's nth departure of a tile needs its nth arrival before."""
    came, came_at = _of_like_tiles(moved.came)[:2]
    left, left_at, order = _of_like_tiles(moved.left)
    nth = np.arange(len(left)) - np.searchsorted(left, left)
    partner = np.searchsorted(came, left) + nth
    there = partner < np.searchsorted(came, left, side="right")
    gone = ~there
    gone[there] = came_at[partner[there]] > left_at[there]
    found: Bools = np.empty_like(gone)
    found[order] = gone
    return found


def _of_like_tiles(moved: Moved) -> tuple[Ints, Ints, Ints]:
    """Return ``hand * TILE_IDS + tile_id`` and the event row of each move, sorted by both, and the sorting order.

    Moves of the same tile by the same hand are neighbours, in the order of play.
    """
    place = moved.hand * TILE_IDS + moved.tile_id
    order = np.lexsort((moved.row, place))
    return place[order], moved.row[order], order


def _seen(moved: Moves, spare: Ints) -> tuple[Moved, Moved]:
    """Return the tiles that come into play, in hands and as indicators, without those at ``spare`` rows."""
    if not len(spare):
        return moved.came, moved.turned
    came, turned = (each[~np.isin(each.row, spare)] for each in (moved.came, moved.turned))
    return came, turned


_TWICE = {"round": pl.Int64, "tile_id": pl.Int16, "row": pl.Int64, "capacity": pl.UInt8}


def _too_often(seen: tuple[Moved, Moved], often: Bools, capacity: npt.NDArray[np.uint8]) -> pl.DataFrame:
    """Return the tiles that a round has more often than its set (capacity), with the row of the first one too many.

    ``often`` and ``capacity`` are by place.
    """
    if not often.any():
        return pl.DataFrame(schema=_TWICE)
    many = pl.concat([each[often.take(each.place)].table() for each in seen])
    return (
        many.with_columns(
            capacity=pl.Series(capacity[many["round"].to_numpy() * TILE_IDS + many["tile_id"].to_numpy()])
        )
        .sort("row", maintain_order=True)
        .group_by("round", "tile_id", maintain_order=True)
        .agg(pl.col("row").get(pl.col("capacity").first()), pl.col("capacity").first())
        .sort("row")
    )


def capacities(log: Log) -> npt.NDArray[np.uint8]:
    """Return how many of each tile each round's set has, uint8[rounds, TILE_IDS]; one of each physical tile."""
    sets = np.ones((len(log.rules), TILE_IDS), dtype=np.uint8)
    sets[:, PHYSICAL:] = 4
    for row, rules in enumerate(log.rules):
        for suit, reds in enumerate(rules.red_fives or ()):
            sets[row, PHYSICAL + KINDS + suit] = reds
            sets[row, PHYSICAL + 4 + 9 * suit] = 4 - reds
    rules_of = log.games["rules"].to_numpy()[log.rounds["game"].to_numpy()]
    return sets[rules_of] if len(log.rules) else np.ones((0, TILE_IDS), dtype=np.uint8)

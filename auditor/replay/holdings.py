"""Who holds which tile: follow every tile from wall to hand to table, and find tiles that cannot be there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import hand_numbers, tile_numbers
from auditor.log.event_kinds import NEW_MELDS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import NONE, PHYSICAL, TILE_IDS
from auditor.replay.running_sums import first_results
from auditor.replay.trust import TILE_DOUBTS, Doubt
from engine.tiles.kinds import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust
    from auditor.replay.turn_order import TurnOrder


@dataclass(frozen=True)
class Moves:
    """Every tile that enters or leaves a hand before the round's result.

    ``arrivals`` and ``departures`` have the columns row (of ``log.events``), round, seat and tile_id. A called tile
    departs from the hand that discards it and never arrives at the caller's hand. ``indicators`` has row, round and
    tile_id of the indicators: those turned in play, and the first one, whose row is the round's first event.
    ``unread`` int64[n] has the hands that drew or gave away a tile that the log does not name.
    """

    arrivals: pl.DataFrame
    departures: pl.DataFrame
    indicators: pl.DataFrame
    unread: npt.NDArray[np.int64]


def moves(log: Log, played: Replay) -> Moves:
    """Return all moves of tiles in a batch."""
    dealt_row = played.rows("deal")
    deals = log.deals
    dealt = pl.DataFrame(
        {
            "row": dealt_row[hand_numbers(deals)],
            "round": deals["round"].to_numpy().astype(np.int64),
            "seat": deals["seat"],
            "tile_id": deals["tile_id"],
        }
    )
    drawn = _moved(played, played.rows("draw"))
    rounds = len(log.rounds)
    gone = [_moved(played, played.rows("discard", "kakan", "ankan", "kita"))]
    melded = played.made[played.is_kind(*NEW_MELDS)[played.made.row]]
    gone += [_moved(played, melded.row, melded.tile_ids[:, place]) for place in (1, 2, 3)]
    turned = _moved(played, played.rows("dora")).select("row", "round", "tile_id")
    first = pl.DataFrame(
        {
            "row": dealt_row[::SEATS],
            "round": np.arange(len(log.rounds)),
            "tile_id": log.rounds["dora"],
        }
    ).drop_nulls()
    arrivals, departures = pl.concat([dealt, drawn]), pl.concat(gone)
    unread = np.concatenate([hand_numbers(frame.filter(pl.col("tile_id") == NONE)) for frame in (drawn, gone[0])])
    in_play = _in_play(played, rounds)
    return Moves(in_play(arrivals), in_play(departures), in_play(pl.concat([first, turned])), unread)


def _in_play(played: Replay, rounds: int) -> Callable[[pl.DataFrame], pl.DataFrame]:
    """Return a function that drops moves after a round's result, and moves without a tile, from a frame of moves."""
    end = first_results(played.round, played.kind, rounds)

    def kept(moved: pl.DataFrame) -> pl.DataFrame:
        early = moved["row"].to_numpy() < end[moved["round"].to_numpy()]
        return moved.filter(pl.Series(early), pl.col("tile_id") < NONE)

    return kept


def _moved(played: Replay, rows: npt.NDArray[np.int64], tile_id: npt.NDArray[np.int16] | None = None) -> pl.DataFrame:
    """Return the moves at these events; the tile is ``tile_id``, or the event's own if that is None."""
    return pl.DataFrame(
        {
            "row": rows,
            "round": played.round[rows],
            "seat": played.seat[rows],
            "tile_id": played.tile_id[rows] if tile_id is None else tile_id,
        }
    )


@dataclass(frozen=True)
class Holdings:
    """Who holds which tile, and the faults found.

    ``seen`` (round, tile_id, row) has every tile that comes into play: dealt, drawn or turned as an indicator, without
    draws out of order and superfluous indicators. ``twice`` (round, tile_id, row, capacity) has the tiles that come
    into play more often than the set has them (``capacity``); ``row`` is the first appearance too many. ``absent``
    (row, round, seat, tile_id) has the departures of tiles that the hand does not hold at that moment. ``trust`` has
    the doubts so far, with those about tiles and indicators.
    """

    moved: Moves
    seen: pl.DataFrame
    twice: pl.DataFrame
    absent: pl.DataFrame
    trust: Trust

    @cached_property
    def times_seen(self) -> npt.NDArray[np.int64]:
        """How often each tile of a round comes into play, int64[rounds * TILE_IDS]."""
        return np.bincount(tile_numbers(self.seen), minlength=len(self.trust.rounds.bits) * TILE_IDS)

    def held(self, hands: npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
        """Return how many of each tile these hands hold at the end of play, int8[n, TILE_IDS]."""
        chosen, back = np.unique(hands, return_inverse=True)
        counts = np.zeros((len(chosen), TILE_IDS), dtype=np.int8)
        if not len(chosen):
            return counts
        for moves_, sign in ((self.moved.arrivals, 1), (self.moved.departures, -1)):
            hand = hand_numbers(moves_)
            at = np.searchsorted(chosen, hand)
            mine = (at < len(chosen)) & (chosen[np.minimum(at, len(chosen) - 1)] == hand)
            np.add.at(counts, (at[mine], moves_["tile_id"].to_numpy()[mine]), sign)
        return counts[back]


def holdings(log: Log, played: Replay, order: TurnOrder, turned: pl.DataFrame) -> Holdings:
    """Follow every tile of a batch; ``turned`` has one row for each indicator, with its fault (indicators.py)."""
    moved, rounds = moves(log, played), len(log.rounds)
    wrong = turned.filter(pl.col("fault") != "")
    trust = order.trust.plus(
        rounds={Doubt.INDICATORS_WRONG: wrong["round"].to_numpy()}, hands={Doubt.TILE_NOT_READ: moved.unread}
    )
    physical = max(moved.arrivals["tile_id"].max() or 0, moved.departures["tile_id"].max() or 0) < PHYSICAL  # type: ignore[operator]
    # A draw out of order is often a repetition, and an indicator without a kan is a fault of its own (K112): neither
    # is evidence that a tile exists twice.
    spare = wrong.filter(pl.col("fault") == "extra")["row"].to_numpy().astype(np.int64)
    seen = _seen(moved, np.concatenate([order.misplaced["row"].to_numpy(), spare]))
    twice = _too_often(seen, log)
    gone = (_by_id if physical else _by_tile)(moved, rounds)
    often = twice.select("round", "tile_id").unique()
    absent = moved.departures.filter(pl.Series(gone)).join(
        often, on=["round", "tile_id"], how="anti", maintain_order="left"
    )
    absent = absent.filter(pl.Series(trust.hands.free_of(TILE_DOUBTS)[hand_numbers(absent)]))
    holders = moved.arrivals.join(often, on=["round", "tile_id"], how="semi")
    trust = trust.plus(
        rounds={Doubt.EXTRA_COPY: twice["round"].to_numpy()},
        hands={Doubt.TILE_NOT_HELD: hand_numbers(absent), Doubt.HOLDS_EXTRA_COPY: hand_numbers(holders)},
    )
    return Holdings(moved, seen, twice, absent, trust)


def _by_id(moved: Moves, rounds: int) -> npt.NDArray[np.bool_]:
    """Return which departures are of physical tiles that another hand holds, or that arrive later or left before.

    A physical tile has one owner in a round.
    """
    place_in, place_out = tile_numbers(moved.arrivals), tile_numbers(moved.departures)
    owner = np.full(rounds * TILE_IDS, -1, dtype=np.int64)
    since = np.full(rounds * TILE_IDS, -1, dtype=np.int64)
    owner[place_in] = hand_numbers(moved.arrivals)
    since[place_in] = moved.arrivals["row"].to_numpy()
    row = moved.departures["row"].to_numpy()
    gone: npt.NDArray[np.bool_] = (owner[place_out] != hand_numbers(moved.departures)) | (since[place_out] > row)
    # If a tile leaves its hand twice, the hand does not hold it the second time.
    left = np.bincount(place_out, minlength=rounds * TILE_IDS)
    again = np.flatnonzero((left[place_out] > 1) & ~gone)
    again = again[np.lexsort((row[again], place_out[again]))]
    gone[again[1:]] |= place_out[again[1:]] == place_out[again[:-1]]
    return gone


def _by_tile(moved: Moves, _: int) -> npt.NDArray[np.bool_]:
    """Return which departures are of tiles not held: a hand's nth departure of a tile needs its nth arrival before."""
    came, came_at = _of_like_tiles(moved.arrivals)[:2]
    left, left_at, order = _of_like_tiles(moved.departures)
    nth = np.arange(len(left)) - np.searchsorted(left, left)
    partner = np.searchsorted(came, left) + nth
    there = partner < np.searchsorted(came, left, side="right")
    gone = ~there
    gone[there] = came_at[partner[there]] > left_at[there]
    found: npt.NDArray[np.bool_] = np.empty_like(gone)
    found[order] = gone
    return found


def _of_like_tiles(
    moved: pl.DataFrame,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return ``hand * TILE_IDS + tile_id`` and the event row of each move, sorted by both, and the sorting order.

    Moves of the same tile by the same hand are neighbours, in the order of play.
    """
    place, row = hand_numbers(moved) * TILE_IDS + moved["tile_id"].to_numpy(), moved["row"].to_numpy().astype(np.int64)
    order = np.lexsort((row, place))
    return place[order], row[order], order


def _seen(moved: Moves, spare: npt.NDArray[np.int64]) -> pl.DataFrame:
    """Return the tiles that come into play (round, tile_id, row), without those at ``spare`` rows."""
    columns = ("round", "tile_id", "row")
    seen = pl.concat([moved.arrivals.select(columns), moved.indicators.select(columns)])
    return seen.filter(~pl.Series(np.isin(seen["row"].to_numpy(), spare))) if len(spare) else seen


def _too_often(seen: pl.DataFrame, log: Log) -> pl.DataFrame:
    """Return the tiles that a round has more often than its set (capacity), with the row of the first one too many."""
    place = seen["round"].to_numpy().astype(np.int64) * TILE_IDS + seen["tile_id"].to_numpy()
    capacity = capacities(log)[seen["round"].to_numpy(), seen["tile_id"].to_numpy()]
    many = np.bincount(place, minlength=len(log.rounds) * TILE_IDS)[place] > capacity
    return (
        seen.with_columns(capacity=capacity)
        .filter(pl.Series(many))
        .sort("row", maintain_order=True)
        .group_by("round", "tile_id", maintain_order=True)
        .agg(pl.col("row").get(pl.col("capacity").first()), pl.col("capacity").first())
        .sort("row")
    )


def capacities(log: Log) -> npt.NDArray[np.int64]:
    """Return how many of each tile each round's set has, int64[rounds, TILE_IDS]; one of each physical tile."""
    sets = np.ones((len(log.rules), TILE_IDS), dtype=np.int64)
    sets[:, PHYSICAL:] = 4
    for row, rules in enumerate(log.rules):
        for suit, reds in enumerate(rules.red_fives or ()):
            sets[row, PHYSICAL + KINDS + suit] = reds
            sets[row, PHYSICAL + 4 + 9 * suit] = 4 - reds
    rules_of = log.games["rules"].gather(log.rounds["game"]).to_numpy()
    return sets[rules_of] if len(log.rules) else np.ones((0, TILE_IDS), dtype=np.int64)

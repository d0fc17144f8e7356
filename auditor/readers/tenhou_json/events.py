"""Turns in their order → events and melds of the canonical log (auditor/readers/tenhou_json/FORMAT.md 5).

The format states neither when an indicator is turned nor that a riichi stick is paid. Here the next indicator comes
directly behind each kan, and those for which there is no kan come before the result. A stick counts as paid unless the
declaring discard is won.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import expanded, where_known
from auditor.log.columns import SEATS
from auditor.log.event_kinds import CODE, OPEN_CALLS, is_kind
from auditor.log.tile_ids import NONE
from auditor.readers.tenhou_json.absent import ABSENT
from auditor.readers.tenhou_json.tiles import NOTHING

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.tenhou_json.order import Order
    from auditor.readers.tenhou_json.results import Endings
    from auditor.readers.tenhou_json.rounds import Rounds
    from auditor.readers.tenhou_json.turns import Turns

    Ints = npt.NDArray[np.int32]
    Places = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


@dataclass
class Events:
    """The n events of a batch as arrays, and where those of rounds and turns begin.

    ``first`` int[rounds] is the first row of each round. ``turn`` int32[m] are the turns in their order, ``took`` and
    ``act`` int[m] the rows of their take and of what follows it.
    """

    round: Ints
    kind: npt.NDArray[np.uint8]
    seat: npt.NDArray[np.int8]
    tile_id: npt.NDArray[np.int16]
    tsumogiri: Bools
    first: Places
    turn: Ints
    took: Places
    act: Places

    def table(self, rounds: Rounds) -> pl.DataFrame:
        """Return the canonical table."""
        frame = {
            "round": self.round,
            "event": self.number(rounds),
            "kind": pl.Series(self.kind).cat.to(tables.Kind),
            "seat": where_known(self.seat, self.seat >= 0),
            "tile_id": where_known(self.tile_id, self.tile_id < NONE),
            "tsumogiri": where_known(self.tsumogiri, self.kind == CODE["discard"]),
        }
        return tables.conform(frame, tables.EVENTS, ABSENT["events"])

    def number(self, rounds: Rounds) -> npt.NDArray[np.uint32]:
        """Return the number of each event within its game, uint32[n]; the four deals of a round have the same one."""
        nth, game = np.array(rounds.nth, dtype=np.int64), np.array(rounds.game, dtype=np.int64)
        begin = self.first[np.searchsorted(game, game)] if len(game) else self.first
        of_deal = self.first - begin - (SEATS - 1) * nth
        within = np.arange(len(self.round)) - self.first[self.round]
        number: npt.NDArray[np.uint32] = (of_deal[self.round] + np.maximum(within - (SEATS - 1), 0)).astype(np.uint32)
        return number

    def melds(self, turns: Turns, players: npt.NDArray[np.int8]) -> pl.DataFrame:
        """Return the canonical table of melds; ``players`` int8[rounds] is how many play."""
        fed = np.flatnonzero(is_kind(self.kind[self.took], *OPEN_CALLS))
        own = np.flatnonzero(is_kind(self.kind[self.act], "ankan", "kakan", "kita") & (self.act > self.took))
        row = np.concatenate([self.took[fed], self.act[own]])
        take, discard = turns.take[self.turn[fed]], turns.discard[self.turn[own]]
        tile_ids = np.concatenate([turns.takes.tile_ids[take], turns.discards.tile_ids[discard]])
        feeder = np.concatenate([turns.takes.feeder[take], np.zeros_like(own, dtype=np.int8)])
        source = (self.seat[row] + feeder) % SEATS
        known = (feeder > 0) & (source < players[self.round[row]])
        by_row = np.argsort(row)
        frame = {
            "row": row[by_row],
            "source": where_known(source[by_row].astype(np.int8), known[by_row]),
            **{
                f"p{place}": where_known(tile := tile_ids[by_row, place], tile < NONE)
                for place in range(1, tile_ids.shape[1])
            },
        }
        return tables.conform(frame, tables.MELDS)


def read(rounds: Rounds, turns: Turns, found: Order, endings: Endings) -> Events:
    """Lay out deals, turns with their indicators and sticks, and results, round by round."""
    turn, count = found.turn, len(rounds.game)
    did, discard, round_, seat = turns.did[turn], turns.discard[turn], turns.round[turn], turns.seat[turn]
    acts = did < NOTHING
    declares = np.flatnonzero(turns.discards.riichi[discard])
    last = np.append(round_[1:] != round_[:-1], True)[: len(turn)]
    pays = declares[~(last[declares] & endings.won[round_[declares]])]
    kans, tiles, spare = _indicators(rounds, turns, found)
    length = acts + np.uint8(1)
    for more in (declares, pays, kans):
        length[more] += 1
    # The first row of each round, and of each turn.
    played = np.bincount(round_, weights=length, minlength=count).astype(np.int64)
    sizes = SEATS + played + spare.lengths + endings.results
    first = np.cumsum(sizes) - sizes
    began = np.cumsum(played) - played
    took = np.cumsum(length, dtype=np.int64) - length + (first + SEATS - began)[round_]
    riichi = np.zeros(len(turn), dtype=np.int8)
    riichi[declares] = 1
    act = took + acts + riichi
    total = int(sizes.sum())
    events = Events(
        round=np.repeat(np.arange(count, dtype=np.int32), sizes),
        kind=np.full(total, CODE["deal"], dtype=np.uint8),
        seat=np.full(total, -1, dtype=np.int8),
        tile_id=np.full(total, NONE, dtype=np.int16),
        tsumogiri=np.zeros(total, dtype=bool),
        first=first,
        turn=turn,
        took=took,
        act=act,
    )
    for dealt in range(SEATS):
        events.seat[first + dealt] = dealt
    own = act[acts]
    events.kind[took], events.seat[took], events.tile_id[took] = turns.took[turn], seat, turns.taken[turn]
    events.kind[own], events.seat[own], events.tile_id[own] = did[acts], seat[acts], turns.given[turn[acts]]
    events.tsumogiri[own] = turns.discards.tsumogiri[discard[acts]]
    for rows, kind, seats in ((took[declares] + 1, "riichi", seat[declares]), (act[pays] + 1, "deposit", seat[pays])):
        events.kind[rows], events.seat[rows] = CODE[kind], seats
    _, tail = expanded(first + SEATS + played, spare.lengths)
    indicators = np.concatenate([act[kans] + 1, tail])
    events.kind[indicators], events.tile_id[indicators] = CODE["dora"], np.concatenate([tiles, spare.tiles])
    _, results = expanded(first + sizes - endings.results, endings.results)
    events.kind[results] = CODE["result"]
    return events


class _Spare(NamedTuple):
    """The indicators without a kan: how many each round has, int[rounds], and the tiles."""

    lengths: Places
    tiles: npt.NDArray[np.int16]


def _indicators(rounds: Rounds, turns: Turns, found: Order) -> tuple[Places, npt.NDArray[np.int16], _Spare]:
    """Return the turns (places in their order) whose kan has an indicator, these tiles, and the other indicators."""
    turn = found.turn
    kan = np.flatnonzero(is_kind(turns.did[turn], "ankan", "kakan") | (turns.took[turn] == CODE["daiminkan"]))
    round_ = turns.round[turn[kan]]
    nth = np.arange(len(kan)) - np.searchsorted(round_, round_)
    first, further = rounds.dora.first + 1, np.maximum(rounds.dora.lengths - 1, 0)
    tiles = np.array(rounds.dora.flat, dtype=np.int16)
    turned = nth < further[round_]
    kan, place = kan[turned], (first[round_] + nth)[turned]
    used = np.bincount(round_[turned], minlength=len(further))
    spare = further - used
    _, left = expanded(first + used, spare)
    return kan, tiles[place], _Spare(spare, tiles[left])

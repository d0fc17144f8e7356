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
        total, begin = len(self.kind), self.first[np.searchsorted(game, game)] if len(game) else self.first
        of_deal = self.first - begin - (SEATS - 1) * nth
        shift = (of_deal - self.first - (SEATS - 1)).astype(np.int32)
        number = np.arange(total, dtype=np.int32) + np.repeat(shift, np.diff(self.first, append=total))
        for deal in range(SEATS - 1):
            number[self.first + deal] = of_deal
        return number.view(np.uint32)

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
    turn = found.turn
    did, discard, seat = turns.did[turn], turns.discard[turn], turns.seat[turn]
    acts, marked = did < NOTHING, turns.discards.tsumogiri[discard]
    indicators = _indicators(rounds, turns, found)
    laid = _laid_out(turns, found, endings, indicators)
    own, first, total = laid.act[acts], laid.first, int(laid.sizes.sum())
    kind, of_seat = np.full(total, CODE["deal"], dtype=np.uint8), np.full(total, -1, dtype=np.int8)
    tile, tsumogiri = np.full(total, NONE, dtype=np.int16), np.zeros(total, dtype=bool)
    for dealt in range(SEATS):
        of_seat[first + dealt] = dealt
    kind[laid.took], of_seat[laid.took], tile[laid.took] = turns.took[turn], seat, turns.taken[turn]
    kind[own], of_seat[own], tile[own] = did[acts], seat[acts], turns.given[turn[acts]]
    tsumogiri[own] = marked[acts]
    for name, turns_of, rows in (("riichi", laid.declares, laid.took + 1), ("deposit", laid.pays, laid.act + 1)):
        kind[rows[turns_of]], of_seat[rows[turns_of]] = CODE[name], seat[turns_of]
    results, spare = laid.first + laid.sizes - endings.results, indicators.spare
    turned = np.concatenate([laid.act[indicators.kan] + 1, expanded(results - spare, spare)[1]])
    kind[turned], tile[turned] = CODE["dora"], indicators.tiles
    kind[expanded(results, endings.results)[1]] = CODE["result"]
    of_round = np.repeat(np.arange(len(first), dtype=np.int32), laid.sizes)
    return Events(of_round, kind, of_seat, tile, tsumogiri, first, turn, laid.took, laid.act)


class _Layout(NamedTuple):
    """Where events stand: the ``first`` row and the size of each round, the rows of each turn's take and act.

    ``declares`` and ``pays`` are the turns (places in their order) with a riichi, and with a stick that is paid.
    """

    first: Places
    sizes: Places
    took: Places
    act: Places
    declares: Places
    pays: Places


def _laid_out(turns: Turns, found: Order, endings: Endings, indicators: _Indicators) -> _Layout:
    """Lay out each turn: its take, perhaps riichi, its act, perhaps a stick or an indicator."""
    turn, count = found.turn, len(endings.results)
    round_, acts = turns.round[turn], turns.did[turn] < NOTHING
    declares = np.flatnonzero(turns.discards.riichi[turns.discard[turn]])
    last = np.append(round_[1:] != round_[:-1], True)[: len(turn)]
    pays = declares[~(last[declares] & endings.won[round_[declares]])]
    length = acts + np.uint8(1)
    for more in (declares, pays, indicators.kan):
        length[more] += 1
    played = np.bincount(round_, weights=length, minlength=count).astype(np.int64)
    sizes = SEATS + played + indicators.spare + endings.results
    first = np.cumsum(sizes) - sizes
    before = first + SEATS - (np.cumsum(played) - played)
    took = np.cumsum(length, dtype=np.int64) - length + before[round_]
    act = took + acts
    act[declares] += 1
    return _Layout(first, sizes, took, act, declares, pays)


class _Indicators(NamedTuple):
    """The turns (places in their order) whose kan has an indicator, and how many more there are, int[rounds].

    ``tiles`` int16[m] has those of the kans, then the others.
    """

    kan: Places
    spare: Places
    tiles: npt.NDArray[np.int16]


def _indicators(rounds: Rounds, turns: Turns, found: Order) -> _Indicators:
    """Give the next indicator of the round to each kan, as far as there are any."""
    turn = found.turn
    kan = np.flatnonzero(is_kind(turns.did[turn], "ankan", "kakan") | (turns.took[turn] == CODE["daiminkan"]))
    round_ = turns.round[turn[kan]]
    nth = np.arange(len(kan)) - np.searchsorted(round_, round_)
    first, further = rounds.dora.first + 1, np.maximum(rounds.dora.lengths - 1, 0)
    turned = nth < further[round_]
    used = np.bincount(round_[turned], minlength=len(further))
    spare = further - used
    place = np.concatenate([(first[round_] + nth)[turned], expanded(first + used, spare)[1]])
    return _Indicators(kan[turned], spare, np.array(rounds.dora.flat, dtype=np.int16)[place])

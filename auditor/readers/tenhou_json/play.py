"""Takes and discards by seat → rounds, events, melds and deals of the canonical log."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log import tables
from auditor.log.arrays import where_known
from auditor.log.columns import SEATS
from auditor.log.event_kinds import CODE
from auditor.log.seats import by_seat
from auditor.log.tile_ids import NONE
from auditor.readers.tenhou_json import events, turns
from auditor.readers.tenhou_json.absent import ABSENT
from auditor.readers.tenhou_json.order import order
from auditor.readers.tenhou_json.tiles import TILE_ID

if TYPE_CHECKING:
    import numpy.typing as npt
    import polars as pl

    from auditor.readers.tenhou_json.results import Endings
    from auditor.readers.tenhou_json.rounds import Fault, Rounds

    Places = npt.NDArray[np.int64]


class JsonPlay(NamedTuple):
    """The canonical tables of a batch's play; ``result`` int[results] is the row of each result; what is wrong."""

    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    result: Places
    faults: list[Fault]


def read(rounds: Rounds, players: npt.NDArray[np.int8], endings: Endings) -> JsonPlay:
    """Return the play of all rounds; ``players`` int8[rounds] is how many play."""
    place = np.array(rounds.place, dtype=np.int64)
    dealer = np.where(place >= 0, place % SEATS, -1)
    of_seats, unread, misplaced = turns.read(rounds)
    found = order(of_seats, dealer, players.astype(np.int64), endings.lacks)
    laid = events.read(rounds, of_seats, found, endings)
    table = laid.table(rounds)
    return JsonPlay(
        rounds=_rounds(rounds, players, dealer, table["event"].to_numpy()[laid.first]),
        events=table,
        melds=laid.melds(of_seats, players),
        deals=_deals(rounds),
        result=np.flatnonzero(laid.kind == CODE["result"]),
        faults=_told_once(unread, found.faults, misplaced),
    )


def _told_once(unread: list[Fault], unordered: list[Fault], misplaced: list[Fault]) -> list[Fault]:
    """Return the faults that explain the others of a round: unread entries, else no order, else misplaced entries."""
    cut = {each.round for each in unordered}
    for each in unread:
        each.rest = each.round in cut
    found = list(unread)
    for faults in (unordered, misplaced):
        told = {each.round for each in found}
        found += [each for each in faults if each.round not in told]
    return found


def _rounds(
    rounds: Rounds, players: npt.NDArray[np.int8], dealer: Places, number: npt.NDArray[np.uint32]
) -> pl.DataFrame:
    place, honba, sticks = (np.array(each, dtype=np.int64) for each in (rounds.place, rounds.honba, rounds.sticks))
    dora = np.append(np.array(rounds.dora.flat, dtype=np.int16), NONE)[rounds.dora.first]
    dora[rounds.dora.lengths == 0] = NONE
    stated = np.array([each is not None for each in rounds.scores], dtype=bool)
    scores = np.array([each or [0] * SEATS for each in rounds.scores], dtype=np.int32).reshape(-1, SEATS)
    frame = {
        "round": np.arange(len(place)),
        "game": np.array(rounds.game, dtype=np.int64),
        "nth": np.array(rounds.nth, dtype=np.int64),
        "wind": where_known(place // SEATS, place >= 0),
        "dealer": where_known(dealer, place >= 0),
        "honba": where_known(honba, honba >= 0),
        "sticks": where_known(sticks, sticks >= 0),
        "start": by_seat(scores, players, stated),
        "dora": where_known(dora, dora < NONE),
        "event": number,
    }
    return tables.conform(frame, tables.ROUNDS, ABSENT["rounds"])


def _deals(rounds: Rounds) -> pl.DataFrame:
    hand = np.repeat(np.arange(len(rounds.deals)), rounds.deals.lengths)
    tiles = np.fromiter(map(TILE_ID.__getitem__, rounds.deals.flat), dtype=np.int16, count=len(hand))
    frame = {"round": hand // SEATS, "seat": hand % SEATS, "tile_id": tiles}
    return tables.conform(frame, tables.DEALS)

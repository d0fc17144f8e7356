"""Discards beside what the log says of them: drawn just now (tsumogiri) or from the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import hand_numbers
from auditor.log.event_kinds import CODE
from auditor.log.tile_ids import NONE, TILE_IDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Replay
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]


def discards(log: Log, played: Replay, order: TurnOrder, held: Holdings) -> pl.DataFrame:
    """Return one row a discard: the log's mark ``tsumogiri``, the tile ``drawn`` before, and what is ``wrong``.

    ``wrong`` is "drawn" where another tile was drawn just before, or none, "only" where the discard is said to come
    from the hand and the drawn tile is the only one of its like, else ""; null where the log has no mark or the hand
    is not sound.
    """
    row = np.flatnonzero(played.kind == CODE["discard"])
    at = log.events[row]
    marks = at["tsumogiri"]
    if marks.null_count() == len(marks):
        none = pl.lit(None, pl.String)
        return at.select(
            "round", "event", "pos", "seat", "tile_id", "tsumogiri", drawn=pl.lit(None, pl.Int16), wrong=none
        )
    before = order.before(row)
    drew = (played.kind[before] == CODE["draw"]) & (played.seat[before] == played.seat[row])
    drawn = np.where(drew, played.tile_id[before], NONE)
    marked = marks.fill_null(value=False).to_numpy()
    same = played.tile_id[row] == drawn
    wrong = np.where(marked & ~same, "drawn", "").astype(object)
    doubtful = np.flatnonzero(same & ~marked & marks.is_not_null().to_numpy())
    wrong[doubtful[_left(held, played, row[doubtful]) < 1]] = "only"
    # What stands between draw and discard out of order says nothing of the mark.
    apart = np.isin(before, order.misplaced["row"].to_numpy())
    known = marks.is_not_null() & pl.Series(held.sound[played.hand[row]] & (played.tile_id[row] < NONE) & ~apart)
    return at.select("round", "event", "pos", "seat", "tile_id", "tsumogiri").with_columns(
        drawn=pl.Series(np.where(drawn < NONE, drawn, -1), dtype=pl.Int16),
        wrong=pl.when(known).then(pl.Series(wrong.tolist(), dtype=pl.String)),
    )


def _left(held: Holdings, played: Replay, row: Ints) -> Ints:
    """Return how many of the discarded tile the hand still has after each of these discards."""
    asked = played.hand[row] * TILE_IDS + played.tile_id[row]
    places = np.unique(asked)
    parts = [(held.moved.arrivals, 1), (held.moved.departures, -1)]
    where, when, change = [], [], []
    for moves, sign in parts:
        place = hand_numbers(moves) * TILE_IDS + moves["tile_id"].to_numpy()
        mine = np.isin(place, places)
        where.append(np.searchsorted(places, place[mine]))
        when.append(moves["row"].to_numpy()[mine])
        change.append(np.full(np.count_nonzero(mine), sign))
    rows = len(played.kind) + 1
    key = np.concatenate(where) * rows + np.concatenate(when)
    order = np.argsort(key, kind="stable")
    total = np.concatenate([[0], np.cumsum(np.concatenate(change)[order])])
    place = np.searchsorted(places, asked)
    until = np.searchsorted(key[order], place * rows + row, side="right")
    since = np.searchsorted(key[order], place * rows)
    left: Ints = total[until] - total[since]
    return left

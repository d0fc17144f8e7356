"""Discards, and whether the log marks them rightly as the tile just drawn (tsumogiri) or as a tile of the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import filled, is_known, rows_where, where_known
from auditor.log.event_kinds import CODE
from auditor.log.tables import SEATS
from auditor.log.tile_ids import NONE
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import HAND_DOUBTS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Replay
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]


DISCARD_COLUMNS: Columns = {
    **PLACE,
    "tile_id": pl.Int16,
    "tsumogiri": pl.Boolean,  # the log's mark
    "drawn": pl.Int16,  # the tile drawn before; -1 none
    "wrong": pl.String,  # "drawn", "only" or ""
}

_WRONG = pl.Series(["", "drawn", "only"])
_DRAWN, _ONLY = 1, 2


def discards(log: Log, played: Replay, order: TurnOrder, held: Holdings) -> pl.DataFrame:
    """Return one row for each discard: the log's mark ``tsumogiri``, the tile ``drawn`` before, and ``wrong``.

    ``wrong`` is "drawn" if the discard is marked as tsumogiri but the seat drew another tile, or none, just before. It
    is "only" if the discard is marked as a tile of the hand but the hand has no other copy of the drawn tile. Otherwise
    it is "". It is null where the log has no mark, or the hand has HAND_DOUBTS.
    """
    row = played.rows("discard")
    at = rows_where(log.events[[*PLACE, "tile_id", "tsumogiri"]], played.is_kind("discard"))
    marks = at["tsumogiri"]
    if marks.null_count() == len(marks):
        return at.with_columns(drawn=pl.lit(None, pl.Int16), wrong=pl.lit(None, pl.String))
    before = order.before(row)
    drew = (played.kind[before] == CODE["draw"]) & (played.seat[before] == played.seat[row])
    drawn = np.where(drew, played.tile_id[before], NONE)
    marked, stated = filled(marks, value=False), is_known(marks)
    same = played.tile_id[row] == drawn
    wrong = np.where(marked & ~same, _DRAWN, 0)
    kept = np.flatnonzero(same & ~marked & stated)
    wrong[kept[_left(held, played, row[kept]) < 1]] = _ONLY
    # If the action before is out of order, the tile drawn before the discard is unknown.
    apart = np.isin(before, order.misplaced["row"].to_numpy())
    followed = held.trust.hands.free_of(HAND_DOUBTS)[played.hand[row]]
    known = stated & followed & (played.tile_id[row] < NONE) & ~apart
    return at.with_columns(
        drawn=pl.Series(np.where(drawn < NONE, drawn, -1), dtype=pl.Int16),
        wrong=where_known(_WRONG.gather(wrong), known),
    )


def _left(held: Holdings, played: Replay, row: Ints) -> Ints:
    """Return how many copies of the discarded tile the hand still holds after each of these discards, int64[n]."""
    asked = np.zeros(played.rounds * SEATS, dtype=bool)
    asked[played.hand[row]] = True
    came, left = (each[asked.take(each.hand)] for each in (held.moved.came, held.moved.left))
    return came.until(played.hand[row], played.tile_id[row], row) - left.until(
        played.hand[row], played.tile_id[row], row
    )

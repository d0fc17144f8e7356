"""Hands shown at results, beside the hands as played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import hand_numbers
from auditor.log.tables import SHOWS
from auditor.log.tile_ids import TILE_IDS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import END_DOUBTS, HAND_DOUBTS
from auditor.replay.win_context import own_discards, result_rows
from auditor.scoring.scored_wins import taken_tile_ids

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay

SHOWN_HAND_COLUMNS: Columns = {
    **SHOWS,
    **PLACE,
    "row": pl.Int64,  # of Log.shows
    "held": pl.List(pl.Int16),  # the tiles of the hand as played, in ascending order
    "agrees": pl.Boolean,  # shown and played are the same
}


def shown_hands(log: Log, played: Replay, possession: Holdings, ends: LastStates) -> pl.DataFrame:
    """Return one row for each hand shown at a result: recorded ``tile_ids``, those ``held`` in play, and ``agrees``.

    On a ron ``held`` includes the winning tile. It is null where the hand has HAND_DOUBTS, where the log says that the
    hand wins on its own discard, and on a ron where the last tile is unknown (END_DOUBTS).
    """
    shows = log.shows
    hand = hand_numbers(shows)
    claim = shows["claim"].to_numpy()
    held = possession.held(hand)
    taken = taken_tile_ids(log, played)[claim]
    won = np.flatnonzero(taken < TILE_IDS)
    held[won, taken[won]] += 1
    known = ends.trust.hands.free_of(HAND_DOUBTS)[hand] & ~own_discards(log, played)[claim]
    # If the log has a robbed kan's replacement draw before the ron, the last tile is not the winning tile.
    ron = (log.claims["winner"] != log.claims["payer"]).fill_null(value=False).to_numpy()[claim]
    known &= ~ron | ends.trust.rounds.free_of(END_DOUBTS)[shows["round"].to_numpy()]
    return (
        shows.with_columns(
            pos=log.events["pos"].gather(result_rows(played)[claim]),
            row=pl.int_range(pl.len(), dtype=pl.Int64),
        )
        .join(_lists(held.clip(0)), on="row", how="left", maintain_order="left")
        .with_columns(held=pl.when(pl.Series(known)).then(pl.col("held").fill_null([])))
        .with_columns(agrees=pl.col("tile_ids").list.sort() == pl.col("held"))
    )


def _lists(count: npt.NDArray[np.integer]) -> pl.DataFrame:
    """Return hands as lists of tiles (``row``, ``held``); ``count`` [hands, TILE_IDS] is how many of each tile."""
    row, tile_id = np.nonzero(count)
    repeats = count[row, tile_id]
    return (
        pl.DataFrame({"row": np.repeat(row, repeats), "held": np.repeat(tile_id, repeats).astype(np.int16)})
        .group_by("row", maintain_order=True)
        .agg("held")
    )

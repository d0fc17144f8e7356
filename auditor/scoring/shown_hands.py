"""Hands shown at results, beside the hands that play leaves."""

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
    """Return one row a hand shown at a result: the recorded ``tile_ids``, the replayed ones, and whether they agree.

    On a ron the winning tile is one of ``held``. ``held`` is null where the hand went wrong before, where the log says
    that it wins by its own discard, and on a ron where it is not known which tile is the last.
    """
    shows = log.shows
    hand = hand_numbers(shows)
    claim = shows["claim"].to_numpy()
    held = possession.held(hand)
    taken = taken_tile_ids(log, played)[claim]
    won = np.flatnonzero(taken < TILE_IDS)
    held[won, taken[won]] += 1
    known = ends.trust.hands.free_of(HAND_DOUBTS)[hand] & ~own_discards(log, played)[claim]
    # Where a kan is robbed after its replacement draw, the last tile is not the one that is won.
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
    """Return hands, given as the number of each tile [hands, TILE_IDS], as ``row`` and the list ``held``."""
    row, tile_id = np.nonzero(count)
    repeats = count[row, tile_id]
    return (
        pl.DataFrame({"row": np.repeat(row, repeats), "held": np.repeat(tile_id, repeats).astype(np.int16)})
        .group_by("row", maintain_order=True)
        .agg("held")
    )

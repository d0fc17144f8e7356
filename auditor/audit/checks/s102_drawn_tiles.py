"""A draw is not the next tile of the seed's wall.

What it reports: the first draw of a round that is not the tile which the wall that the log's seed makes has there.
Not reported: replacement tiles (S103), rounds most of whose dealt tiles are others (S105), logs without a readable
seed; by default, unless this check is selected, since hashing takes time.
Source: auditor/readers/mjlog/FORMAT.md 9.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "seat {seat} draws {recorded}; next in the wall is {expected}",
    subject="live_wall_draws",
    needs=("expected_tile_id",),
    default=False,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the first draw of each round that differs."""
    wrong = frames.live_wall_draws.filter(pl.col("tile_id") != pl.col("expected_tile_id")).unique(
        "round", keep="first", maintain_order=True
    )
    return reported(wrong, recorded=_format("tile_id"), expected=_format("expected_tile_id"))


def _format(tile_id: str) -> pl.Expr:
    return pl.col(tile_id).map_elements(tile_ids.name, return_dtype=pl.String)

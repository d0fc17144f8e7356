"""An indicator or a replacement tile is not the one that lies in the seed's wall.

What it reports: the first indicator, indicator below (shown by a winner in riichi) or replacement tile of a round that
is not the tile which the wall that the log's seed makes has at its place.
Not reported: rounds most of whose dealt tiles are others (S105), the third and fourth replacement tile of the seeds of
2009 (their place has not been seen), logs without a readable seed; by default, unless this check is selected, since
hashing takes time.
Source: auditor/readers/mjlog/FORMAT.md 9.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "{recorded} is turned or drawn from the dead wall, where {expected} lies",
    subject="wall_turned",
    needs=("expected_tile_id",),
    default=False,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the first tile of each round's dead wall that differs."""
    wrong = (
        frames.wall_turned.filter(pl.col("tile_id") != pl.col("expected_tile_id"))
        .sort("round", "event", maintain_order=True)
        .unique("round", keep="first", maintain_order=True)
    )
    return reported(wrong, recorded=_format("tile_id"), expected=_format("expected_tile_id"))


def _format(tile_id: str) -> pl.Expr:
    return pl.col(tile_id).map_elements(tile_ids.name, return_dtype=pl.String)

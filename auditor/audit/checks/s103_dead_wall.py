"""An indicator or a replacement tile is not the one in the seed's wall.

What it reports: the first dora indicator, ura dora indicator (shown by a winner in riichi) or replacement tile of a
round that is not the tile at its place in the wall. The wall follows from the seed that the log records.
Why it is wrong: the seed is published to prove the wall.
Not reported: rounds most of whose dealt tiles differ (S105); tiles whose place in the wall is unknown, because no log
has shown it: the third and later replacement tiles under the seeds of 2009, the seventh and eighth of three players;
logs without a readable seed. This check runs only if it is selected, because computing walls takes time.
Source: auditor/readers/mjlog/FORMAT.md 9.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import rows_where
from auditor.log.words import named_tile

CHECK = Record(
    Severity.ERROR,
    "{recorded} is turned or drawn from the dead wall, where {expected} lies",
    subject=Frames.wall_turned,
    needs=("expected_tile_id",),
    default=False,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the first tile of each round's dead wall that differs."""
    turned, first = frames.wall_turned, pl.col("round").is_first_distinct()
    wrong = rows_where(turned, turned["tile_id"] != turned["expected_tile_id"])
    wrong = wrong.sort("round", "event", maintain_order=True)
    return reported(wrong, None, first, recorded=named_tile("tile_id"), expected=named_tile("expected_tile_id"))

"""A draw is not the next tile of the seed's wall.

What it reports: the first draw of a round that is not the tile that comes next in the wall. The wall follows from the
seed that the log records.
Why it is wrong: the seed is published to prove the wall.
Not reported: replacement tiles (S103); rounds most of whose dealt tiles differ (S105); logs without a readable seed.
This check runs only if it is selected, because computing walls takes time.
Source: auditor/readers/mjlog/FORMAT.md 9.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.ERROR,
    "seat {seat} draws {recorded}; next in the wall is {expected}",
    subject=Frames.live_wall_draws,
    needs=("expected_tile_id",),
    default=False,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the first draw of each round that differs."""
    draws, first = frames.live_wall_draws, pl.col("round").is_first_distinct()
    wrong = draws["tile_id"] != draws["expected_tile_id"]
    return reported(draws, wrong, first, recorded=named_tile("tile_id"), expected=named_tile("expected_tile_id"))

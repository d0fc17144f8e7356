"""A tile is not the one at its place in the wall that the log states.

What it reports: the first tile of a round that is dealt, drawn, turned as an indicator, drawn after a kan or kita, or
shown below an indicator by a winner, and is not the tile that the stated wall has there.
Why it is wrong: the log itself says in which order the tiles lie. Either the wall or the play was altered.
Not reported: tiles that the wall does not reach (old records leave out the dealt tiles); rounds with play that could
not be read; logs that state no wall. Walls that follow from a seed are those of S101 to S103.
Source: auditor/readers/mahjong_soul/FORMAT.md 7.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import rows_where
from auditor.log.words import named_tile

CHECK = Record(
    Severity.ERROR,
    "{recorded}, where the wall has {expected}",
    subject=Frames.stated_wall_tiles,
    needs=("expected_tile_id",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the first tile of each round that differs from the wall."""
    tiles, first = frames.stated_wall_tiles, pl.col("round").is_first_distinct()
    wrong = rows_where(tiles, tiles["tile_id"] != tiles["expected_tile_id"]).sort("round", "event", maintain_order=True)
    recorded = pl.format("{} is {}", named_tile("tile_id"), pl.col("use").cast(pl.String))
    return reported(wrong, None, first, recorded=recorded, expected=named_tile("expected_tile_id"))

"""A kan is made though no tile is left to draw.

What it reports: an ankan or kakan when the wall is empty.
Why it is wrong: every kan takes a replacement draw.
Not reported: a daiminkan of the last discard (C105); the replacement draw that follows the kan. Rounds in which turns
are out of order are not checked, because the number of tiles left is unknown there.
Source: engine/RULES.md 2.2.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Record(
    Severity.ERROR,
    "seat {seat} declares {recorded} with {expected} left to draw",
    subject=Frames.kans,
    needs=("tiles_left",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans when the wall is empty."""
    return reported(
        frames.kans.filter(pl.col("kind") != "daiminkan", pl.col("tiles_left") <= 0),
        recorded=pl.format(
            "{} of {}",
            pl.col("kind").cast(pl.String),
            pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        ),
        expected=pl.lit("no tile"),
    )

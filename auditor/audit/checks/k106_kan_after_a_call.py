"""A kan is made straight after chi or pon.

What it reports: an ankan or kakan by a seat that has just called instead of drawing.
Why it is wrong: a call is followed by a discard; a kan is made with the drawn tile in the hand.
Source: engine/RULES.md 2.2.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids
from auditor.log.words import format_previous

CHECK = Check(Severity.ERROR, "seat {seat} declares {recorded} right after {expected}", subject="kans")


def find(frames: Frames) -> pl.DataFrame:
    """Return kans without a draw before."""
    tile = pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String)
    return reported(
        frames.misplaced.filter(pl.col("code") == "K106"),
        recorded=pl.format("{} of {}", pl.col("kind").cast(pl.String), tile),
        expected=format_previous(),
    )

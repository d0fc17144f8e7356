"""An ankan is made without all four copies.

What it reports: an ankan of a kind of which the hand does not hold four at that moment: a copy was never dealt nor
drawn to it, comes later, or is gone.
Why it is wrong: an ankan is laid down from the hand alone.
Not reported: other tiles that the hand has not (T102); copies that are in the round twice (T101).
Source: engine/RULES.md 2.2.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "seat {seat} makes an ankan without {recorded}; expected {expected}",
    subject="kans",
)


def find(frames: Frames) -> pl.DataFrame:
    """Return ankans with a tile that was not there."""
    return reported(
        frames.kans.filter(pl.col("kind") == "ankan", pl.col("missing").is_not_null()),
        recorded=pl.col("missing").map_elements(_named, return_dtype=pl.String),
        expected=pl.lit("four copies in the hand"),
    )


def _named(missing: pl.Series) -> str:
    return tile_ids.names(missing.to_list())

"""A kakan is made without a pon of its kind.

What it reports: a kakan by a seat that has no pon of that kind, or has made it a kan before.
Why it is wrong: the tile is added to a pon.
Not reported: an added tile that the hand does not hold (T102).
Source: engine/RULES.md 2.2.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "seat {seat} adds {recorded} to a pon that it has not; expected {expected}",
    subject="kans",
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kakans without a pon."""
    return reported(
        frames.kans.filter("no_pon"),
        recorded=pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.lit("a pon of that kind"),
    )

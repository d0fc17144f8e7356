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
from auditor.log.words import named_call

CHECK = Record(
    Severity.ERROR,
    "seat {seat} declares {recorded} with {expected} left to draw",
    subject=Frames.kans,
    needs=("tiles_left",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans when the wall is empty."""
    kans = frames.kans
    late = kans["tiles_left"] <= 0
    return reported(kans, late, pl.col("kind") != "daiminkan", recorded=named_call(), expected=pl.lit("no tile"))

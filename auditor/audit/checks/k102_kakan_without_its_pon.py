"""A kakan is made without a pon of its kind.

What it reports: a kakan by a seat that has no pon of that kind, or that has already made a kan of that pon.
Why it is wrong: a kakan adds the fourth tile to a pon.
Not reported: an added tile that the hand does not hold (T102).
Source: engine/RULES.md 2.2.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.ERROR, "seat {seat} adds {recorded} to a pon that it has not; expected {expected}", subject=Frames.kans
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kakans without their pon."""
    kans = frames.kans
    return reported(kans, kans["no_pon"], recorded=named_tile("tile_id"), expected=pl.lit("a pon of that kind"))

"""A daiminkan is made without three copies in the hand.

What it reports: a daiminkan by a seat whose hand does not hold the other three tiles of that kind.
Why it is wrong: a daiminkan adds the discard to three tiles of the hand.
Not reported: a chi or pon with tiles that the hand does not hold (T102); tiles that are in the round twice (T101).
Source: engine/RULES.md 2.1.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import is_known
from auditor.log.words import named_tiles

CHECK = Record(
    Severity.ERROR, "seat {seat} makes a daiminkan without {recorded}; expected {expected}", subject=Frames.kans
)


def find(frames: Frames) -> pl.DataFrame:
    """Return daiminkans with a tile that the hand does not hold."""
    kans = frames.kans
    return reported(
        kans,
        is_known(kans["missing"]),
        pl.col("kind") == "daiminkan",
        recorded=named_tiles("missing"),
        expected=pl.lit("three copies in the hand"),
    )

"""An ankan is made without all four copies.

What it reports: an ankan by a seat whose hand does not hold all four tiles of that kind at that moment. The seat never
got the missing tile, draws it later, or no longer has it.
Why it is wrong: all four tiles of an ankan come from the hand.
Not reported: other tiles that the hand does not hold (T102); tiles that are in the round twice (T101).
Source: engine/RULES.md 2.2.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import is_known
from auditor.log.words import named_tiles

CHECK = Record(
    Severity.ERROR, "seat {seat} makes an ankan without {recorded}; expected {expected}", subject=Frames.kans
)


def find(frames: Frames) -> pl.DataFrame:
    """Return ankans with a tile that the hand does not hold."""
    kans = frames.kans
    return reported(
        kans,
        is_known(kans["missing"]),
        pl.col("kind") == "ankan",
        recorded=named_tiles("missing"),
        expected=pl.lit("four copies in the hand"),
    )

"""A kan is made directly after a chi or pon.

What it reports: an ankan or kakan (a kita: N102) by a seat that has just called a tile instead of drawing one.
Why it is wrong: a chi or pon is followed by a discard. An ankan or kakan is made only after a draw.
Source: engine/RULES.md 2.2.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_previous, named_call

CHECK = Record(Severity.ERROR, "seat {seat} declares {recorded} right after {expected}", subject=Frames.kans)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans without a draw before."""
    misplaced = frames.misplaced
    return reported(misplaced, misplaced["code"] == "K106", recorded=named_call(), expected=format_previous())

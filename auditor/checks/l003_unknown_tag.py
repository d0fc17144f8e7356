"""A tag, an attribute or a value that the format does not have.

What it reports: names that no log of this format uses, values of the wrong form or out of range (a tile 136,
five numbers where eight belong), tags without an attribute they need. The rest of the log is audited; what
depends on the unreadable value is not checkable.
Why it matters: the reader would otherwise pass over something that the writer meant.
"""

import polars as pl

from auditor.check import Check, Severity
from auditor.frames import Frames

CHECK = Check(Severity.ERROR, "{recorded} is not of this format; expected {expected}")


def find(frames: Frames) -> pl.DataFrame:
    """Return what the reader could not place."""
    return frames.log.problems.filter(pl.col("code") == "L003").drop("code")

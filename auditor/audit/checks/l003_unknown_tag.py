"""A tag, an attribute or a value that the format does not have.

What it reports: names that no log of this format uses, values of the wrong form or out of range (a tile 136,
five numbers where eight belong), tags without an attribute they need or with one twice, logs without a tag of the
header, and holes: tags without an end or a quote, grown together, text between tags. The rest of the log is audited,
after a hole from the next deal on; what depends on the unreadable value is not checkable.
Why it matters: the reader would otherwise pass over something that the writer meant.
"""

import polars as pl

from auditor.audit.check import Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(Severity.ERROR, "{recorded} is not of this format; expected {expected}")


def find(frames: Frames) -> pl.DataFrame:
    """Return what the reader could not place."""
    return frames.log.problems.filter(pl.col("code") == "L003").drop("code")

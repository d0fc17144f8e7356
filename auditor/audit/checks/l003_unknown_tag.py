"""A tag, an attribute or a value that the format does not have.

What it reports: names that no log of this format uses; values of the wrong form or out of range (a tile 136, five
numbers where there should be eight); tags that lack an attribute, or have one twice; logs that lack a tag of the
header; and damaged places: tags without an end or a quote, two tags run together, text between tags. The rest of the
log is audited; after a damaged place, from the next deal on. A row that depends on an unreadable value is not
checkable.
Why it matters: the log states something that the auditor cannot use.
"""

import polars as pl

from auditor.audit.check import Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(Severity.ERROR, "{recorded} is not of this format; expected {expected}")


def find(frames: Frames) -> pl.DataFrame:
    """Return everything that the reader could not read."""
    return frames.problems("L003")

"""A seat discards without having drawn or called.

What it reports: a discard of a seat that holds no tile too many: since its last discard it has neither drawn nor
called. Of several that follow from each other the first.
Why it is wrong: it leaves the hand a tile short.
Not reported: a discard after a kan without its replacement draw (K113); one that follows a draw by the wrong seat
(D101). A hand that has lost a tile so is not judged any further: what it drew or called is unknown.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_previous

CHECK = Check(Severity.ERROR, "{recorded} cannot follow {expected}", subject="events")


def find(frames: Frames) -> pl.DataFrame:
    """Return discards of seats that had no tile to discard."""
    return reported(
        frames.misplaced.filter(pl.col("code") == "D106"),
        recorded=pl.format("a discard of seat {}", "seat"),
        expected=format_previous(),
    )

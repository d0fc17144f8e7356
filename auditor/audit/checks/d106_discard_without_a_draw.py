"""A seat discards without having drawn or called.

What it reports: a discard of a seat that has neither drawn nor called since its last discard. If one such discard leads
to others, only the first is reported.
Why it is wrong: the discard leaves the hand one tile short.
Not reported: a discard after a kan or kita without its replacement draw (K113, N103); one that follows a draw by the
wrong seat (D101). A hand that has lost a tile in this way is not checked any further, because the tile that it drew or
called is unknown.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_previous

CHECK = Record(Severity.ERROR, "{recorded} cannot follow {expected}", subject=Frames.events)


def find(frames: Frames) -> pl.DataFrame:
    """Return discards of seats that had no tile to discard."""
    misplaced = frames.misplaced
    here = misplaced["code"] == "D106"
    return reported(misplaced, here, recorded=pl.format("a discard of seat {}", "seat"), expected=format_previous())

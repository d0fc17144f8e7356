"""A seat draws out of turn.

What it reports: a draw by a seat whose turn it is not: not the dealer's first, not that of the seat right of the last
discard, a second draw without a discard between, a replacement draw by another seat than that of the kan. Of a run of
such draws the first.
Why it is wrong: turns pass to the right; only a call changes whose turn it is, and after every draw or call its seat
discards.
Not reported: draws after the result (L004). A hand that has drawn out of turn is not judged any further.
Source: engine/RULES.md 2.1, 2.10; auditor/readers/mjlog/FORMAT.md 6.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_previous

CHECK = Check(Severity.ERROR, "{recorded} cannot follow {expected}", subject="events")


def find(frames: Frames) -> pl.DataFrame:
    """Return draws that their predecessor does not allow."""
    return reported(
        frames.misplaced.filter(pl.col("code") == "D101"),
        recorded=pl.format("a draw of seat {}", "seat"),
        expected=format_previous(),
    )

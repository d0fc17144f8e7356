"""A seat draws out of turn.

What it reports: a draw by a seat whose turn it is not. The first draw of a round must be the dealer's, a draw after a
discard must be that of the next seat to the right, a draw after a kan must be that of the seat that made it, and nobody
draws twice without a discard between. Where several such draws follow from each other, only the first is reported.
Why it is wrong: turns pass to the right, and only a call changes whose turn it is. Every draw or call is followed by a
discard of the same seat.
Not reported: draws after the round's result (L004). A hand that has drawn out of turn is not checked any further.
Source: engine/RULES.md 2.1, 2.10; auditor/readers/mjlog/FORMAT.md 6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_previous

CHECK = Record(Severity.ERROR, "{recorded} cannot follow {expected}", subject=Frames.events)


def find(frames: Frames) -> pl.DataFrame:
    """Return draws that their predecessor does not allow."""
    return reported(
        frames.misplaced.filter(pl.col("code") == "D101"),
        recorded=pl.format("a draw of seat {}", "seat"),
        expected=format_previous(),
    )

"""A seat draws out of turn.

What it reports: a draw by a seat whose turn it is not. The dealer must draw first in a round. After a discard the next
seat to the right must draw, and after a kan or kita the seat that made it. Nobody draws twice without a discard
between. If one such draw leads to others, only the first is reported.
Why it is wrong: turns pass to the right, among three or four seats, and only a call changes whose turn it is. Every
draw or call is followed by a discard of the same seat.
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
    misplaced = frames.misplaced
    here = misplaced["code"] == "D101"
    return reported(misplaced, here, recorded=pl.format("a draw of seat {}", "seat"), expected=format_previous())

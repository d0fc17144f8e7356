"""Play goes on although an abort is due.

What it reports: rounds that go on, or end in another way, although the rules abort them: after the discard of the
fourth riichi (with three players, the third), after four first discards of one wind, or after the discard that follows
a fourth kan (the kans of two seats or more; a kita is no kan). With three players four discards of one wind abort no
round. Rounds in which a seat wins that discard are right. The finding is at the event that follows.
Why it is wrong: these aborts are automatic.
Not reported: nine orphans, which a seat may but need not declare; three winners if three calls of ron abort the round
(W110).
Source: engine/RULES.md 2.8, 2.10, 4.2, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import rows_where
from auditor.log.words import format_reason

CHECK = Record(
    Severity.RULE,
    "{recorded} although {expected} abort the round",
    subject=Frames.overrun,
    needs=("ruled", "went_on"),
    subject_rules=("abortive_four_winds", "abortive_four_riichi", "abortive_four_kans"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the first event after each abort that was due."""
    late = rows_where(frames.overrun, frames.overrun["ruled"] & frames.overrun["went_on"])
    if len(late):
        late = late.sort("round", "event", maintain_order=True).unique("round", keep="first", maintain_order=True)
    return reported(late, recorded=pl.lit("play goes on"), expected=format_reason("due"))

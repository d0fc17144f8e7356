"""Play goes on although an abort is due.

What it reports: the event after the fourth riichi's discard, after four first discards of one wind, or after the
discard that follows a fourth kan (by two seats or more), where that tile is not won on, the rules have the abort and
the round goes on or ends otherwise.
Not reported: nine orphans, which are a choice; three winners where three calls abort (W110).
Source: engine/RULES.md 2.8, 2.10, 4.2.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_reason

CHECK = Check(
    Severity.RULE,
    "{recorded} although {expected} abort the round",
    subject="overrun",
    needs=("ruled", "went_on"),
    heeds=("abortive_four_winds", "abortive_four_riichi", "abortive_four_kans"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return what follows an abort that was due."""
    late = frames.overrun.filter(pl.col("ruled"), pl.col("went_on"))
    first = late.sort("round", "event", maintain_order=True).unique("round", keep="first", maintain_order=True)
    return reported(first, recorded=pl.lit("play goes on"), expected=format_reason("due"))

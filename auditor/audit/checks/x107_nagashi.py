"""A nagashi mangan is missed, or paid where there is none.

What it reports: draws recorded as ordinary though a seat's discards are all orphans and none was called away; draws
recorded as a nagashi mangan though no seat has one, or the rules have none; and a nagashi mangan that other seats are
paid than those that have one. The seat's own calls do not matter.
Why it is wrong: a nagashi mangan is paid for the discards alone.
Not reported: the discards of seats that were disconnected in that round, which Tenhou leaves out; payments that are not
a nagashi mangan of any seat (P107).
Source: engine/RULES.md 2.10, 4.2, 5.27.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_seats

CHECK = Record(
    Severity.RULE,
    "nagashi mangan of {recorded}; expected {expected}",
    subject=Frames.drawn_rounds,
    needs=("owed",),
    subject_rules=("nagashi_mangan", "nagashi_as_win"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return draws whose nagashi mangan is another."""
    missed = (pl.col("owed") & ~pl.col("paid")) != 0
    undue = (pl.col("paid") & ~pl.col("allowed")) != 0
    return reported(
        frames.drawn_rounds.filter(missed | undue | pl.col("undue"), pl.col("owed").is_not_null()),
        recorded=format_seats("paid", "undue"),
        expected=format_seats("owed"),
    )

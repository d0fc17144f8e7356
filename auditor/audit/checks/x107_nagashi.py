"""A nagashi mangan is missed, or paid where there is none.

What it reports: draws recorded as ordinary though a river holds only orphans, none of them called away; draws
recorded as a nagashi mangan where no river does, or where the rules have none; those paid to other seats than the
rivers say. Own calls do not matter.
Not reported: rivers of seats that were disconnected in that round, which Tenhou leaves out; payments that are no
nagashi mangan of any seats (P107).
Source: engine/RULES.md 2.10, 4.2, 5.27.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_seats

CHECK = Check(
    Severity.RULE,
    "nagashi mangan of {recorded}; expected {expected}",
    subject="drawn_rounds",
    needs=("owed",),
    heeds=("nagashi_mangan", "nagashi_as_win"),
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

"""A nagashi mangan is missed, or paid to a seat that has none.

What it reports: draws recorded as ordinary although a seat's discards are all orphans and none was called; draws
recorded as a nagashi mangan although no seat has one, or the rules have none; and a nagashi mangan that is paid to
other seats than those that have one. A seat's own calls do not matter, nor do the Norths that it sets aside.
Why it is wrong: a seat's discards alone decide whether it has a nagashi mangan.
Not reported: the discards of seats that were disconnected in that round, which Tenhou does not count; payments that fit
no seat's nagashi mangan (P107); draws before the wall is exhausted (X101), because a missing discard may be no orphan.
Source: engine/RULES.md 2.10, 4.2, 4.6, 5.27.
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
    subject_rules=("nagashi_mangan", "nagashi_as_win", "tsumo_loss", "missing_share"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return draws whose nagashi mangan is missed or undue."""
    draws = frames.drawn_rounds
    missed, undue = draws["owed"] & ~draws["paid"], draws["paid"] & ~draws["allowed"]
    return reported(
        draws,
        (missed != 0) | (undue != 0) | draws["undue"],
        pl.col("owed").is_not_null() & (pl.col("drawn") >= pl.col("live")).fill_null(value=True),
        recorded=format_seats("paid", "undue"),
        expected=format_seats("owed"),
    )

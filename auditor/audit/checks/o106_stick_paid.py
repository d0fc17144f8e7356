"""The score or the sticks after a riichi stick was paid do not follow from the round's start.

What it reports: paid sticks after which the log states another score of the seat than it had at the start of the round
less the stick, or another number of sticks on the table than those at the start and those paid since. Each of the two
numbers counts as a row.
Why it is wrong: within a round a seat's score changes by its stick only. Either these numbers or the payment were
altered.
Not reported: logs that state only the payment; scores or sticks of a round whose start contradicts the round before
(P105, G103); the sticks of a round in which one is missing or superfluous (R107, L004).
Source: auditor/readers/mahjong_soul/FORMAT.md 4.1.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.shown_frames import sticks_shown

CHECK = Record(
    Severity.ERROR,
    "after the stick of seat {seat} the log states {recorded}; expected {expected}",
    subject=sticks_shown,
    needs=("expected",),
    subject_rules=("riichi_stick_value",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the payments with other numbers after them."""
    shown = sticks_shown.of(frames)
    return reported(shown, shown["stated"] != shown["expected"], recorded=_words("stated"), expected=_words("expected"))


def _words(column: str) -> pl.Expr:
    unit = pl.when("of_table").then(pl.lit("sticks on the table")).otherwise(pl.lit("points"))
    return pl.format("{} {}", column, unit)

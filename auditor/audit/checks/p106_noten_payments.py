"""The changes of an exhaustive draw are not the noten payments.

What it reports: changes of score at an exhaustive draw that balance, but are not the payments from seats that show no
tenpai hand to seats that show one; and an abort that moves points.
Why it is wrong: noten seats pay 3,000 points in all to tenpai seats, with three players 2,000; nobody pays if all or
none are tenpai. The sum depends on the rules.
Not reported: changes that follow from the hands as played, if other hands are shown (X102, X103); those of a nagashi
mangan (X107, P107); changes that do not balance (P102).
Source: engine/RULES.md 2.10, 4.2, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.RULE,
    "changes recorded {recorded}, expected {expected}",
    subject=Frames.draw_payments,
    needs=("deltas", "expected_deltas"),
    tried_rules=("noten_payment",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return draws whose changes are others than expected."""
    draws = frames.draw_payments
    return reported(
        draws, draws["fault"] == "noten", recorded=format_points("deltas"), expected=format_points("expected_deltas")
    )

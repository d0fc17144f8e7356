"""The changes of an exhaustive draw are not the noten payments.

What it reports: changes that balance, but are not what the seats that show no tenpai hand pay to those that do; an
aborted round that moves points.
Not reported: changes that follow from the hands as played, where others are shown (X102, X103); those of a nagashi
mangan (X107, P107); changes that do not balance (P102).
Source: engine/RULES.md 2.10, 4.2: 3,000 in all from noten to tenpai, nothing if all or none are; the sum is a rule.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Check(
    Severity.RULE,
    "changes recorded {recorded}, expected {expected}",
    subject="draw_payments",
    needs=("deltas", "expected_deltas"),
    obeys=("noten_payment",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return draws that move something else."""
    return reported(
        frames.draw_payments.filter(pl.col("fault") == "noten"),
        recorded=format_points("deltas"),
        expected=format_points("expected_deltas"),
    )

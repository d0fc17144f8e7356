"""The changes of score do not balance with the riichi sticks.

What it reports: results whose changes of score do not add up to the sticks that the winner takes, or at a draw to zero.
Why it is wrong: points would appear or vanish.
Not reported: sums that are wrong by the winner's sticks alone (P104).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.ERROR,
    "changes recorded {recorded} do not balance; expected {expected}",
    subject=Frames.payments,
    needs=("deltas",),
    tried_rules=("riichi_stick_value",),
    subject_rules=("nagashi_as_win",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return results whose changes do not balance."""
    results = frames.payments
    return reported(
        results,
        results["fault"] == "balance",
        recorded=format_points("deltas"),
        expected=pl.coalesce(format_points("expected_deltas"), pl.lit("a sum of 0")),
    )

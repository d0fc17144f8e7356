"""The changes of score do not balance with the riichi sticks.

What it reports: results whose changes do not add up to the sticks that the winner takes, or to nothing at a
draw: points appear or vanish.
Not reported: sums that are off by the winner's sticks alone (P104).
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Check(
    Severity.ERROR,
    "changes recorded {recorded} do not balance; expected {expected}",
    subject="payments",
    needs=("deltas",),
    obeys=("riichi_stick_value",),
    heeds=("nagashi_as_win",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return results whose changes do not balance."""
    return frames.payments.filter(pl.col("fault") == "balance").select(
        *WHERE,
        recorded=format_points("deltas"),
        expected=pl.coalesce(format_points("expected_deltas"), pl.lit("a sum of 0")),
    )

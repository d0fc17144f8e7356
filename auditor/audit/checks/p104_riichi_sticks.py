"""Riichi sticks are counted or paid wrongly.

What it reports: results that name another number of sticks than lie on the table, and changes that would be
right if the winner took more or fewer. The second of two winners takes none.
Source: engine/RULES.md 2.8.
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Check(
    Severity.RULE,
    "riichi sticks recorded {recorded}, expected {expected}",
    subject="payments",
    needs=("deltas",),
    obeys=("riichi_stick_value",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return results with other sticks."""
    wrong_count = pl.col("sticks") != pl.col("expected_sticks")
    wrong_payment = pl.col("fault") == "sticks"
    return frames.payments.filter(wrong_count.fill_null(value=False) | wrong_payment.fill_null(value=False)).select(
        *WHERE,
        recorded=pl.when(wrong_count).then(pl.format("{}", "sticks")).otherwise(format_points("deltas")),
        expected=pl.when(wrong_count)
        .then(pl.format("{}", "expected_sticks"))
        .otherwise(format_points("expected_deltas")),
    )

"""Honba are counted or paid wrongly.

What it reports: results that name another number of honba than the round has, and changes of score that would be right
with more or fewer honba.
Why it is wrong: each honba adds 300 points to a ron and 100 from each seat to a tsumo; of several winners only the
first gets them. The value of a honba depends on the rules.
Not reported: honba that are wrong at a round's start (G102).
Source: engine/RULES.md 1.2, 2.8.
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.RULE,
    "honba recorded {recorded}, expected {expected}",
    subject=Frames.payments,
    needs=("deltas",),
    tried_rules=("honba_value",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return results with other honba."""
    wrong_count = pl.col("honba") != pl.col("expected_honba")
    wrong_payment = pl.col("fault") == "honba"
    return frames.payments.filter(wrong_count.fill_null(value=False) | wrong_payment.fill_null(value=False)).select(
        *WHERE,
        recorded=pl.when(wrong_count).then(pl.format("{}", "honba")).otherwise(format_points("deltas")),
        expected=pl.when(wrong_count)
        .then(pl.format("{}", "expected_honba"))
        .otherwise(format_points("expected_deltas")),
    )

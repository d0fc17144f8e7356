"""Riichi sticks are counted or paid wrongly.

What it reports: results that name another number of riichi sticks than lie on the table, and changes of score that
would be right if the winner took more or fewer.
Why it is wrong: the winner takes all sticks on the table; of several winners the first takes them, and the others none.
Not reported: sticks that are wrong at a round's start (G103), or paid at the wrong time (R107).
Source: engine/RULES.md 2.8.
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.RULE,
    "riichi sticks recorded {recorded}, expected {expected}",
    subject=Frames.payments,
    needs=("deltas",),
    tried_rules=("riichi_stick_value",),
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

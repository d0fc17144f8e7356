"""The waits that a player is shown are not those of the hand.

What it reports: discards after which the log states other waits for the seat than its hand has; with none stated, a
hand that is tenpai.
Why it is wrong: the platform computes them from the same hand, so either the waits or the hand were altered.
Not reported: logs that state no waits; hands that cannot be followed.
Source: auditor/readers/mahjong_soul/FORMAT.md 4.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_kinds

CHECK = Record(
    Severity.ERROR,
    "after its discard seat {seat} is shown the waits {recorded}; its hand waits for {expected}",
    subject=Frames.hints,
    needs=("waits", "expected_waits"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the discards with other waits."""
    hints = frames.hints
    return reported(
        hints,
        hints["waits"] != hints["expected_waits"],
        recorded=_words("waits"),
        expected=_words("expected_waits"),
    )


def _words(column: str) -> pl.Expr:
    return pl.when(pl.col(column) == 0).then(pl.lit("nothing")).otherwise(format_kinds(column))

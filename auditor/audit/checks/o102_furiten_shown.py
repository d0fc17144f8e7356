"""A player is shown as furiten who is not, or the reverse.

What it reports: discards outside riichi after which the log marks the seat as furiten although its hand waits for no
kind that it has discarded, or does not mark it although it does.
Why it is wrong: the platform computes the mark from the same discards, so either the mark or the play was altered.
Not reported: logs without such marks; discards in riichi, where a tile that was passed counts too; the marks of the
other seats; hands that cannot be followed.
Source: auditor/readers/mahjong_soul/FORMAT.md 4.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.ERROR,
    "after its discard seat {seat} is shown as {recorded}; it is {expected}",
    subject=Frames.hints,
    needs=("furiten", "expected_furiten"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the discards with a wrong mark."""
    hints = frames.hints
    return reported(
        hints,
        hints["furiten"] != hints["expected_furiten"],
        recorded=_words("furiten"),
        expected=_words("expected_furiten"),
    )


def _words(column: str) -> pl.Expr:
    return pl.when(column).then(pl.lit("furiten")).otherwise(pl.lit("not furiten"))

"""The dice are not those that the seed throws.

What it reports: a round's start with other dice than the two random numbers after those of the wall give.
Not reported: rounds most of whose dealt tiles are others (S105), logs without a readable seed; by default, unless this
check is selected, since hashing takes time.
Source: auditor/readers/mjlog/FORMAT.md 9.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames

CHECK = Check(
    Severity.ERROR,
    "the dice show {recorded}; the seed throws {expected}",
    subject="wall_dice",
    needs=("dice", "expected_dice"),
    default=False,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the rounds with other dice."""
    wrong = frames.wall_dice.filter(pl.col("dice") != pl.col("expected_dice"))
    return reported(wrong, recorded=_format("dice"), expected=_format("expected_dice"))


def _format(dice: str) -> pl.Expr:
    return pl.format("{} and {}", *(pl.col(dice).arr.get(die) + 1 for die in (0, 1)))

"""The dice are not those that the seed gives.

What it reports: the start of a round with other dice than the seed gives. The dice are two random numbers of the series
that shuffles the wall.
Why it is wrong: the seed is published to prove wall and dice.
Not reported: rounds most of whose dealt tiles differ (S105); logs without a readable seed. This check runs only if it
is selected, because computing walls takes time.
Source: auditor/readers/mjlog/FORMAT.md 9.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.ERROR,
    "the dice show {recorded}; the seed throws {expected}",
    subject=Frames.wall_dice,
    needs=("dice", "expected_dice"),
    default=False,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the rounds with other dice."""
    dice = frames.wall_dice
    wrong = dice["dice"] != dice["expected_dice"]
    return reported(dice, wrong, recorded=_format("dice"), expected=_format("expected_dice"))


def _format(dice: str) -> pl.Expr:
    return pl.format("{} and {}", *(pl.col(dice).arr.get(die) + 1 for die in (0, 1)))

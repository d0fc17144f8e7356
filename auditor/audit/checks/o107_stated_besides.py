"""What a win states besides its value does not follow from the rest of the log.

What it reports: wins that state a second time what the hand is worth, the sum of all wins of the seat in the game, that
the seat is the dealer or in riichi, or the scores after the win, with a value that does not follow from what the log
says elsewhere. Each of these counts as a row.
Why it is wrong: the platform computes all of them from the same game, so one was altered.
Not reported: a value that follows from the recomputed points of the hands, although other points are recorded (W107
reports those), or scores with which the next round begins, although the changes of the win lead to others (P101 to
P105). Sums in a game of which rounds are missing or out of order are not checkable.
Source: auditor/readers/mahjong_soul/FORMAT.md 5.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.shown_frames import stated_besides
from auditor.scoring.stated_sums import DEALER, RIICHI, SCORE, WON

CHECK = Record(
    Severity.ERROR,
    "the win states of seat {seat}: {recorded}; expected: {expected}",
    subject=stated_besides,
    needs=("differs",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the values that do not follow."""
    stated = stated_besides.of(frames)
    return reported(stated, stated["differs"], recorded=_words("stated"), expected=_words("expected"))


def _words(column: str) -> pl.Expr:
    value, what = pl.col(column), pl.col("what")
    said = pl.when(value == 1)
    return (
        pl.when(what == DEALER)
        .then(said.then(pl.lit("dealer")).otherwise(pl.lit("not the dealer")))
        .when(what == RIICHI)
        .then(said.then(pl.lit("in riichi")).otherwise(pl.lit("not in riichi")))
        .when(what == SCORE)
        .then(pl.format("{} points after it", value))
        .when(what == WON)
        .then(pl.format("wins of {} points so far", value))
        .otherwise(pl.format("a hand of {} points", value))
    )

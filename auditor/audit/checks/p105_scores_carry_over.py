"""Scores do not carry over to the next place.

What it reports: a round's start, a riichi deposit or a result whose stated scores are not the last stated ones
with the recorded changes since.
Not reported: scores that carry over if the last result had moved what it should (P101 to P104 name that).
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Check(
    Severity.ERROR,
    "scores recorded {recorded}, carried over {expected}",
    subject="scores",
    needs=("expected",),
    obeys=("riichi_stick_value",),
    heeds=("honba_value", "noten_payment", "nagashi_mangan"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the places whose scores come from nowhere."""
    return frames.scores.filter(~pl.col("carries")).select(
        *WHERE, recorded=format_points("recorded"), expected=format_points("expected")
    )

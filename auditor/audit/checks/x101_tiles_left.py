"""The round is drawn although tiles are left.

What it reports: rounds recorded as an exhaustive draw or a nagashi mangan after fewer draws than the wall has. With
four players it has 70, with three 55, replacement draws among them.
Why it is wrong: an exhaustive draw comes only after the last tile is drawn.
Not reported: play that goes on when the wall is empty (D102 for a draw, C105 for a call, K104 for a kan); rounds in
which turns are out of order, because the number of draws is unknown.
Source: auditor/readers/mjlog/FORMAT.md 6; engine/RULES.md 2, 2.10, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.ERROR,
    "the wall is said to be exhausted after {recorded} draws of {expected}",
    subject=Frames.drawn_rounds,
    needs=("drawn",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return draws that come too early."""
    draws = frames.drawn_rounds
    return reported(draws, draws["drawn"] < draws["live"], recorded=pl.col("drawn"), expected=pl.col("live"))

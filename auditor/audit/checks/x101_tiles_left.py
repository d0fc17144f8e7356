"""The round is drawn though tiles are left.

What it reports: draws recorded as exhaustive, or as a nagashi mangan, after fewer draws than the wall has: 70 with
four players, replacement draws among them.
Not reported: play that goes on when the wall is empty (D102 for a draw, C105 for a call, K104 for a kan); rounds
whose draws do not follow from each other.
Source: auditor/readers/mjlog/FORMAT.md 6; engine/RULES.md 2, 2.10.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames

CHECK = Check(
    Severity.ERROR, "the wall is said to be exhausted after {recorded} draws of {expected}", subject="drawn_rounds",
    needs=("drawn",),
)  # fmt: skip


def find(frames: Frames) -> pl.DataFrame:
    """Return draws that come too early."""
    return reported(
        frames.drawn_rounds.filter(pl.col("drawn") < pl.col("live")), recorded=pl.col("drawn"), expected=pl.col("live")
    )

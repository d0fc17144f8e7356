"""The number of tiles left that the log states is not what the draws leave.

What it reports: draws whose stated number of tiles left differs from the tiles of the wall less all draws so far, those
after kans and norths set aside too.
Why it is wrong: every draw takes one tile. Either the number was altered, or a draw is missing or superfluous.
Not reported: logs that state no such number; rounds in which turns are out of order. A draw from an empty wall is D102.
Source: auditor/readers/mahjong_soul/FORMAT.md 4.1.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.shown_frames import left_shown

CHECK = Record(
    Severity.ERROR,
    "after the draw of seat {seat} the log states {recorded} tiles left; the draws leave {expected}",
    subject=left_shown,
    needs=("left", "expected_left"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the draws with another number."""
    shown = left_shown.of(frames)
    return reported(
        shown,
        shown["left"].cast(pl.Int32) != shown["expected_left"],
        recorded=pl.col("left").cast(pl.String),
        expected=pl.col("expected_left").cast(pl.String),
    )

"""The last discard of a round is called.

What it reports: a chi, pon or daiminkan when no tile is left to draw.
Why it is wrong: the last discard can be won, but not called.
Not reported: an ankan or kakan after the last draw (K104); a chi where the rules have none (C107). Rounds in which
turns are out of order are not checked, because the number of tiles left is unknown there.
Source: engine/RULES.md 2.1.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_call

CHECK = Record(
    Severity.ERROR,
    "seat {seat} calls {recorded} with {expected} left to draw",
    subject=Frames.calls,
    needs=("tiles_left",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return calls when the wall is empty."""
    calls = frames.calls
    late = calls["tiles_left"] <= 0
    return reported(
        calls,
        late,
        ~pl.col("not_last").fill_null(value=False),
        pl.col("allowed").fill_null(value=True),
        recorded=named_call(),
        expected=pl.lit("no tile"),
    )

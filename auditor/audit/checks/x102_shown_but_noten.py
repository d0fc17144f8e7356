"""A hand is shown as tenpai at a draw, but is noten.

What it reports: hands opened at the end of the wall that nothing completes. Whether a tile of which the hand holds
all four counts as a wait is a rule.
Not reported: hands shown other than played (T105), or wrong before (T101, T102, T103); payments that follow from
what is shown.
Source: engine/RULES.md 2.10, 3.6.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames

CHECK = Check(
    Severity.RULE,
    "seat {seat} is recorded as {recorded}; the hand is {expected}",
    subject="hands_at_draw",
    needs=("tenpai",),
    obeys=("fifth_tile_wait",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return noten hands shown as tenpai."""
    return reported(
        frames.hands_at_draw.filter(pl.col("shown") & ~pl.col("tenpai")),
        recorded=pl.lit("tenpai"),
        expected=pl.lit("noten"),
    )

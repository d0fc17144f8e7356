"""A win is claimed with a hand that does not win.

What it reports: replayed hands (on a ron with the last discard or the added tile) that are neither four sets
and a pair, nor seven pairs, nor thirteen orphans.
Not reported: hands that went wrong before (T101, T102), or are shown other than played (T105).
Source: engine/RULES.md 3.
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(Severity.ERROR, "seat {seat} wins with {recorded}", subject=Frames.wins, needs=("expected_complete",))


def find(frames: Frames) -> pl.DataFrame:
    """Return wins without a winning shape."""
    return frames.wins.filter(~pl.col("expected_complete")).select(
        *WHERE, recorded=pl.lit("tiles that are no winning shape"), expected=pl.lit("a winning hand")
    )

"""Riichi is declared with a hand that waits for nothing.

What it reports: hands that no tile completes after the declaring discard: not tenpai, or tenpai in shape with no
other wait than a tile of which the hand holds all four. Whether those in melds count is a rule.
Not reported: hands that went wrong before (T101, T102, T103); waits of which every copy is seen, and furiten, which
are legal.
Source: engine/RULES.md 2.5, 3.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.RULE,
    "seat {seat} declares riichi with {recorded}",
    subject=Frames.riichis,
    needs=("waits",),
    tried_rules=("fifth_tile_wait",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return declarations that wait for nothing."""
    return reported(
        frames.riichis.filter(pl.col("waits") == 0),
        recorded=pl.lit("a hand that nothing completes"),
        expected=pl.lit("a wait after the discard"),
    )

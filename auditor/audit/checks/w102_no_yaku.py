"""A win is claimed with a hand that has no yaku.

What it reports: complete hands without any yaku that the rules know; dora are none.
Source: engine/RULES.md 3.3; which yaku there are is a matter of rules (open tanyao, renhou, the least han).
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.RULE,
    "seat {seat} wins with {recorded}; expected {expected}",
    subject=Frames.wins,
    needs=("expected_has_yaku",),
    tried_rules=("open_tanyao", "renhou", "min_han"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins without yaku."""
    return frames.wins.filter(~pl.col("expected_has_yaku")).select(
        *WHERE, recorded=pl.lit("a hand without yaku"), expected=pl.lit("at least one yaku")
    )

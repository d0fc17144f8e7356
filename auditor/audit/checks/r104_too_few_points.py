"""Riichi is declared by a seat that cannot pay for it.

What it reports: declarations by a seat with fewer points than the rules ask for, mostly 1,000.
Why it is wrong: a stick is paid for riichi, and the game ends when a score falls below zero.
Not reported: rounds whose scores do not carry over (P105).
Source: engine/RULES.md 2.5, 4.2; some rules ask for nothing.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.RULE,
    "seat {seat} declares riichi with {recorded} points; {expected} are needed",
    subject=Frames.riichis,
    needs=("points", "min_points"),
    subject_rules=("riichi_min_points",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return declarations with too few points."""
    riichis = frames.riichis
    few = riichis["points"] < riichis["min_points"]
    return reported(riichis, few, pl.col("min_points") > 0, recorded=pl.col("points"), expected=pl.col("min_points"))

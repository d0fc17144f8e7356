"""A chi is made from another seat than the left neighbour.

What it reports: a chi of the discard of a seat that is not the caller's left, or whose record names another feeder.
Why it is wrong: a run is called from the left neighbour only; from the others only pon and kan.
Not reported: a call of a tile that is not the last discard (C102).
Source: engine/RULES.md 2.1; auditor/readers/mjlog/FORMAT.md 5 (10,899 of 10,899).
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames

CHECK = Check(
    Severity.ERROR,
    "seat {seat} calls chi from {recorded}, expected {expected}",
    subject="calls",
)


def find(frames: Frames) -> pl.DataFrame:
    """Return chi from elsewhere."""
    left = (pl.col("seat") - 1) % 4
    fed = pl.when(pl.col("last_seat") != left).then("last_seat").otherwise("source")
    formatted = pl.when(fed >= 0).then(pl.format("seat {}", fed)).otherwise(pl.lit("nobody"))
    return reported(frames.calls.filter("not_left"), recorded=formatted, expected=pl.format("seat {}", left))

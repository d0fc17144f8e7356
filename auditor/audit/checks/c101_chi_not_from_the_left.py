"""A chi is made from another seat than the left neighbour.

What it reports: a chi of the discard of any seat but the caller's left neighbour, and a chi whose record names another
seat than the left neighbour as the discarder.
Why it is wrong: only the left neighbour's discard can be called for a run. The discards of the other seats can be
called only for a pon or kan. With three players the left neighbour of seat 0 is seat 2.
Not reported: a call of a tile that is not the last discard (C102); a chi with three players where the rules have none
(C107).
Source: engine/RULES.md 2.1; auditor/readers/mjlog/FORMAT.md 5 (10,899 of 10,899).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(Severity.ERROR, "seat {seat} calls chi from {recorded}, expected {expected}", subject=Frames.calls)

_SOURCE = pl.when(pl.col("last_seat") != pl.col("left")).then("last_seat").otherwise("source")
_FED = pl.when(_SOURCE >= 0).then(pl.format("seat {}", _SOURCE)).otherwise(pl.lit("nobody"))


def find(frames: Frames) -> pl.DataFrame:
    """Return chi from another seat than the left neighbour."""
    calls = frames.calls
    return reported(
        calls,
        calls["not_left"],
        pl.col("allowed").fill_null(value=True),
        recorded=_FED,
        expected=pl.format("seat {}", "left"),
    )

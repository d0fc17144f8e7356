"""A riichi stick is paid though the tile was won on, or not paid though it passed.

What it reports: declarations whose discard was won on (also by three, which aborts the round) with a stick recorded,
and those whose discard passed without one, also where the result counts a stick that no event tells. A fourth riichi
that aborts the round is paid; whether one is whose tile makes four winds or four kans is a rule.
Not reported: how many sticks the winner takes (P104); logs that do not say when a stick is paid (電脳麻将).
Source: engine/RULES.md 2.5, 2.10, 4.2, 5.24; auditor/readers/mjlog/FORMAT.md 6.
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity, reported
from auditor.audit.frames import Frames

CHECK = Check(
    Severity.ERROR,
    "riichi stick of seat {seat} {recorded}; should be {expected}",
    subject="riichis",
    needs=("paid", "due"),
    heeds=("abort_takes_riichi_stick",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return sticks paid in vain, and those not paid."""

    def formatted(column: str) -> pl.Expr:
        return pl.when(column).then(pl.lit("paid")).otherwise(pl.lit("not paid"))

    wrong = frames.riichis.filter(pl.col("paid") != pl.col("due"))
    found = [frames.log.problems.filter(pl.col("code") == "R107").select(*WHERE, "recorded", "expected")]
    found += [reported(wrong, recorded=formatted("paid"), expected=formatted("due"))] if len(wrong) else []
    return pl.concat(found, how="diagonal_relaxed")

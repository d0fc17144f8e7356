"""The points or the limit of a win are wrong.

What it reports: wins whose recorded value (without honba and sticks) or limit is neither that of the hand nor
what follows from the recorded fu and yaku. Where those are wrong themselves, their findings say so once.
A win that a rule rounds up to mangan may be called one or have no limit, as Tenhou's parlour tables write it.
Source: engine/RULES.md 3.2.
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log.words import format_limit

CHECK = Check(
    Severity.RULE,
    "points recorded {recorded}, expected {expected}",
    subject="wins",
    needs=("points", "expected_points"),
    obeys=("kiriage_mangan", "kazoe_yakuman", "double_yakuman", "yakuman_stacking"),
    heeds=("renhou", "local_yaku", "chuuren_nine_waits_only", "first_turn_yakuman_stacking", "dora"),
)

MANGAN = (8000, 12000)
"""No win below mangan is worth as much, unless a rule rounds it up."""


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose value follows from nothing."""

    def wrong(points: str, limit: str) -> pl.Expr:
        rounded_up = (pl.col(limit) == 0) & (pl.col("limit") == 1) & pl.col(points).is_in(MANGAN)
        other_limit = ((pl.col("limit") != pl.col(limit)) & ~rounded_up).fill_null(value=False)
        return (pl.col("points") != pl.col(points)) | other_limit

    follows = wrong("stated_points", "stated_limit").fill_null(value=True)
    return frames.wins.filter(wrong("expected_points", "expected_limit"), follows).select(
        *WHERE,
        recorded=pl.format("{} ({})", "points", format_limit("limit")),
        expected=pl.format("{} ({})", "expected_points", format_limit("expected_limit")),
    )

"""The points or the limit of a win are wrong.

What it reports: wins whose recorded value (without honba and sticks) or limit is neither that of the hand nor
what follows from the recorded fu and yaku. Where those are wrong themselves, their findings say so once.
A win that a rule rounds up to mangan has no limit, as Tenhou's parlour tables write it.
Source: RULES.md 3.2.
"""

import polars as pl

from auditor.check import WHERE, Check, Severity
from auditor.frames import Frames

CHECK = Check(
    Severity.RULE,
    "points recorded {recorded}, expected {expected}",
    subject="wins",
    needs=("points", "expected_points"),
    obeys=("kiriage_mangan", "kazoe_yakuman", "double_yakuman", "yakuman_stacking"),
    heeds=("min_han", "renhou", "local_yaku", "chuuren_nine_waits_only", "first_turn_yakuman_stacking"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose value follows from nothing."""

    def wrong(points: str, limit: str) -> pl.Expr:
        return (pl.col("points") != pl.col(points)) | (pl.col("limit") != pl.col(limit)).fill_null(value=False)

    follows = wrong("stated_points", "stated_limit").fill_null(value=True)
    return frames.wins.filter(wrong("expected_points", "expected_limit"), follows).select(
        *WHERE,
        recorded=pl.format("{} (limit {})", "points", pl.col("limit").cast(pl.String).fill_null("not told")),
        expected=pl.format("{} (limit {})", "expected_points", "expected_limit"),
    )

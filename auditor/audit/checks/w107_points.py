"""The points or the limit of a win are wrong.

What it reports: wins whose recorded points (without honba and sticks) or limit are neither those of the hand nor those
that follow from the recorded fu and yaku. A win that a rule rounds up to mangan may be called a mangan or have no
limit, as Tenhou's parlour tables write it.
Why it is wrong: points and limit follow from fu and han. With three players the points of a tsumo are what is paid:
mostly nobody pays the share of the seat that does not exist, else the rules say how the others pay it.
Not reported: points that follow from recorded fu or yaku that are wrong (W104, W105, W106 and W108 report those). Not
checkable: a tsumo of three players that a liable seat pays alone, because nobody knows how much that is.
Source: engine/RULES.md 3.2, 4.6.
"""

from functools import cache

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_limit

CHECK = Record(
    Severity.RULE,
    "points recorded {recorded}, expected {expected}",
    subject=Frames.wins,
    needs=("points", "expected_points"),
    tried_rules=(
        "kiriage_mangan",
        "kazoe_yakuman",
        "double_yakuman",
        "double_yakuman_forms",
        "yakuman_stacking",
        "tsumo_loss",
        "missing_share",
    ),
    subject_rules=("renhou", "local_yaku", "chuuren_nine_waits_only", "first_turn_yakuman_stacking", "dora"),
)

MANGAN = (8000, 12000)
"""No win below mangan is worth as much, unless a rule rounds it up."""


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose value follows neither from the hand nor from the recorded fu and yaku."""
    wins = frames.wins
    other = (wins["points"] != wins["expected_points"]) | (wins["limit"] != wins["expected_limit"])
    return reported(
        wins,
        other,
        _differs_from("expected_points", "expected_limit"),
        _differs_from("stated_points", "stated_limit").fill_null(value=True),
        recorded=pl.format("{} ({})", "points", format_limit("limit")),
        expected=pl.format("{} ({})", "expected_points", format_limit("expected_limit")),
    )


@cache
def _differs_from(points: str, limit: str) -> pl.Expr:
    """Say whether the recorded worth is not this one."""
    rounded_up = (pl.col(limit) == 0) & (pl.col("limit") == 1) & pl.col(points).is_in(MANGAN)
    other_limit = ((pl.col("limit") != pl.col(limit)) & ~rounded_up).fill_null(value=False)
    return (pl.col("points") != pl.col(points)) | other_limit

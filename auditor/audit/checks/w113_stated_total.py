"""The total of han or yakuman that a win states is not the sum of its own list of yaku.

What it reports: wins with a stated total that differs from their list of yaku. If the rules do not add up yakuman, the
total is one.
Why it is wrong: the log contradicts itself. Neither play nor scoring matters here.
Not reported: lists that are wrong themselves (W104, W105, W108), whatever the total is; formats that state no total.
Source: auditor/readers/majiang/FORMAT.md 5; engine/RULES.md 1 (役満の複合あり).
"""

from functools import cache

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.ERROR,
    "stated {recorded}; the list has {expected}",
    subject=Frames.wins,
    subject_rules=("yakuman_stacking",),
)

_WRONG_LIST = (pl.col("recorded_yaku") != pl.col("expected_yaku")) | pl.any_horizontal(
    pl.col(f"{kind}_han") != pl.col(f"expected_{kind}_han") for kind in ("dora", "ura", "red")
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose total differs from their list."""
    wins = frames.wins
    other = (wins["total_han"] != wins["listed_han"]) | (wins["total_units"] != wins["listed_units"])
    right_list = ~_WRONG_LIST.fill_null(value=False)
    return reported(wins, other, right_list, recorded=_total("total"), expected=_total("listed"))


@cache
def _total(part: str) -> pl.Expr:
    """Return the total that differs as text: the han, or else the number of yakuman."""
    other_han = (pl.col("total_han") != pl.col("listed_han")).fill_null(value=False)
    return (
        pl.when(other_han).then(pl.format("{} han", f"{part}_han")).otherwise(pl.format("{} yakuman", f"{part}_units"))
    )

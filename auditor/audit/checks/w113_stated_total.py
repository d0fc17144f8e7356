"""The total of han or yakuman that a win states is not the sum of its list of yaku.

What it reports: wins with a stated total that differs from their list of yaku. If the rules do not add up yakuman, the
total is one. A win that lists no yaku must have the han of its hand.
Why it is wrong: the log contradicts itself. Neither play nor scoring matters here.
Not reported: lists that are wrong themselves (W104, W105, W108), whatever the total is; formats that state no total.
Source: auditor/readers/majiang/FORMAT.md 5; engine/RULES.md 1 (役満の複合あり).
"""

from functools import cache

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import filled

CHECK = Record(
    Severity.ERROR,
    "stated {recorded}; the list, or the hand, has {expected}",
    subject=Frames.wins,
    subject_rules=("yakuman_stacking",),
)

_WRONG_LIST = (pl.col("recorded_yaku") != pl.col("expected_yaku")) | pl.any_horizontal(
    pl.col(f"{kind}_han") != pl.col(f"expected_{kind}_han") for kind in ("dora", "ura", "red")
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose total differs from their list."""
    wins = frames.wins
    other = filled(wins["total_han"] != wins["listed_han"], value=False)
    other |= filled(wins["total_units"] != wins["listed_units"], value=False)
    other |= filled(wins["total_han"] != wins["total_of_hand"], value=False)
    right_list = ~_WRONG_LIST.fill_null(value=False)
    return reported(wins, other, right_list, recorded=_total("total"), expected=_total("listed"))


@cache
def _total(part: str) -> pl.Expr:
    """Return the total that differs as text: the han, or else the number of yakuman."""
    due = pl.coalesce("listed_han", "total_of_hand")
    other_han = (pl.col("total_han") != due).fill_null(value=False)
    han = pl.col("total_han") if part == "total" else due
    return pl.when(other_han).then(pl.format("{} han", han)).otherwise(pl.format("{} yakuman", f"{part}_units"))

"""The total of han or yakuman that a win states is not the sum of its own list of yaku.

What it reports: wins with a stated total that differs from their list of yaku. If the rules do not add up yakuman, the
total is one.
Why it is wrong: the log contradicts itself. Neither play nor scoring matters here.
Not reported: lists that are wrong themselves (W104, W105, W108), whatever the total is; formats that state no total.
Source: auditor/readers/majiang/FORMAT.md 5; engine/RULES.md 1 (役満の複合あり).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.ERROR,
    "stated {recorded}; the list has {expected}",
    subject=Frames.wins,
    subject_rules=("yakuman_stacking",),
)


_WORDS = {"han": "{} han", "units": "{} yakuman"}


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose total differs from their list."""
    wrong_list = pl.col("recorded_yaku") != pl.col("expected_yaku")
    for kind in ("dora", "ura", "red"):
        wrong_list |= pl.col(f"{kind}_han") != pl.col(f"expected_{kind}_han")
    other = {what: pl.col(f"total_{what}") != pl.col(f"listed_{what}") for what in ("han", "units")}

    def format_total(part: str) -> pl.Expr:
        han, units = (pl.format(words, f"{part}_{what}") for what, words in _WORDS.items())
        return pl.when(other["han"].fill_null(value=False)).then(han).otherwise(units)

    return reported(
        frames.wins.filter(~wrong_list.fill_null(value=False), pl.any_horizontal(other.values())),
        recorded=format_total("total"),
        expected=format_total("listed"),
    )

"""The han or yakuman that a win states are not the sum of its own list of yaku.

What it reports: wins for which the log states the total beside the list, and the two differ. Where yakuman do not add
up by the rules, the total is one.
Why it is wrong: the log contradicts itself; nothing of play or scoring is needed to see it.
Not reported: lists that are wrong themselves (W104, W105, W108), whatever the total is; formats that state no total.
Source: auditor/readers/majiang/FORMAT.md 5; engine/RULES.md 1 (役満の複合あり).
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames

CHECK = Check(
    Severity.ERROR,
    "stated {recorded}; the list has {expected}",
    subject="wins",
    heeds=("yakuman_stacking",),
)


_WORDS = {"han": "{} han", "units": "{} yakuman"}


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose total is another than that of their list."""
    wrong_list = pl.col("recorded_yaku") != pl.col("expected_yaku")
    for kind in ("dora", "ura", "red"):
        wrong_list |= pl.col(f"{kind}_han") != pl.col(f"expected_{kind}_han")
    other = {what: pl.col(f"total_{what}") != pl.col(f"listed_{what}") for what in ("han", "units")}

    def formatted(part: str) -> pl.Expr:
        han, units = (pl.format(words, f"{part}_{what}") for what, words in _WORDS.items())
        return pl.when(other["han"].fill_null(value=False)).then(han).otherwise(units)

    return reported(
        frames.wins.filter(~wrong_list.fill_null(value=False), pl.any_horizontal(other.values())),
        recorded=formatted("total"),
        expected=formatted("listed"),
    )

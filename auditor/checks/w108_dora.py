"""Dora, red fives or ura dora are miscounted.

What it reports: wins whose recorded han of dora, ura dora or red fives are not what indicators and hand give,
melds included. Yakuman count none.
Not checkable: ura dora where the log does not show the indicators.
Source: RULES.md 3.5; formats/tenhou-mjlog.md section 7.
"""

import polars as pl

from auditor.check import WHERE, Check, Severity
from auditor.frames import Frames

CHECK = Check(
    Severity.RULE,
    "dora recorded {recorded}, expected {expected}",
    subject="wins",
    needs=("dora_han", "expected_dora_han", "expected_ura_han"),
    obeys=("dora", "ura_dora", "kan_dora", "kan_ura_dora", "red_fives"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins with other dora."""
    kinds = ("dora", "ura", "red")
    wrong = [pl.col(f"{kind}_han") != pl.col(f"expected_{kind}_han") for kind in kinds]
    return frames.wins.filter(pl.any_horizontal(wrong)).select(
        *WHERE,
        recorded=pl.format("{} dora, {} ura, {} red", *(f"{kind}_han" for kind in kinds)),
        expected=pl.format("{} dora, {} ura, {} red", *(f"expected_{kind}_han" for kind in kinds)),
    )

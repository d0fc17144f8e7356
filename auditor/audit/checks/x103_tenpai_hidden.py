"""A tenpai hand is recorded as noten at a draw.

What it reports: hands not opened at the end of the wall though a tile completes them. Where revealing is a choice,
only a hand in riichi must be opened; where noten hands pay nothing, only that of a dealer who repeats by it.
Not reported: hands that went wrong before (T101, T102, T103); payments that follow from what is shown.
Source: engine/RULES.md 1 (ノーテン宣言あり, ノーテン罰あり), 2.10, 3.6.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames

CHECK = Check(
    Severity.RULE,
    "seat {seat} is recorded as {recorded}; the hand is {expected}",
    subject="hands_at_draw",
    needs=("tenpai", "must_show"),
    obeys=("fifth_tile_wait",),
    heeds=("noten_payment", "tenpai_declaration_optional", "renchan_mode"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return tenpai hands kept closed that had to be opened."""
    return reported(
        frames.hands_at_draw.filter(~pl.col("shown") & pl.col("tenpai") & pl.col("must_show")),
        recorded=pl.lit("noten"),
        expected=pl.lit("tenpai"),
    )

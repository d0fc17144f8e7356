"""A seat in riichi calls chi or pon.

What it reports: a chi or pon by a seat that has declared riichi.
Why it is wrong: riichi locks the hand; its seat may win, or make an ankan where the rules allow it.
Not reported: daiminkan and kakan (K107), ankan (K108 to K111); calls that name the wrong seats (C101, C102).
Source: engine/RULES.md 2.1.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(Severity.ERROR, "seat {seat} calls {recorded} in riichi; expected {expected}", subject="calls")


def find(frames: Frames) -> pl.DataFrame:
    """Return calls of hands in riichi."""
    tile = pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String)
    return reported(
        frames.calls.filter(
            "in_riichi", ~pl.col("not_last").fill_null(value=False), ~pl.col("not_left"), pl.col("kind") != "daiminkan"
        ),
        recorded=pl.format("{} of {}", pl.col("kind").cast(pl.String), tile),
        expected=pl.lit("no call"),
    )

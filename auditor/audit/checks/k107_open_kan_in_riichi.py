"""A seat in riichi makes a daiminkan or a kakan.

What it reports: an open or added kan by a seat that has declared riichi.
Why it is wrong: riichi locks the hand; only an ankan may be allowed.
Not reported: chi and pon (C104).
Source: engine/RULES.md 2.1, 2.2.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "seat {seat} declares {recorded} in riichi; expected {expected}",
    subject="kans",
)


def find(frames: Frames) -> pl.DataFrame:
    """Return open kans of hands in riichi."""
    return reported(
        frames.kans.filter("in_riichi", pl.col("kind") != "ankan"),
        recorded=pl.format(
            "{} of {}",
            pl.col("kind").cast(pl.String),
            pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        ),
        expected=pl.lit("no open kan"),
    )

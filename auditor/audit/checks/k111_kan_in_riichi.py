"""A seat in riichi makes an ankan though the rules know none.

What it reports: any ankan in riichi where the rule forbids them (level 0).
Not reported: daiminkan and kakan (K107).
Source: engine/RULES.md 2.6, 4.2.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.RULE,
    "seat {seat} makes an ankan of {recorded} in riichi; expected {expected}",
    subject="kans",
    obeys=("riichi_ankan_level",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return ankans in riichi."""
    return reported(
        frames.kans.filter("in_riichi", pl.col("kind") == "ankan", pl.col("level") == 0),
        recorded=pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.lit("no kan"),
    )

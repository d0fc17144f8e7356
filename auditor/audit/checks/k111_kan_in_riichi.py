"""A seat in riichi makes an ankan though the rules allow none.

What it reports: any ankan in riichi where the rules forbid them all (level 0).
Why it is wrong: by these rules riichi locks the hand without exception.
Not reported: a daiminkan or kakan (K107).
Source: engine/RULES.md 2.6, 4.2.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.RULE,
    "seat {seat} makes an ankan of {recorded} in riichi; expected {expected}",
    subject=Frames.kans,
    tried_rules=("riichi_ankan_level",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return ankans in riichi."""
    kans = frames.kans
    forbidden = (pl.col("kind") == "ankan") & (pl.col("level") == 0)
    return reported(kans, kans["in_riichi"], forbidden, recorded=named_tile("tile_id"), expected=pl.lit("no kan"))

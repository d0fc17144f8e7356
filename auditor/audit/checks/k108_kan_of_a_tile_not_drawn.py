"""A seat in riichi makes an ankan without the tile that it has just drawn.

What it reports: an ankan in riichi that does not use the tile just drawn (okuri-kan).
Why it is wrong: riichi locks the hand. If it already held all four tiles, their ankan had to be declared before riichi.
Not reported: any ankan in riichi where the rules allow none at all (K111).
Source: engine/RULES.md 2.2, 2.6, 4.2.
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
    """Return ankans in riichi of other tiles than the one drawn."""
    kans = frames.kans
    return reported(
        kans,
        kans["not_drawn"],
        pl.col("level") > 0,
        recorded=named_tile("tile_id"),
        expected=pl.lit("one of the tile just drawn"),
    )

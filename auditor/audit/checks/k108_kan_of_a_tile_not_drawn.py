"""A seat in riichi makes an ankan of another tile than the one it has drawn.

What it reports: an ankan in riichi of four tiles of which the one just drawn is none (okuri-kan).
Why it is wrong: riichi locks the hand; a kan that could have been made before must have been made before.
Not reported: rules that know no kan in riichi at all (K111).
Source: engine/RULES.md 2.2, 2.6, 4.2.
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
    """Return such kans."""
    return reported(
        frames.kans.filter("not_drawn", pl.col("level") > 0),
        recorded=pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.lit("one of the tile just drawn"),
    )

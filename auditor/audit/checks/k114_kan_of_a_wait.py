"""A seat in riichi makes an ankan of a tile that it waits for.

What it reports: an ankan in riichi of the tile just drawn, where that tile would have completed the hand and the rules
forbid such a kan. The counted waits stay the same, because a fifth tile of that kind still counts as a wait after the
kan.
Why it is wrong: no fifth tile of that kind exists, so the kan takes a wait away.
Not reported: a kan that changes the waits (K109) or the shape (K110).
Source: engine/RULES.md 2.6, 4.2, 5.8.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.RULE,
    "seat {seat} makes an ankan of {recorded} in riichi, which is a wait; expected {expected}",
    subject=Frames.kans,
    tried_rules=("riichi_ankan_of_wait", "riichi_ankan_level", "fifth_tile_wait"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans of waits."""
    kans = frames.kans
    return reported(
        kans,
        kans["of_wait"],
        ~pl.col("shape_changes"),
        recorded=named_tile("tile_id"),
        expected=pl.lit("no kan of a wait"),
    )

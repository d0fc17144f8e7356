"""A seat in riichi makes an ankan that takes a reading from its hand.

What it reports: an ankan in riichi of the drawn tile after which the hand can be read in fewer ways, over all its
waits, where the rule forbids that (level 1). Seven pairs, thirteen orphans and, by rule, nine gates are readings.
Why it is wrong: riichi locks the hand, its shape too.
Not reported: a kan of a tile not drawn (K108); rules that ask for the same waits only (K109).
Source: engine/RULES.md 2.6, 5.8.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.RULE,
    "seat {seat} makes an ankan of {recorded} in riichi; expected {expected}",
    subject="kans",
    obeys=(
        "riichi_ankan_level",
        "riichi_ankan_yaku_loss",
        "fifth_tile_wait",
    ),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans that change the shape."""
    return reported(
        frames.kans.filter("shape_changes"),
        recorded=pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.lit("one that takes no reading from the hand"),
    )

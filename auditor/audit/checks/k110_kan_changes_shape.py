"""A seat in riichi makes an ankan that leaves fewer ways to read its hand.

What it reports: an ankan in riichi of the tile just drawn, after which there are fewer ways to read the hand as sets
and a pair, counted over all its waits, where the rules forbid that (level 1). Seven pairs, thirteen orphans and, by
rule, nine gates count as readings too.
Why it is wrong: riichi locks the hand, and by these rules its shape as well.
Not reported: a kan without the tile just drawn (K108). Where the rules ask only for the same waits, K109 reports
instead.
Source: engine/RULES.md 2.6, 5.8.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.RULE,
    "seat {seat} makes an ankan of {recorded} in riichi; expected {expected}",
    subject=Frames.kans,
    tried_rules=("riichi_ankan_level", "riichi_ankan_yaku_loss", "fifth_tile_wait"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans that change the shape."""
    kans = frames.kans
    return reported(
        kans,
        kans["shape_changes"],
        recorded=named_tile("tile_id"),
        expected=pl.lit("one that takes no reading from the hand"),
    )

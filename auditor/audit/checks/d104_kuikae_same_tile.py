"""A seat discards the tile that it has just called.

What it reports: a discard right after a chi or pon of the kind that was called; a red five is a five.
Why it is wrong: swapping a tile for its like (kuikae) is forbidden at levels 0 and 1 of the rule.
Not reported: a call after which every discard would be kuikae (C106); the other end of the run (D105).
Source: engine/RULES.md 2.3, 2.4, 5.7; 4.2 (on Tenhou allowed until 2012, unsettled in 2013).
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.RULE,
    "seat {seat} discards {recorded} after calling {expected}",
    subject="calls",
    obeys=("kuikae_level",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the discards after calls that the rule forbids."""
    return reported(
        frames.calls.filter("same"),
        event=pl.col("discard_event"),
        pos=pl.col("discard_pos"),
        recorded=pl.col("discard_tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.format(
            "{} ({})",
            pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
            pl.col("kind").cast(pl.String),
        ),
    )

"""After a chi a seat discards the tile at the other end of the run.

What it reports: a discard right after a chi at an end of a run, of the kind that would have made the run at its other
end: 34m called with 2m, and 5m discarded.
Why it is wrong: swapping a tile for one as good (kuikae) is forbidden at level 0 of the rule.
Not reported: a call after which every discard would be kuikae (C106); the kind called (D104).
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
        frames.calls.filter("suji"),
        event=pl.col("discard_event"),
        pos=pl.col("discard_pos"),
        recorded=pl.col("discard_tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.format(
            "{} ({})",
            pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
            pl.col("kind").cast(pl.String),
        ),
    )

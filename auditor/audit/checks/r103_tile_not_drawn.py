"""A hand in riichi discards another tile than the one just drawn.

What it reports: discards after the declaring one that are not the tile drawn, also after an ankan.
Why it is wrong: riichi locks the hand; only the drawn tile may leave it.
Not reported: tiles that are not in the hand at all (T102); discards after a call (C104); another copy of the same
tile, where the log does not tell copies apart.
Source: engine/RULES.md 2.4.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "seat {seat} in riichi discards {recorded}; drawn was {expected}",
    subject="locked_discards",
    needs=("drawn",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return discards from a locked hand."""
    named = {
        name: pl.col(column).map_elements(tile_ids.name, return_dtype=pl.String)
        for name, column in (("recorded", "tile_id"), ("expected", "drawn"))
    }
    return reported(frames.locked_discards.filter(pl.col("tile_id") != pl.col("drawn")), **named)

"""A seat in riichi makes an ankan of a tile that it waits for.

What it reports: an ankan in riichi of the drawn tile where that tile would have won, and the waits stay as they were by
count of four concealed copies, under rules that forbid such a kan.
Why it is wrong: the fifth copy does not exist, so that the kan takes a wait away though the count of waits is the same.
Not reported: a kan that changes the waits (K109) or the shape (K110).
Source: engine/RULES.md 2.6, 4.2, 5.8.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.RULE,
    "seat {seat} makes an ankan of {recorded} in riichi, which is a wait; expected {expected}",
    subject="kans",
    obeys=(
        "riichi_ankan_of_wait",
        "riichi_ankan_level",
        "fifth_tile_wait",
    ),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans of waits."""
    return reported(
        frames.kans.filter(pl.col("of_wait"), ~pl.col("shape_changes")),
        recorded=pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.lit("no kan of a wait"),
    )

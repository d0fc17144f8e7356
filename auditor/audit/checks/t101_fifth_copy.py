"""A tile is in the round more often than the set has it.

What it reports: a physical tile that is dealt, drawn or turned as an indicator twice in one round.
Why it is wrong: a set has four copies of each kind, each of them once.
Not reported: a tile that this game's set does not have at all (T104); a draw or an indicator told twice, which is out
of turn (D101) or one too many (K112).
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "tile {recorded} comes into play more than once in the round",
    subject="rounds",
    heeds=("red_fives",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the tiles seen too often."""
    twice = frames.holdings.twice.filter(pl.col("capacity") > 0)
    return frames.log.events[twice["row"]].select(
        *WHERE,
        recorded=twice["tile_id"].map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.lit("once"),
    )

"""A tile is in the round more often than the set has it.

What it reports: a tile that is dealt, drawn or turned as an indicator more often in one round than the set has it: a
physical tile twice, or, if the log does not distinguish copies, one copy too many.
Why it is wrong: a set has four tiles of each kind.
Not reported: a tile that this game's set does not have at all (T104); a draw recorded twice, which is a draw out of
turn (D101); an indicator recorded twice (K112).
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Record(
    Severity.ERROR,
    "tile {recorded} comes into play more than once in the round",
    subject=Frames.rounds,
    subject_rules=("red_fives",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the tiles seen too often."""
    twice = frames.holdings.twice.filter(pl.col("capacity") > 0)
    return frames.log.events[twice["row"]].select(
        *WHERE,
        recorded=twice["tile_id"].map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.lit("once"),
    )

"""A tile is in the round more often than the set has it.

What it reports: a tile that is dealt, drawn or turned as an indicator more often in one round than the set has it: a
physical tile twice, or, if the log does not distinguish copies, one copy too many.
Why it is wrong: a set has four tiles of each kind.
Not reported: a tile that this game's set does not have at all (T104); a draw recorded twice, which is a draw out of
turn (D101); an indicator recorded twice (K112).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import rows_where
from auditor.log.words import named_tile

CHECK = Record(
    Severity.ERROR,
    "tile {recorded} comes into play more than once in the round",
    subject=Frames.rounds,
    subject_rules=("red_fives",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the tiles seen too often."""
    twice = frames.holdings.twice
    wrong = rows_where(twice, twice["capacity"] > 0)
    if wrong.is_empty():
        return wrong
    at = frames.log.events[wrong["row"]].with_columns(wrong["tile_id"])
    return reported(at, recorded=named_tile("tile_id"), expected=pl.lit("once"))

"""A tile is in play that this game's set does not have.

What it reports: a red five in a game without red fives of that suit, and an ordinary five in a game in which all fives
of that suit are red; with three players also 2m to 8m. Once for each round and tile.
Why it is wrong: the rules state which tiles the set has.
Not reported: one copy too many of a tile that the set has (T101). In logs with physical tiles (mjlog) a wrong five
cannot be detected, because the numbers of the tiles are the same in every set.
Source: engine/RULES.md 1 (赤牌), 4.1, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import rows_where
from auditor.log.words import named_tile

CHECK = Record(
    Severity.RULE,
    "tile {recorded} comes into play; the set has {expected}",
    subject=Frames.rounds,
    tried_rules=("red_fives",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return tiles that the set does not have."""
    twice = frames.holdings.twice
    wrong = rows_where(twice, twice["capacity"] == 0)
    if wrong.is_empty():
        return wrong
    at = frames.log.events[wrong["row"]].with_columns(wrong["tile_id"])
    return reported(at, recorded=named_tile("tile_id"), expected=pl.lit("none"))

"""A tile is in play that this game's set does not have.

What it reports: a red five in a game without red fives of that suit, and an ordinary five where all are red; once
for each round and tile.
Why it is wrong: the set is stated by the rules.
Not reported: one copy too many of a tile that the set has (T101). Logs with physical tiles (mjlog) cannot show it:
their numbers are the same in every set.
Source: engine/RULES.md 1 (赤牌), 4.1.
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.RULE, "tile {recorded} comes into play; the set has {expected}", subject="rounds", obeys=("red_fives",)
)


def find(frames: Frames) -> pl.DataFrame:
    """Return tiles of which there are none."""
    foreign = frames.holdings.twice.filter(pl.col("capacity") == 0)
    return frames.log.events[foreign["row"]].select(
        *WHERE,
        recorded=foreign["tile_id"].map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.lit("none"),
    )

"""The tiles of a meld form none.

What it reports: a chi that is no run of one suit, a pon or kan of tiles that differ, and melds of too few or too many
tiles.
Why it is wrong: there are no other melds. Red fives are fives.
Not reported: tiles that the caller does not hold (T102, K101, K103).
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(Severity.ERROR, "seat {seat} makes a {recorded}, which is {expected}", subject="melds")


def find(frames: Frames) -> pl.DataFrame:
    """Return melds that are none."""
    tiles = pl.concat_list("p0", "p1", "p2", "p3").map_elements(_named, return_dtype=pl.String)
    return reported(
        frames.melds.filter("malformed"),
        recorded=pl.format("{} of {}", pl.col("kind").cast(pl.String), tiles),
        expected=pl.when(pl.col("kind") == "chi").then(pl.lit("no run")).otherwise(pl.lit("no set of like tiles")),
    )


def _named(meld: pl.Series) -> str:
    return tile_ids.names([tile_id for tile_id in meld.to_list() if tile_id < tile_ids.NONE])

"""The tiles of a meld form no meld.

What it reports: a chi that is no run of one suit, a pon or kan of tiles that differ, and melds of too few or too many
tiles.
Why it is wrong: there are no other melds. A red five counts as a five.
Not reported: tiles that the caller does not hold (T102, K101, K103); a kita, which is no meld (N101).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.subject import subject
from auditor.log import tile_ids
from auditor.replay import calls


@subject(calls.MELD_COLUMNS)
def _melds(frames: Frames) -> pl.DataFrame:
    """Return one row for each meld, and whether its tiles form no meld."""
    return calls.melds(frames.log, frames.played)


CHECK = Record(Severity.ERROR, "seat {seat} makes a {recorded}, which is {expected}", subject=_melds)


def _named(meld: pl.Series) -> str:
    return tile_ids.names([tile_id for tile_id in meld.to_list() if tile_id < tile_ids.NONE])


_TILES = pl.concat_list("p0", "p1", "p2", "p3").map_elements(_named, return_dtype=pl.String)
_RECORDED = pl.format("{} of {}", pl.col("kind").cast(pl.String), _TILES)
_EXPECTED = pl.when(pl.col("kind") == "chi").then(pl.lit("no run")).otherwise(pl.lit("no set of like tiles"))


def find(frames: Frames) -> pl.DataFrame:
    """Return melds whose tiles do not fit together."""
    melds = _melds.of(frames)
    return reported(melds, melds["malformed"], recorded=_RECORDED, expected=_EXPECTED)

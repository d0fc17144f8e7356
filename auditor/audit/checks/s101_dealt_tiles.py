"""A hand as dealt is not what the seed's wall deals.

What it reports: tiles that a seat holds at a round's start and the wall gives to another seat, or to nobody. The wall
follows from the seed that the log records: any other tile was not there.
Not reported: rounds most of whose tiles are others (S105); logs without a seed, with an empty one, or one of an unknown
kind; by default, unless this check is selected, since hashing takes time.
Source: auditor/readers/mjlog/FORMAT.md 9.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "seat {seat} is dealt {recorded}; the wall gives {expected}",
    subject="wall_deals",
    needs=("fits",),
    default=False,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the first hand of each round that differs."""
    wrong = frames.wall_deals.filter(~pl.col("fits")).unique("round", keep="first", maintain_order=True)
    return reported(wrong, recorded=_format("recorded"), expected=_format("expected"))


def _format(column: str) -> pl.Expr:
    return pl.col(column).map_elements(lambda tiles: tile_ids.names(tiles.to_list()), return_dtype=pl.String)

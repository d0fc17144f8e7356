"""A hand shown at a result differs from the hand as played.

What it reports: a winner's hand or melds, or a hand opened at a draw, that differ from the hand that deal, draws, calls
and discards leave. On a ron the winning tile belongs to the hand.
Why it is wrong: a seat can show only the hand that it holds.
Not reported: hands in which a tile is wrong earlier in the round (T101, T102).
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity
from auditor.audit.frames import Frames
from auditor.log import tile_ids
from auditor.log.words import format_melds

CHECK = Record(
    Severity.ERROR, "seat {seat} shows {recorded}; play leaves {expected}", subject=Frames.shows, needs=("held",)
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the shown hands that differ."""
    hands = frames.shows.filter(~pl.col("agrees")).select(
        *WHERE,
        recorded=pl.col("tile_ids").map_elements(_named, return_dtype=pl.String),
        expected=pl.col("held").map_elements(_named, return_dtype=pl.String),
    )
    melds = frames.wins.filter(pl.col("melds").list.sort() != pl.col("played_melds").list.sort()).select(
        *WHERE,
        recorded=_melds("melds"),
        expected=_melds("played_melds"),
    )
    return pl.concat([hands, melds])


def _named(shown: pl.Series) -> str:
    return tile_ids.names(shown.to_list())


def _melds(column: str) -> pl.Expr:
    return pl.col(column).map_elements(format_melds, return_dtype=pl.String)

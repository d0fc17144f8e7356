"""A hand shown at a result differs from the hand as played.

What it reports: the winner's hand or melds, or a hand opened at a draw, that are not what deal, draws, calls
and discards leave. On a ron the winning tile belongs to the hand.
Not reported: hands that already went wrong during play (T101, T102).
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log import tile_ids
from auditor.log.words import format_melds

CHECK = Check(Severity.ERROR, "seat {seat} shows {recorded}; play leaves {expected}", subject="shows", needs=("held",))


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

"""The winning tile is not the last tile.

What it reports: a tsumo whose winning tile is not the tile that the winner has just drawn, and a ron whose winning tile
is not the tile that the paying seat has just discarded or added to a kan.
Why it is wrong: a hand can win only with the last tile.
Not reported: wins right after events that are out of order (L004, D101 and others).
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Record(
    Severity.ERROR,
    "seat {seat} wins with {recorded}; the last tile was {expected}",
    subject=Frames.wins,
    needs=("win_tile_id", "last_fits"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins by another tile."""
    last = pl.col("expected_win_tile_id")
    wrong = (pl.col("win_tile_id") != last) | ~pl.col("last_fits")
    return frames.wins.filter(wrong.fill_null(value=True), pl.col("win_tile_id", "last_fits").is_not_null()).select(
        *WHERE,
        recorded=pl.col("win_tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        expected=pl.format(
            "{}, {} of seat {}",
            last.map_elements(tile_ids.name, return_dtype=pl.String),
            "last_kind",
            "last_seat",
        ).fill_null("none"),
    )

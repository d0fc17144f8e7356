"""The winning tile is not the last tile.

What it reports: a tsumo whose winning tile is not the tile that the winner has just drawn, and a ron whose winning tile
is not the tile that the paying seat has just discarded, added to a kan or set aside (kita).
Why it is wrong: a hand can win only with the last tile.
Not reported: a ron on a kita where the rules forbid it (N107); wins right after events that are out of order (L004,
D101 and others).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.ERROR,
    "seat {seat} wins with {recorded}; the last tile was {expected}",
    subject=Frames.wins,
    needs=("win_tile_id", "last_fits"),
)

_LAST = pl.format("{}, {} of seat {}", named_tile("expected_win_tile_id"), "last_kind", "last_seat").fill_null("none")


def find(frames: Frames) -> pl.DataFrame:
    """Return wins by another tile."""
    wins = frames.wins
    other = (wins["win_tile_id"] != wins["expected_win_tile_id"].fill_null(-1)) | ~wins["last_fits"]
    return reported(
        wins,
        other,
        pl.col("win_tile_id").is_not_null() & pl.col("last_fits").is_not_null(),
        recorded=named_tile("win_tile_id"),
        expected=_LAST,
    )

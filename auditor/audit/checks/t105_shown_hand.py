"""A hand shown at a result differs from the hand as played.

What it reports: a winner's hand or melds, or a hand opened at a draw, that differ from the hand that deal, draws, calls
and discards leave. On a ron the winning tile belongs to the hand.
Why it is wrong: a seat can show only the hand that it holds.
Not reported: hands in which a tile is wrong earlier in the round (T101, T102, C103); the Norths that a winner has set
aside (N104).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import stacked
from auditor.log.tables import without_norths
from auditor.log.words import format_melds, named_tiles

CHECK = Record(
    Severity.ERROR, "seat {seat} shows {recorded}; play leaves {expected}", subject=Frames.shows, needs=("held",)
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the shown hands that differ."""
    shows, wins = frames.shows, frames.wins
    hands = reported(shows, ~shows["agrees"], recorded=named_tiles("tile_ids"), expected=named_tiles("held"))
    melds = reported(
        wins,
        frames.other_melds,
        without_norths("melds") != without_norths("played_melds"),
        recorded=format_melds("melds"),
        expected=format_melds("played_melds"),
    )
    return stacked(hands, melds)

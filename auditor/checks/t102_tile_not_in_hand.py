"""A tile is used that is not in the hand.

What it reports: a discard, a call's own tiles, or a kan of a tile that this seat does not hold at that moment:
never dealt nor drawn to it, drawn later, or gone already.
Not reported: tiles that exist twice in the round (T101); shown hands that differ (T105).
"""

import polars as pl

from auditor import pieces
from auditor.check import WHERE, Check, Severity
from auditor.frames import Frames

CHECK = Check(Severity.ERROR, "seat {seat} uses {recorded}, which it does not hold", subject="events")


def find(frames: Frames) -> pl.DataFrame:
    """Return the departures of tiles that were not there."""
    absent = frames.possession.absent
    return frames.log.events[absent["row"]].select(
        *WHERE,
        recorded=absent["piece"].map_elements(pieces.name, return_dtype=pl.String),
        expected=pl.lit("a tile of the hand"),
    )

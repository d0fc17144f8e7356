"""Kita is made without a North of the hand.

What it reports: a kita of a tile that the seat does not hold at that moment, and a kita of a tile that is no North.
Why it is wrong: only a North of the own hand can be set aside.
Not reported: a kita at a wrong time (N102); any kita where the rules have none (N105); tiles that are in the round
twice (T101); hands that lack a draw or a discard (D101, D106, N103) or have a meld that is none (C103), because
they may hold any tile.
Source: engine/RULES.md 4.6; auditor/readers/mjlog/FORMAT.md 5.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(Severity.ERROR, "seat {seat} sets {recorded} aside; expected {expected}", subject=Frames.kitas)


def find(frames: Frames) -> pl.DataFrame:
    """Return kitas of tiles that the hand does not hold, or that are no North."""
    kitas = frames.kitas
    return reported(
        kitas,
        kitas["missing"] | kitas["no_north"],
        pl.col("allowed").fill_null(value=True),
        recorded=named_tile("tile_id"),
        expected=pl.lit("a North of the hand"),
    )

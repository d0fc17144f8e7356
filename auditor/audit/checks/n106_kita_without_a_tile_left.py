"""Kita is made though no tile is left to draw.

What it reports: a kita when the wall is empty.
Why it is wrong: every kita takes a replacement draw, which lowers the number of tiles left as any draw does.
Not reported: the replacement draw that follows the kita; any kita where the rules have none (N105). Rounds in which
turns are out of order are not checked, because the number of tiles left is unknown there.
Source: engine/RULES.md 4.6 (of 19 seats that held a North then, none set it aside; with one tile left 19 of 22 did).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.ERROR,
    "seat {seat} sets {recorded} aside with {expected} left to draw",
    subject=Frames.kitas,
    needs=("tiles_left",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kitas when the wall is empty."""
    kitas = frames.kitas
    return reported(
        kitas,
        kitas["tiles_left"] <= 0,
        pl.col("allowed").fill_null(value=True),
        recorded=named_tile("tile_id"),
        expected=pl.lit("no tile"),
    )

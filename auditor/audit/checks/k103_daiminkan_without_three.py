"""A daiminkan is made without three copies in the hand.

What it reports: a daiminkan by a seat whose hand does not hold the other three tiles of that kind.
Why it is wrong: a daiminkan adds the discard to three tiles of the hand.
Not reported: a chi or pon with tiles that the hand does not hold (T102); tiles that are in the round twice (T101).
Source: engine/RULES.md 2.1.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Record(
    Severity.ERROR,
    "seat {seat} makes a daiminkan without {recorded}; expected {expected}",
    subject=Frames.kans,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return daiminkans with a tile that the hand does not hold."""
    return reported(
        frames.kans.filter(pl.col("kind") == "daiminkan", pl.col("missing").is_not_null()),
        recorded=pl.col("missing").map_elements(_named, return_dtype=pl.String),
        expected=pl.lit("three copies in the hand"),
    )


def _named(missing: pl.Series) -> str:
    return tile_ids.names(missing.to_list())

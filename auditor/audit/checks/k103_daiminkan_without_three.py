"""A daiminkan is made without three copies in the hand.

What it reports: a daiminkan of a kind of which the caller does not hold the three others.
Why it is wrong: the discard is added to three tiles of the hand.
Not reported: chi and pon with tiles that are not there (T102); copies that are in the round twice (T101).
Source: engine/RULES.md 2.1.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "seat {seat} makes a daiminkan without {recorded}; expected {expected}",
    subject="kans",
)


def find(frames: Frames) -> pl.DataFrame:
    """Return daiminkans with a tile that was not there."""
    return reported(
        frames.kans.filter(pl.col("kind") == "daiminkan", pl.col("missing").is_not_null()),
        recorded=pl.col("missing").map_elements(_named, return_dtype=pl.String),
        expected=pl.lit("three copies in the hand"),
    )


def _named(missing: pl.Series) -> str:
    return tile_ids.names(missing.to_list())

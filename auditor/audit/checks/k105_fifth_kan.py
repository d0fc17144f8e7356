"""A fifth kan is made in a round.

What it reports: a kan when as many have been made as the rules allow, by all seats together.
Why it is wrong: the dead wall has four replacement tiles.
Source: engine/RULES.md 2.1, 2.2.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.RULE,
    "seat {seat} declares {recorded}, kan {expected}",
    subject="kans",
    obeys=("kan_max",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans beyond those that a round has."""
    return reported(
        frames.kans.filter(pl.col("nth") >= pl.col("most")),
        recorded=pl.format(
            "{} of {}",
            pl.col("kind").cast(pl.String),
            pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String),
        ),
        expected=pl.format("{} of the {} that a round has", pl.col("nth") + 1, "most"),
    )

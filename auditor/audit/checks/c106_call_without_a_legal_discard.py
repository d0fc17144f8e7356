"""A call leaves no legal discard.

What it reports: a chi or pon after which every tile of the hand would be kuikae: of the kind called, or at the other
end of the run.
Why it is wrong: a call must leave a discard that the rule allows, else it cannot be made.
Not reported: the discard that follows (D104, D105), since no other could. Hands that are not sound are not judged.
Source: engine/RULES.md 2.3, 5.7.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.RULE,
    "seat {seat} calls {recorded} and could then discard {expected}",
    subject="calls",
    needs=("stuck",),
    obeys=("kuikae_level",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return calls that cannot be followed."""
    tile = pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String)
    return reported(
        frames.calls.filter("stuck"),
        recorded=pl.format("{} of {}", pl.col("kind").cast(pl.String), tile),
        expected=pl.lit("nothing but kuikae"),
    )

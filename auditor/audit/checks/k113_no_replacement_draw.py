"""A kan is not followed by its replacement draw.

What it reports: a seat that goes on, by a discard or another kan, after a kan without having drawn, or wins by tsumo.
Why it is wrong: a kan takes a fourth tile for a set; without the draw the hand is a tile short.
Not reported: a replacement draw by another seat (D101). The hand is not judged any further: what it drew is unknown.
Source: engine/RULES.md 2.2; auditor/readers/mjlog/FORMAT.md 6.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_previous

CHECK = Check(Severity.ERROR, "{recorded} cannot follow {expected} without a draw", subject="kans")


def find(frames: Frames) -> pl.DataFrame:
    """Return actions that a draw should come before."""
    return reported(
        frames.misplaced.filter(pl.col("code") == "K113"),
        recorded=pl.when(pl.col("seat").is_null())
        .then(pl.lit("a tsumo"))
        .otherwise(pl.format("{} of seat {}", pl.col("kind").cast(pl.String), "seat")),
        expected=format_previous(),
    )

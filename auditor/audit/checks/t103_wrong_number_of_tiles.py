"""A hand has a wrong number of tiles.

What it reports: a hand that is not dealt 13 tiles, and a hand that still holds 14 at an exhaustive draw, because the
last discard of the round is missing.
Why it is wrong: a hand has 13 tiles between turns, each meld counted as three, a kita not at all.
Not reported: a draw or discard that is missing or recorded twice during play (D101, D106, K113, N103), which makes the
number of tiles wrong as well.
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import stacked
from auditor.replay.tile_counts import miscounted

CHECK = Record(Severity.ERROR, "seat {seat} has {recorded} tiles, expected {expected}", subject=Frames.rounds)

LISTED = 90
"""Letters of a list of tiles that the reader passes on; a longer one is cut."""


def find(frames: Frames) -> pl.DataFrame:
    """Return hands with too few or too many tiles."""
    dealt = frames.problems("T103")
    if len(dealt):
        number = pl.format("{}", pl.col("recorded").str.count_matches(",") + 1)
        dealt = dealt.select(
            *WHERE[:3],
            seat=pl.col("recorded").str.extract(r"hai(\d)").cast(pl.Int8),
            recorded=pl.when(pl.col("recorded").str.len_chars() > LISTED).then(pl.lit("over 20")).otherwise(number),
            expected=pl.lit("13"),
        )
    hands = miscounted(frames.log, frames.played, frames.trust)
    held = reported(hands, recorded=pl.col("held").cast(pl.String), expected=pl.col("due").cast(pl.String))
    return stacked(dealt, held)

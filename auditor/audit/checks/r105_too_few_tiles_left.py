"""Riichi is declared with too few tiles left for an own draw.

What it reports: declarations with fewer than four tiles left in the wall, at tables that ask for them.
Why it is wrong: nobody can win by a draw that does not come.
Not reported: rounds whose draws do not follow from each other (L004).
Source: engine/RULES.md 2.5, 4.2; some rules allow it.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.RULE,
    "seat {seat} declares riichi with {recorded} tiles left; {expected} are needed",
    subject=Frames.riichis,
    needs=("tiles_left", "next_draw"),
    subject_rules=("riichi_without_next_draw",),
)
NEEDED = 4


def find(frames: Frames) -> pl.DataFrame:
    """Return late declarations."""
    return reported(
        frames.riichis.filter(pl.col("next_draw") & (pl.col("tiles_left") < NEEDED)),
        recorded=pl.col("tiles_left"),
        expected=pl.lit(NEEDED),
    )

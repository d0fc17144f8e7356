"""A fifth kan is made in a round.

What it reports: a kan beyond the number that the rules allow in a round. The kans of all seats count together; a kita
is no kan.
Why it is wrong: the dead wall has four replacement tiles.
Source: engine/RULES.md 2.1, 2.2, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_call

CHECK = Record(
    Severity.RULE, "seat {seat} declares {recorded}, kan {expected}", subject=Frames.kans, tried_rules=("kan_max",)
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans beyond the number that the rules allow."""
    kans = frames.kans
    return reported(
        kans,
        kans["nth"] >= kans["most"],
        recorded=named_call(),
        expected=pl.format("{} of the {} that a round has", pl.col("nth") + 1, "most"),
    )

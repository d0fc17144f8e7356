"""Kita is made in a game without kita.

What it reports: every kita in a game of four players, and in a game whose rules do not let Norths be set aside.
Why it is wrong: there North is a tile like any other.
Not reported: whatever else is wrong with such a kita (N101, N102, N103, N106).
Source: engine/RULES.md 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.RULE,
    "seat {seat} sets {recorded} aside; the rules have {expected}",
    subject=Frames.kitas,
    needs=("allowed",),
    subject_rules=("kita",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kitas that the rules do not have."""
    kitas = frames.kitas
    return reported(kitas, ~kitas["allowed"], recorded=named_tile("tile_id"), expected=pl.lit("no kita"))

"""Riichi is declared twice by the same seat.

What it reports: every declaration of a seat after its first of the round.
Why it is wrong: a hand in riichi has nothing more to declare, and its stick is paid.
Not reported: anything else that would be wrong with the second declaration.
Source: engine/RULES.md 2.5.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(Severity.ERROR, "seat {seat} declares riichi {recorded}", subject=Frames.riichis)


def find(frames: Frames) -> pl.DataFrame:
    """Return declarations after the first."""
    riichis = frames.riichis
    return reported(
        riichis, riichis["nth"] > 1, recorded=pl.format("for the {}. time", "nth"), expected=pl.lit("once a round")
    )

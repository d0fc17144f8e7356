"""Riichi is declared when too few tiles are left for another draw of the seat.

What it reports: declarations with fewer tiles left in the wall than players, where the rules ask for a further draw.
Why it is wrong: without a further draw of its own the seat could not win by tsumo.
Not reported: rounds in which events are out of order (L004 and others), because the number of tiles left is unknown.
Source: engine/RULES.md 2.5, 4.2, 4.6 (three players: 4 of 54 hands declared with three tiles left, 0 of 134 with
fewer); some rules allow it.
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


def find(frames: Frames) -> pl.DataFrame:
    """Return late declarations."""
    riichis = frames.riichis
    late = riichis["tiles_left"] < riichis["players"]
    return reported(riichis, late, pl.col("next_draw"), recorded=pl.col("tiles_left"), expected=pl.col("players"))

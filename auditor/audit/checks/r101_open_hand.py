"""Riichi is declared with an open hand.

What it reports: declarations by a seat that has called a chi, pon or daiminkan before.
Why it is wrong: riichi is for closed hands. An ankan is the only meld that leaves a hand closed; a kita is no meld.
Source: engine/RULES.md 2.5, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(Severity.ERROR, "seat {seat} declares riichi with {recorded}", subject=Frames.riichis, needs=("open",))


def find(frames: Frames) -> pl.DataFrame:
    """Return declarations of open hands."""
    riichis = frames.riichis
    return reported(riichis, riichis["open"], recorded=pl.lit("an open hand"), expected=pl.lit("a closed hand"))

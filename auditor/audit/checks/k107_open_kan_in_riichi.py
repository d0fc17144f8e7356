"""A seat in riichi makes a daiminkan or a kakan.

What it reports: a daiminkan or kakan by a seat that has declared riichi.
Why it is wrong: riichi locks the hand. An ankan is the only kan that rules may allow.
Not reported: a chi or pon (C104); an ankan (K108 to K111).
Source: engine/RULES.md 2.1, 2.2.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_call

CHECK = Record(Severity.ERROR, "seat {seat} declares {recorded} in riichi; expected {expected}", subject=Frames.kans)


def find(frames: Frames) -> pl.DataFrame:
    """Return open kans of hands in riichi."""
    kans = frames.kans
    open_kan = pl.col("kind") != "ankan"
    return reported(kans, kans["in_riichi"], open_kan, recorded=named_call(), expected=pl.lit("no open kan"))

"""A seat in riichi calls chi or pon.

What it reports: a chi or pon by a seat that has declared riichi.
Why it is wrong: riichi locks the hand. Its seat may only win, or make an ankan where the rules allow that.
Not reported: a daiminkan or kakan (K107); an ankan (K108 to K111); calls that name the wrong seat or tile (C101, C102);
a chi where the rules have none (C107).
Source: engine/RULES.md 2.1.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_call

CHECK = Record(Severity.ERROR, "seat {seat} calls {recorded} in riichi; expected {expected}", subject=Frames.calls)


def find(frames: Frames) -> pl.DataFrame:
    """Return calls of hands in riichi."""
    calls = frames.calls
    return reported(
        calls,
        calls["in_riichi"],
        ~pl.col("not_last").fill_null(value=False),
        ~pl.col("not_left"),
        pl.col("allowed").fill_null(value=True),
        pl.col("kind") != "daiminkan",
        recorded=named_call(),
        expected=pl.lit("no call"),
    )

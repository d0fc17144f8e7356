"""Chi is called in a game without chi.

What it reports: every chi in a game of three players whose rules do not have it.
Why it is wrong: with three players a discard is mostly called for a pon or kan only.
Not reported: games of four players, which always have chi; whatever else is wrong with such a call (C101, C104, C105).
Source: engine/RULES.md 4.6; some houses play with chi.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_call

CHECK = Record(
    Severity.RULE,
    "seat {seat} calls {recorded}; the rules have {expected}",
    subject=Frames.calls,
    needs=("allowed",),
    subject_rules=("chi",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return chi that the rules do not have."""
    calls = frames.calls
    return reported(calls, ~calls["allowed"], recorded=named_call(), expected=pl.lit("no chi"))

"""A call leaves no legal discard.

What it reports: a chi or pon after which the rules forbid every discard as kuikae: each remaining tile of the hand is
of the kind called, or completes the same run at its other end.
Why it is wrong: a call that leaves no legal discard cannot be made.
Not reported: the discard after such a call (D104, D105), because the call is the fault; a chi where the rules have none
(C107). Hands in which a tile or a turn is wrong earlier in the round are not checked.
Source: engine/RULES.md 2.3, 5.7.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_call

CHECK = Record(
    Severity.RULE,
    "seat {seat} calls {recorded} and could then discard {expected}",
    subject=Frames.calls,
    needs=("stuck",),
    tried_rules=("kuikae_level",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return calls after which no discard is legal."""
    calls = frames.calls
    return reported(
        calls,
        calls["stuck"],
        pl.col("allowed").fill_null(value=True),
        recorded=named_call(),
        expected=pl.lit("nothing but kuikae"),
    )

"""A riichi stick is paid although the declaring discard was won, or not paid although it was not won.

What it reports: declarations with a recorded stick although a seat won the declaring discard, or three seats did and
the round was aborted; and declarations without a recorded stick although nobody won the discard, even if the result
counts that stick. A fourth riichi that aborts the round is paid. Whether a stick is paid depends on the rules if the
declaring discard causes an abort by four winds or four kans.
Why it is wrong: the stick is paid if nobody wins the declaring discard, and only then.
Not reported: how many sticks the winner takes (P104); logs that do not say when a stick is paid (電脳麻将).
Source: engine/RULES.md 2.5, 2.10, 4.2, 5.24; auditor/readers/mjlog/FORMAT.md 6.
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import stacked

CHECK = Record(
    Severity.ERROR,
    "riichi stick of seat {seat} {recorded}; should be {expected}",
    subject=Frames.riichis,
    needs=("paid", "due"),
    subject_rules=("abort_takes_riichi_stick",),
)

_PAID, _DUE = (pl.when(column).then(pl.lit("paid")).otherwise(pl.lit("not paid")) for column in ("paid", "due"))


def find(frames: Frames) -> pl.DataFrame:
    """Return sticks paid in vain, and those not paid."""
    riichis = frames.riichis
    told = frames.problems("R107")[[*WHERE, "recorded", "expected"]]
    wrong = reported(riichis, riichis["paid"] != riichis["due"], recorded=_PAID, expected=_DUE)
    return stacked(told, wrong)

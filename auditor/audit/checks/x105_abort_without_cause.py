"""The round is aborted without the condition of that abort.

What it reports: an abort without its condition. Nine orphans: the hand holds fewer kinds, it is not the seat's first
draw, or there was a call before. Four winds: the first four discards of the round are not of one wind, there was a
call, or play went on after them. Four riichi: fewer seats have declared, or play went on after the discard of the
fourth. Four kans: there are fewer, or one seat made them all. Three calls of ron: the tile does not complete all three
hands, or one of them may not win (furiten, no yaku).
Why it is wrong: without its condition the round goes on.
Not reported: aborts that the rules do not have (X104); rounds in which a hand or the order of play is wrong earlier.
Source: engine/RULES.md 2.8, 2.10.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_reason

CHECK = Record(
    Severity.ERROR,
    "aborted by {recorded}, of which the condition is not there",
    subject=Frames.aborted,
    needs=("met",),
    subject_rules=("min_han",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return aborts without their condition."""
    aborts = frames.aborted
    return reported(
        aborts,
        ~aborts["met"],
        pl.col("allowed").fill_null(value=True),
        recorded=format_reason("reason"),
        expected=pl.lit("its condition"),
    )

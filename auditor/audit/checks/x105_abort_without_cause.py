"""The round is aborted without the condition of that abort.

What it reports: an abort without its condition. Nine orphans: the hand holds fewer kinds, it is not the seat's first
draw, or there was a call before (or a kita, if the rules count it so). Four winds: the first four discards of the round
are not of one wind, there was a call, or play went on after them. Four riichi: fewer seats have declared (with three
players, than all three), or play went on after the discard of the last. Four kans: there are fewer, or one seat made
them all; a kita is no kan. Three calls of ron: the tile does not complete all three hands, or one of them may not win
(furiten, no yaku); with three players only two can call.
Why it is wrong: without its condition the round goes on.
Not reported: aborts that the rules do not have (X104); an abort by winds with three players, if the rules have one,
because no source says what it asks for; rounds in which a hand or the order of play is wrong earlier.
Source: engine/RULES.md 2.8, 2.10, 4.6.
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
    subject_rules=("min_han", "kita_interrupts"),
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

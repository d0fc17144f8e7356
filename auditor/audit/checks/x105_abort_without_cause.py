"""The round is aborted without the condition of that abort.

What it reports: nine orphans where fewer kinds are held, it is not the seat's first draw, or something was called;
four winds that are not the first four discards, of one wind, nothing called; four riichi of fewer seats, or later
than the fourth's discard; four kans that are fewer, or all of one seat; three calls of ron on a tile that does not
complete all three hands, or that one of them may not win (furiten, no yaku).
Not reported: aborts that the rules do not have (X104); rounds in which a hand or the order of play went wrong before.
Source: engine/RULES.md 2.8, 2.10.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_reason

CHECK = Check(
    Severity.ERROR,
    "aborted by {recorded}, of which the condition is not there",
    subject="aborted",
    needs=("met",),
    heeds=("min_han",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return aborts without cause."""
    return reported(
        frames.aborted.filter(~pl.col("met"), pl.col("allowed").fill_null(value=True)),
        recorded=format_reason("reason"),
        expected=pl.lit("its condition"),
    )

"""The round is aborted for a reason that the rules do not have.

What it reports: nine orphans, four winds, four riichi, four kans or three calls of ron that end a round although the
rules do not have that abort.
Why it is wrong: without that rule the round goes on, or the tile is won. With three players most rules have only nine
orphans and four kans.
Not reported: an abort whose condition was not met (X105).
Source: engine/RULES.md 1 (途中流局あり), 1.2, 2.8, 2.10, 4.2, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_reason

CHECK = Record(
    Severity.RULE,
    "aborted by {recorded}, which the rules do not have",
    subject=Frames.aborted,
    needs=("allowed",),
    subject_rules=(
        "abortive_kyuushu",
        "abortive_four_winds",
        "abortive_four_riichi",
        "abortive_four_kans",
        "abortive_triple_ron",
        "abortive_triple_ron_on_kan",
    ),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return aborts that the rules do not have."""
    aborts = frames.aborted
    return reported(aborts, ~aborts["allowed"], recorded=format_reason("reason"), expected=pl.lit("no such abort"))

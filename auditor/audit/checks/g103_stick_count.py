"""A round begins with another number of riichi sticks than the last result leaves on the table.

What it reports: a round's start whose sticks are not those of the round before with the ones paid in it, or none after
a win.
Why it is wrong: a stick is worth 1,000 points, and none comes or goes between rounds.
Not reported: sticks that the round's own result counts or pays otherwise (P104), and sticks not paid or paid unduly
(R107); if only the start is wrong, the payments are measured by the sticks that follow.
Source: engine/RULES.md 2.8, 2.10.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.ERROR,
    "the round begins with {recorded} riichi sticks, the last result leaves {expected}",
    subject=Frames.succession,
    needs=("expected_sticks",),
    tried_rules=("nagashi_as_win",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the rounds with other sticks."""
    wrong = frames.succession.filter(~pl.col("sticks_fits"))
    return reported(wrong, recorded=pl.col("sticks"), expected=pl.col("expected_sticks"))

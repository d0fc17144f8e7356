"""A round does not begin with the number of riichi sticks that the last result leaves on the table.

What it reports: the start of a round whose sticks do not follow from the round before. After a win there should be
none; after a draw there should be those from the start of that round and those paid in it.
Why it is wrong: a stick is worth 1,000 points, and none appears or vanishes between rounds.
Not reported: sticks that the round's own result names or pays wrongly (P104); sticks that were not paid, or paid though
they should not have been (R107). If only the start of a round is wrong, its payments are compared with the right number
of sticks.
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
    rounds = frames.succession
    return reported(rounds, ~rounds["sticks_fits"], recorded=pl.col("sticks"), expected=pl.col("expected_sticks"))

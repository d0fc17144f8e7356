"""A round does not begin with the number of honba that the last result leaves.

What it reports: the start of a round whose honba do not follow from the result before. After a draw or a win of the
dealer there should be one more than before, after any other win none.
Why it is wrong: each honba is worth 300 points to the next winner, with three players 200.
Not reported: honba that the round's own result names or pays wrongly (P103). If only the start of a round is wrong, its
payments are compared with the right number of honba.
Source: engine/RULES.md 2.10.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.RULE,
    "the round begins with {recorded} honba, the last result leaves {expected}",
    subject=Frames.succession,
    needs=("expected_honba",),
    tried_rules=("renchan_mode", "nagashi_renchan", "nagashi_as_win"),
    subject_rules=("game_length",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the rounds with other honba."""
    rounds = frames.succession
    return reported(rounds, ~rounds["honba_fits"], recorded=pl.col("honba"), expected=pl.col("expected_honba"))

"""The final scores do not follow from the last round.

What it reports: final scores that differ from the scores after the last result. Riichi sticks that nobody won go to
first place, or to nobody, as the rules say.
Why it is wrong: ranks and final points are computed from the final scores.
Not reported: final scores that follow from the payments that the last result should have had, if its own were wrong
(P101 to P107 report that); games whose scores after the last result are unknown.
Source: engine/RULES.md 1.2, 2.12, 4.2; auditor/readers/mjlog/FORMAT.md 8.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.RULE,
    "final scores recorded {recorded}, the last round leaves {expected}",
    subject=Frames.final_scores,
    needs=("expected_scores",),
    tried_rules=("leftover_riichi_sticks", "riichi_stick_value"),
    subject_rules=("nagashi_as_win", "honba_value"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the games with other final scores."""
    games = frames.final_scores
    return reported(
        games,
        ~games["scores_fit"],
        pl.col("expected_scores").is_not_null(),
        recorded=format_points("final_scores"),
        expected=format_points("expected_scores"),
    )

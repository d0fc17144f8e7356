"""The final scores are not those that the last round leaves.

What it reports: final scores that are not the last result's, with the riichi sticks that nobody won added to first
place (or left aside, as the rules have it).
Why it is wrong: ranks and final points are reckoned from them.
Not reported: where the last result itself moves something else than it should, the final scores that would follow
from the right changes (P101 to P107 name that); a last result whose scores cannot be known.
Source: engine/RULES.md 1.2, 2.12, 4.2; auditor/readers/mjlog/FORMAT.md 8.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Check(
    Severity.RULE,
    "final scores recorded {recorded}, the last round leaves {expected}",
    subject="final_scores",
    needs=("expected_scores",),
    obeys=("leftover_riichi_sticks", "riichi_stick_value"),
    heeds=("nagashi_as_win", "honba_value"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the games with other final scores."""
    wrong = frames.final_scores.filter(pl.col("expected_scores").is_not_null(), ~pl.col("scores_fit"))
    return reported(wrong, recorded=format_points("final_scores"), expected=format_points("expected_scores"))

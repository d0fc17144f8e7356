"""Scores do not carry over from one place of the log to the next.

What it reports: scores stated at a round's start, at a riichi stick or at a result that differ from the scores stated
last plus the changes recorded since.
Why it is wrong: scores change only by results and riichi sticks.
Not reported: scores that would follow if the changes of the last result were right (P101 to P104 report the result).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.ERROR,
    "scores recorded {recorded}, carried over {expected}",
    subject=Frames.scores,
    needs=("expected",),
    tried_rules=("riichi_stick_value",),
    subject_rules=("honba_value", "noten_payment", "nagashi_mangan", "tsumo_loss", "missing_share"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the places whose scores do not follow from the place before."""
    places = frames.scores
    return reported(places, ~places["carries"], recorded=format_points("recorded"), expected=format_points("expected"))

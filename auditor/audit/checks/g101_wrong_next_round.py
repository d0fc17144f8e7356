"""The round or its dealer does not follow from the result before it.

What it reports: a round whose wind or dealer does not follow from the result before it. A round is accepted if it
follows from the recorded round before it, or from all results since the start of the game. The same dealer stays after
an abort. Depending on the rules, the dealer also stays after a win of the dealer, after a draw at which the dealer is
tenpai, or after any draw. Otherwise the next seat deals, and after the last seat, the third or the fourth by the number
of players, the next wind begins.
Why it is wrong: seat winds, the dealer's payments and the end of the game depend on it.
Not reported: the first round of a log, since some logs begin in the middle of a game; a round after one without a
result (L002); a round after a draw whose payments contradict the hands shown there (X102, X103, P106), or after a
nagashi mangan at which the dealer is shown as tenpai or noten, and is not (X102, X103).
Source: engine/RULES.md 1 (連荘方式), 2.10, 4.6, 5.27.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_place

CHECK = Record(
    Severity.RULE,
    "round recorded as {recorded}; {expected} follows",
    subject=Frames.succession,
    needs=("expected_dealer",),
    tried_rules=("renchan_mode", "nagashi_renchan"),
    subject_rules=("game_length",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the rounds that do not follow."""
    rounds = frames.succession
    return reported(
        rounds,
        ~rounds["order_fits"],
        recorded=format_place("wind", "dealer"),
        expected=format_place("expected_wind", "expected_dealer"),
    )

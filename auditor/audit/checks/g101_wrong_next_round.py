"""The round or its dealer is not the one that follows.

What it reports: a round whose wind or dealer does not follow from the result before it, reckoned from the round before
as recorded or from all results since the game's start. The same dealer stays after an abortive draw and, as the rules
have it, after a win, a tenpai draw or any draw; else the next seat deals, and after the last one the next wind begins.
Why it is wrong: everything hangs on it, seat winds, dealer's payments, the end of the game.
Not reported: the first round of a log (some begin in the middle), a round after one without a result (L002), and one
after a draw whose payments contradict the hands shown there (X102, X103, P106).
Source: engine/RULES.md 1 (連荘方式), 2.10, 5.27.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_place

CHECK = Check(
    Severity.RULE,
    "round recorded as {recorded}; {expected} follows",
    subject="succession",
    needs=("expected_dealer",),
    obeys=("renchan_mode", "nagashi_renchan"),
    heeds=("game_length",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the rounds that do not follow."""
    wrong = frames.succession.filter(~pl.col("order_fits"))
    return reported(
        wrong, recorded=format_place("wind", "dealer"), expected=format_place("expected_wind", "expected_dealer")
    )

"""The game ended too early.

What it reports: a game that the log says is over though it is not: no seat is bust, and scheduled rounds are left, or
nobody has the points that end an extension, or the dealer repeats without leading.
Why it is wrong: ranks and final points depend on when the game ends. With three players a wind has three rounds; all
else is the same.
Not reported: a log that does not say that the game is over (L002); games in which the dealer may choose to stop, or
whose rules do not say whether that is so; a dealer who leads and repeats in the very last round of an extension without
the points to stop, because sources differ on that; games whose log states different scores at two places, if only one
of them ends the game (P101 to P107).
Source: engine/RULES.md 2.12, 4.2, 4.6, 5.28, 5.29.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_place, format_round

CHECK = Record(
    Severity.RULE,
    "the game ends after {recorded}; {expected} is still to be played",
    subject=Frames.game_ends,
    needs=("may_end",),
    tried_rules=(
        "game_length",
        "extension_mode",
        "target_points",
        "renchan_mode",
        "min_rounds",
        "max_rounds",
        "score_ceiling",
    ),
    subject_rules=("bust_threshold", "agari_yame", "tenpai_yame"),
)
_AGAIN = (pl.col("following_wind") == pl.col("wind")) & (pl.col("following_dealer") == pl.col("dealer"))
_FOLLOWING = format_place("following_wind", "following_dealer")
_EXPECTED = pl.when(_AGAIN).then(pl.format("{} once more", _FOLLOWING)).otherwise(_FOLLOWING)


def find(frames: Frames) -> pl.DataFrame:
    """Return the last round of each game that is not over."""
    rounds = frames.game_ends
    return reported(rounds, ~rounds["goes_on"] & ~rounds["may_end"], recorded=format_round(), expected=_EXPECTED)

"""The game ended too early.

What it reports: a game that the log says is over, after a result by which it is not: scheduled rounds are left, or
nobody has the points that end an extension, or the dealer repeats without leading, and no seat is bust.
Why it is wrong: ranks and final points would have been others.
Not reported: a log that does not say that the game is over (L002); games in which the dealer may choose to stop, or the
rules do not say whether that is so; a dealer who leads and repeats in the very last round of an extension without the
points to stop, on which sources differ; scores that the log states differently at two places of which one ends the
game (P101 to P107).
Source: engine/RULES.md 2.12, 4.2, 5.28, 5.29.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_place, format_round

CHECK = Check(
    Severity.RULE,
    "the game ends after {recorded}; {expected} is still to be played",
    subject="game_ends",
    needs=("may_end",),
    obeys=(
        "game_length",
        "extension_mode",
        "target_points",
        "renchan_mode",
        "min_rounds",
        "max_rounds",
        "score_ceiling",
    ),
    heeds=("bust_threshold", "agari_yame", "tenpai_yame"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the last round of each game that is not over."""
    early = frames.game_ends.filter(~pl.col("goes_on"), ~pl.col("may_end"))
    again = (pl.col("following_wind") == pl.col("wind")) & (pl.col("following_dealer") == pl.col("dealer"))
    following = format_place("following_wind", "following_dealer")
    return reported(
        early,
        recorded=format_round(),
        expected=pl.when(again).then(pl.format("{} once more", following)).otherwise(following),
    )

"""The game went on after its end.

What it reports: the first round that was played after the game was over. A game is over when a seat is bust; when the
last scheduled round is over and a seat has enough points, or there is no extension; when the last round of the
extension is over; when a limit of points or rounds of the table is reached; and when the leading dealer stops in the
last round, if the rules make that automatic.
Why it is wrong: ranks and final points depend on when the game ends. With three players a wind has three rounds; all
else is the same.
Not reported: games in which the dealer may choose to stop, or whose rules do not say whether that is so; a dealer who
leads and repeats in the very last round of an extension without the points to stop, because sources differ on that;
games whose log states different scores at two places, if only one of them ends the game (P101 to P107).
Source: engine/RULES.md 2.12, 4.2, 4.6, 5.28, 5.29.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_round
from auditor.scoring.game_end import NOT_OVER, WHY

CHECK = Record(
    Severity.RULE,
    "the game goes on with {recorded}, but was over before: {expected}",
    subject=Frames.game_ends,
    needs=("why",),
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


def find(frames: Frames) -> pl.DataFrame:
    """Return the first round of each game that comes too late."""
    rounds = frames.game_ends.hstack([frames.game_ends["why"].shift().alias("before")])
    late = (rounds["before"] != WHY.categories[NOT_OVER]) & (rounds["nth"] > 0)
    first = pl.col("game").is_first_distinct()
    return reported(rounds, late, first, recorded=format_round(), expected=pl.col("before"))

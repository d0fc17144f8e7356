"""The game went on after its end.

What it reports: the first round that was played after a result by which the game was over: a seat is bust, the last
scheduled round is over and somebody has enough points (or there is no extension), the last round of the extension is
over, a lobby's limit of points or rounds is reached, or the leading dealer stops in the last round where the rules make
that so.
Why it is wrong: ranks and final points would have been others.
Not reported: games in which the dealer may choose to stop, or the rules do not say whether that is so; a dealer who
leads and repeats in the very last round of an extension without the points to stop, on which sources differ; scores
that the log states differently at two places of which only one ends the game (P101 to P107).
Source: engine/RULES.md 2.12, 4.2, 5.28, 5.29.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_round

CHECK = Check(
    Severity.RULE,
    "the game goes on with {recorded}, but was over before: {expected}",
    subject="game_ends",
    needs=("why",),
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
    """Return the first round of each game that comes too late."""
    rounds = frames.game_ends.with_columns(before=pl.col("why").shift(1))
    late = (pl.col("nth") > 0) & (pl.col("before").to_physical() > 0)
    first = rounds.filter(late).unique("game", keep="first", maintain_order=True)
    return reported(first, recorded=format_round(), expected=pl.col("before"))

"""The same game is there twice in one run.

What it reports: every further copy of a game: the same text but for white space, in another file, packed otherwise, or
in another place of the same file.
Why it matters: statistics count such games twice.
Not reported: a game that was recorded twice in different words (anonymised, converted, cut). Copies are found within a
batch by this check, and across the batches of a run when it ends: the finding is then no part of any batch.
"""

import polars as pl

from auditor.audit.check import Check, Severity
from auditor.audit.frames import Frames
from auditor.log.words import format_source

CHECK = Check(Severity.NOTE, "the same game as {expected}", subject="games")


def find(frames: Frames) -> pl.DataFrame:
    """Return the games of a batch that were there before."""
    games = frames.games
    return (
        games.filter(pl.col("game_id").is_duplicated())
        .with_columns(recorded=format_source(), expected=format_source().first().over("game_id"))
        .filter(~pl.col("game_id").is_first_distinct())
        .select("game", "recorded", "expected")
    )

"""The log is cut: a round without a result, or a game without an end.

What it reports: a file that ends within a tag, a file whose compressed stream breaks off, a round that is followed by
another round or by the end of the log before any result, a game whose last result does not say that it is the last, and
a log that is not closed. Each cut is reported once, at the nearest place.
Why it matters: the missing part was not audited, and statistics count a cut game wrongly.
Not reported: rounds whose rest is not read because a part in their middle is lost (L003).
"""

import polars as pl

from auditor.audit.check import Record, Severity
from auditor.audit.frames import Frames
from auditor.replay.trust import Doubt

CHECK = Record(Severity.ERROR, "the log is cut after {recorded}: missing {expected}")


def find(frames: Frames) -> pl.DataFrame:
    """Return each cut."""
    log = frames.log
    seen = frames.problems("L002")[["game", "round", "event", "pos", "recorded", "expected"]]
    without_result = len(log.rounds) - log.claims["round"].n_unique()
    without_end = log.games["ended"].is_null() & log.games["states_end"]
    if not (len(seen) or without_result or frames.sources["cut"].any() or without_end.any()):
        return seen
    games = log.games.join(frames.problems("L007"), on="game", how="anti", maintain_order="left")
    of_game = {"round": pl.lit(None, pl.UInt32), "event": pl.col("last_event"), "pos": pl.col("last_pos")}
    streams = (
        frames.sources.filter("cut")
        .join(games, on="source")
        .join(seen, on="game", how="anti", maintain_order="left")
        .select("game", **of_game, recorded="reason", expected=pl.lit("the rest of the compressed file"))
    )
    cut = pl.concat([seen, streams])
    open_rounds = (
        log.rounds.with_columns(final=pl.col("round") == pl.col("round").max().over("game"))
        .join(log.claims, on="round", how="anti", maintain_order="left")
        .filter(~(pl.col("final") & pl.col("game").is_in(cut["game"].implode())))
    )
    cut_short = frames.trust_as_read.rounds.rows_with(Doubt.REST_NOT_READ)
    rounds = open_rounds.filter(~pl.col("round").is_in(cut_short.implode())).select(
        "game", "round", "event", "pos", recorded=pl.lit("the start of the round"), expected=pl.lit("its result")
    )
    unread = log.problems.filter(pl.col("rest").fill_null(value=False), pl.col("round").is_null())
    others = (unread, frames.problems("L001"), cut, open_rounds.filter("final"))
    told = pl.concat([frame["game"] for frame in others])
    ends = games.filter(pl.col("ended").is_null(), pl.col("states_end"), ~pl.col("game").is_in(told.implode())).select(
        "game",
        **of_game,
        recorded=pl.lit("its last round"),
        expected=pl.lit("the end of the game with final scores"),
    )
    return pl.concat([cut, rounds, ends])

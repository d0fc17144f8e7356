"""A tile is drawn though none is left.

What it reports: the 71st draw of a round, replacement draws counted: 136 tiles less 52 dealt and a dead wall of 14.
Why it is wrong: the dead wall is filled up from the end of the wall, so that a kan takes a draw from the others.
Not reported: the replacement draw of a kan that nobody could make any more (K104, C105); rounds in which turns are
out of order (D101 and others); a draw that is recorded too early (X101).
Source: engine/RULES.md 2.2, 2.10; auditor/readers/mjlog/FORMAT.md 6 (1,983 of 1,983 rounds).
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(Severity.ERROR, "seat {seat} draws {recorded}; expected {expected}", subject=Frames.turns)


def find(frames: Frames) -> pl.DataFrame:
    """Return the first draw of each round that the wall has not."""
    # The tiles left are counted before the call or kan, which could not be made any more.
    impossible = pl.concat([frame.filter(pl.col("tiles_left") <= 0)["round"] for frame in (frames.kans, frames.calls)])
    misplaced = frames.misplaced["round"]
    return (
        frames.turns.filter(pl.col("tiles_left") < 0, pl.col("kind") == "draw")
        .unique("round", keep="first", maintain_order=True)
        .filter(~pl.col("round").is_in(pl.concat([impossible, misplaced]).implode()))
        .select(
            *WHERE,
            recorded=pl.format("tile {} beyond the last", -pl.col("tiles_left")),
            expected=pl.lit("the round's end"),
        )
    )

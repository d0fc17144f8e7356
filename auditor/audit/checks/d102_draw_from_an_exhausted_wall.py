"""A tile is drawn though none is left.

What it reports: the 71st draw of a round, replacement draws included. The wall has 136 tiles; 52 are dealt, and 14 stay
in the dead wall. With three players it is the 56th: of 108 tiles 39 are dealt.
Why it is wrong: no tile is left to draw. A replacement tile counts as one of them, because the dead wall is filled up
again from the end of the live wall.
Not reported: the replacement draw of a kan or kita that could not be made any more (K104, C105, N106); rounds in which
turns are out of order (D101 and others); a round that is drawn before its last tile (X101).
Source: engine/RULES.md 2.2, 2.10, 4.6; auditor/readers/mjlog/FORMAT.md 6 (1,983 of 1,983 rounds, 297 of 297).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import rows_where

CHECK = Record(Severity.ERROR, "seat {seat} draws {recorded}; expected {expected}", subject=Frames.turns)


def find(frames: Frames) -> pl.DataFrame:
    """Return the first draw of each round after the last tile."""
    turns = frames.turns
    beyond = rows_where(turns, turns["tiles_left"] < 0)
    if beyond.is_empty():
        return beyond
    # After an impossible call or kan the draw is no fault of its own. tiles_left is counted before the call or kan.
    impossible = pl.concat(
        [frame.filter(pl.col("tiles_left") <= 0)["round"] for frame in (frames.kans, frames.calls, frames.kitas)]
    )
    explained = pl.concat([impossible, frames.misplaced["round"]])
    first = beyond.filter(pl.col("kind") == "draw").unique("round", keep="first", maintain_order=True)
    return reported(
        first.filter(~pl.col("round").is_in(explained.implode())),
        recorded=pl.format("tile {} beyond the last", -pl.col("tiles_left")),
        expected=pl.lit("the round's end"),
    )

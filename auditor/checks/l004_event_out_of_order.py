"""An event stands where it cannot be.

What it reports: play before the first deal or after a result, a draw that is not the next seat's, a second
draw without a discard, a discard by a seat whose turn it is not, a call of no discard.
Why it is wrong: turns pass to the right; every draw or call is followed by one discard of the same seat, or by
a kan and its replacement draw. Only a call changes whose turn it is.
Not reported: where an indicator is turned (K112); whether the tiles fit (T102, C103).
"""

import polars as pl

from auditor.check import WHERE, Check, Severity
from auditor.frames import Frames

CHECK = Check(Severity.ERROR, "{recorded} cannot follow {expected}", subject="events")


def find(frames: Frames) -> pl.DataFrame:
    """Return events that their predecessor does not allow."""
    early = frames.log.problems.filter(pl.col("code") == "L004").select(
        "game", *WHERE[:3], "recorded", expected=pl.lit("the start of a file: INIT comes first")
    )
    wrong = frames.misplaced.select(
        *WHERE,
        recorded=_told("kind", "seat"),
        expected=pl.coalesce(_told("previous", "previous_seat"), pl.lit("the deal")),
    ).join(frames.log.rounds.select("round", "game"), on="round")
    return pl.concat([early, wrong], how="diagonal")


def _told(kind: str, seat: str) -> pl.Expr:
    return pl.format("{}{}", pl.col(kind), pl.format(" of seat {}", seat).fill_null(""))

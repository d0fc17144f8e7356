"""An event stands where it cannot be.

What it reports: play before the first deal or after a result, a result right after a chi, pon or daiminkan, and a kan
by a seat that has not drawn.
Why it is wrong: turns pass to the right; every draw or call is followed by one discard of the same seat, or by
a kan and its replacement draw.
Not reported: what has a name of its own: draws out of turn (D101), discards without a draw (D106), calls of no discard
(C102), kans after a call (K106) or without their replacement draw (K113); where an indicator is turned (K112).
"""

import polars as pl

from auditor.check import WHERE, Check, Severity
from auditor.frames import Frames
from auditor.words import told_previous

CHECK = Check(Severity.ERROR, "{recorded} cannot follow {expected}", subject="events")


def find(frames: Frames) -> pl.DataFrame:
    """Return events that their predecessor does not allow."""
    early = frames.log.problems.filter(pl.col("code") == "L004").select(
        "game", *WHERE[:3], "recorded", expected=pl.lit("the start of a file: INIT comes first")
    )
    actor = pl.format(" of seat {}", "seat").fill_null("")
    wrong = frames.misplaced.filter(pl.col("code") == "L004").select(
        *WHERE, recorded=pl.format("{}{}", pl.col("kind").cast(pl.String), actor), expected=told_previous()
    )
    return pl.concat([early, wrong.join(frames.log.rounds.select("round", "game"), on="round")], how="diagonal")

"""An event stands where it cannot be.

What it reports: play before the first deal or after a result, play of a round whose deal is missing, a result right
after a chi, pon or daiminkan, before the last tile or in the next round, a kan by a seat that has not drawn, a riichi
that is not between draw and discard, a stick that is not behind that discard, or of a seat that declared none; and what
is told again: a deal, a round, a call, a stick, a result, a tag of the header.
Why it is wrong: turns pass to the right; every draw or call is followed by one discard of the same seat, or by
a kan and its replacement draw. Where only one reading is left, the rest is audited by that.
Not reported: what has a name of its own: draws out of turn (D101), discards without a draw (D106), calls of no discard
(C102), kans after a call (K106) or without their replacement draw (K113); where an indicator is turned (K112).
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log.words import format_previous

CHECK = Check(Severity.ERROR, "{recorded} cannot follow {expected}", subject="events")


def find(frames: Frames) -> pl.DataFrame:
    """Return events that their predecessor does not allow."""
    jumbled = pl.Series(frames.turn_order.jumbled).arg_true()
    early = frames.log.problems.filter(
        pl.col("code") == "L004", ~pl.col("round").is_in(jumbled.implode()).fill_null(value=False)
    ).select("game", *WHERE, "recorded", "expected")
    actor = pl.format(" of seat {}", "seat").fill_null("")
    wrong = frames.misplaced.filter(pl.col("code") == "L004").select(
        *WHERE, recorded=pl.format("{}{}", pl.col("kind").cast(pl.String), actor), expected=format_previous()
    )
    return pl.concat([early, wrong.join(frames.log.rounds.select("round", "game"), on="round")], how="diagonal")

"""An event is at an impossible place.

What it reports: play before the first deal or after a result; play of a round whose deal is missing; a result right
after a chi, pon or daiminkan, before the last tile is drawn, or in the next round; a kan by a seat that has not drawn;
a riichi that is not between draw and discard; a riichi stick that is not after that discard, or is paid by a seat that
has not declared; and anything recorded a second time: a deal, a round, a call, a stick, a result, a tag of the header.
Why it is wrong: turns pass to the right. Every draw or call is followed by a discard of the same seat, or by a kan or
kita and its replacement draw. If only one order of the events is possible, the rest is audited in that order.
Not reported: draws out of turn (D101), kitas at a wrong time (N102) or without their replacement draw (N103), discards
without a draw (D106), calls of another tile than the last discard (C102), kans after a call (K106) or without their
replacement draw (K113), indicators turned at the wrong time (K112).
"""

import polars as pl

from auditor.audit.check import WHERE, Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import stacked
from auditor.log.words import format_previous
from auditor.replay.trust import Doubt

CHECK = Record(Severity.ERROR, "{recorded} cannot follow {expected}", subject=Frames.events)


def find(frames: Frames) -> pl.DataFrame:
    """Return events that their predecessor does not allow."""
    misplaced, early = frames.misplaced, frames.problems("L004")
    actor = pl.format(" of seat {}", "seat").fill_null("")
    wrong = reported(
        misplaced,
        misplaced["code"] == "L004",
        recorded=pl.format("{}{}", pl.col("kind").cast(pl.String), actor),
        expected=format_previous(),
    )
    if len(wrong):
        wrong = wrong.join(frames.log.rounds.select("round", "game"), on="round")
    if len(early):
        no_order = frames.turn_order.trust.rounds.rows_with(Doubt.NO_ORDER)
        early = early.filter(~pl.col("round").is_in(no_order.implode()).fill_null(value=False)).select(
            "game", *WHERE, "recorded", "expected"
        )
    return stacked(early, wrong)

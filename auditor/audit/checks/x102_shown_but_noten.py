"""A hand is shown as tenpai at a draw, but is noten.

What it reports: hands shown as tenpai at an exhaustive draw although no tile completes them. Whether a kind counts as a
wait if the hand holds all four of its tiles depends on the rules.
Why it is wrong: noten seats pay tenpai seats, and a tenpai dealer may deal again.
Not reported: shown hands that differ from the hands as played (T105); hands in which a tile is wrong earlier in the
round (T101, T102, T103, C103); payments that follow from the hands shown.
Source: engine/RULES.md 2.10, 3.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.RULE,
    "seat {seat} is recorded as {recorded}; the hand is {expected}",
    subject=Frames.hands_at_draw,
    needs=("tenpai",),
    tried_rules=("fifth_tile_wait",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return noten hands shown as tenpai."""
    hands = frames.hands_at_draw
    return reported(hands, hands["shown"] & ~hands["tenpai"], recorded=pl.lit("tenpai"), expected=pl.lit("noten"))

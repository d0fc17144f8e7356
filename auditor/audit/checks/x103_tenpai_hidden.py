"""A tenpai hand is recorded as noten at a draw.

What it reports: hands that are not shown at an exhaustive draw although a tile completes them. If the rules let seats
choose, only a hand in riichi must be shown. If noten seats pay nothing, only a dealer who deals again by being tenpai
must show its hand.
Why it is wrong: noten seats pay tenpai seats, and a tenpai dealer may deal again.
Not reported: hands in which a tile is wrong earlier in the round (T101, T102, T103, C103); payments that follow from
the hands shown.
Source: engine/RULES.md 1 (ノーテン宣言あり, ノーテン罰あり), 2.10, 3.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.RULE,
    "seat {seat} is recorded as {recorded}; the hand is {expected}",
    subject=Frames.hands_at_draw,
    needs=("tenpai", "must_show"),
    tried_rules=("fifth_tile_wait",),
    subject_rules=("noten_payment", "tenpai_declaration_optional", "renchan_mode"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return tenpai hands that had to be shown and were not."""
    hands = frames.hands_at_draw
    hidden = ~hands["shown"] & hands["tenpai"] & hands["must_show"]
    return reported(hands, hidden, recorded=pl.lit("noten"), expected=pl.lit("tenpai"))

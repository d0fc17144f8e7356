"""A ron is won by a hand that is furiten.

What it reports: rons of a hand that waits for a tile it discarded itself (called away or not), that let one of its
tiles pass since its last discard, or let one pass in riichi. A tile counts that would have completed the hand, even
without a yaku, and so does one added to a kan. What ends the second kind is a rule.
Why it is wrong: a furiten hand wins by its own draw only.
Not reported: hands that went wrong before (T101, T102, T103), tiles that are not the last (W109) or complete nothing
(W101); an ankan that thirteen orphans let pass.
Source: engine/RULES.md 2.7, 5.25.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_kinds

CHECK = Check(
    Severity.ERROR,
    "seat {seat} wins by ron though furiten: {recorded}; {expected}",
    subject="rons",
    needs=("furiten",),
    heeds=("temporary_furiten_end", "fifth_tile_wait"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return rons of furiten hands."""
    return reported(
        frames.rons.filter(pl.col("furiten") != 0),
        recorded=pl.format("{} {}", pl.col("cause").cast(pl.String), format_kinds("furiten")),
        expected=pl.format("no ron on {}", format_kinds("waits")),
    )

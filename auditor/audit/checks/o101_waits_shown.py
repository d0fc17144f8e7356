"""The waits that a player is shown are not those of the hand.

What it reports: discards after which the log states other waits for the seat than its hand has, with none stated for a
hand that is tenpai; hands at the end of a wall that are shown with other waits.
Why it is wrong: the platform computes them from the same hand, so either the waits or the hand were altered.
Not reported: logs that state no waits; rounds in which a hand cannot be followed or a tile contradicts the stated wall.
Source: auditor/readers/mahjong_soul/FORMAT.md 4.1.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.shown_frames import waits_shown
from auditor.log.words import format_kinds

CHECK = Record(
    Severity.ERROR,
    "seat {seat} is shown the waits {recorded}; its hand waits for {expected}",
    subject=waits_shown,
    needs=("waits", "expected_waits"),
    subject_rules=("fifth_tile_wait",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the hands with other waits."""
    shown = waits_shown.of(frames)
    return reported(
        shown,
        shown["waits"] != shown["expected_waits"],
        recorded=_words("waits"),
        expected=_words("expected_waits"),
    )


def _words(column: str) -> pl.Expr:
    return pl.when(pl.col(column) == 0).then(pl.lit("nothing")).otherwise(format_kinds(column))

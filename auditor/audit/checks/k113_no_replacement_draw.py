"""A kan is not followed by its replacement draw.

What it reports: a discard, another kan, a kita or a tsumo by a seat that has made a kan and has not drawn since.
Why it is wrong: a kan uses four tiles for one set. Without the replacement draw the hand is one tile short.
Not reported: a replacement draw by another seat (D101); a kita without its draw (N103). The hand is not checked any
further, because the tile that it drew is unknown.
Source: engine/RULES.md 2.2; auditor/readers/mjlog/FORMAT.md 6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_actor, format_previous

CHECK = Record(Severity.ERROR, "{recorded} cannot follow {expected} without a draw", subject=Frames.kans)


def find(frames: Frames) -> pl.DataFrame:
    """Return actions that a draw should come before."""
    misplaced = frames.misplaced
    return reported(
        misplaced,
        misplaced["code"] == "K113",
        recorded=format_actor("a tsumo"),
        expected=format_previous(),
    )

"""A kita is not followed by its replacement draw.

What it reports: a discard, a kan, another kita or a tsumo by a seat that has set a North aside and has not drawn since.
Why it is wrong: without the replacement draw the hand is one tile short.
Not reported: a replacement draw by another seat (D101); a kan without its replacement draw (K113); any kita where the
rules have none (N105). The hand is not checked any further, because the tile that it drew is unknown.
Source: engine/RULES.md 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_actor, format_previous
from auditor.replay.kitas import of_rounds

CHECK = Record(Severity.ERROR, "{recorded} cannot follow {expected} without a draw", subject=Frames.kitas)


def find(frames: Frames) -> pl.DataFrame:
    """Return actions that a draw should come before."""
    misplaced = frames.misplaced
    found = reported(
        misplaced, misplaced["code"] == "N103", recorded=format_actor("a tsumo"), expected=format_previous()
    )
    if found.is_empty():
        return found
    return found.filter(of_rounds(frames.log, frames.rules)[found["round"]].fill_null(value=True))

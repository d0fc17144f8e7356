"""The game is of a kind that is not audited.

What it reports: games whose number of players is not known: their table type is one for three players and four are
dealt tiles in every round, or the other way round. Such a game has its row in ``games`` and in ``sources``; its rounds
are not read.
Why it matters: none of its play is checked.
Not reported: games of three and of four players; single rounds that deal to other seats than the rest (L003).
Source: auditor/readers/mjlog/FORMAT.md 3, 4.
"""

import polars as pl

from auditor.audit.check import Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(Severity.NOTE, "{recorded}: expected {expected}")


def find(frames: Frames) -> pl.DataFrame:
    """Return games that the reader set aside."""
    return frames.problems("L007")

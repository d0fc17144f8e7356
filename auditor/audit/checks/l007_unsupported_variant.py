"""The game is of a kind that is not audited.

What it reports: games of a kind that the format of their file does not have, such as a paipu of 電脳麻将 of three
players. Such a game has its row in ``games`` and in ``sources``; its rounds are not read.
Why it matters: none of its play is checked.
Not reported: games of Tenhou, of three and of four players.
Source: auditor/readers/majiang/FORMAT.md 1.
"""

import polars as pl

from auditor.audit.check import Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(Severity.NOTE, "{recorded}: expected {expected}")


def find(frames: Frames) -> pl.DataFrame:
    """Return games that the reader set aside."""
    return frames.problems("L007")

"""The log states one thing twice, with different values.

What it reports: a table type or lobby in the file's name (as Tenhou names its logs) that is not the one in the log, or
a date in the name that does not exist; a table type of three players where all deals are to four, or the other way
round; a round whose number and dealer contradict each other; a first dealer other than seat 0, from which seats are
counted.
Why it matters: table type and date decide which rules hold. The game is audited for as many players as its deals are
to. If a round's number and its dealer contradict each other, wind and dealer count as unknown, and every row that
depends on them is not checkable.
Not reported: files with names of another kind; formats that state each thing once.
Source: auditor/readers/mjlog/FORMAT.md 1, 3, 4, 10, 14.
"""

import polars as pl

from auditor.audit.check import Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(Severity.ERROR, "recorded {recorded}, expected {expected}")


def find(frames: Frames) -> pl.DataFrame:
    """Return the contradictions that the reader found."""
    return frames.problems("L006")

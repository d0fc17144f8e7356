"""The same game is there twice in one run.

What it reports: every further copy of a game: the same text but for white space, in another file, packed otherwise, or
in another place of the same file.
Why it matters: statistics count such games twice.
Not reported: a game that was recorded twice in different words (anonymised, converted, cut). Copies are found within a
batch by this check, and across the batches of a run when it ends: the finding is then no part of any batch.
"""

from auditor.audit.check import Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(Severity.NOTE, "the same game as {expected}", subject=Frames.games, whole_dataset=True)

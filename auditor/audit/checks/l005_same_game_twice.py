"""The same game occurs more than once in a run.

What it reports: every further copy of a game. A copy has the same text except for white space. It may be in another
file, packed in another way, or at another place of the same file.
Why it matters: statistics count such games twice.
Not reported: a game that was recorded twice with different texts (anonymised, converted, cut).
Judged over the whole dataset when all batches of a run are written (run/repeats.py), since a copy may be in any batch.
"""

from auditor.audit.check import Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(Severity.NOTE, "the same game as {expected}", subject=Frames.games, whole_dataset=True)

"""A file, or a line of one, cannot be read as a log.

What it reports: files that cannot be read although their name or their first bytes are those of a log, or although they
were named to the auditor. They are empty, damaged, binary, in another encoding, text of another kind (such as an error
page saved under a log's name), or logs of an unknown format, or they could not be opened or unpacked. In a file of
several games each line or entry that is no game is reported, and the others are audited. The table ``sources`` states
the reason too.
Why it matters: a game that cannot be read is a game not audited.
Not reported: a file that begins as a log and breaks off (L002); files that are clearly no logs, such as notes,
pictures, or files of the operating system or of version control. They have the status ``ignored`` and are counted.
"""

import polars as pl

from auditor.audit.check import Record, Severity
from auditor.audit.frames import Frames
from auditor.log.arrays import rows_where, stacked

CHECK = Record(Severity.ERROR, "not readable as a log: {recorded}")


def find(frames: Frames) -> pl.DataFrame:
    """Return unreadable sources, and texts within them that are no game."""
    files = rows_where(frames.sources, frames.sources["status"] == "unreadable")
    if len(files):
        files = files.select("source", recorded="reason")
    return stacked(files, frames.problems("L001")[["game", "recorded"]])

"""The hash of a stated wall does not verify.

What it reports: a round whose stated hash is not that of its wall (with the salt behind it, where there is one); a salt
that has another hash than stated; a wall that is no whole wall.
Why it is wrong: the platform publishes the hash before the round, to prove the wall afterwards.
Not reported: logs that state no wall or no hash.
Source: auditor/readers/mahjong_soul/FORMAT.md 7.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.ERROR, "{recorded} is stated, {expected} follows", subject=Frames.stated_hashes, needs=("expected",)
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the hashes that differ."""
    hashes = frames.stated_hashes
    wrong = hashes["recorded"] != hashes["expected"]
    return reported(hashes, wrong, recorded=pl.col("recorded"), expected=pl.col("expected"))

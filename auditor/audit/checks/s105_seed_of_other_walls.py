"""The seed gives other walls than those that were played, or cannot be read.

What it reports: a game whose recorded seed gives a wall that differs from a round in most of the dealt tiles (once, at
the first such round); and a seed of a known kind whose words are damaged.
Why it is wrong: the seed is published to prove the walls. Either the seed or the rounds were altered, or a round is
missing.
Not reported: an empty seed, as in anonymised copies; a seed of an unknown kind, such as the numbers that other programs
write there, or of a kind that has not been seen with three players; a game's seed where the log does not begin with
East 1. This check runs only if it is selected, because computing walls takes time.
Source: auditor/readers/mjlog/FORMAT.md 9, 12.
"""

import polars as pl

from auditor.audit.check import Record, Severity
from auditor.audit.frames import Frames

CHECK = Record(Severity.ERROR, "seed {recorded} does not fit: {expected}", subject=Frames.wall_dice, default=False)


def find(frames: Frames) -> pl.DataFrame:
    """Return the seeds that do not fit."""
    return frames.wall_proof.seeds

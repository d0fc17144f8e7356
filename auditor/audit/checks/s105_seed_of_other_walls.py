"""The seed makes other walls than were played, or cannot be read.

What it reports: a game whose recorded seed makes a wall that has little to do with a round's deal (most of the tiles
dealt are others), once, at the first such round; and a seed of a known kind whose words are damaged.
Why it is wrong: the seed is published to prove the walls; either it was altered, or the rounds were, or one is missing.
Not reported: an empty seed, as anonymised copies have it; a seed of an unknown kind, such as the numbers that other
programs write there; a game's seed where the log does not begin with East 1; by default, unless this check is
selected, since hashing takes time.
Source: auditor/readers/mjlog/FORMAT.md 9, 12.
"""

import polars as pl

from auditor.audit.check import Check, Severity
from auditor.audit.frames import Frames

CHECK = Check(Severity.ERROR, "seed {recorded} does not fit: {expected}", subject="wall_dice", default=False)


def find(frames: Frames) -> pl.DataFrame:
    """Return the seeds that do not fit."""
    return frames.wall_proof.seeds

"""A hand as dealt is not what the seed's wall deals.

What it reports: hands at the start of a round with tiles that the wall deals to another seat, or to nobody; for each
round the first of these hands. The wall follows from the seed that the log records.
Why it is wrong: the seed is published to prove the wall.
Not reported: rounds most of whose dealt tiles differ (S105); logs without a seed, with an empty one, or with one of an
unknown kind. This check runs only if it is selected, because computing walls takes time.
Source: auditor/readers/mjlog/FORMAT.md 9.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tiles

CHECK = Record(
    Severity.ERROR,
    "seat {seat} is dealt {recorded}; the wall gives {expected}",
    subject=Frames.wall_deals,
    needs=("fits",),
    default=False,
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the first hand of each round that differs."""
    deals, first = frames.wall_deals, pl.col("round").is_first_distinct()
    return reported(deals, ~deals["fits"], first, recorded=named_tiles("recorded"), expected=named_tiles("expected"))

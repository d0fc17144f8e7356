"""After a chi a seat discards the tile at the other end of the run.

What it reports: a discard right after a chi, of the kind that would have completed the same two tiles at their other
end. For example, 2m is called with 34m, and 5m is discarded.
Why it is wrong: exchanging a tile for one that completes the same run (kuikae) is forbidden at level 0 of the rule.
Not reported: a call after which every discard would be kuikae (C106); a discard of the kind called (D104); a discard
after a chi where the rules have none (C107).
Source: engine/RULES.md 2.3, 2.4, 5.7; 4.2 (on Tenhou allowed until 2012, unsettled in 2013).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.RULE,
    "seat {seat} discards {recorded} after calling {expected}",
    subject=Frames.calls,
    tried_rules=("kuikae_level",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the discards after calls that the rule forbids."""
    calls = frames.calls
    return reported(
        calls,
        calls["suji"],
        pl.col("allowed").fill_null(value=True),
        event=pl.col("discard_event"),
        pos=pl.col("discard_pos"),
        recorded=named_tile("discard_tile_id"),
        expected=pl.format("{} ({})", named_tile("tile_id"), pl.col("kind").cast(pl.String)),
    )

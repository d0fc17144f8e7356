"""A seat discards the tile that it has just called.

What it reports: a discard right after a chi or pon, of the same kind as the tile called. A red five counts as a five.
Why it is wrong: exchanging a tile for another of its kind (kuikae) is forbidden at levels 0 and 1 of the rule.
Not reported: a call after which every discard would be kuikae (C106); a discard of the other end of the run (D105); a
discard after a chi where the rules have none (C107).
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
        calls["same"],
        pl.col("allowed").fill_null(value=True),
        event=pl.col("discard_event"),
        pos=pl.col("discard_pos"),
        recorded=named_tile("discard_tile_id"),
        expected=pl.format("{} ({})", named_tile("tile_id"), pl.col("kind").cast(pl.String)),
    )

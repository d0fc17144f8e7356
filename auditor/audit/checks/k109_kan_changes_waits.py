"""A seat in riichi makes an ankan that changes its waits.

What it reports: an ankan in riichi of the tile just drawn, after which the hand waits for other tiles than before,
where the rules ask for the same waits (level 2).
Why it is wrong: riichi locks the hand.
Not reported: a kan without the tile just drawn (K108); a kan of a tile that is itself a wait, where the waits stay the
same (K114). Where the rules are stricter, K110 and K111 report instead.
Source: engine/RULES.md 2.6, 4.2, 5.8.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_kinds

CHECK = Record(
    Severity.RULE,
    "seat {seat} makes an ankan in riichi and waits for {recorded} instead of {expected}",
    subject=Frames.kans,
    tried_rules=("riichi_ankan_level", "fifth_tile_wait"),
)

_BEFORE, _AFTER = (
    pl.when(pl.col(waits) == 0).then(pl.lit("nothing")).otherwise(format_kinds(waits))
    for waits in ("waits_before", "waits_after")
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans after which the waits differ."""
    kans = frames.kans
    changed = kans["waits_before"] != kans["waits_after"]
    return reported(kans, changed, recorded=_AFTER, expected=_BEFORE)

"""A seat in riichi makes an ankan that changes its waits.

What it reports: an ankan in riichi of the drawn tile after which the hand waits for other tiles than before, where the
rule asks for the same waits (level 2).
Why it is wrong: riichi locks the hand.
Not reported: a kan of a tile not drawn (K108), of a tile that is a wait where the waits stay (K114), stricter rules
(K110, K111).
Source: engine/RULES.md 2.6, 4.2, 5.8.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_kinds

CHECK = Check(
    Severity.RULE,
    "seat {seat} makes an ankan in riichi and waits for {recorded} instead of {expected}",
    subject="kans",
    obeys=(
        "riichi_ankan_level",
        "fifth_tile_wait",
    ),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return kans after which the waits differ."""
    return reported(
        frames.kans.filter(pl.col("waits_before") != pl.col("waits_after")),
        recorded=_format("waits_after"),
        expected=_format("waits_before"),
    )


def _format(waits: str) -> pl.Expr:
    return pl.when(pl.col(waits) == 0).then(pl.lit("nothing")).otherwise(format_kinds(waits))

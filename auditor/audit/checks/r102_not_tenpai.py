"""Riichi is declared with a hand that waits for nothing.

What it reports: hands that no tile completes after the declaring discard. Such a hand is not tenpai, or it would need a
fifth tile of a kind whose four tiles it already holds. Whether tiles in its melds count for that depends on the rules.
Why it is wrong: riichi declares a tenpai hand.
Not reported: hands in which a tile is wrong earlier in the round (T101, T102, T103); waits whose tiles are all visible
already, and furiten. Both are legal.
Source: engine/RULES.md 2.5, 3.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.RULE,
    "seat {seat} declares riichi with {recorded}",
    subject=Frames.riichis,
    needs=("waits", "must_wait"),
    tried_rules=("fifth_tile_wait",),
    subject_rules=("riichi_without_tenpai",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return declarations that wait for nothing."""
    riichis = frames.riichis
    return reported(
        riichis,
        (riichis["waits"] == 0) & riichis["must_wait"],
        recorded=pl.lit("a hand that nothing completes"),
        expected=pl.lit("a wait after the discard"),
    )

"""A win is claimed with a hand that does not win.

What it reports: hands as played that are neither four sets and a pair, nor seven pairs, nor thirteen orphans. On a ron
the last discard, the tile added to a kan or the North set aside belongs to the hand.
Why it is wrong: only these shapes win.
Not reported: hands in which a tile is wrong earlier in the round (T101, T102), or that are shown differently than they
were played (T105).
Source: engine/RULES.md 3.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(Severity.ERROR, "seat {seat} wins with {recorded}", subject=Frames.wins, needs=("expected_complete",))


def find(frames: Frames) -> pl.DataFrame:
    """Return wins without a winning shape."""
    wins = frames.wins
    return reported(
        wins,
        ~wins["expected_complete"],
        recorded=pl.lit("tiles that are no winning shape"),
        expected=pl.lit("a winning hand"),
    )

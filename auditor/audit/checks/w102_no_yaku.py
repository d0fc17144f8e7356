"""A win is claimed with a hand that has no yaku.

What it reports: hands with a winning shape that have no yaku of the rules. Dora are no yaku.
Why it is wrong: a hand needs at least one yaku to win. Which yaku exist depends on the rules (open tanyao, renhou, the
minimum of han; with three players what a kita gives or ends, and whether North has value).
Not reported: hands without a winning shape (W101).
Source: engine/RULES.md 3.3, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.RULE,
    "seat {seat} wins with {recorded}; expected {expected}",
    subject=Frames.wins,
    needs=("expected_has_yaku",),
    tried_rules=(
        "open_tanyao",
        "renhou",
        "min_han",
        "kita_rinshan_yaku",
        "kita_chankan",
        "kita_interrupts",
        "north_is_value",
    ),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins without yaku."""
    wins = frames.wins
    yakuless = ~wins["expected_has_yaku"]
    return reported(wins, yakuless, recorded=pl.lit("a hand without yaku"), expected=pl.lit("at least one yaku"))

"""The fu are not those of the hand.

What it reports: wins whose recorded fu are not those of the best reading: the base of 20 plus the fu for sets, pair,
wait and the way of winning, rounded up to tens; or 25 for seven pairs.
Why it is wrong: points follow from han and fu.
Not reported: a yakuman that can be read with different fu, which is not checkable.
Source: engine/RULES.md 3.1; 4.6 (North as a guest wind with three players).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames

CHECK = Record(
    Severity.RULE,
    "fu recorded {recorded}, the hand has {expected}",
    subject=Frames.wins,
    needs=("fu", "expected_fu"),
    tried_rules=("double_wind_pair_fu", "rinshan_tsumo_fu", "kiriage_mangan", "kita_rinshan_yaku", "north_is_value"),
    subject_rules=("renhou",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins with other fu."""
    wins = frames.wins
    return reported(wins, wins["fu"] != wins["expected_fu"], recorded=pl.col("fu"), expected=pl.col("expected_fu"))

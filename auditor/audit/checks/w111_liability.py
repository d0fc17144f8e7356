"""Liability for a yakuman (pao) is missing, undue, or falls on the wrong seat.

What it reports: wins whose recorded liable seat is not the seat that fed the third set of dragons or the fourth set of
winds.
Why it is wrong: the liable seat pays for the yakuman that it has made certain. Which yakuman bring liability depends on
the rules.
Not reported: what the liable seat pays (P101).
Source: engine/RULES.md 2.11.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import filled

CHECK = Record(
    Severity.RULE,
    "liable seat recorded {recorded}, expected {expected}",
    subject=Frames.wins,
    needs=("expected_limit", "liable_stated"),
    tried_rules=("pao_yakuman",),
    subject_rules=("daiminkan_rinshan_pao",),
)


_LIABLE, _EXPECTED = (pl.col(name).cast(pl.String).fill_null("nobody") for name in ("liable", "expected_liable"))


def find(frames: Frames) -> pl.DataFrame:
    """Return wins with another liable seat."""
    wins = frames.wins
    other = filled(wins["liable"], -1) != filled(wins["expected_liable"], -1)
    return reported(wins, other, pl.col("scoreable") & pl.col("liable_stated"), recorded=_LIABLE, expected=_EXPECTED)

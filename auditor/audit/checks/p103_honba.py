"""Honba are counted or paid wrongly.

What it reports: results that name another number of honba than the round has, and changes of score that would be right
with more or fewer honba.
Why it is wrong: each honba adds 300 points to a ron and 100 from each seat to a tsumo, with three players 200 points to
a ron; of several winners only the first gets them. The value of a honba depends on the rules.
Not reported: honba that are wrong at a round's start (G102).
Source: engine/RULES.md 1.2, 2.8, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.RULE,
    "honba recorded {recorded}, expected {expected}",
    subject=Frames.payments,
    needs=("deltas",),
    tried_rules=("honba_value", "tsumo_loss", "missing_share"),
)
_COUNT = pl.col("honba") != pl.col("expected_honba")
_RECORDED, _EXPECTED = (
    pl.when(_COUNT).then(pl.format("{}", count)).otherwise(format_points(changes))
    for count, changes in (("honba", "deltas"), ("expected_honba", "expected_deltas"))
)


def find(frames: Frames) -> pl.DataFrame:
    """Return results with other honba."""
    results = frames.payments
    wrong = (results["honba"] != results["expected_honba"]) | (results["fault"] == "honba")
    return reported(results, wrong, recorded=_RECORDED, expected=_EXPECTED)

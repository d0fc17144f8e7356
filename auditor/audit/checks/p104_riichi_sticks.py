"""Riichi sticks are counted or paid wrongly.

What it reports: results that name another number of riichi sticks than lie on the table, and changes of score that
would be right if the winner took more or fewer.
Why it is wrong: the winner takes all sticks on the table; of several winners the first takes them, and the others none.
A stick whose declaring tile is won is not paid; some converters of Mahjong Soul's games count it nevertheless.
Not reported: sticks that are wrong at a round's start (G103), or paid at the wrong time (R107).
Source: engine/RULES.md 2.8; auditor/readers/tenhou_json/FORMAT.md 9.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.RULE,
    "riichi sticks recorded {recorded}, expected {expected}",
    subject=Frames.payments,
    needs=("deltas",),
    tried_rules=("riichi_stick_value",),
)
_COUNT = pl.col("sticks") != pl.col("expected_sticks")
_RECORDED, _EXPECTED = (
    pl.when(_COUNT).then(pl.format("{}", count)).otherwise(format_points(changes))
    for count, changes in (("sticks", "deltas"), ("expected_sticks", "expected_deltas"))
)


def find(frames: Frames) -> pl.DataFrame:
    """Return results with other sticks."""
    results = frames.payments
    wrong = (results["sticks"] != results["expected_sticks"]) | (results["fault"] == "sticks")
    return reported(results, wrong, recorded=_RECORDED, expected=_EXPECTED)

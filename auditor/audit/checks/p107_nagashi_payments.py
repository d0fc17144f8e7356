"""The changes of a nagashi mangan are not its payments.

What it reports: changes that balance, but are not a mangan by tsumo for each river of orphans.
Not reported: payments to other seats than the rivers say (X107); changes that do not balance (P102).
Source: engine/RULES.md 2.10: 4,000 from each to the dealer, else 4,000 from the dealer and 2,000 from the others;
several are added up. Where it counts as a win, honba and sticks are paid too.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Check(
    Severity.RULE,
    "changes recorded {recorded}, expected {expected}",
    subject="draw_payments",
    needs=("deltas", "expected_deltas"),
    obeys=("nagashi_as_win", "honba_value", "riichi_stick_value"),
    heeds=("nagashi_mangan",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return nagashi mangan paid otherwise."""
    return reported(
        frames.draw_payments.filter(pl.col("fault") == "nagashi"),
        recorded=format_points("deltas"),
        expected=format_points("expected_deltas"),
    )

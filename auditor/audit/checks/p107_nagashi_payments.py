"""The changes of a nagashi mangan are not its payments.

What it reports: changes of score that balance, but are not a mangan by tsumo for each seat whose discards earn one.
Why it is wrong: a dealer gets 4,000 points from each seat; any other seat gets 4,000 from the dealer and 2,000 from
each of the others: one, with three players. The payments of several seats are added up. Where the rules count it as a
win, honba and sticks are paid too.
Not reported: payments to seats that have not earned one (X107); changes that do not balance (P102).
Source: engine/RULES.md 2.10, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.RULE,
    "changes recorded {recorded}, expected {expected}",
    subject=Frames.draw_payments,
    needs=("deltas", "expected_deltas"),
    tried_rules=("nagashi_as_win", "honba_value", "riichi_stick_value", "tsumo_loss", "missing_share"),
    subject_rules=("nagashi_mangan",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return nagashi mangan with other payments."""
    draws = frames.draw_payments
    return reported(
        draws, draws["fault"] == "nagashi", recorded=format_points("deltas"), expected=format_points("expected_deltas")
    )

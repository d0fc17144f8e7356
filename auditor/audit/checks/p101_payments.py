"""The changes of score do not follow from the win.

What it reports: recorded changes that balance with the sticks, but are not what the win's points, honba, sticks
and liability move between the seats: the wrong payer, the wrong shares of a tsumo, the wrong scope of pao.
Not reported: changes that are right for the hand where only the recorded points are wrong (W107); differences
that one cause explains: honba (P103), sticks (P104), changes that do not balance (P102).
Source: engine/RULES.md 2.11, 3.2.
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Check(
    Severity.RULE,
    "changes recorded {recorded}, expected {expected}",
    subject="win_payments",
    needs=("deltas", "expected_deltas"),
    obeys=("pao_yakuman", "pao_scope", "pao_ron_honba_payer", "honba_value", "riichi_stick_value"),
    heeds=("kazoe_yakuman",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return results whose changes flow otherwise."""
    return frames.win_payments.filter(pl.col("fault") == "flow").select(
        *WHERE, recorded=format_points("deltas"), expected=format_points("expected_deltas")
    )

"""The changes of score do not follow from the win.

What it reports: recorded changes of score that do not follow from the win's points, honba, sticks and liability (pao):
the wrong seat pays, the parts of a tsumo are wrong, or the liable seat pays the wrong part. Their sum agrees with the
riichi sticks.
Why it is wrong: the rules fix who pays how much for a win. With three players a tsumo is paid by two; the rules say
whether they pay the share of the seat that does not exist.
Not reported: changes that are right for the hand, if only the recorded points are wrong (W107); differences that one
other cause explains: honba (P103), sticks (P104), a sum that is wrong (P102).
Source: engine/RULES.md 2.11, 3.2, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.RULE,
    "changes recorded {recorded}, expected {expected}",
    subject=Frames.win_payments,
    needs=("deltas", "expected_deltas"),
    tried_rules=(
        "pao_yakuman",
        "pao_scope",
        "pao_ron_honba_payer",
        "honba_value",
        "riichi_stick_value",
        "tsumo_loss",
        "missing_share",
    ),
    subject_rules=("kazoe_yakuman",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose changes are others than expected."""
    wins = frames.win_payments
    return reported(
        wins, wins["fault"] == "flow", recorded=format_points("deltas"), expected=format_points("expected_deltas")
    )

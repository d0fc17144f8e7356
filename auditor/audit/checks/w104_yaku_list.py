"""The list of yaku is not that of the hand.

What it reports: wins whose recorded yaku and yakuman, dora apart, are not those of the best reading of the hand. The
best reading is the one that pays most. Of two that pay the same, it is the one with more han, then the one with more
fu.
Why it is wrong: the rules say which yaku a hand has. With three players they also say whether a win by the draw after a
kita is rinshan, whether a ron on a kita is chankan, and whether a kita ends ippatsu and the first turn; and no yaku
counts the Norths that were set aside.
Not reported: the han of a yaku (W105); dora, red fives and ura dora (W108).
Source: engine/RULES.md 3.2, 3.3, 3.4, 4.6.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_yaku, yaku_names

CHECK = Record(
    Severity.RULE,
    "yaku recorded: {recorded}; the hand has: {expected}",
    subject=Frames.wins,
    needs=("recorded_yaku", "expected_yaku"),
    tried_rules=(
        "open_tanyao",
        "ippatsu",
        "renhou",
        "kiriage_mangan",
        "double_wind_pair_fu",
        "kita_rinshan_yaku",
        "kita_chankan",
        "kita_interrupts",
        "north_is_value",
    ),
    subject_rules=("local_yaku", "chuuren_nine_waits_only", "first_turn_yakuman_stacking"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose yaku are others."""
    return reported(
        frames.wins,
        frames.other_yaku,
        yaku_names("recorded_yaku") != yaku_names("expected_yaku"),
        recorded=format_yaku("recorded_yaku"),
        expected=format_yaku("expected_yaku"),
    )

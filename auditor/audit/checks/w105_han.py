"""A yaku is recorded with the wrong han.

What it reports: wins with the right yaku, dora apart, one of which is recorded with more or fewer han than the rules
give it, such as chinitsu with six han in an open hand.
Why it is wrong: the rules say how many han each yaku counts, in a closed and in an open hand.
Not reported: wins whose list has other yaku (W104); dora (W108).
Source: engine/RULES.md 3.3.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_yaku, yaku_names

CHECK = Record(
    Severity.RULE,
    "han recorded: {recorded}; the hand has: {expected}",
    subject=Frames.wins,
    needs=("recorded_yaku", "expected_yaku"),
    tried_rules=("renhou",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins with the right yaku and wrong han."""
    return reported(
        frames.wins,
        frames.other_yaku,
        yaku_names("recorded_yaku") == yaku_names("expected_yaku"),
        recorded=format_yaku("recorded_yaku"),
        expected=format_yaku("expected_yaku"),
    )

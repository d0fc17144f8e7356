"""A yaku is recorded with the wrong han.

What it reports: wins that have the right yaku, dora apart, but count one of them with more or fewer han, such
as an open hand's chinitsu with six.
Not reported: wins whose yaku are others (W104); dora (W108).
Source: engine/RULES.md 3.3.
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log.words import format_yaku

CHECK = Check(
    Severity.RULE,
    "han recorded: {recorded}; the hand has: {expected}",
    subject="wins",
    needs=("recorded_yaku", "expected_yaku"),
    obeys=("renhou",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins with the right yaku and wrong han."""

    def names(column: str) -> pl.Expr:
        return pl.col(column).list.eval(pl.element().struct.field("yaku"))

    same = names("recorded_yaku") == names("expected_yaku")
    return frames.wins.filter(same, pl.col("recorded_yaku") != pl.col("expected_yaku")).select(
        *WHERE, recorded=format_yaku("recorded_yaku"), expected=format_yaku("expected_yaku")
    )

"""A ron is won by a hand that is furiten.

What it reports: rons of a hand that waits for a tile it discarded itself (called away or not), that let one of its
tiles pass since its last discard, or let one pass in riichi. A tile counts that would have completed the hand, even
without a yaku, and so does one added to a kan. What ends the second kind is a rule.
Why it is wrong: a furiten hand wins by its own draw only.
Not reported: hands that went wrong before (T101, T102, T103), tiles that are not the last (W109) or complete nothing
(W101); an ankan that thirteen orphans let pass.
Source: engine/RULES.md 2.7, 5.25.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.subject import subject
from auditor.log.words import told_kinds
from auditor.replay.furiten import RON_COLUMNS, rons


@subject(RON_COLUMNS)
def _rons(frames: Frames) -> pl.DataFrame:
    """One row a ron, with the winner's waits and those that make it furiten."""
    return rons(frames.log, frames.played, frames.endings, frames.situations, frames.rules)


CHECK = Record(
    Severity.ERROR,
    "seat {seat} wins by ron though furiten: {recorded}; {expected}",
    subject=_rons,
    needs=("furiten",),
    subject_rules=("temporary_furiten_end", "fifth_tile_wait"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return rons of furiten hands."""
    return reported(
        _rons.of(frames).filter(pl.col("furiten") != 0),
        recorded=pl.format("{} {}", pl.col("cause").cast(pl.String), told_kinds("furiten")),
        expected=pl.format("no ron on {}", told_kinds("waits")),
    )

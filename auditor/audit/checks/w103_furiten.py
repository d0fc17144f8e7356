"""A ron is won by a hand that is furiten.

What it reports: a ron of a hand that is furiten for one of three reasons: one of its waits is among its own discards,
called or not; it let one of its waits pass since its last discard; or it let one pass at any time since its riichi.
Every tile that would have completed the hand counts, even without a yaku, and also a tile added to a kan. A North that
the seat itself has set aside is no discard. The rules decide what ends the second kind of furiten.
Why it is wrong: a furiten hand can win only by its own draw.
Not reported: hands in which a tile is wrong earlier in the round (T101, T102, T103); winning tiles that are not the
last tile (W109) or complete nothing (W101); furiten of thirteen orphans by an ankan that it did not rob. A ron is not
checkable if the hand has let pass a North that another seat set aside: whether that makes it furiten is known of no
platform whose logs are read.
Source: engine/RULES.md 2.7, 4.6, 5.25.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.subject import subject
from auditor.log.words import format_kinds
from auditor.replay import furiten


@subject(furiten.RON_COLUMNS)
def _rons(frames: Frames) -> pl.DataFrame:
    """Return one row for each ron, with the winner's waits and those that make it furiten."""
    return furiten.rons(frames.log, frames.played, frames.last_states, frames.win_contexts, frames.rules)


CHECK = Record(
    Severity.ERROR,
    "seat {seat} wins by ron though furiten: {recorded}; {expected}",
    subject=_rons,
    needs=("furiten",),
    subject_rules=("temporary_furiten_end", "fifth_tile_wait", "kita_ron"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return rons of furiten hands."""
    rons = _rons.of(frames)
    return reported(
        rons,
        rons["furiten"] != 0,
        recorded=pl.format("{} {}", pl.col("cause").cast(pl.String), format_kinds("furiten")),
        expected=pl.format("no ron on {}", format_kinds("waits")),
    )

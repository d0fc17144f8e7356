"""A hand in riichi discards another tile than the one just drawn.

What it reports: discards after the declaring one that are not the tile just drawn, also after an ankan or kita.
Why it is wrong: riichi locks the hand. Only the tile just drawn may be discarded.
Not reported: tiles that are not in the hand at all (T102); discards after a call (C104); another copy of the same tile,
if the log does not distinguish copies.
Source: engine/RULES.md 2.4.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.subject import subject
from auditor.log.words import named_tile
from auditor.replay.riichi import LOCKED_DISCARD_COLUMNS, locked_discards


@subject(LOCKED_DISCARD_COLUMNS)
def _locked_discards(frames: Frames) -> pl.DataFrame:
    """Return one row for each discard of a hand in riichi, with the tile drawn before."""
    return locked_discards(frames.log, frames.played, frames.last_states)


CHECK = Record(
    Severity.ERROR,
    "seat {seat} in riichi discards {recorded}; drawn was {expected}",
    subject=_locked_discards,
    needs=("drawn",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return discards from a locked hand."""
    discards = _locked_discards.of(frames)
    wrong = discards["tile_id"] != discards["drawn"]
    return reported(discards, wrong, recorded=named_tile("tile_id"), expected=named_tile("drawn"))

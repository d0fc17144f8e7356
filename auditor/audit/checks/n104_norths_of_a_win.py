"""A win lists other Norths than its seat has set aside.

What it reports: wins whose list of melds has more, fewer or other Norths as kita than the winner set aside in the
round.
Why it is wrong: each North that was set aside is worth a han to the winner, and no other is.
Not reported: how many han of dora the win counts for them (W108), since Tenhou's logs count kita among the dora; melds
that differ (T105); logs that do not list the Norths of a win.
Source: engine/RULES.md 4.6; auditor/readers/mjlog/FORMAT.md 7.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.tables import norths_of
from auditor.log.words import named_tiles

CHECK = Record(
    Severity.ERROR,
    "seat {seat} wins with {recorded} set aside; in play it set aside {expected}",
    subject=Frames.wins,
    needs=("melds", "played_melds"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins with other Norths."""
    found = reported(
        frames.wins,
        frames.other_melds,
        norths_of("melds") != norths_of("played_melds"),
        recorded=norths_of("melds"),
        expected=norths_of("played_melds"),
    )
    if found.is_empty():
        return found.clear()
    return found.with_columns(
        pl.when(pl.col(name).list.len() > 0).then(named_tiles(name)).otherwise(pl.lit("nothing"))
        for name in ("recorded", "expected")
    )

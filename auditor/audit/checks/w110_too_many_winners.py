"""More seats win a tile than the rules allow.

What it reports: two winners of one tile if only the next in turn order may win (head bump), and three winners if only
two may win or if three calls of ron abort the round. With three players two seats at most can win.
Why it is wrong: the rules say how many seats may win one tile.
Not reported: three winners if the rules allow two and say nothing about a third; a win of a seat further from the
discarder, if a nearer seat could have won too but did not.
Source: engine/RULES.md 2.8, 4.2, 4.6, 5.23.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.subject import subject
from auditor.replay.furiten import WON_TILE_COLUMNS, winners


@subject(WON_TILE_COLUMNS)
def _won_tiles(frames: Frames) -> pl.DataFrame:
    """Return one row for each tile won by ron: how many seats win it, and how many may."""
    return winners(frames.log, frames.played, frames.last_states, frames.rules)


CHECK = Record(
    Severity.RULE,
    "{recorded} seats win one tile; the rules let {expected}",
    subject=_won_tiles,
    needs=("most",),
    subject_rules=("max_simultaneous_ron", "abortive_triple_ron", "abortive_triple_ron_on_kan"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return tiles with too many winners."""
    tiles = _won_tiles.of(frames)
    return reported(tiles, tiles["count"] > tiles["most"], recorded=pl.col("count"), expected=pl.col("most"))

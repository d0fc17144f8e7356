"""A discard is marked as drawn or as from the hand, and the tiles contradict the mark.

What it reports: a discard that the log marks as the tile just drawn (tsumogiri) though the seat drew another tile, or
drew none because it called; and a discard that the log marks as coming from the hand though the only such tile in the
hand is the one just drawn. A red five and an ordinary five are different tiles here.
Why it is wrong: a discard is either the tile just drawn or another tile of the hand.
Not reported: discards of tiles that the hand does not hold at all (T102); logs that do not mark tsumogiri (mjlog).
Source: engine/RULES.md 2.4; auditor/readers/majiang/FORMAT.md 3. The engine of 電脳麻将 itself writes discards that
this check reports: if a hand holds a red five and draws its only ordinary five, the engine offers the ordinary five as
one from the hand (Shoupai.get_dapai).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.audit.subject import subject
from auditor.log.words import named_tile
from auditor.replay import tsumogiri


@subject(tsumogiri.DISCARD_COLUMNS)
def _discards(frames: Frames) -> pl.DataFrame:
    """Return one row for each discard, with the log's mark and what the tiles say about it."""
    return tsumogiri.discards(frames.log, frames.played, frames.turn_order, frames.holdings)


CHECK = Record(Severity.ERROR, "seat {seat} discards {recorded}; {expected}", subject=_discards, needs=("wrong",))


_TILE, _DRAWN = named_tile("tile_id"), named_tile("drawn")
_RECORDED = pl.format("{} {}", _TILE, pl.when("tsumogiri").then(pl.lit("as drawn")).otherwise(pl.lit("from the hand")))
_EXPECTED = (
    pl.when(~pl.col("tsumogiri")).then(pl.format("its only {} is the one just drawn", _TILE))
    .when(pl.col("drawn") >= 0).then(pl.format("it has drawn {}", _DRAWN))
    .otherwise(pl.lit("it has drawn nothing"))
)  # fmt: skip


def find(frames: Frames) -> pl.DataFrame:
    """Return the discards whose mark the tiles contradict."""
    discards = _discards.of(frames)
    return reported(discards, discards["wrong"] != "", recorded=_RECORDED, expected=_EXPECTED)

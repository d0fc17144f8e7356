"""A discard is marked as the tile just drawn, or as one from the hand, and cannot be.

What it reports: a discard marked as drawn (tsumogiri) though another tile was drawn just before, or none, as after a
call; and one that is said to come from the hand though the tile just drawn is the only one of its like there. A red
five and an ordinary one are not alike.
Why it is wrong: what is thrown is either the tile drawn or another.
Not reported: discards of tiles that the hand has not at all (T102); logs that do not mark tsumogiri (mjlog).
Source: engine/RULES.md 2.4; auditor/readers/majiang/FORMAT.md 3. 電脳麻将's own engine logs such discards: with a red
five in hand and the only ordinary five drawn, it offers the ordinary five as one from the hand (Shoupai.get_dapai).
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "seat {seat} discards {recorded}; {expected}",
    subject="discards",
    needs=("wrong",),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the discards whose mark the tiles contradict."""
    tile, drawn = (pl.col(name).map_elements(tile_ids.name, return_dtype=pl.String) for name in ("tile_id", "drawn"))
    had = (
        pl.when(pl.col("drawn") >= 0)
        .then(pl.format("it has drawn {}", drawn))
        .otherwise(pl.lit("it has drawn nothing"))
    )
    return reported(
        frames.discards.filter(pl.col("wrong") != ""),
        recorded=pl.when("tsumogiri")
        .then(pl.format("{} as drawn", tile))
        .otherwise(pl.format("{} from the hand", tile)),
        expected=pl.when("tsumogiri").then(had).otherwise(pl.format("its only {} is the one just drawn", tile)),
    )

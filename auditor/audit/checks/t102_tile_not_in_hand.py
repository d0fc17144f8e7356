"""A tile is used that is not in the hand.

What it reports: a discard, the caller's own tiles of a chi or pon, or the added tile of a kakan, that the seat does not
hold at that moment. The seat never got the tile, draws it later, or no longer has it.
Why it is wrong: a seat can use only the tiles of its hand.
Not reported: an ankan or daiminkan with a tile that is not there (K101, K103), or a kita (N101); calls that do not take
the last discard, or not from the left neighbour (C102, C101); hands that lack a draw or a discard (D101, D106, K113,
N103) or make a meld that is none (C103), because they may hold any tile; a tile that the seat has used before without
holding it, and then draws and uses; tiles that are in the round twice (T101); shown hands that differ from the hands
as played (T105).
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(Severity.ERROR, "seat {seat} uses {recorded}, which it does not hold", subject=Frames.events)


def find(frames: Frames) -> pl.DataFrame:
    """Return each use of a tile that the hand does not hold."""
    absent = frames.holdings.absent
    if absent.is_empty():
        return absent
    confused = frames.calls.filter(pl.col("not_last") | pl.col("not_left")).select("round", "event")
    uses = (
        frames.log.events[absent["row"]]
        .with_columns(absent["tile_id"])
        .filter(~pl.col("kind").is_in(["ankan", "daiminkan", "kita"]))
        .join(confused, on=["round", "event"], how="anti", maintain_order="left")
    )
    return reported(uses, recorded=named_tile("tile_id"), expected=pl.lit("a tile of the hand"))

"""A tile is used that is not in the hand.

What it reports: a discard, the own tiles of a chi or pon, or the tile of a kakan, that this seat does not hold at that
moment: never dealt nor drawn to it, drawn later, or gone already.
Not reported: ankan and daiminkan with a copy that is not there (K101, K103); calls that do not take the last discard,
or not from the left (C102, C101); hands that lack a draw or a discard (D101, D106, K113), which may hold anything;
tiles that exist twice in the round (T101); shown hands that differ (T105).
"""

import polars as pl

from auditor.audit.check import WHERE, Check, Severity
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(Severity.ERROR, "seat {seat} uses {recorded}, which it does not hold", subject="events")


def find(frames: Frames) -> pl.DataFrame:
    """Return the departures of tiles that were not there."""
    absent = frames.holdings.absent
    if not len(absent):
        return absent
    confused = frames.calls.filter(pl.col("not_last") | pl.col("not_left")).select("round", "event")
    return (
        frames.log.events[absent["row"]]
        .with_columns(recorded=absent["tile_id"].map_elements(tile_ids.name, return_dtype=pl.String))
        .filter(~pl.col("kind").is_in(["ankan", "daiminkan"]))
        .join(confused, on=["round", "event"], how="anti", maintain_order="left")
        .select(*WHERE, "recorded", expected=pl.lit("a tile of the hand"))
    )

"""A call takes a tile that is not the last discard.

What it reports: a chi, pon or daiminkan that does not come straight after another seat's discard, or that takes another
tile than that discard; and a pon or daiminkan that names another seat than the discarder of the tile.
Why it is wrong: only the tile just discarded can be called, and only before the next draw.
Not reported: a chi of the last discard from a seat that is not the left neighbour (C101); a call of the last discard of
the round (C105); a chi where the rules have none (C107).
Source: engine/RULES.md 2.1; auditor/readers/mjlog/FORMAT.md 5.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.ERROR,
    "seat {seat} calls {recorded}; the last action was {expected}",
    subject=Frames.calls,
    needs=("not_last",),
)

_SOURCE = pl.when(pl.col("source") >= 0).then(pl.format("seat {}", "source")).otherwise(pl.lit("nobody"))
_DEED = pl.format("{} {} of seat {}", pl.col("last_kind").cast(pl.String), named_tile("last_tile_id"), "last_seat")


def find(frames: Frames) -> pl.DataFrame:
    """Return calls of anything but the last discard."""
    calls = frames.calls
    return reported(
        calls,
        calls["not_last"],
        pl.col("allowed").fill_null(value=True),
        recorded=pl.format("{} from {}", named_tile("tile_id"), _SOURCE),
        expected=pl.when(pl.col("last_kind") == "deal").then(pl.lit("the deal")).otherwise(_DEED),
    )

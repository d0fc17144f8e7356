"""The ura dora indicators that a win shows cannot lie there.

What it reports: an indicator told twice; one that is also in a hand, a river or a meld, or lies above; other ones than
another winner of the round shows; more or fewer than there are indicators turned (one, where rules count none below
those of kans).
Why it is wrong: each lies below an indicator in the wall, where no other tile of the set can be.
Not reported: how many dora they make (W108); that they are not those of the seed's wall (S103); indicators above turned
at the wrong time, or not at all (K112): then nobody counts those below.
Source: engine/RULES.md 2.9, 3.5; auditor/readers/mjlog/FORMAT.md section 7.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.ERROR,
    "ura dora indicators {recorded}; expected {expected}",
    subject="ura_indicators",
    heeds=("ura_dora", "kan_ura_dora", "red_fives"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose indicators below cannot be."""
    fault = pl.col("fault")
    named = [
        pl.col(name).map_elements(lambda tiles: tile_ids.names(tiles.to_list()), return_dtype=pl.String)
        for name in ("ura", "wrong", "first")
    ]
    shown, wrong, first = named
    wrongly = frames.ura_indicators.filter(fault != "")
    if (wrongly["fault"] == "others").any():
        # Where a winner's are miscounted (W108), it is known whose are the wrong ones.
        miscounted = frames.wins.filter(pl.col("ura_han") != pl.col("expected_ura_han"))["round"]
        wrongly = wrongly.filter((fault != "others") | ~pl.col("round").is_in(miscounted.implode()))
    return reported(
        wrongly,
        recorded=shown,
        expected=pl.when(fault == "twice").then(pl.format("each once: {} is told more often than there are", wrong))
        .when(fault == "in play").then(pl.format("tiles of the wall: {} is in play", wrong))
        .when(fault == "others").then(pl.format("{}, as another winner shows", first))
        .otherwise(pl.format("{}, one below each indicator that counts", pl.coalesce("due", "most"))),
    )  # fmt: skip

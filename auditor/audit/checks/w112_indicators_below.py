"""The ura dora indicators that a win shows are impossible.

What it reports: an ura dora indicator that is shown more often than the set has the tile; one that is also in a hand, a
discard, a meld or among the dora indicators; indicators that differ from those of another winner of the round; and more
or fewer of them than there are dora indicators (or than one, if the rules have no kan ura dora).
Why it is wrong: each lies below a dora indicator in the wall, so it cannot be anywhere else.
Not reported: how many dora they make (W108); indicators that are not those of the seed's wall (S103). If dora
indicators are turned at the wrong time, or not at all (K112), the number of ura dora indicators is not checked.
Source: engine/RULES.md 2.9, 3.5; auditor/readers/mjlog/FORMAT.md section 7.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Record(
    Severity.ERROR,
    "ura dora indicators {recorded}; expected {expected}",
    subject=Frames.ura_indicators,
    subject_rules=("ura_dora", "kan_ura_dora", "red_fives"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose ura dora indicators are impossible."""
    fault = pl.col("fault")
    named = [
        pl.col(name).map_elements(lambda tiles: tile_ids.names(tiles.to_list()), return_dtype=pl.String)
        for name in ("ura", "wrong", "first")
    ]
    shown, wrong, first = named
    wrongly = frames.ura_indicators.filter(fault != "")
    if (wrongly["fault"] == "others").any():
        # If a win of the round has miscounted ura dora (W108), it is clear which indicators are wrong.
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

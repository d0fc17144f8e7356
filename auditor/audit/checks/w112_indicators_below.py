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
from auditor.log.arrays import rows_where
from auditor.log.words import named_tiles

CHECK = Record(
    Severity.ERROR,
    "ura dora indicators {recorded}; expected {expected}",
    subject=Frames.ura_indicators,
    subject_rules=("ura_dora", "kan_ura_dora", "red_fives"),
)

_FAULT, _WRONG = pl.col("fault"), named_tiles("wrong")
_EXPECTED = (
    pl.when(_FAULT == "twice").then(pl.format("each once: {} is told more often than there are", _WRONG))
    .when(_FAULT == "in play").then(pl.format("tiles of the wall: {} is in play", _WRONG))
    .when(_FAULT == "others").then(pl.format("{}, as another winner shows", named_tiles("first")))
    .otherwise(pl.format("{}, one below each indicator that counts", pl.coalesce("due", "most")))
)  # fmt: skip


def find(frames: Frames) -> pl.DataFrame:
    """Return wins whose ura dora indicators are impossible."""
    below = frames.ura_indicators
    faulty = rows_where(below, below["fault"] != "")
    if (faulty["fault"] == "others").any():
        # If a win of the round has miscounted ura dora (W108), it is clear which indicators are wrong.
        miscounted = frames.wins.filter(pl.col("ura_han") != pl.col("expected_ura_han"))["round"]
        faulty = faulty.filter((pl.col("fault") != "others") | ~pl.col("round").is_in(miscounted.implode()))
    return reported(faulty, recorded=named_tiles("ura"), expected=_EXPECTED)

"""Dora, red fives or ura dora are miscounted.

What it reports: wins whose recorded han of dora, ura dora or red fives do not follow from the indicators and the hand
with its melds, and wins that show other indicators than those turned. A yakuman counts no dora.
Why it is wrong: each dora is worth a han.
Not reported: indicators turned at the wrong time, or not at all (K112); in these rounds the indicators shown at the win
count. Ura dora are not checkable if the log does not show their indicators, or shows impossible ones (W112). Dora are
not checkable if the indicators of kans are in doubt.
Source: engine/RULES.md 3.5; auditor/readers/mjlog/FORMAT.md section 7.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids
from auditor.log.arrays import filled, rows_where

CHECK = Record(
    Severity.RULE,
    "dora recorded {recorded}, expected {expected}",
    subject=Frames.wins,
    needs=("dora_han", "expected_dora_han", "expected_ura_han"),
    tried_rules=("dora", "ura_dora", "kan_dora", "kan_ura_dora", "red_fives"),
    subject_rules=("renhou",),
)


_SHOWN = {"recorded": "dora", "expected": "turned"}


def find(frames: Frames) -> pl.DataFrame:
    """Return wins with other dora, or other indicators."""
    wins, kinds = frames.wins, ("dora", "ura", "red")
    dora, ura, red = (filled(wins[f"{kind}_han"] != wins[f"expected_{kind}_han"], value=False) for kind in kinds)
    counted = reported(
        rows_where(wins, dora | ura | red),
        recorded=pl.format("{} dora, {} ura, {} red", *(f"{kind}_han" for kind in kinds)),
        expected=pl.format("{} dora, {} ura, {} red", *(f"expected_{kind}_han" for kind in kinds)),
    )
    # Lists are in the same order almost always, and sorting takes long.
    others = rows_where(wins, filled(wins["dora"] != wins["turned"], value=False))
    shown = reported(
        others.filter(pl.col("dora").list.sort() != pl.col("turned").list.sort()) if len(others) else others,
        **{name: pl.col(new).map_elements(_named, return_dtype=pl.String) for name, new in _SHOWN.items()},
    )
    found = [each for each in (counted, shown) if len(each)]
    return pl.concat(found) if found else counted


def _named(tiles: pl.Series) -> str:
    return f"indicators {tile_ids.names(tiles.to_list())}"

"""Dora, red fives or ura dora are miscounted.

What it reports: wins whose recorded han of dora, ura dora or red fives do not follow from the indicators and the hand
with its melds, and wins that show other indicators than those turned. A yakuman counts no dora. Each North that the
winner set aside counts as a dora, and again for each indicator that makes North a dora.
Why it is wrong: each dora is worth a han.
Not reported: indicators turned at the wrong time, or not at all (K112); in these rounds the indicators shown at the win
count. Ura dora are not checkable if the log does not show their indicators, or shows impossible ones (W112). Dora are
not checkable if the indicators of kans are in doubt. Norths that the win lists as set aside and that were not: N104.
Source: engine/RULES.md 3.5, 4.6; auditor/readers/mjlog/FORMAT.md section 7.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.arrays import stacked
from auditor.log.words import named_tiles

CHECK = Record(
    Severity.RULE,
    "dora recorded {recorded}, expected {expected}",
    subject=Frames.wins,
    needs=("dora_han", "expected_dora_han", "expected_ura_han"),
    tried_rules=("dora", "ura_dora", "kan_dora", "kan_ura_dora", "red_fives", "kita_han"),
    subject_rules=("renhou",),
)

_COUNTED = "{} dora, {} ura, {} red"
_RECORDED = pl.format(_COUNTED, "dora_han", "ura_han", "red_han")
_EXPECTED = pl.format(_COUNTED, "expected_dora_han", "expected_ura_han", "expected_red_han")


def find(frames: Frames) -> pl.DataFrame:
    """Return wins with other dora, or other indicators."""
    wins = frames.wins
    dora, ura, red = (wins[f"{kind}_han"] != wins[f"expected_{kind}_han"] for kind in ("dora", "ura", "red"))
    counted = reported(wins, dora | ura | red, recorded=_RECORDED, expected=_EXPECTED)
    # Lists are in the same order almost always, and sorting takes long.
    shown = reported(
        wins,
        wins["dora"] != wins["turned"],
        pl.col("dora").list.sort() != pl.col("turned").list.sort(),
        recorded=pl.format("indicators {}", named_tiles("dora")),
        expected=pl.format("indicators {}", named_tiles("turned")),
    )
    return stacked(counted, shown)

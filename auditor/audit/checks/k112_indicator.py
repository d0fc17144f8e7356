"""A kan's indicator is missing, extra, or turned at the wrong time.

What it reports: an indicator that no kan turns, a kan without one, and one turned before or after its time. The time is
that of the platform: Tenhou's logs have it straight after an ankan, and after an open kan (where it is delayed) just
before the discard or before the replacement draw of the next kan; those of 電脳麻将 after the replacement draw, and
after the discard or the next kan. A robbed kan turns none, nor does an open kan whose replacement tile wins.
Why it is wrong: an indicator too early or too late counts for a win that it should not count for.
Not reported: rounds of which other events are out of order (D101 and others), with more kans than indicators (K105);
how many of them a win counts (W108).
Source: engine/RULES.md 2.9, 4.3, 5.9; auditor/readers/mjlog/FORMAT.md 6; auditor/readers/majiang/FORMAT.md 4.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log import tile_ids

CHECK = Check(
    Severity.RULE,
    "{recorded}; expected {expected}",
    subject="indicators",
    needs=("fault",),
    obeys=("kan_dora",),
    heeds=("open_kan_dora_delayed", "open_kan_dora_chain"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return indicators out of place."""
    tile = pl.col("tile_id").map_elements(tile_ids.name, return_dtype=pl.String)
    turned = pl.format("indicator {} is turned {}", tile, "turned")
    return reported(
        frames.indicators.filter(pl.col("fault") != ""),
        recorded=pl.when(pl.col("fault") == "missing")
        .then(pl.lit("no indicator is turned for a kan"))
        .otherwise(turned),
        expected=pl.when(pl.col("fault") == "extra").then(pl.lit("none")).otherwise(pl.format("one {}", "due")),
    )

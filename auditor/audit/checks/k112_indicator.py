"""A kan's indicator is missing, extra, or turned at the wrong time.

What it reports: an indicator without a kan, a kan without its indicator, and an indicator turned before or after its
time. The time depends on the platform. In Tenhou's logs the indicator comes directly after an ankan. After a daiminkan
or kakan, if the rules delay the indicator, it comes just before the discard or before the replacement draw of the next
kan or of a kita. In the logs of 電脳麻将 it comes after the replacement draw; a delayed one comes after the discard or
after the next kan. A kan that is robbed turns no indicator, and a kita turns none. Nor does a daiminkan or kakan whose
replacement tile wins, if the indicator is delayed. Tenhou's JSON lists the indicators of a round without their times,
so there only their number counts.
Why it is wrong: an indicator turned too early or too late changes the dora of a win.
Not reported: the indicator of an open kan before a kita that is robbed, because no log shows when it is due; rounds in
which other events are out of order (D101 and others); rounds with more kans than the dead wall has indicators (K105);
how many of the indicators a win counts (W108).
Source: engine/RULES.md 2.9, 4.3, 4.6, 5.9; auditor/readers/mjlog/FORMAT.md 6; auditor/readers/majiang/FORMAT.md 4;
auditor/readers/tenhou_json/FORMAT.md 5.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import named_tile

CHECK = Record(
    Severity.RULE,
    "{recorded}; expected {expected}",
    subject=Frames.indicators,
    needs=("fault",),
    tried_rules=("kan_dora",),
    subject_rules=("open_kan_dora_delayed", "open_kan_dora_chain"),
)

_TURNED = pl.format("indicator {} is turned {}", named_tile("tile_id"), "turned")
_MISSING = pl.lit("no indicator is turned for a kan")
_RECORDED = pl.when(pl.col("fault") == "missing").then(_MISSING).otherwise(_TURNED)
_EXPECTED = pl.when(pl.col("fault") == "extra").then(pl.lit("none")).otherwise(pl.format("one {}", "due"))


def find(frames: Frames) -> pl.DataFrame:
    """Return indicators out of place."""
    indicators = frames.indicators
    return reported(indicators, indicators["fault"] != "", recorded=_RECORDED, expected=_EXPECTED)

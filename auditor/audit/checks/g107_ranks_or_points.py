"""Places or final points do not follow from the final scores.

What it reports: places or final points that do not follow from the recorded final scores. Final points depend on the
rules: the score that counts as zero, oka, uma, rounding, and the order of equal scores. With three players there are
three places.
Why it is wrong: players are paid and rated by places and final points.
Not reported: final scores that are wrong themselves (G106); points of games whose uma is unknown (custom lobbies, chip
tables). If only the rounding is unknown (Tenhou between August 2021 and May 2022, logs without a date), tenths and
whole thousands both pass. A paipu of 電脳麻将 without a rule object shows its rounding by its points: before 2022 the
engine always rounded, so points without decimals count as rounded. The column ``rule_set`` of the tables shows the
rounding that was assumed.
Source: engine/RULES.md 1 (順位点), 1.2, 2.12, 4.2, 4.6, 5.31; auditor/readers/mjlog/FORMAT.md 8.
"""

import polars as pl

from auditor.audit.check import Record, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Record(
    Severity.RULE,
    "recorded {recorded}, the final scores give {expected}",
    subject=Frames.final_scores,
    needs=("final_points",),
    tried_rules=("return_points", "starting_points", "uma", "floating_uma", "tie_break"),
    subject_rules=("final_points_rounding", "leftover_riichi_sticks"),
)
_RECORDED, _EXPECTED = (
    pl.when(~pl.col("points_fit"))
    .then(pl.format("points {}", format_points(points)))
    .otherwise(pl.format("places {}", format_points(places)))
    for points, places in (("final_points", "places"), ("expected_points", "expected_places"))
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the games with other places or points."""
    games = frames.final_scores
    wrong = (games["places"] != games["expected_places"]) | ~games["points_fit"]
    return reported(games, wrong, recorded=_RECORDED, expected=_EXPECTED)

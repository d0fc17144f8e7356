"""Places or final points are not those that the final scores give.

What it reports: another order of the seats, or points by seat that do not follow from the recorded final scores with
the rules' settlement score, oka, uma, rounding and way to part equal scores.
Why it is wrong: this is what players are paid and rated by.
Not reported: final scores that are wrong themselves (G106), points of games whose uma the log does not settle (custom
lobbies, chip tables). Where only the rounding is unsettled (Tenhou between August 2021 and May 2022, logs without a
date), tenths and whole thousands both pass. A paipu of 電脳麻将 without a rule object shows its rounding itself: before
2022 the engine always rounded, and four points without decimals are taken as rounded so; ``rule_set`` says it.
Source: engine/RULES.md 1 (順位点), 1.2, 2.12, 4.2, 5.31; auditor/readers/mjlog/FORMAT.md 8.
"""

import polars as pl

from auditor.audit.check import Check, Severity, reported
from auditor.audit.frames import Frames
from auditor.log.words import format_points

CHECK = Check(
    Severity.RULE,
    "recorded {recorded}, the final scores give {expected}",
    subject="final_scores",
    needs=("final_points",),
    obeys=("return_points", "starting_points", "uma", "floating_uma", "tie_break"),
    heeds=("final_points_rounding", "leftover_riichi_sticks"),
)


def find(frames: Frames) -> pl.DataFrame:
    """Return the games with other places or points."""
    places = pl.col("places") != pl.col("expected_places")
    points = ~pl.col("points_fit")
    return reported(
        frames.final_scores.filter(places.fill_null(value=False) | points.fill_null(value=False)),
        recorded=pl.when(points).then(_format("points", "final_points")).otherwise(_format("places", "places")),
        expected=pl.when(points)
        .then(_format("points", "expected_points"))
        .otherwise(_format("places", "expected_places")),
    )


def _format(what: str, column: str) -> pl.Expr:
    return pl.format("{} {}", pl.lit(what), format_points(column))

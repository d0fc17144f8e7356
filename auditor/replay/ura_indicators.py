"""Ura dora indicators: they lie under the indicators that are turned, and winners in riichi show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from auditor.log.arrays import tile_numbers
from auditor.replay.columns import PLACE, Columns
from auditor.replay.holdings import capacities
from auditor.replay.trust import INDICATOR_DOUBTS
from auditor.replay.win_context import result_rows, turned

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Replay

FAULTS = ("twice", "in play", "count", "others")
"""The possible faults of a win's ura dora indicators; the first that applies is reported."""


BELOW_COLUMNS: Columns = {
    "claim": pl.UInt32,  # row of Log.claims
    **PLACE,
    "ura": pl.List(pl.Int16),  # the indicators shown
    "wrong": pl.List(pl.Int16),  # those of them that are impossible
    "first": pl.List(pl.Int16),  # those that the round's first winner with any shows
    "count": pl.UInt32,  # how many are shown
    "due": pl.Int64,  # how many should be shown
    "most": pl.Int64,  # how many can be shown at most
    "fault": pl.String,  # one of FAULTS, or ""
}


def ura_indicators(log: Log, played: Replay, held: Holdings, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each win that shows ura dora indicators.

    ``fault`` is "" or one of :data:`FAULTS`:

    - ``twice``: the win shows a tile more often than the set has it;
    - ``in play``: a tile is in a hand, a river or a meld, or is another indicator;
    - ``count``: their number is not ``due``, or more than ``most``;
    - ``others``: they are not those that the round's first winner shows (``first``).

    ``wrong`` has the impossible tiles of the first two faults. ``most`` is the number of indicators turned in the
    round. ``due`` is the same if the rules have kan ura dora, else 1. Both are null in rounds with INDICATOR_DOUBTS;
    ``due`` also where the rules do not say.
    """
    claims = log.claims.with_columns(
        pos=log.events["pos"].gather(result_rows(played)), seat="winner", count=pl.col("ura").list.len()
    ).filter(pl.col("count") > 0)
    shown = claims.select("claim", "round", tile_id="ura").explode("tile_id").drop_nulls("tile_id")
    shown = shown.group_by("claim", "round", "tile_id", maintain_order=True).agg(shown=pl.len().cast(pl.Int64))
    place = tile_numbers(shown)
    shown = shown.with_columns(
        seen=pl.Series(held.times_seen[place]), capacity=pl.Series(capacities(log).ravel()[place])
    )
    # T101 reports a tile that is in play too often without these.
    many = shown.filter(pl.col("seen") <= pl.col("capacity"), pl.col("shown") + pl.col("seen") > pl.col("capacity"))
    wrong = many.group_by("claim", maintain_order=True).agg(
        wrong="tile_id", twice=(pl.col("shown") > pl.col("capacity")).any()
    )
    due, most = _due(log, played, rules, held.trust.rounds.free_of(INDICATOR_DOUBTS))
    miscounted = (pl.col("count") != pl.col("due")) | (pl.col("count") > pl.col("most"))
    rows = (
        claims.join(wrong, on="claim", how="left", maintain_order="left")
        .with_columns(due=due.gather(claims["round"]), most=most.gather(claims["round"]))
        .with_columns(
            fault=pl.when("twice").then(pl.lit("twice"))
            .when(pl.col("wrong").is_not_null()).then(pl.lit("in play"))
            .when(miscounted.fill_null(value=False)).then(pl.lit("count"))
            .otherwise(pl.lit(""))
        )
    )  # fmt: skip
    # If the first winner's are faulty, the others' need not equal them.
    first = rows.unique("round", keep="first", maintain_order=True).select(
        "round", first="ura", first_right=pl.col("fault") == ""
    )
    rows = rows.join(first, on="round", how="left", maintain_order="left")
    others = (
        (pl.col("fault") == "") & pl.col("first_right") & (pl.col("ura").list.sort() != pl.col("first").list.sort())
    )
    return rows.select(
        "claim", "round", "event", "pos", "seat", "ura", "wrong", "first", "count", "due", "most",
        fault=pl.when(others).then(pl.lit("others")).otherwise("fault"),
    )  # fmt: skip


def _due(
    log: Log, played: Replay, rules: RulesByRow, turned_right: npt.NDArray[np.bool_]
) -> tuple[pl.Series, pl.Series]:
    """Return how many ura dora indicators wins of each round should show, and can show at most; null where unknown."""
    most = pl.select(pl.when(pl.Series(turned_right)).then(turned(log, played).list.len().cast(pl.Int64))).to_series()
    each = rules.values("kan_ura_dora")
    due = pl.when(pl.Series(rules.holds("ura_dora")) & each.is_not_null()).then(pl.when(each).then(most).otherwise(1))
    return pl.select(due=due).to_series().cast(pl.Int64), most

"""Ura indicators: they lie under the dora indicators, and a winner in riichi shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.tile_ids import TILE_IDS
from auditor.replay.holdings import capacities
from auditor.replay.win_context import result_rows, turned

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Replay

FAULTS = ("twice", "in play", "count", "others")
"""What can be wrong with them; the first that holds is named."""


def ura_indicators(log: Log, played: Replay, held: Holdings, rules: RulesByRow, odd: pl.Series) -> pl.DataFrame:
    """Return one row a win that shows ura indicators.

    ``fault`` is one of :data:`FAULTS`, or "": a tile told more often than the set has it, a tile that is in a hand, a
    river, a meld or above, not as many as there should be, or other tiles than the round's first winner shows
    (``first``). There should be one to each indicator turned where rules count those below kans' (``due``; null where
    they do not say, or where rounds are ``odd``: their indicators turned at a wrong time, or not read), and never more
    (``most``). ``wrong`` are the tiles that cannot be there.
    """
    claims = log.claims.with_columns(
        pos=log.events["pos"].gather(result_rows(played)), seat="winner", count=pl.col("ura").list.len()
    ).filter(pl.col("count") > 0)
    told = claims.select("claim", "round", tile_id="ura").explode("tile_id").drop_nulls("tile_id")
    told = told.group_by("claim", "round", "tile_id", maintain_order=True).agg(told=pl.len().cast(pl.Int64))
    place = _place(told)
    seen = np.bincount(_place(held.seen), minlength=len(log.rounds) * TILE_IDS)[place]
    told = told.with_columns(seen=pl.Series(seen), capacity=pl.Series(capacities(log).ravel()[place]))
    # A tile that is in play too often without these is another fault (T101).
    many = told.filter(pl.col("seen") <= pl.col("capacity"), pl.col("told") + pl.col("seen") > pl.col("capacity"))
    wrong = many.group_by("claim", maintain_order=True).agg(
        wrong="tile_id", twice=(pl.col("told") > pl.col("capacity")).any()
    )
    due, most = _due(log, played, rules, odd)
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
    # Where one winner's cannot be, the others differ from them rightly.
    first = rows.unique("round", keep="first", maintain_order=True).select(
        "round", first="ura", sound=pl.col("fault") == ""
    )
    rows = rows.join(first, on="round", how="left", maintain_order="left")
    others = (pl.col("fault") == "") & pl.col("sound") & (pl.col("ura").list.sort() != pl.col("first").list.sort())
    return rows.select(
        "claim", "round", "event", "pos", "seat", "ura", "wrong", "first", "count", "due", "most",
        fault=pl.when(others).then(pl.lit("others")).otherwise("fault"),
    )  # fmt: skip


def _place(tile_ids: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Return ``round * TILE_IDS + tile_id`` of each row."""
    place: npt.NDArray[np.int64] = (
        tile_ids["round"].to_numpy().astype(np.int64) * TILE_IDS + tile_ids["tile_id"].to_numpy()
    )
    return place


def _due(log: Log, played: Replay, rules: RulesByRow, odd: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return how many indicators below each round should show, and how many it can; null where nobody can say."""
    most = pl.select(pl.when(~odd).then(turned(log, played).list.len().cast(pl.Int64))).to_series()
    each = rules.values("kan_ura_dora")
    due = pl.when(pl.Series(rules.holds("ura_dora")) & each.is_not_null()).then(pl.when(each).then(most).otherwise(1))
    return pl.select(due=due).to_series().cast(pl.Int64), most

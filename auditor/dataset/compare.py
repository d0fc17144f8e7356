"""The comparison of two datasets: rows of each table, and findings that only one of them has."""

from __future__ import annotations

import polars as pl

from auditor.dataset.schema import PARTED

SAME = ["code", "game_id", "alone", "round", "event", "seat", "recorded", "expected"]
"""Two findings are the same if they agree in these; ``alone`` is the source where no game could be read, else null."""


def counted(before: dict[str, pl.LazyFrame], after: dict[str, pl.LazyFrame]) -> pl.DataFrame:
    """Return a row for each table but those about runs: ``table``, its rows ``before`` and ``after`` (each dataset)."""
    return pl.DataFrame({
        "table": PARTED,
        "before": [before[name].select(pl.len()).collect().item() for name in PARTED],
        "after": [after[name].select(pl.len()).collect().item() for name in PARTED],
    })  # fmt: skip


def changed(before: dict[str, pl.LazyFrame], after: dict[str, pl.LazyFrame]) -> pl.DataFrame:
    """Return the findings that one dataset has and the other lacks, counted by game and code.

    ``change`` is appeared or disappeared, ``findings`` the count. ``in_both`` says whether both datasets have the game
    (null: no game was read).
    """
    old, new = (_tally(tables["findings"], name) for tables, name in ((before, "old"), (after, "new")))
    both = pl.concat(
        [before["games"].select("game_id").unique(), after["games"].select("game_id").unique()]
    ).group_by("game_id").agg(in_both=pl.len() == 2)  # fmt: skip
    more = pl.col("new").fill_null(0).cast(pl.Int64) - pl.col("old").fill_null(0).cast(pl.Int64)
    return (
        old.join(new, on=SAME, how="full", nulls_equal=True, coalesce=True)
        .with_columns(pl.coalesce("source", "source_right").alias("source"), more=more)
        .filter(pl.col("more") != 0)
        .with_columns(change=pl.when(pl.col("more") > 0).then(pl.lit("appeared")).otherwise(pl.lit("disappeared")))
        .group_by("change", "code", "game_id", "source")
        .agg(findings=pl.col("more").abs().sum())
        .join(both, on="game_id", how="left")
        .sort("change", "code", "source", "game_id")
        .collect()
    )


def _tally(findings: pl.LazyFrame, name: str) -> pl.LazyFrame:
    """Count findings that agree in `SAME`, in a column of this name."""
    alone = pl.when(pl.col("game_id").is_null()).then("source")
    return findings.with_columns(alone=alone).group_by(SAME).agg(pl.len().alias(name), pl.col("source").min())

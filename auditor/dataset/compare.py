"""The comparison of two datasets, or of two runs of one: rows of each table, findings that only one of them has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from auditor.dataset import history
from auditor.dataset.schema import PARTED

if TYPE_CHECKING:
    from auditor.dataset.choice import Choice

SAME = ["code", "game_id", "alone", "round", "event", "seat", "recorded", "expected"]
"""Two findings are the same if they agree in these; ``alone`` is the source where no game could be read, else null."""


class CompareError(Exception):
    """The datasets or runs to compare are not there, or too few are named."""


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


def between_runs(tables: dict[str, pl.LazyFrame], one: str, other: str | None, choice: Choice) -> pl.DataFrame:
    """Return the findings that the dataset had after only one of two runs, one a row.

    The columns are ``change`` (appeared or disappeared), ``why`` it is gone, and values of the finding. ``one`` is as
    in :func:`auditor.dataset.history.before`, ``other`` as in :func:`auditor.dataset.history.run_named`, or
    None: the dataset as it is now.

    Raises
    ------
    CompareError
        when there is no such run
    ChoiceError
        when there is no such game or player

    """
    try:
        then = history.before(tables, one)
        now = history.newest(tables) if other is None else history.run_named(tables, other)
    except history.RunError as error:
        raise CompareError(str(error)) from error
    if then and now and then > now:
        raise CompareError(f"{one}: is a later run than {other}; give the earlier one with --before")
    found = history.between(tables, then, now)
    parts = [
        frame.with_columns(change=pl.lit(change))
        for change, frame in (("disappeared", found.gone), ("appeared", found.new))
    ]
    changes = choice.of_changes(tables, pl.concat(parts))
    return changes.select(
        "change", "why", "code", "source", "round_name", "event", "seat", "player", "message", "finding"
    )


def _tally(findings: pl.LazyFrame, name: str) -> pl.LazyFrame:
    """Count findings that agree in `SAME`, in a column of this name."""
    alone = pl.when(pl.col("game_id").is_null()).then("source")
    return findings.with_columns(alone=alone).group_by(SAME).agg(pl.len().alias(name), pl.col("source").min())

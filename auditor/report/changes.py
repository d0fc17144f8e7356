"""What is new and what is gone since an earlier run, as the page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from auditor.base.printing import escaped
from auditor.dataset import history

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

MOST_GONE = 200
"""Findings that are gone which the page names; it counts the others."""


@dataclass(frozen=True)
class Changes:
    """The findings of a dataset against an earlier run.

    Parameters
    ----------
    run
        when the earlier run began (UTC); None: there was none, so nothing is called new
    found
        the rows of the table `findings`, then ``finding``, ``first_seen`` and ``is_new``
    new
        how many are new; of copies of a game only one counts
    of_code
        how many are new and how many gone, by code
    gone
        findings that were there and are not: code, source, round, message, why; at most :data:`MOST_GONE`
    gone_count
        how many there are

    """

    run: datetime | None
    found: pl.LazyFrame
    new: int
    of_code: dict[str, tuple[int, int]]
    gone: list[dict[str, Any]]
    gone_count: int


def changes(tables: Mapping[str, pl.LazyFrame], since: str | None = None) -> Changes:
    """Return what is new and gone since a run, as :func:`auditor.dataset.history.before` names it.

    Raises
    ------
    RunError
        when no run has this name

    """
    before = history.before(tables, since)
    found = history.with_history(tables).drop("key")
    if before is None:
        return Changes(None, found.with_columns(is_new=pl.lit(value=False)), 0, {}, [], 0)
    told = history.findings_since(tables, since)
    new = told.new["finding"].drop_nulls().implode()
    codes = {code: (count, 0) for code, count in told.new["code"].value_counts().iter_rows()}
    for code, count in told.gone["code"].value_counts().iter_rows():
        codes[code] = codes.get(code, (0, 0))[0], count
    return Changes(
        run=before,
        found=found.with_columns(is_new=pl.col("finding").is_in(new).fill_null(value=True)),
        new=len(told.new),
        of_code=codes,
        gone=[
            {name: escaped(str(value)) if value is not None else "" for name, value in row.items()}
            for row in told.gone.head(MOST_GONE)
            .select("code", "severity", "source", "round_name", "message", "why")
            .to_dicts()
        ],
        gone_count=len(told.gone),
    )

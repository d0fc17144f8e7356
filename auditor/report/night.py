"""The night at a glance: what the last run did, what it found, what it could not check, and what it could not read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from auditor.audit.check import Severity, all_checks
from auditor.base.printing import escaped

if TYPE_CHECKING:
    from collections.abc import Mapping

    Row = dict[str, Any]

MOST_SOURCES = 200
"""Sources that were not read which the page names; it counts the others."""
RANKS = {severity.value: at for at, severity in enumerate(Severity)}
"""Severities, the worst first."""


@dataclass(frozen=True)
class Night:
    """What a page says at its top.

    Parameters
    ----------
    run
        the last run's row of ``runs``; None: no run is recorded
    totals
        games, rounds and wins of the whole dataset, each game once
    codes
        one row a code with findings: code, severity, title, findings, games
    severities
        findings by severity
    unchecked
        one row a check that could not judge some rows: code, title, looked, not_checkable, why
    unread
        sources that were not read: source, status, reason; at most :data:`MOST_SOURCES`
    unread_count
        how many there are

    """

    run: Row | None
    totals: dict[str, int]
    codes: list[Row]
    severities: dict[str, int]
    unchecked: list[Row]
    unread: list[Row]
    unread_count: int


def night(tables: Mapping[str, pl.LazyFrame], found: pl.LazyFrame) -> Night:
    """Return the figures of a dataset; ``found`` are the findings that the page is about."""
    counts = (
        found.group_by("code", "severity")
        .agg(findings=pl.len(), games=pl.col("game_id").n_unique())
        .collect()
        .to_dicts()
    )
    titles = {check.code: check.title for check in all_checks()}
    codes = sorted(counts, key=lambda row: (RANKS.get(row["severity"], 9), row["code"]))
    runs = tables["runs"].sort("begun").last().collect().to_dicts()
    unread = tables["sources"].filter(pl.col("status").is_in(["unreadable", "unsupported", "missing"]))
    many = unread.select(pl.len()).collect().item()
    return Night(
        run=runs[0] if runs else None,
        totals={
            "games": _count(tables["games"].select(pl.col("game_id").n_unique())),
            "rounds": _count(tables["rounds"].select(pl.len())),
            "wins": _count(tables["wins"].select(pl.len())),
        },
        codes=[row | {"title": titles.get(row["code"], "")} for row in codes],
        severities={
            severity.value: sum(row["findings"] for row in codes if row["severity"] == severity)
            for severity in Severity
        },
        unchecked=_unchecked(runs[0]) if runs else [],
        unread=[
            {name: escaped(text or "") for name, text in row.items()}
            for row in unread.select("source", "status", "reason").head(MOST_SOURCES).collect().to_dicts()
        ],
        unread_count=many,
    )


def _count(counted: pl.LazyFrame) -> int:
    return int(counted.collect(engine="streaming").item())


def _unchecked(run: Row) -> list[Row]:
    """Return the checks of a run that could not judge some rows, those that could judge none first."""
    checks = {check.code: check for check in all_checks()}
    found = []
    for row in run["checks"] or ():
        check = checks.get(row["code"])
        if check is None or not (row["not_checkable"] or row["depends"]):
            continue
        why = []
        if row["not_checkable"]:
            asks = ", ".join(check.needs)
            why.append(f"the log or its rules do not say{f' ({asks})' if asks else ''}")
        if row["depends"]:
            rules = ", ".join(row["depends_on"])
            why.append(f"{row['depends']:,} mismatches that a value of an unknown rule makes right: {rules}")
        found.append({
            "code": row["code"], "title": check.title, "looked": row["looked"],
            "not_checkable": row["not_checkable"], "why": "; ".join(why),
        })  # fmt: skip
    return sorted(found, key=lambda row: (row["not_checkable"] < row["looked"], row["code"]))

"""A run's own record: its row of the table ``runs``, and a JSON summary for people and monitors."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import polars as pl

from auditor import __version__
from auditor.dataset import store
from auditor.dataset.history import NAME
from auditor.dataset.schema import TABLES

if TYPE_CHECKING:
    from datetime import datetime

    from auditor.audit.audit_batch import Options
    from auditor.dataset.store import Out
    from auditor.run.totals import Totals

SUMMARIES = "summaries"
"""The folder in a dataset that has one JSON file per run."""


def write(
    total: Totals,
    out: Out,
    options: Options,
    span: tuple[datetime, datetime],
    *,
    stopped: str | None,
    changes: pl.DataFrame,
) -> None:
    """Write a run's row of ``runs``, in the same moment its rows of ``changes``, and its JSON summary.

    Parameters
    ----------
    total
        counts of the run
    out
        folder of the dataset
    options
        rules and checks
    span
        when the run began and ended
    stopped
        name of the signal that ended the run early; None if it was complete
    changes
        what the run has changed in what is known about findings

    Raises
    ------
    OutputError
        when the row or the summary cannot be written

    """
    begun, ended = span
    checks = [
        {"code": check.code, "looked": total.looked[check.code], "not_checkable": total.not_checkable[check.code],
         "findings": total.findings[check.code], "depends": total.depends[check.code],
         "depends_on": sorted(rule for code, rule in total.depends_on if code == check.code)}
        for check in options.checks
    ]  # fmt: skip
    row = {
        "begun": begun,
        "ended": ended,
        "version": __version__,
        "options": stated(options),
        "audit": options.digest,
        "stopped": stopped,
        "findings": total.findings.total(),
        "checks": checks,
    }
    counts = {name: getattr(total, name) for name in TABLES["runs"].types if name not in row}
    name = f"{begun:{NAME}}"
    table = pl.DataFrame([row | counts], schema=TABLES["runs"].types)
    store.stage({"runs": table, "changes": changes}, out, name, os.getpid())
    store.commit(out, name, {})
    text = json.dumps(_summary(total, row, counts), ensure_ascii=False, indent=2) + "\n"
    store.note(text, out, SUMMARIES, f"{name}.json")


def stated(options: Options) -> str:
    """Return rules and checks as JSON, as the table ``runs`` has them."""
    return json.dumps(asdict(options), ensure_ascii=False)


def _summary(total: Totals, row: dict[str, Any], counts: dict[str, int]) -> dict[str, Any]:
    seconds = (row["ended"] - row["begun"]).total_seconds()
    return {
        "begun": row["begun"].isoformat(),
        "ended": row["ended"].isoformat(),
        "seconds": round(seconds, 3),
        "games_per_second": round(total.games / seconds, 1) if seconds else None,
        "version": row["version"],
        "audit": row["audit"],
        "stopped": row["stopped"],
        **counts,
        "findings": row["findings"],
        "findings_by_severity": dict(sorted(total.severities.items())),
        "findings_by_code": dict(sorted(total.findings.items())),
        "not_checkable": {
            each["code"]: {"rows": each["not_checkable"], "of": each["looked"]}
            for each in row["checks"] if each["not_checkable"]
        },
        "depends_on_unknown_rules": {
            each["code"]: {"rows": each["depends"], "rules": each["depends_on"]}
            for each in row["checks"] if each["depends"]
        },
        "not_read": total.unread,
        "damaged": total.damaged,
        "first_findings": [
            {name: value for name, value in finding.items() if value is not None} for finding in total.first
        ],
    }  # fmt: skip

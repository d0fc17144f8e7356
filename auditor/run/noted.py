"""What a run has changed in what is known about findings: which are new, and which are gone and why."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import polars as pl

from auditor.audit.check import all_checks
from auditor.dataset import changes, store
from auditor.dataset.gone import Audit
from auditor.dataset.schema import TABLES
from auditor.run import record

if TYPE_CHECKING:
    from datetime import datetime

    from auditor.audit.audit_batch import Options
    from auditor.dataset.store import Out
    from auditor.run.totals import Totals


def of_run(total: Totals, out: Out, options: Options, begun: datetime) -> pl.DataFrame:
    """Return the rows that a run adds to the table `changes`, and count new and gone findings in its totals.

    Raises
    ------
    OutputError
        when a table of the dataset cannot be read

    """
    codes = [check.code for check in options.checks]
    whole = [check.code for check in all_checks() if check.whole_dataset]
    with store.reading(out):
        tables = {name: table(out, name) for name in ("findings", "sources", "changes", "runs")}
        found = changes.of_run(tables, Audit(begun, options.digest, record.stated(options), codes, whole))
        total.earlier = tables["runs"].select(pl.len()).collect().item()
    total.known, total.new, total.gone = found.known, found.new, found.gone
    return found.rows


def later(out: Out, now: datetime) -> datetime:
    """Return the time of the next change: now, but later than every change before, even if the clock was set back."""
    with store.reading(out):
        newest = [table(out, name).select(pl.col(at).max()) for name, at in (("runs", "begun"), ("changes", "at"))]
        times: list[datetime | None] = [each.collect().item() for each in newest]
    return max([now, *(each + timedelta(microseconds=1) for each in times if each is not None)])


def table(out: Out, name: str) -> pl.LazyFrame:
    """Return a table of a locked dataset; without rows if it has no file."""
    found = store.scanned(out, name)
    return pl.LazyFrame(schema=TABLES[name].types) if found is None else found.drop("part")

"""Short ways to read and audit logs in tests."""

from __future__ import annotations

import hashlib
from pathlib import Path

import polars as pl
from told_logs import Writer

from auditor.audit.audit_batch import Options, audit
from auditor.audit.findings import Tally
from auditor.audit.report import Report
from auditor.readers import mjlog
from auditor.run import repeats
from auditor.sources import log_files
from engine.rules.rule_sets import preset

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
CHECKS = FIXTURES / "checks"

TENHOU = Options(preset("tenhou"))
EVERY = Options(preset("tenhou"), ("ALL",))
"""All checks, those too that run only if selected."""


def files_below(folder):
    """List the files below a folder, in the order of their names."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


LOGS = files_below(FIXTURES / "logs")


def read_all(paths):
    """Read files and give their sources and the log of them all."""
    found = [log_files.read(path) for path in paths]
    return found, mjlog.read(found, TENHOU.rules)


def source(data, name="told.mjlog"):
    """Make a source of bytes."""
    return log_files.unpack(log_files.Source(name, len(data), hashlib.sha256(data).hexdigest(), named=True), data)


def told(text):
    """Make a log's bytes from words (scripts/told_logs.py)."""
    return Writer().write(text)


def audited(*logs, options=TENHOU):
    """Audit logs given as bytes, all in one batch."""
    return audited_whole([source(data, f"told-{place}.mjlog") for place, data in enumerate(logs)], options)


def audited_whole(sources, options):
    """Audit sources in one batch, and add what a run finds when all batches are written."""
    report = audit(sources, options)
    tables, tallies = report.tables, report.tallies
    for check in options.checks:
        if check.whole_dataset:
            found = repeats.repeated(tables["games"].lazy(), check)
            tables = tables | {"findings": pl.concat([tables["findings"], found])}
            tallies = [*tallies, Tally(check.code, len(tables["games"]), 0, len(found))]
    return Report(tables, tallies)


def codes(report):
    """List the codes of a report's findings, each once."""
    return sorted(set(report.tables["findings"]["code"]))


def events(log):
    """Give a log's events with what feeds a call (``source``) and a meld's tiles beside the first (``others``)."""
    others = pl.concat_list("p1", "p2", "p3").list.drop_nulls().list.sort()
    return (
        log.events.with_row_index("row")
        .join(log.melds, on="row", how="left", maintain_order="left")
        .with_columns(pl.col("kind").cast(pl.String), others=others)
        .drop("row", "p1", "p2", "p3")
    )


def tally(report, code):
    """Give the tally of one check."""
    return next(each for each in report.tallies if each.code == code)

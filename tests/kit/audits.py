"""Short ways to read and audit logs in tests."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path

import polars as pl

from auditor.audit.audit_batch import Options, audit
from auditor.audit.check import choose
from auditor.audit.findings import Tally
from auditor.audit.report import Report
from auditor.readers import mjlog
from auditor.run import repeats
from auditor.sources import log_files
from engine.rules.rule_sets import preset
from tests.kit.log_writer import Writer

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
CHECKS = FIXTURES / "checks"

TENHOU = Options(preset("tenhou"))
EVERY = Options(preset("tenhou"), ("ALL",))
"""All checks, including those that run only if selected."""
FLOW = tuple(check.code for check in choose(["R", "X", "W103", "W110", "P106", "P107"], []))
"""The checks of riichi, furiten, draws and aborts."""


def files_below(folder):
    """List the files below a folder, in the order of their names."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


LOGS, LOGS_OF_THREE = (files_below(FIXTURES / "logs" / folder) for folder in ("tenhou", "tenhou-3p"))
"""The shipped games, of four and of three players."""


def read_all(paths):
    """Read mjlog files; give their sources and their common log."""
    found = [log_files.read(path) for path in paths]
    return found, mjlog.READER.read(found, TENHOU.rules)


def source(data, name="log.mjlog"):
    """Make a source from bytes."""
    return log_files.unpack(log_files.Source(name, len(data), hashlib.sha256(data).hexdigest(), named=True), data)


def log_bytes(text):
    """Make a log's bytes from a description in words (log_writer.py)."""
    return Writer().write(text)


def audited(*logs, options=TENHOU):
    """Audit logs, given as bytes, in one batch; give the report."""
    return audited_whole([source(data, f"log-{place}.mjlog") for place, data in enumerate(logs)], options)


def audited_whole(sources, options):
    """Audit sources in one batch, and add the findings of checks of the whole dataset."""
    report = audit(sources, options)
    tables, tallies = report.tables, report.tallies
    for check in options.checks:
        if check.whole_dataset:
            found = repeats.repeated(tables["games"].lazy(), check)
            tables = tables | {"findings": pl.concat([tables["findings"], found])}
            tallies = [*tallies, Tally(check.code, len(tables["games"]), 0, len(found))]
    return Report(tables, tallies)


def flow_findings(text, **rules):
    """List the findings (code, seat) of the checks in FLOW in a described log, under Tenhou's rules with changes."""
    options = Options(preset("tenhou").changed(**rules), FLOW)
    return audited(log_bytes(text), options=options).tables["findings"].select("code", "seat").rows()


def with_changes(text, *changes):
    """Replace parts of a description, given as (old, new), each of which occurs once.

    In both, ``; `` stands for a new line, and ``1:E`` for a draw of seat 1 and its discard.
    """
    for change in changes:
        old, new = (re.sub(r"(\d):(\w+)", r"\1 draws \2\n\1 discards \2", part).replace("; ", "\n") for part in change)
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def audited_apart(logs, options=TENHOU, ending="mjlog"):
    """Audit logs, given as bytes by name, in one batch; give the tables of each by its name.

    L005 is ignored, because two changes of one log can give the same game.
    """
    alone = replace(options, ignore=(*options.ignore, "L005"))
    files = [source(data, f"log-{place}.{ending}") for place, data in enumerate(logs.values())]
    tables = audit(files, alone).tables
    parts = {name: table.partition_by("source", as_dict=True) for name, table in tables.items()}
    return {
        log: {name: part.get((file.name,), tables[name].clear()) for name, part in parts.items()}
        for log, file in zip(logs, files, strict=True)
    }


def codes(report):
    """List the codes of a report's findings, each once, sorted."""
    return sorted(set(report.tables["findings"]["code"]))


def events(log):
    """Give a log's events with two more columns: ``source``, the feeder of a call, and ``others``, its other tiles."""
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

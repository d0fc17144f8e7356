"""Runs over archives and single files: their tables, and the status and reason of each source."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
from typer.testing import CliRunner

from auditor.cli.main import app
from tests.kit.audits import CHECKS, FIXTURES

GOOD = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
OTHER = (CHECKS / "w107_points" / "fail.mjlog").read_bytes()
LOGS = {
    "2009/a.mjlog": (CHECKS / "w106_fu" / "fail.mjlog").read_bytes(),
    "2009/b.mjlog": (CHECKS / "w107_points" / "fail.mjlog").read_bytes(),
    "2010/2023112505gm-0009-0000-1917fe69.mjlog": (
        FIXTURES / "logs" / "tenhou" / "2023112505gm-0009-0000-1917fe69.mjlog"
    ).read_bytes(),
    "2010/d.txt": b"hello, this is no log\n",
    "2010/e.mjlog": b"",
}


def audit(out, *arguments, jobs=1, text=None, code=(0, 1)):
    """Run an audit; give its tables. Rows of archives are in ``archives``, not in ``sources``."""
    words = ["run", *map(str, arguments), "--out", str(out), "--jobs", str(jobs)]
    result = CliRunner().invoke(app, words, input=text)
    assert isinstance(result.exception, SystemExit | None), result.exc_info
    assert result.exit_code in code, result.output[-500:]
    names = ("sources", "findings", "turns", "wins", "games")
    tables = {name: pl.read_parquet(sorted((out / name).glob("*.parquet"))) for name in names}
    archive = tables["sources"]["status"] == "archive"
    return tables | {"archives": tables["sources"].filter(archive), "sources": tables["sources"].filter(~archive)}


def folder_of(path, logs=LOGS):
    """Write logs as files."""
    for name, data in logs.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
        os.utime(path / name, (1e9, 1e9))  # long ago, because a run does not rely on a recent time of change
    return path


def rows(tables):
    """Give status and reason of each source by its member or file name."""
    return {
        row["member"] or Path(row["path"]).name: (row["status"], row["reason"] or "")
        for row in tables["sources"].iter_rows(named=True)
    }


def statuses(out, *arguments, code=(0, 1)):
    """Run an audit; give status and reason of every source by its name within its folder or archive."""
    result = CliRunner().invoke(app, ["run", *map(str, arguments), "--out", str(out), "--jobs", "1"])
    assert isinstance(result.exception, SystemExit | None), result.exc_info
    assert result.exit_code in code, result.output[-500:]
    assert "Traceback" not in result.output
    rows = pl.read_parquet(sorted((out / "sources").glob("*.parquet"))).iter_rows(named=True)
    return {row["member"] or Path(row["path"]).name: (row["status"], row["reason"] or "") for row in rows}

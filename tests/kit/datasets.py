"""Short ways to run the auditor into a dataset, and to compare datasets row by row."""

from __future__ import annotations

import os
import subprocess
import sys

import polars as pl
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.dataset.schema import PARTED

OLD = 1_600_000_000
"""A time of change in seconds, so long ago that a run relies on it."""

# A process that audits in batches of two files. `KILL_AT` kills it in the middle of its n-th change on disk. Workers
# are forks of it, unless `FRESH` is empty.
DRIVER = """
import os, signal, sys
from pathlib import Path
from auditor.dataset import store
from auditor.run import run_batches
run_batches.BATCH_FILES = 2
workers = run_batches.workers
run_batches.workers = lambda jobs, board, **_: workers(jobs, board, fresh=bool(os.environ["FRESH"]))
at, count = int(os.environ.get("KILL_AT", 0)), 0

def counted(real, half=None):
    def change(*arguments, **more):
        global count
        count += 1
        if count == at:
            if half:
                half(*arguments)
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **more)
    return change

if at:
    write = store._write
    def halved(table, place):
        write(table, place)
        place.write_bytes(place.read_bytes()[: place.stat().st_size // 2])
    store._write = counted(write, halved)
    for name in ("rename", "replace", "unlink", "rmdir", "touch"):
        setattr(Path, name, counted(getattr(Path, name)))
from auditor.cli.main import main
main()
"""


def run(out, *arguments, code=(0, 1)):
    """Run the auditor in this process, without workers; give its result."""
    result = CliRunner().invoke(app, ["run", "--jobs", "1", *map(str, arguments), "--out", str(out)])
    assert result.exit_code in code, result.output[-800:]
    return result


def process(out, *arguments, kill_at=0, fresh=True, **more):
    """Start a run in its own process, in batches of two files; its workers are forks if it is ``fresh``."""
    return command("run", *arguments, "--out", out, kill_at=kill_at, fresh=fresh, **more)


def command(*arguments, kill_at=0, fresh=True, **more):
    """Start the auditor in its own process, as :func:`process` does."""
    words = [sys.executable, "-c", DRIVER, *map(str, arguments)]
    environment = os.environ | {"KILL_AT": str(kill_at), "FRESH": "1" * fresh, "POLARS_MAX_THREADS": "1"}
    return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def rows(out):
    """Give every table's rows as a sorted list of texts, because the order of parts does not matter."""
    tables = {name: pl.read_parquet(sorted((out / name).glob("*.parquet"))) for name in PARTED}
    return {name: sorted(map(repr, table.rows())) for name, table in tables.items()}


def whole(out):
    """Check that a dataset reads, that each part is in every table, and that no source occurs twice.

    Gives the names of parts by table.
    """
    parts = {name: {path.name for path in (out / name).glob("[!.]*.parquet")} - {"L005.parquet"} for name in PARTED}
    for name in PARTED:
        for path in (out / name).glob("*.parquet"):
            pl.read_parquet(path)
    if parts["sources"]:
        sources = pl.read_parquet(sorted((out / "sources").glob("*.parquet")))
        assert not sources.select("path", "member").is_duplicated().any()
    return parts


def last_run(out):
    """Give the newest row of ``runs``."""
    return pl.read_parquet(sorted((out / "runs").glob("*.parquet"))).sort("begun").row(-1, named=True)


def place(path, data, age=0):
    """Write a file with a time of change long ago; a greater ``age`` is later."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (OLD + age, OLD + age))
    return path

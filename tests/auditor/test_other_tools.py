"""A dataset is plain Parquet: Polars, DuckDB, pandas and Arrow open every table without the auditor."""

from __future__ import annotations

from datetime import UTC, datetime

import duckdb
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest

from auditor.dataset.schema import TABLES
from auditor.run import run_batches
from tests.kit.audits import CHECKS, FIXTURES
from tests.kit.command_line import auditor


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """Give a dataset of two runs and several parts, with findings of most kinds."""
    out = tmp_path_factory.mktemp("tools") / "out"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_batches, "BATCH_FILES", 80)
        for given in ([CHECKS], [CHECKS, FIXTURES / "logs"]):
            code, _, error = auditor("run", *given, "--out", out, "--jobs", 1, "--progress", "none")
            assert code < 2, error
    return out


def plain(value):
    """Give a value as plain Python has it: sequences as lists, times in UTC."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value.astimezone(UTC) if isinstance(value, datetime) else value


def in_order(rows):
    """Give rows in a fixed order."""
    return sorted(repr(plain(row)) for row in rows)


@pytest.mark.parametrize("table", TABLES)
def test_every_table(table, dataset):
    """Each tool reads the columns, row counts and values that are in the files, by folder and by pattern."""
    folder, glob = f"{dataset}/{table}", f"{dataset}/{table}/*.parquet"
    files = [pq.ParquetFile(path) for path in sorted((dataset / table).iterdir())]
    assert len(files) > 1
    columns = files[0].schema_arrow.names
    count = sum(file.metadata.num_rows for file in files)
    assert count
    assert columns == list(TABLES[table].types)

    scanned = [pl.scan_parquet(place).collect() for place in (folder, glob)]
    assert scanned[0].equals(scanned[1])
    assert (scanned[0].columns, scanned[0].height) == (columns, count)

    asked = duckdb.sql(f"FROM '{glob}'")
    assert asked.columns == columns
    rows = [dict(zip(columns, row, strict=True)) for row in asked.fetchall()]
    assert in_order(rows) == in_order(scanned[0].iter_rows(named=True))

    frame = pd.read_parquet(folder)
    assert (list(frame.columns), len(frame)) == (columns, count)


def test_tables_join(dataset):
    """In each tool, keys join every table with its game, and the game with its source."""
    database = duckdb.connect()
    for table in TABLES:
        database.sql(f"CREATE VIEW {table} AS FROM '{dataset}/{table}/*.parquet'")
    for table in ("rounds", "turns", "riichis", "wins", "findings"):
        lost = database.sql(f"SELECT count(*) FROM {table} ANTI JOIN games USING (game_id) WHERE game_id IS NOT NULL")
        assert lost.fetchall() == [(0,)]
    named = "path || coalesce('!' || member, '')"
    lost = database.sql(f"SELECT count(*) FROM games ANTI JOIN (SELECT {named} AS source FROM sources) USING (source)")
    assert lost.fetchall() == [(0,)]
    database.close()

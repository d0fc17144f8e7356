"""The stated schema: every written file has it, it changes only with the version, and other tools read it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import tomllib
from pathlib import Path

import polars as pl
import pytest

from auditor.dataset import schema
from auditor.dataset.schema import TABLES, VERSION
from tests.kit.command_line import auditor

ROOT = Path(__file__).resolve().parents[2]
# The hash of each version's schema. A change of auditor/dataset/schema.py needs a new version here and in CHANGELOG.
DIGESTS = {
    "1": "b77b4ade0e1a8cef",
    "2": "8911e916e3b6cf02",
    "3": "2d3def7d8a9085fc",
    "4": "aefd10b9d8caa67a",
    "5": "e4f04bbb2be81d33",
}


@pytest.fixture(scope="module", name="dataset")
def _dataset(shipped_dataset):
    return shipped_dataset


@pytest.mark.parametrize("name", TABLES)
def test_files_are_as_stated(dataset, name):
    """Every part of every table has the stated names, types and order, and the version in its metadata."""
    parts = sorted((dataset / name).glob("*.parquet"))
    assert parts
    for part in parts:
        assert list(pl.read_parquet_schema(part).items()) == list(pl.Schema(TABLES[name].types).items())
        assert pl.read_parquet_metadata(part)["schema_version"] == VERSION


def test_the_schema_of_a_version_never_changes():
    """The schema of a version never changes, and every version is in the CHANGELOG."""
    assert schema.digest() == DIGESTS[VERSION], "new schema: raise VERSION, say so in CHANGELOG, add its digest here"
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    for version in DIGESTS:
        assert re.search(rf"[Ss]chema version {version}\b", changelog), version


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("4", "an older auditor; this one has 5: audit the logs again into another"),
        ("99", "a newer auditor; this one has 5: update"),
    ],
)
def test_a_dataset_of_another_version(version, said, dataset, tmp_path):
    """Every command on a dataset of another version says which, and what to do; nothing in it changes."""
    out = tmp_path / "out"
    shutil.copytree(dataset, out)
    for path in (out / ".parts").iterdir():
        path.write_text(path.read_text().replace(f'"schema_version": "{VERSION}"', f'"schema_version": "{version}"'))
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file() and path.name != ".lock"}
    for words in (
        ("show", out), ("query", out, "SELECT 1"), ("stats", out, "rates"), ("compare", out, dataset), ("tables", out),
        ("compare", out, "--before", "-1"), ("forget", out.parent, "--dir", out), ("run", dataset.parent, "--out", out),
    ):  # fmt: skip
        code, _, error = auditor(*words)
        assert (code, f"{out}: tables of schema version {version}, by {said}" in error) == (2, True), (words, error)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file() and path.name != ".lock"} == before


def test_every_column_has_a_sentence():
    """Every column has a description that is a sentence; names are unique within a table."""
    for table in TABLES.values():
        assert len(table.types) == len(table.columns)
        for column in table.columns:
            assert re.fullmatch(r"[A-Z#`].*[.]|[a-z].*[.]", column.sentence), column


def test_tables_command(dataset):
    """``tables`` prints every table and column with type and description."""
    code, text, _ = auditor("tables", dataset)
    assert code == 0
    assert f"schema version {VERSION}" in text
    for table in TABLES.values():
        block = re.sub(r"\n {37}(?=\S)", " ", text.split(f"\n{table.name}: ")[1].split("\n\n")[0])
        for column in table.columns:
            line = next(line for line in block.splitlines() if line.startswith(f"  {column.name} "))
            assert column.sentence in line
            assert column.unit in line
            assert schema.type_name(column) in line


def test_readme_points_at_the_tables():
    """auditor/dataset/README.md names every table, and the command that prints the columns."""
    readme = (ROOT / "auditor" / "dataset" / "README.md").read_text("utf-8")
    assert "auditor tables" in readme
    for name in TABLES:
        assert f"| `{name}` |" in readme


def test_polars_opens_every_table(dataset):
    """Plain Polars reads each table by its pattern."""
    for name in TABLES:
        assert pl.read_parquet(f"{dataset}/{name}/*.parquet").schema == pl.Schema(TABLES[name].types)


@pytest.mark.skipif(importlib.util.find_spec("duckdb") is None, reason="duckdb is not installed")
def test_duckdb_opens_every_table(dataset):
    """DuckDB reads each table, and counts the same rows."""
    import duckdb

    for name in TABLES:
        ours = pl.scan_parquet(f"{dataset}/{name}/*.parquet").select(pl.len()).collect().item()
        found = duckdb.sql(f"SELECT COUNT(*) FROM '{dataset}/{name}/*.parquet'").fetchall()
        assert found == [(ours,)]


def test_the_changelog_is_of_this_version():
    """The newest heading of the changelog is the package's version."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text("utf-8")

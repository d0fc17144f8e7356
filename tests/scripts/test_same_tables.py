"""Two runs over the same files give the same tables; one different value, row, column or part is found."""

from __future__ import annotations

import shutil

import polars as pl
import pytest

from scripts.same_tables import main
from tests.kit.audits import LOGS
from tests.kit.datasets import run


@pytest.fixture(scope="module")
def before(tmp_path_factory):
    """Give a dataset of three games."""
    out = tmp_path_factory.mktemp("before") / "out"
    run(out, *LOGS[:3])
    return out


@pytest.fixture
def after(before, tmp_path):
    """Give a copy of it to change."""
    return shutil.copytree(before, tmp_path / "after")


def alter(dataset, table, change):
    """Change the only part of a table."""
    (path,) = (dataset / table).glob("*.parquet")
    change(pl.read_parquet(path)).write_parquet(path)


def test_two_runs_are_the_same(before, tmp_path, capsys):
    """Another run over the same files differs only in its times."""
    run(tmp_path / "again", *LOGS[:3])
    assert main([str(before), str(tmp_path / "again")]) == 0
    assert capsys.readouterr().out.count("the same") == 9


def test_another_program_is_left_aside(before, after):
    """The program's digest, which is in names of parts and in two tables, is ignored."""
    for folder in after.iterdir():
        for path in folder.glob("*.parquet") if folder.name != "runs" else ():
            path.rename(path.with_name("0123456789abcdef.parquet"))
    for table in ("sources", "runs"):
        alter(after, table, lambda frame: frame.with_columns(audit=pl.lit("other")))
    alter(
        after, "runs", lambda frame: frame.with_columns(pl.col("options").str.replace('"program": "', '"program": "0'))
    )
    assert main([str(before), str(after)]) == 0


@pytest.mark.parametrize(
    ("table", "change", "words"),
    [
        ("wins", lambda frame: frame.with_columns(pl.col("event") + 1), "event: other values in"),
        ("wins", lambda frame: frame.with_columns(pl.lit(None, frame["event"].dtype).alias("event")), "None after"),
        ("turns", lambda frame: frame.head(-1), "rows before"),
        ("turns", lambda frame: frame.reverse(), "other values in"),
        ("games", lambda frame: frame.drop("names"), "other columns: names List(String)"),
        ("runs", lambda frame: frame.with_columns(pl.col("findings") + 1), "findings: other values in 1 rows"),
        ("runs", lambda frame: frame.with_columns(pl.col("options").str.replace("25000", "30000")), "options: other"),
    ],
)
def test_a_difference_is_found(before, after, capsys, *, table, change, words):
    """One table differs, and the text says where; the others are the same."""
    alter(after, table, change)
    assert main([str(before), str(after)]) == 1
    printed = capsys.readouterr().out
    assert printed.count("different") == 1
    assert f"{table:9} different" in printed
    assert words in printed


def test_a_part_that_is_missing(before, after, tmp_path, capsys):
    """With one more game, a part has other files, and each of the two parts has no counterpart."""
    run(tmp_path / "more", *LOGS[:4])
    assert main([str(before), str(tmp_path / "more")]) == 1
    assert "only in the dataset before" in capsys.readouterr().out
    (after / "findings" / "L005.parquet").write_bytes(next((after / "findings").glob("*.parquet")).read_bytes())
    assert main([str(before), str(after)]) == 1
    assert "games met twice: only in the dataset after" in capsys.readouterr().out


def test_no_dataset(before, tmp_path, capsys):
    """A folder without tables is refused with an exit code of its own."""
    assert main([str(before), str(tmp_path)]) == 2
    assert f"{tmp_path} is no dataset" in capsys.readouterr().err

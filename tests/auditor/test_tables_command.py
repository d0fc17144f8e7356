"""SQL queries to a dataset: answers, formats, and errors that give advice."""

from __future__ import annotations

import json

import polars as pl
import pytest

from auditor.dataset.opened import flat, opened, shown
from auditor.dataset.schema import TABLES
from tests.kit.command_line import auditor


@pytest.fixture(scope="module", name="dataset")
def _dataset(shipped_dataset):
    return shipped_dataset


def test_every_table_has_its_name(dataset):
    """SQL knows the seven tables, with the rows of the files."""
    for name in TABLES:
        code, text, _ = auditor("query", dataset, f"SELECT COUNT(*) AS n FROM {name}", "--format", "csv")
        files = pl.read_parquet(f"{dataset}/{name}/*.parquet")
        assert (code, text) == (0, f"n\n{len(files)}\n")


def test_join_and_group(dataset):
    """A join with grouping gives the result of plain Python."""
    sql = (
        "SELECT g.platform, COUNT(*) AS wins FROM wins w JOIN games g ON w.game_id = g.game_id "
        "WHERE w.payer <> w.winner GROUP BY g.platform"
    )
    _, text, _ = auditor("query", dataset, sql, "--format", "json")
    rows = pl.read_parquet(f"{dataset}/wins/*.parquet").select("winner", "payer").rows()
    assert json.loads(text) == [{"platform": "tenhou", "wins": sum(winner != payer for winner, payer in rows)}]


def test_lists_by_seat_are_indexed(dataset):
    """Lists are indexed from 1, so that a seat's own element is number seat + 1; none is null."""
    sql = (
        "SELECT winner, deltas[1] AS d, deltas[winner + 1] AS won, names[1] AS n "
        "FROM wins w JOIN games g ON w.game_id = g.game_id WHERE deltas[4] < 0"
    )
    rows = json.loads(auditor("query", dataset, sql, "--format", "json")[1])
    names = dict(pl.read_parquet(f"{dataset}/games/*.parquet").select("game_id", "names").iter_rows())
    wins = pl.read_parquet(f"{dataset}/wins/*.parquet").select("game_id", "winner", "deltas").rows()
    expected = [(seat, deltas[0], deltas[seat], names[game][0]) for game, seat, deltas in wins if deltas[3] < 0]
    assert rows
    assert sorted(map(repr, (tuple(row.values()) for row in rows))) == sorted(map(repr, expected))
    assert not any(kind.base_type() is pl.Array for table in TABLES.values() for kind in table.types.values()
                   if isinstance(kind, pl.DataType))  # fmt: skip


def test_the_example_of_tables(dataset):
    """The SQL example that `auditor tables` prints can be run, and gives the winners' points."""
    sql = next(line.strip() for line in auditor("tables", dataset)[1].splitlines() if line.startswith("  SELECT"))
    rows = json.loads(auditor("query", dataset, sql, "--format", "json")[1])
    assert rows
    assert all(row["won"] > 0 for row in rows)
    assert all((row["won"] == row["seat_0"]) == (row["winner"] == 0) for row in rows)


def test_forms(dataset, tmp_path):
    """Table, CSV, JSON and Parquet have the same content, on stdout and in a file."""
    sql = "SELECT game_id, names, final_scores, start_time FROM games ORDER BY game_id LIMIT 3"
    answer = opened(dataset)["games"].sort("game_id").head(3)
    answer = answer.select("game_id", "names", "final_scores", "start_time").collect()
    for form in ("table", "csv", "json", "parquet"):
        assert auditor("query", dataset, sql, "--format", form, "--out", tmp_path / form)[:2] == (0, "")
        if form not in ("parquet", "table"):
            assert (tmp_path / form).read_text("utf-8") == auditor("query", dataset, sql, "--format", form)[1]
    assert pl.read_parquet(tmp_path / "parquet").equals(answer)
    assert pl.read_csv(tmp_path / "csv")["final_scores"].to_list() == [
        " ".join(map(str, scores)) for scores in answer["final_scores"].to_list()
    ]
    assert [row["names"] for row in json.loads((tmp_path / "json").read_text("utf-8"))] == answer["names"].to_list()
    lines = (tmp_path / "table").read_text("utf-8").splitlines()
    assert [line.split()[0] for line in lines] == ["game_id", *answer["game_id"]]


def test_parquet_is_not_printed(dataset):
    """Parquet is not printed to a terminal."""
    code, _, error = auditor("query", dataset, "SELECT * FROM games", "--format", "parquet")
    assert code == 2
    assert "--out" in error


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELEC", "does not begin a query"),
        ("SELECT nothing FROM games", "nothing"),
        ("SELECT * FROM nowhere", "nowhere"),
        ("", ""),
    ],
)
def test_wrong_sql(dataset, sql, said):
    """Wrong SQL gives one line with the fault and where to look; exit code 2; no traceback."""
    code, text, error = auditor("query", dataset, sql)
    assert (code, text) == (2, "")
    assert said in error
    assert "auditor tables" in error
    assert "findings" in error


CHANGES = (
    "DELETE FROM wins", "DROP TABLE wins", "drop table wins", "INSERT INTO wins VALUES (1)", "UPDATE wins SET fu = 1",
    "CREATE TABLE a AS SELECT * FROM wins", "TRUNCATE TABLE wins",
    "ALTER TABLE wins DROP COLUMN fu", "COPY wins TO 'x'",
    "/* a */ DROP TABLE wins", "SELECT 1; DROP TABLE wins",
    "WITH a AS (SELECT 1) DELETE FROM wins", "(DROP TABLE wins)",
    "SELECT * INTO a FROM wins", "ATTACH 'x' AS y", "# a\nDROP TABLE wins", "; DROP TABLE wins",
)  # fmt: skip


@pytest.mark.parametrize("sql", CHANGES)
def test_a_query_changes_nothing(dataset, sql):
    """A statement that is no query is refused with exit code 2, and the dataset does not change."""
    before = {path: path.stat().st_mtime_ns for path in dataset.rglob("*")}
    code, text, error = auditor("query", dataset, sql)
    assert (code, text) == (2, "")
    assert "auditor tables" in error
    assert {path: path.stat().st_mtime_ns for path in dataset.rglob("*")} == before


OPENED = (
    "SELECT * FROM {}('{}')", 'SELECT * FROM "{}"(\'{}\')', "SELECT * FROM `{}`('{}')", "SELECT * FROM {} ('{}')",
    "SELECT * FROM {}/* a */('{}')", "SELECT * FROM (SELECT * FROM {}('{}')) a",
    "WITH a AS (SELECT * FROM {}('{}')) SELECT * FROM a",
    "SELECT code FROM findings UNION ALL SELECT * FROM {}('{}')", "SELECT * FROM wins w JOIN {}('{}') f ON true",
    "SELECT (SELECT COUNT(*) FROM {}('{}')) AS n", "SELECT * FROM wins WHERE fu IN (SELECT * FROM {}('{}'))",
    "SELECT * FROM wins, {}('{}')", "EXPLAIN SELECT * FROM {}('{}')", "SELECT ' -- ' AS a, * FROM {}('{}')",
    "SELECT '/*' AS a, * FROM {}('{}')",
)  # fmt: skip


@pytest.mark.parametrize("function", ["read_csv", "READ_CSV", "read_parquet", "read_json", "read_ndjson", "read_ipc"])
@pytest.mark.parametrize("sql", OPENED)
def test_a_query_opens_nothing_else(dataset, tmp_path, function, sql):
    """Polars' functions that open files are refused everywhere, whether or not the file exists."""
    frame = pl.DataFrame({"secret": ["s3cr3t"]})
    for kind in ("csv", "parquet", "json", "ndjson", "ipc"):
        getattr(frame, f"write_{kind}")(tmp_path / kind)
    path = tmp_path / function.lower().removeprefix("read_")
    code, text, error = auditor("query", dataset, sql.format(function, path))
    assert (code, text) == (2, "")
    assert "refused: a query opens nothing but the dataset" in error
    assert "s3cr3t" not in error


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "||".join(["'a'"] * 20_000),
        "SELECT " + "+".join("1" * 20_000),
        "SELECT code FROM findings WHERE " + " AND ".join(["seat = 1"] * 4_000),
        " UNION ALL ".join(["SELECT code FROM findings"] * 2_000),
        "SELECT " + "/* ' */ 1 + /* ' */" * 2_000 + "1",
    ],
    ids=["texts", "numbers", "conditions", "unions", "comments"],
)
def test_a_query_does_not_end_the_process(dataset, sql):
    """An operator chain so long that it would overflow Polars' stack is refused, with an alternative."""
    code, text, error = auditor("query", dataset, sql)
    assert (code, text) == (2, "")
    assert "operators" in error
    assert "IN ('a', 'b', …)" in error


def test_a_query_may_have_long_lists(dataset):
    """Long lists of values are allowed, whatever characters are in them."""
    listed = ", ".join(f"'a-b+{number}'" for number in range(2_000))
    numbers = ", ".join(f"-{number}" for number in range(1, 2_000))
    sql = f"SELECT COUNT(*) AS n FROM findings WHERE code IN ({listed}) OR event IN ({numbers})"
    assert auditor("query", dataset, sql, "--format", "csv")[:2] == (0, "n\n0\n")


@pytest.mark.parametrize("command", [("tables",), ("query", "SELECT 1")], ids=lambda command: command[0])
@pytest.mark.parametrize("kind", ["missing", "empty", "file", "old", "broken"])
def test_no_dataset(tmp_path, command, kind):
    """A folder that is no dataset is named, with advice."""
    folder = tmp_path / "out"
    if kind == "file":
        folder.write_text("no folder")
    elif kind != "missing":
        folder.mkdir()
    if kind in ("old", "broken"):
        (folder / "games").mkdir()
    if kind == "old":
        pl.DataFrame({"game_id": ["x"]}).write_parquet(folder / "games" / "1.parquet")
    if kind == "broken":
        (folder / "games" / "1.parquet").write_bytes(b"PAR1 no Parquet")
    code, text, error = auditor(command[0], folder, *command[1:])
    assert (code, text) == (2, "")
    assert str(folder) in error
    assert ("audit the logs again" if kind == "old" else "run") in error


def test_parts_being_written_are_not_read(dataset, tmp_path):
    """A hidden file, which is a part being written, is not read."""
    (tmp_path / "games").mkdir()
    part = next((dataset / "games").glob("*.parquet"))
    (tmp_path / "games" / "1.parquet").write_bytes(part.read_bytes())
    (tmp_path / "games" / ".2.parquet").write_bytes(part.read_bytes()[:50])
    assert opened(tmp_path)["games"].select(pl.len()).collect().item() == pl.read_parquet(part).height


def test_tables_that_are_not_there_are_empty(dataset, tmp_path):
    """A dataset without findings has an empty table of them, with its columns."""
    (tmp_path / "games").mkdir()
    part = next((dataset / "games").glob("*.parquet"))
    (tmp_path / "games" / "1.parquet").write_bytes(part.read_bytes())
    assert auditor("query", tmp_path, "SELECT code FROM findings", "--format", "csv")[:2] == (0, "code\n")


def test_flat_and_shown():
    """Lists, arrays and structs become texts; null stays null, and is empty in a printed table."""
    kinds = {"a": pl.List(pl.Int8), "b": pl.Array(pl.Int32, 2), "c": pl.List(pl.String), "d": pl.Struct({"e": pl.Int8}),
             "f": pl.List(pl.Struct({"e": pl.Int8}))}  # fmt: skip
    frame = pl.DataFrame(
        {"a": [[1, 2], None], "b": [[3, 4], None], "c": [["x y", "z"], None], "d": [{"e": 1}, None],
         "f": [[{"e": 1}], None]}, schema=kinds)  # fmt: skip
    assert flat(frame).row(0) == ("1 2", "3 4", "x y; z", '{"e":1}', '{"e":1}')
    assert flat(frame).row(1)[:3] == (None, None, None)
    assert shown(pl.DataFrame({"n": [1, 22], "t": ["a", None]})) == " n  t\n 1  a\n22"
    assert shown(pl.DataFrame({"n": []}, schema={"n": pl.Int8})) == "n"

"""Formats of tables: how a format is chosen, reading and writing, and cells that a spreadsheet would execute."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.base.choices import Format
from auditor.cli.main import app
from auditor.dataset.formats import TableError, chosen, written
from auditor.hands.files import read_table
from tests.kit.command_line import auditor

SQL = "SELECT game_id, names, final_scores FROM games ORDER BY game_id LIMIT 2"
HAND, WIN = "234m234p234s55m67p", "8p-"
"""4 han 30 fu, 7700 points."""


def commands(dataset, tmp_path):
    """Give every command that writes a table."""
    hands = tmp_path / "hands.csv"
    hands.write_text(f"hand,win,points\n{HAND},{WIN},7700\n")
    return {
        "query": ("query", dataset, SQL),
        "stats": ("stats", dataset, "yaku"),
        "compare": ("compare", dataset, dataset),
        "score": ("score", hands),
    }


def read(path):
    """Read a file with the library that its ending calls for."""
    reads = {
        ".csv": pl.read_csv, ".tsv": lambda file: pl.read_csv(file, separator="\t"), ".json": pl.read_json,
        ".jsonl": pl.read_ndjson, ".parquet": pl.read_parquet,
    }  # fmt: skip
    return reads[path.suffix](path)


@pytest.mark.parametrize("command", ["query", "stats", "compare", "score"])
def test_one_rule_for_all_commands(shipped_dataset, tmp_path, command):
    """The ending of --out decides, or --format. A contradiction, and a name without an ending, are refused."""
    words = commands(shipped_dataset, tmp_path)[command]
    columns = set()
    for ending in (".parquet", ".csv", ".tsv", ".json", ".jsonl"):
        out = tmp_path / f"by_name{ending}"
        assert auditor(*words, "--out", out)[0] == 0
        named, plain = read(out) if out.stat().st_size > 4 else None, tmp_path / "plain"
        columns.add(tuple(named.columns) if named is not None and len(named.columns) else None)
        assert auditor(*words, "--out", plain, "--format", ending[1:])[0] == 0
        assert plain.read_bytes() == out.read_bytes()
        code, _, error = auditor(*words, "--out", out, "--format", "csv" if ending != ".csv" else "json")
        assert (code, "the name says" in error) == (2, True)
    assert len(columns - {None}) == 1
    for name in ("f.xls", "f.txt", "f"):
        code, _, error = auditor(*words, "--out", tmp_path / name)
        assert (code, ".parquet" in error, (tmp_path / name).exists()) == (2, True, False)
    assert auditor(*words, "--format", "parquet")[0] == 2


@pytest.mark.parametrize("command", ["query", "stats", "compare", "score"])
def test_a_file_that_cannot_be_written(shipped_dataset, tmp_path, command):
    """If a file cannot be written, the message names the option and the file in words, without an error number."""
    words = commands(shipped_dataset, tmp_path)[command]
    for ending in (".csv", ".parquet"):
        code, _, error = auditor(*words, "--out", tmp_path / "no folder" / f"f{ending}")
        assert code == 2
        assert error.startswith("auditor: --out ")
        assert "No such file" in error
        assert "rrno" not in error


def test_a_format_of_the_configuration_yields_to_the_name(shipped_dataset, tmp_path, monkeypatch):
    """A configured format applies only where no file name decides."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "auditor.toml").write_text('format = "csv"\n')
    assert auditor("query", shipped_dataset, SQL, "--out", tmp_path / "f.parquet")[0] == 0
    assert len(pl.read_parquet(tmp_path / "f.parquet")) == 2
    assert auditor("query", shipped_dataset, SQL)[1].startswith("game_id,")
    assert auditor(*commands(shipped_dataset, tmp_path)["score"])[1] == "1 hands, 0 differ\n"


def test_chosen():
    """Without a file or a format, a table is printed."""
    assert chosen(None, None) is Format.table
    assert chosen(None, Path("a.PARQUET")) is Format.parquet
    assert chosen(Format.table, Path("a.txt")) is Format.table
    assert chosen(Format.csv, Path("a.parquet"), stated=False) is Format.parquet
    with pytest.raises(TableError, match="name says parquet, --format says csv"):
        chosen(Format.csv, Path("a.parquet"))


FORMULAS = ["=1+1", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=cmd|' /C calc'!A0", "＝1"]


def test_no_spreadsheet_runs_a_cell():
    """Texts and column names that begin like a formula get a leading '; numbers do not; --raw-csv turns it off."""
    frame = pl.DataFrame(
        {
            "text": [*FORMULAS, "-12", "+3.5", "1+1", None],
            "=name": [-1] * 13,
            "list": [[-1, 2]] * 13,
            "texts": [["=a"]] * 13,
        }
    )
    for form, separator in ((Format.csv, ","), (Format.tsv, "\t")):
        back = pl.read_csv(written(frame, form).encode(), separator=separator)
        assert back.columns == ["text", "'=name", "list", "texts"]
        assert back["text"].to_list() == ["'" + re.sub(r"([\t\r\n])(?=[=@])", r"\1'", each) for each in FORMULAS] + [
            "-12",
            "+3.5",
            "1+1",
            None,
        ]
        assert back["'=name"].to_list() == [-1] * 13
        assert back["list"][0] == "-1 2"
        assert back["texts"][0] == "'=a"
        raw = pl.read_csv(written(frame, form, raw=True).encode(), separator=separator)
        assert raw["text"].to_list() == frame["text"].to_list()
    assert json.loads(written(frame, Format.json))[0]["text"] == "=1+1"


@pytest.mark.parametrize(
    ("cell", "guarded"),
    [
        ("x;=cmd|'/C calc'!A0;", "x;'=cmd|'/C calc'!A0;"), ("x\n=1+1", "x\n'=1+1"), ("a\t@SUM(A1)", "a\t'@SUM(A1)"),
        ("=a;=b", "'=a;'=b"), (";-2+3+cmd", ";'-2+3+cmd"), ("1;-2;+3.5", "1;-2;+3.5"), ("a; b=c", "a; b=c"),
        ("+1;-x\r＝y", "'+1;'-x\r'＝y"),
    ],
)  # fmt: skip
def test_no_spreadsheet_runs_a_part_of_a_cell(cell, guarded):
    """Where another separator would begin a cell, a formula is guarded too; numbers and ordinary texts are not."""
    frame = pl.DataFrame({"text": [cell], "names": [["a", cell]]})
    for form, separator in ((Format.csv, ","), (Format.tsv, "\t")):
        back = list(csv.reader(io.StringIO(written(frame, form), newline=""), delimiter=separator))
        assert back[1][0] == guarded
        assert not re.search(r"[;\t\r\n][=@]", back[1][1])
        assert (
            list(csv.reader(io.StringIO(written(frame, form, raw=True), newline=""), delimiter=separator))[1][0] == cell
        )


def test_raw_cells_by_option(tmp_path):
    """Each command guards its cells, unless --raw-csv is given."""
    path = tmp_path / "hands.csv"
    path.write_text(f"hand,win,points,note\n{HAND},{WIN},7700,=1+1\n")
    for options, cell in (((), "'=1+1"), (("--raw-csv",), "=1+1")):
        assert auditor("score", path, "--out", tmp_path / "out.csv", *options)[0] == 0
        row = pl.read_csv(tmp_path / "out.csv").row(0, named=True)
        assert (row["note"], row["expected_points"]) == (cell, 7700)
        assert row["expected_payments"] == "7700 0 0 -7700"


ROWS = {"hand": HAND, "win": WIN, "points": 8000, "dora": ["1m"], "yaku": ["pinfu", "tanyao", "sanshoku", "dora 1"]}
TABLES = {
    "a.csv": f"hand,win,han\n{HAND},{WIN},4\n".encode(),
    "semicolons.csv": f"hand;win;han;note\n{HAND};{WIN};4;a,b\n".encode(),
    "excel.csv": f"\ufeffsep=;\r\nHand;Win;Han\r\n{HAND};{WIN};4\r\n".removeprefix("\ufeff").encode(),
    "bom.csv": f"\ufeffhand,win,han\n{HAND},{WIN},4\n".encode(),
    "utf16.csv": f"hand\twin\than\n{HAND}\t{WIN}\t4\n".encode("utf-16"),
    "a.tsv": f"hand\twin\than\n{HAND}\t{WIN}\t4\n".encode(),
    "blank.csv": f"hand,win,han\n\n{HAND},{WIN},4\n\n".encode(),
    "a.jsonl": json.dumps(ROWS).encode(),
    "mixed.jsonl": "\n".join(map(json.dumps, (ROWS | {"points": "8,000"}, ROWS | {"dora": "1m"}))).encode(),
    "a.json": json.dumps([ROWS], indent=1).encode(),
    "packed.csv.gz": gzip.compress(f"hand,win,han\n{HAND},{WIN},4\n".encode()),
    "packed.jsonl.gz": gzip.compress(json.dumps(ROWS).encode()),
}  # fmt: skip


def parquet():
    """Give a Parquet file with lists."""
    file = io.BytesIO()
    pl.DataFrame([ROWS]).write_parquet(file)
    return file.getvalue()


@pytest.mark.parametrize("name", [*TABLES, "a.parquet"])
@pytest.mark.parametrize("way", ["file", "standard input"])
def test_tables_are_read(tmp_path, name, way):
    """Separators, lists, encodings and packing are recognised by content; a dora of 5 han makes a mangan."""
    data = parquet() if name == "a.parquet" else TABLES[name]
    (tmp_path / name).write_bytes(data)
    source, given = (str(tmp_path / name), None) if way == "file" else ("-", data)
    result = CliRunner().invoke(app, ["score", source], input=data if given is not None else None)
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("hands, 0 differ\n")


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.csv", b"", "is empty"),
        ("a.csv", b"\n\n", "is empty"),
        ("a.json", b"[]", "is empty"),
        ("a.csv", b"hand,win\n1,2\n3\n", "line 3: 1 cells"),
        ("a.csv", b"hand,win\n1,2\n3,4,5\n", "line 3: 3 cells"),
        ("a.csv", b'hand,win\n"1\n1",2\n3,4,5\n', "line 4: 3 cells"),
        ("a.csv", b'hand,win\n1,2\n"3,4\n', "line 3: unexpected end"),
        ("a.csv", b"hand\nm123,z111=\n", "in quotes"),
        ("a.csv", b"hand,win\n1,2\n\x82,\xff\n", "line 3: not in UTF-8"),
        ("a.csv", b"hand,win,hand\n1,2,3\n", "two columns are called 'hand'"),
        ("a.csv", b"hand,Hand\n1,2\n", "are both hand"),
        ("a.csv", b"tiles,win\n1,2\n", "no column 'hand'"),
        ("a.jsonl", b'{"hand": "1"}\n{"hand": \n', "line 2: no JSON"),
        ("a.jsonl", b'{"hand": "1"}\n[1]\n', "row 2: no object"),
        ("a.json", b'[{"hand": "1"},\n 2]', "row 2: no object"),
        ("a.json", b'[{"hand": "1"},\n]', "line 2: no JSON"),
        ("a.jsonl", b'{"hand": ' + b"[" * 100_000, "no JSON that can be read"),
        ("a.csv", b'{"hand": 1}', "--input-format"),
        ("a.parquet", b"PAR1 and no more", "Parquet"),
        ("a.csv.gz", gzip.compress(b"hand\n1\n", mtime=0)[:-4], "gzip"),
        ("a.xlsx", b"x", "--input-format"),
    ],
)
def test_a_table_that_cannot_be_read(tmp_path, name, data, said):
    """If a table cannot be read, the message names the file and, if known, the line; exit code 2."""
    (tmp_path / name).write_bytes(data)
    code, _, error = auditor("score", tmp_path / name)
    assert code == 2
    assert said in error


def test_another_name_with_its_format(tmp_path):
    """--input-format reads a file whatever its name is."""
    (tmp_path / "hands.txt").write_bytes(TABLES["a.csv"])
    assert auditor("score", tmp_path / "hands.txt", "--input-format", "csv")[:2] == (0, "1 hands, 0 differ\n")


def test_columns_that_are_carried_along(tmp_path):
    """Columns that are carried along keep their type: numbers stay numbers, texts that look like numbers stay texts."""
    path = tmp_path / "a.csv"
    path.write_text("hand,id,code,share,sure,big\nx,7,007,0.5,true,99999999999999999999\n")
    row = read_table(path).row(0, named=True)
    assert row == {"hand": "x", "id": 7, "code": "007", "share": 0.5, "sure": True, "big": "99999999999999999999"}


def test_the_scored_table_on_standard_output(tmp_path):
    """--format without --out prints the table on stdout, and the remarks on stderr."""
    (tmp_path / "a.csv").write_bytes(TABLES["a.csv"])
    code, out, error = auditor("score", tmp_path / "a.csv", "--format", "jsonl")
    assert (code, error) == (0, "1 hands, 0 differ\n")
    assert json.loads(out)["expected_points"] == 7700

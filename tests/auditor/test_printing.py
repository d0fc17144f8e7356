"""Printed text: nothing recorded is printed raw, no line is too wide, and East Asian names keep columns aligned."""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
from urllib.parse import quote

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.base import printing
from auditor.cli.main import app
from auditor.dataset.opened import shown
from auditor.sources.remote import reason
from tests.kit.audits import CHECKS
from tests.kit.command_line import auditor

EVIL = "a\x1b[2J\x07\x9b31m\u202eb\u2028c\u2066d\x7fe"
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters except the line feed, line separators, direction marks, and lone surrogates."""


@pytest.mark.parametrize(
    ("raw", "printed"),
    [
        ("\x1b[31m", "\\u001b[31m"), ("a\nb\tc\r", "a\\nb\\tc\\r"), ("\x9b", "\\u009b"), ("\u202e", "\\u202e"),
        ("\udcff", "\\udcff"), ("\U000e0041", "\\udb40\\udc41"), ("東風戦 é ‘ok’ 👍🏽", "東風戦 é ‘ok’ 👍🏽"),
        ("C:\\new", "C:\\new"),
    ],
)  # fmt: skip
def test_escaped(raw, printed):
    """An invisible character is printed as its number, as in JSON; visible ones stay."""
    assert printing.escaped(raw) == printed
    assert not RAW.search(printing.escaped(raw))


def test_all_that_is_not_seen():
    """No control character, line separator or direction mark is printed raw (by Unicode categories)."""
    every = "".join(map(chr, range(0x110000)))
    through = set(printing.escaped(every))
    assert not [char for char in through if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp")]
    turning = {
        char
        for char in every
        if unicodedata.bidirectional(char) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    }
    assert not turning & through


def test_errors_begin_no_line():
    """A name with a line feed cannot print a line that looks like another message."""
    assert printing.message("x\nauditor: all is well\n  a\n  ^ here") == "x\\nauditor: all is well\n  a\n  ^ here"


@pytest.fixture(scope="module")
def evil(tmp_path_factory):
    """Give a dataset of logs whose names and values contain escape sequences."""
    folder = tmp_path_factory.mktemp("evil")
    (folder / "logs").mkdir()
    text = (CHECKS / "w106_fu" / "fail.mjlog").read_text("utf-8")
    names = re.sub(r'n0="[^"]*"', f'n0="{quote(EVIL)}"', text)
    assert names != text
    (folder / "logs" / f"x{EVIL.replace('/', '')}\nW999 error.mjlog").write_text(names, "utf-8")
    (folder / "logs" / "odd.mjlog").write_text(text.replace("<GO ", "<FU\x9bRO\u202e a='1'/><GO "), "utf-8")
    (folder / "logs" / "none\x1b[1m").write_bytes(b"no \x1b[31m log")
    return folder


def test_no_command_prints_raw_characters(evil):
    """Run, show, query in every format, stats, compare and errors print no raw character, and JSON stays valid."""
    out = evil / "out"
    texts = [auditor("run", evil / "logs", "--out", out, *more)[1:] for more in ((), ("--force", "--log-json"))]
    assert any("W106" in printed for printed, _ in texts)
    asked = (
        ("show", out), ("query", out, "SELECT names, source FROM games"), ("query", out, "SELECT * FROM findings"),
        ("stats", out, "rates", "--by", "player"), ("stats", out, "results", "--by", "source"),
        ("compare", out, out), ("show", out, "--game", EVIL), ("query", out, f"SELECT {EVIL}"), ("tables", EVIL),
        ("run", evil / EVIL, "--out", evil / "no"), ("explain", EVIL), ("stats", out, EVIL),
        ("rules", "show", EVIL), ("show", out, "--new"), ("show", out, "--player", EVIL), ("show", out, "--run", EVIL),
        ("show", out, "--player", f"{EVIL}?"), ("show", out, "--since", EVIL),
        ("compare", out, "--before", "2000-01-01"),
        ("query", out, "SELECT * FROM history"), ("query", out, "SELECT * FROM changes", "--format", "jsonl"),
        ("forget", EVIL, "--dir", out), ("forget", evil / "logs", "--dir", out, "--dry-run"),
    )  # fmt: skip
    texts += [auditor(*words)[1:] for words in asked]
    code, printed, _ = auditor("query", out, "SELECT names FROM games ORDER BY names DESC", "--format", "json")
    assert code == 0
    assert EVIL in {name for row in json.loads(printed) for name in row["names"]}
    texts.append((printed, ""))
    for printed, error in texts:
        assert printed + error
        assert not RAW.search(printed + error), (printed + error)[-300:]
        assert not re.search("^W999", printed + error, re.MULTILINE)


def test_columns_of_wide_characters():
    """East Asian characters count as two columns, so that the next column stays aligned."""
    frame = pl.DataFrame({"name": ["東風荘の名人", "bob", "ｆｕｌｌ"], "n": [1, 22, 333], "t": ["x", "y", "z"]})
    printed = shown(frame, whole=True).splitlines()
    at = {sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line[:-1]) for line in printed}
    assert len(at) == 1


def wide(line):
    """Count the terminal columns of a line."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_tables_fit(columns, monkeypatch):
    """No line is wider than the terminal, no word is broken, and long texts are complete."""
    monkeypatch.setenv("COLUMNS", str(columns))
    rules = "tenhou; " + "; ".join(f"rule_{each}=some_value_{each}" for each in range(20))
    frame = pl.DataFrame({
        "rules": [rules, "tenhou"], "player": ["東風荘" * 9, "bob"], "n": [1234567, 2], "share": [0.25, None],
    })  # fmt: skip
    printed = shown(frame)
    assert max(map(wide, printed.splitlines())) <= columns
    words = " ".join(printed.split())
    assert rules in words
    assert "東風荘" * 9 in words
    table = printed.split("\n\n")[0].splitlines()
    assert table[0].split() == ["rules", "player", "n", "share"]
    assert len(table) == 3
    assert rules in shown(frame, whole=True)


def test_many_columns_are_printed_below_each_other(shipped_dataset):
    """If even shortened texts do not fit, each row is printed as lines of names and values."""
    sql = "SELECT * FROM wins ORDER BY game_id, round LIMIT 2"
    row = json.loads(auditor("query", shipped_dataset, sql, "--format", "json")[1])[0]
    printed = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["query", str(shipped_dataset), sql]).stdout
    first = dict(line.split(maxsplit=1) for line in printed.split("\n\n")[0].splitlines())
    assert list(first) == [name for name, value in row.items() if value is not None and value != ""]
    assert first["hand"] == row["hand"]
    assert first["deltas"] == " ".join(map(str, row["deltas"]))


def test_texts_of_eighty_columns(shipped_dataset, tmp_path):
    """The tables of columns, the list of statistics and findings with their tables fit 80 columns."""
    shutil.copytree(CHECKS / "d104_kuikae_same_tile", tmp_path / "d104")
    auditor("run", tmp_path / "d104", "--out", tmp_path / "out")
    for words in (
        ["tables", shipped_dataset],
        ["stats", "--list"],
        ["stats", shipped_dataset, "rates", "--by", "rules"],
    ):
        printed = CliRunner(env={"COLUMNS": "80"}).invoke(app, list(map(str, words))).stdout
        assert max(map(wide, printed.splitlines())) <= 80, words
    printed = CliRunner(env={"COLUMNS": "80"}).invoke(app, ["show", str(tmp_path / "out")]).stdout
    assert all(wide(line) <= 80 for line in printed.splitlines() if "/" not in line)


ODD = "x\x1b[31m\x9b2J\u202e"


@pytest.mark.parametrize(
    ("words", "file", "variables"),
    [
        (["config"], {ODD: "x"}, {}),
        (["config", "--check"], {"run": {ODD: 1}}, {}),
        (["config", "--check"], {"run": {"ignore": [ODD], "rules": ODD}}, {}),
        (["config"], {"run": {"out": ODD}}, {}),
        (["config", "--json"], {"run": {"out": ODD}}, {}),
        (["config", "--check"], {}, {f"AUDITOR_RUN_{ODD}": "1"}),
        (["config", "--check"], {}, {"AUDITOR_RUN_JOBS": ODD}),
        (["--config", ODD, "config"], {}, {}),
        (["config"], {}, {"AUDITOR_CONFIG": ODD}),
        (["hand", "123m", "--rules", ODD], {}, {}),
        (["stats", "nowhere", ODD], {}, {}),
    ],
)
def test_configuration_is_printed_escaped(tmp_path, words, file, variables):
    """Keys, values and names in configurations and variables are printed escaped."""
    path = tmp_path / "auditor.toml"
    tables = {key: value for key, value in file.items() if isinstance(value, dict)}
    lines = [f"{json.dumps(key)} = {json.dumps(value)}" for key, value in file.items() if key not in tables]
    for table, entries in tables.items():
        lines += [f"[{table}]", *(f"{json.dumps(key)} = {json.dumps(value)}" for key, value in entries.items())]
    path.write_text("\n".join(lines))
    printed = CliRunner(env={"NO_COLOR": "1", "AUDITOR_CONFIG": str(path), **variables}).invoke(app, words, color=True)
    assert printed.output.strip()
    assert not [char for char in printed.output if char != "\n" and (unicodedata.category(char) in ("Cc", "Cf"))]


def test_internal_addresses_are_not_printed():
    """Addresses within a network are not printed."""
    name = "s3://bucket/logs/a.mjlog?scheme=http&endpoint_override=10.0.0.7:9000&region=x"
    assert printing.escaped(f"{name}: no") == (
        "s3://bucket/logs/a.mjlog?scheme=http&endpoint_override=***&region=x: no"
    )
    # Arrow's message for a port where nobody listens.
    printed = OSError(
        "AWS Error NETWORK_CONNECTION: curlCode: 7, Could not connect; Details: Failed to reach 10.0.0.7:9000"
    )
    assert "10.0.0.7" not in reason(printed)
    assert "the server cannot be reached" in reason(printed)

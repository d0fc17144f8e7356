"""Names of players in what people look at: they are shown, they choose findings, and no name does harm."""

from __future__ import annotations

import csv
import io
import os
import pty
import re
import subprocess
import sys
import unicodedata
from contextlib import suppress
from urllib.parse import quote

import pytest
from typer.testing import CliRunner

from auditor.cli import colours
from auditor.cli.main import app
from tests.kit.audits import CHECKS
from tests.kit.command_line import auditor

HOSTILE = {
    "markup": "<script>alert(1)</script>", "colour": "\x1b[2J\x1b[31mred", "bell": "\x07\x9b1m",
    "reversed": "abc\u202egpj.exe", "marks": "\u200f\u2067x\u2069", "formula": "=cmd|' /C calc'!A0",
    "within": "x;=1+1;", "lines": "a\nW999 error: x\r\n=2+2", "tab": "\t@SUM(A1)", "wide": "就活生＠川村軍団" * 2,
    "rich": "[bold red]x[/]", "percent": "%s {0} $HOME `id`",
}  # fmt: skip
SGR = re.compile(r"\x1b\[[0-9;]*m")
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module", name="out")
def _out(tmp_path_factory):
    """Give a dataset in which each hostile name is that of a player whose win has wrong fu."""
    folder = tmp_path_factory.mktemp("names")
    text = (CHECKS / "w106_fu" / "fail.mjlog").read_text("utf-8")
    (folder / "logs").mkdir()
    for kind, name in HOSTILE.items():
        named = re.sub(r'n0="[^"]*"', lambda _, name=name: f'n0="{quote(name)}"', text)
        (folder / "logs" / f"{kind}.mjlog").write_text(named, "utf-8")
    assert auditor("run", folder / "logs", "--out", folder / "out")[0] == 1
    return folder / "out"


def width(line):
    """Count the terminal columns of a line."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


def shown(out, *words, **variables):
    """Run ``show`` in a terminal of 80 columns; give what it prints."""
    environment = {"COLUMNS": "80", "NO_COLOR": None, "FORCE_COLOR": None, **variables}
    result = CliRunner(env=environment).invoke(app, ["show", str(out), *words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("variables", [{}, {"FORCE_COLOR": "1"}], ids=["plain", "coloured"])
def test_no_name_harms_a_terminal(out, variables):
    """A finding has the name, escaped; nothing but our own colours is printed raw; every line fits the terminal."""
    text = shown(out, **variables)
    plain = SGR.sub("", text)
    assert not UNSEEN.search(plain)
    assert (text != plain) == bool(variables)
    assert not re.search("^W999|^=", plain, re.MULTILINE)
    for part in (
        "<script>alert(1)</script>",
        "\\u001b[2J\\u001b[31mred",
        "abc\\u202egpj.exe",
        "[bold red]x[/]",
        "就活生＠",
    ):
        assert part in plain
    assert max(width(line) for line in plain.split("\n") if not line.startswith("  again ")) <= 80


def test_colours_only_repeat_the_text(out):
    """Without the colours, the coloured text is the plain one; the severity and moved tiles are coloured."""
    text = shown(out, FORCE_COLOR="1")
    assert SGR.sub("", text) == shown(out)
    assert "\x1b[33m\x1b[1mW106 rule\x1b[0m: fu recorded" in text
    assert "\x1b[33m\x1b[1m[7s]\x1b[0m" in text
    assert "\x1b[31m40 recorded, 30 expected *\x1b[0m" in text


def test_every_finding_in_colour(tmp_path):
    """Of all checks' fixtures, the colours leave the text as it is."""
    auditor("run", CHECKS, "--out", tmp_path / "out")
    text = auditor("show", tmp_path / "out", "--limit", 1000)[1]
    painted = colours.painted(text)
    assert SGR.sub("", painted) == text
    for severity in ("error", "rule", "note"):
        heads = len(re.findall(rf"^[A-Z]\d{{3}} {severity}: ", text, re.MULTILINE))
        assert (
            len(re.findall(rf"^\x1b\[3.m\x1b\[1m[A-Z]\d{{3}} {severity}\x1b\[0m: ", painted, re.MULTILINE)) == heads > 0
        )


@pytest.mark.parametrize(
    ("variables", "terminal", "coloured"),
    [
        ({}, True, True), ({}, False, False), ({"NO_COLOR": "1"}, True, False), ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False), ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)  # fmt: skip
def test_when_there_are_colours(variables, terminal, coloured, monkeypatch):
    """There are colours on a terminal, or where they are forced, and never with NO_COLOR or on a dumb terminal."""
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"TERM": "xterm"} | variables).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal, raising=False)
    assert colours.wanted() == coloured


def test_on_a_real_terminal(out):
    """On a pseudo-terminal, the command prints colours."""
    names = ("NO_COLOR", "FORCE_COLOR", "COLUMNS")
    environment = {name: value for name, value in os.environ.items() if name not in names} | {"TERM": "xterm"}
    words = [sys.executable, "-c", "from auditor.cli.main import main; main()", "show", str(out), "--limit", "1"]
    inner, outer = pty.openpty()
    process = subprocess.Popen(words, env=environment, stdout=outer, stderr=subprocess.DEVNULL)
    os.close(outer)
    text = b""
    with suppress(OSError):  # the other end is closed
        while True:
            text += os.read(inner, 1 << 16)
    os.close(inner)
    assert process.wait() == 0
    assert b"\x1b[33m\x1b[1mW106 rule\x1b[0m: fu" in text


@pytest.mark.parametrize("form", ["csv", "tsv"])
@pytest.mark.parametrize(
    "words",
    [
        ("query", "SELECT * FROM findings"), ("query", "SELECT names FROM games"), ("query", "SELECT * FROM history"),
        ("stats", "rates", "--by", "player"), ("compare", "--before", "2000-01-01"),
    ],
    ids=lambda words: " ".join(words[:2]),
)  # fmt: skip
def test_no_name_is_a_formula(out, words, form):
    """No cell of CSV or TSV, and no part of one after a sign that may begin a cell, begins like a formula."""
    text = auditor(words[0], out, *words[1:], "--format", form)[1]
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter="," if form == "csv" else "\t"))
    assert {len(row) for row in rows} == {len(rows[0])}
    cells = [cell for row in rows for cell in row]
    assert any("cmd|" in cell for cell in cells)
    for cell in cells:
        assert not re.match(r"[=+\-@\t\r\n]", cell) or re.fullmatch(r"[-+]?[0-9.e-]+", cell), cell
        assert not re.search(r"[;\t\r\n][=@]", cell), cell


def test_a_name_chooses_findings(out):
    """``--player`` takes a whole name, or a pattern; other options narrow it down; what is not there is refused."""

    def asked(*words):
        code, text, error = auditor("show", out, *words)
        return code, int(text.splitlines()[-1].split()[0]) if text else error

    for name in HOSTILE.values():
        if "*" not in name and "?" not in name:
            assert asked("--player", name) == (0, 1)
    assert asked("--player", "<script>*") == (0, 1)
    assert asked("--player", "*") == (0, len(HOSTILE))
    assert asked("--player", "?" * len(HOSTILE["tab"])) == (
        0,
        sum(len(n) == len(HOSTILE["tab"]) for n in HOSTILE.values()),
    )
    assert asked("--player", "B") == (0, 0)  # he plays in all games, and did none of it
    assert asked("--player", "<script>*", "--severity", "rule", "--code", "W106", "--run", "-1") == (0, 1)
    assert asked("--player", "<script>*", "--severity", "note") == (0, 0)
    code, error = asked("--player", "<script>alert(2)</script>")
    assert (code, "the nearest is <script>alert(1)</script>" in error) == (2, True)


def test_names_in_the_summary(tmp_path):
    """The summary of a run names the player of a finding's seat."""
    log = CHECKS / "w106_fu" / "fail.mjlog"
    text = auditor("run", log, "--out", tmp_path / "out")[1]
    assert f"W106 rule {log}:7 East 4.0 seat 0 (A): fu recorded 40" in text

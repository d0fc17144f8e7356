"""The configuration file: which one is used, how its paths are read, and how each fault in it is reported."""

from __future__ import annotations

import json
import os

import pytest

from tests.kit.configuration import KNOWN, auditor, shown


@pytest.fixture(autouse=True)
def _alone(unconfigured):
    """Work in a folder without configuration. This comes before fixtures of classes, which choose other folders."""


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("logs", "{here}/logs"),
        ("../logs", "{here}/../logs"),
        ("/logs", "/logs"),
        ("~/logs", "{home}/logs"),
        ("~nobody-of-this-name/logs", "{here}/~nobody-of-this-name/logs"),
        ("-", "-"),
        ("s3://bucket/logs", "s3://bucket/logs"),
        ("file:///logs", "file:///logs"),
    ],
)
def test_places(tmp_path, monkeypatch, written, read):
    """Relative paths are relative to the file's folder; standard input and URIs stay as they are."""
    monkeypatch.setenv("HOME", "/home/of/somebody")
    (tmp_path / "auditor.toml").write_text(f"[run]\nsource = [{json.dumps(written)}]\n")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    expected = read.format(here=tmp_path, home="/home/of/somebody")
    assert shown("run")[0]["run", "source"]["value"] == [expected]


def test_rules_of_a_file_or_a_preset(tmp_path, monkeypatch):
    """A preset's name means the preset, even if a file has it. Other values are paths beside the configuration."""
    (tmp_path / "tenhou").write_text("")
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "sub")
    for written, read in (("tenhou", "tenhou"), ("house.toml", str(tmp_path / "house.toml"))):
        (tmp_path / "auditor.toml").write_text(f'[score]\nrules = "{written}"\n')
        assert shown("score")[0]["score", "rules"]["value"] == read


class TestWhere:
    """Which configuration file is used."""

    @pytest.fixture(autouse=True)
    def _folders(self, tmp_path, monkeypatch):
        self.top = tmp_path
        self.here = tmp_path / "a" / "b"
        self.here.mkdir(parents=True)
        monkeypatch.chdir(self.here)

    def put(self, name, limit, head="[show]"):
        """Write a file that sets one value."""
        (self.top / name).write_text(f"{head}\nlimit = {limit}\n")

    def limit(self, *before):
        """Give the effective limit and the name of the file that sets it."""
        rows, file = shown("show", before=before)
        return rows["show", "limit"]["value"], file and os.path.relpath(file, self.top)

    def test_none(self):
        """Without any file, the defaults hold."""
        assert self.limit() == (20, None)
        assert auditor("config")[1].startswith("file: none")

    def test_nearest(self):
        """The nearest of several folders wins."""
        self.put("auditor.toml", 1)
        assert self.limit() == (1, "auditor.toml")
        self.put("a/auditor.toml", 2)
        assert self.limit() == (2, "a/auditor.toml")
        self.put("a/b/auditor.toml", 3)
        assert self.limit() == (3, "a/b/auditor.toml")

    def test_project(self):
        """Without an auditor.toml, the nearest pyproject.toml with a table [tool.auditor] is used."""
        self.put("pyproject.toml", 1, "[tool.auditor.show]")
        self.put("a/pyproject.toml", 2, "[tool.other]")
        assert self.limit() == (1, "pyproject.toml")
        self.put("a/b/pyproject.toml", 3, "[tool.auditor.show]")
        assert self.limit() == (3, "a/b/pyproject.toml")
        assert "[tool.auditor.show] limit" in auditor("config", "show")[1]
        self.put("auditor.toml", 4)
        assert self.limit() == (4, "auditor.toml")

    def test_named(self, monkeypatch):
        """--config outweighs AUDITOR_CONFIG, which outweighs a file that is found."""
        self.put("auditor.toml", 1)
        self.put("other.toml", 2)
        self.put("a/pyproject.toml", 3, "[tool.auditor.show]")
        monkeypatch.setenv("AUDITOR_CONFIG", str(self.top / "other.toml"))
        assert self.limit() == (2, "other.toml")
        assert "other.toml (AUDITOR_CONFIG)" in auditor("config")[1]
        named = ("--config", self.top / "a" / "pyproject.toml")
        assert self.limit(*named) == (3, "a/pyproject.toml")
        assert "pyproject.toml (--config)" in auditor(*named, "config")[1]
        assert self.limit("--config", "/dev/null") == (20, "../" * len(self.top.parts[1:]) + "dev/null")

    def test_byte_order_mark(self):
        """A file with a byte order mark is read."""
        (self.here / "auditor.toml").write_bytes(b"\xef\xbb\xbf[show]\nlimit = 3\n")
        assert self.limit() == (3, "a/b/auditor.toml")


FAULTS = {
    "misspelt option": ("[run]\njob = 4", ["[run] job:", "nearest: jobs", "auditor run --help"]),
    "misspelt command": ("[rnu]\njobs = 4", ["[rnu]:", "nearest: run"]),
    "misspelt below a group": ("[rules.shwo]\nname = 'x'", ["[rules.shwo]:", "nearest: show"]),
    "a command like none": ("[zzzzzz]\njobs = 4", ["[zzzzzz]:", "there are: checks, compare,"]),
    "misspelt shared": ("fromat = 'csv'", ["fromat:", "nearest: format"]),
    "outside its table": ("jobs = 4", ["jobs:", "belongs in [run]"]),
    "in another's table": ("[run]\nmin_games = 4", ["[run] min_games:", "belongs in [stats]"]),
    "text for number": ("[run]\njobs = '4'", ["[run] jobs:", "expected a whole number", 'found "4"']),
    "truth for number": ("[run]\njobs = true", ["[run] jobs:", "expected a whole number", "found true"]),
    "fraction for number": ("[hand]\nhonba = 1.5", ["[hand] honba:", "expected a whole number", "found 1.5"]),
    "number for truth": ("[run]\nforce = 1", ["[run] force:", "expected true or false", "found 1"]),
    "number for path": ("[run]\nout = 3", ["[run] out:", "expected a text", "found 3"]),
    "date for text": ("[hand]\ndora = 1979-05-27", ["[hand] dora:", "expected a text", "1979-05-27"]),
    "text for list": ("[run]\nselect = 'W'", ["[run] select:", "expected a list, such as [", 'found "W"']),
    "list of numbers": ("[run]\nsource = [1]", ["[run] source:", "expected a list, such as [", "found [1]"]),
    "list for text": ("rules = ['wrc']", ["rules:", "expected a text", 'found ["wrc"]']),
    "an empty path": ('[run]\nout = ""', ["[run] out:", "expected a path", 'found ""']),
    "an empty path in a list": (
        '[run]\nsource = ["logs", ""]',
        ["[run] source:", "expected a path", 'found ["logs", ""]'],
    ),
    "zero byte": ('[run]\nout = "\\u0000"', ["[run] out:", "expected a text"]),
    "brackets": ("[run]\nout = " + "[" * 100_000, ["not TOML"]),
    "no choice": ("[query]\nformat = 'xls'", ["[query] format:", '"xls" is not allowed', "csv"]),
    "out of range": ("[run]\njobs = 0", ["[run] jobs:", "0 is not allowed", "1"]),
    "value for table": ("run = 3", ["run:", "expected a table [run]", "found 3"]),
    "value for group's table": ("[rules]\nshow = 3", ["[rules] show:", "expected a table [rules.show]"]),
    "command without options": ("[checks]\nx = 1", ["[checks] x:", "there are none"]),
    "table for shared": ("[format]\nx = 1", ["[format]:", "no command has this name"]),
    "both spellings": ("[stats]\nmin-games = 1\nmin_games = 2", ["[stats] min_games:", "twice"]),
    "no TOML": ("[run]\njobs = four\n", ["not TOML", "line 2", "--config"]),
    "a key twice": ("[run]\njobs = 1\njobs = 2\n", ["not TOML", "line 3"]),
}


@pytest.mark.parametrize(("text", "expected_words"), FAULTS.values(), ids=FAULTS)
def test_faults(tmp_path, text, expected_words):
    """A fault is one line with the file, the place, the value found and the value expected."""
    (tmp_path / "auditor.toml").write_text(text)
    code, out, err = auditor("config", "--check")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    for words in (f"auditor: {tmp_path / 'auditor.toml'}: ", *expected_words):
        assert words in err


@pytest.mark.parametrize("names", KNOWN, ids=" ".join)
def test_every_command_refuses(tmp_path, names):
    """A faulty file stops every command, even if the fault concerns another one."""
    (tmp_path / "auditor.toml").write_text("[run]\njob = 4")
    code, out, err = auditor(*names)
    assert (code, out) == (2, "")
    assert "[run] job: no such option" in err


def test_all_faults_at_once(tmp_path):
    """All faults of a file are reported at once."""
    (tmp_path / "auditor.toml").write_text("[run]\njob = 4\nout = 3\n[rnu]\nx = 1\n")
    lines = auditor("checks")[2].splitlines()
    assert [line.split(": ")[2] for line in lines] == ["[run] job", "[run] out", "[rnu]"]


def test_faults_of_a_project_file(tmp_path):
    """Faults in pyproject.toml are named with the table's name there."""
    project = tmp_path / "pyproject.toml"
    project.write_text("[tool.auditor.run]\njob = 4\n")
    assert "[tool.auditor.run] job:" in auditor("checks")[2]
    project.write_text("tool.auditor = 3\n")
    assert "expected a table [tool.auditor], found 3" in auditor("checks")[2]
    project.write_text("[tool.other]\n")
    assert auditor("checks")[0] == 0
    code, _, err = auditor("--config", project, "checks")
    assert code == 2
    assert "no table [tool.auditor]" in err


@pytest.mark.parametrize("made", ["nothing", "folder", "no UTF-8", "dangling"])
def test_file_that_cannot_be_read(tmp_path, made):
    """A configuration file that cannot be read is an error, whether it was named or found."""
    file = tmp_path / "auditor.toml"
    if made == "folder":
        file.mkdir()
    elif made == "no UTF-8":
        file.write_bytes(b"[run]\nout = '\xff'\n")
    elif made == "dangling":
        file.symlink_to(tmp_path / "gone")
    for before in [("--config", file), *([] if made == "nothing" else [()])]:
        code, out, err = auditor(*before, "checks")
        assert (code, out) == (2, "")
        assert str(file) in err
        assert "another file with --config" in err


def test_help_in_spite_of_a_fault(tmp_path):
    """--help works with a faulty file, and warns of the fault."""
    (tmp_path / "auditor.toml").write_text("[run]\njob = 4")
    code, out, err = auditor("run", "--help")
    assert code == 0
    assert "--jobs" in out
    assert "nearest: jobs" in err

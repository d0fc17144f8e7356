"""The commands and programs in "Query it" of auditor/dataset/README.md run on a dataset that a run wrote."""

from __future__ import annotations

import importlib.util
import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.kit.command_line import auditor

ROOT = Path(__file__).resolve().parents[2]
SECTION = (ROOT / "auditor" / "dataset" / "README.md").read_text("utf-8").split("## Query it\n")[1]
BLOCKS = re.findall(r"```(sh|python)\n(.*?)```", SECTION, re.DOTALL)
COMMANDS = [line for kind, block in BLOCKS if kind == "sh" for line in block.splitlines() if line]
PROGRAMS = [block for kind, block in BLOCKS if kind == "python"]


@pytest.fixture(autouse=True)
def here(shipped_dataset, tmp_path, monkeypatch):
    """Work in a folder that has datasets of the names that the section uses."""
    for name in ("out", "before"):
        shutil.copytree(shipped_dataset, tmp_path / name)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("line", COMMANDS)
def test_commands(line):
    """Every command of the section is one of ours, and it succeeds."""
    program, *arguments = shlex.split(line, comments=True)
    code, text, error = auditor(*arguments)
    assert program == "auditor"
    assert (code, error) == (0, "")
    assert text


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.split()[1].split(".")[0])
def test_programs(program, capsys):
    """Every program of the section runs if its library is installed."""
    library = program.split()[1].split(".")[0]
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"{library} is not installed")
    exec(program, {})
    assert capsys.readouterr().out


def test_the_section_shows_all():
    """The section shows every command that reads a dataset, and the four tools, in at most five lines each."""
    assert {line.split()[1] for line in COMMANDS} == {"query", "stats", "show", "compare"}
    assert [program.split()[1].split(".")[0] for program in PROGRAMS] == ["polars", "duckdb", "pandas", "pyspark"]
    assert all(len([line for line in program.splitlines() if line]) <= 5 for program in PROGRAMS)

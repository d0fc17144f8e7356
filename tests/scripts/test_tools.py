"""Every tool has a row in ``scripts/README.md`` and prints help; no tool or test changes ``sys.path``."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = sorted(path.stem for path in (ROOT / "scripts").glob("[!_]*.py"))


def test_the_readme_lists_the_tools():
    """The README has one row for each tool, and no others."""
    rows = re.findall(
        r"^\| `python -m scripts\.(\w+)", (ROOT / "scripts" / "README.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(rows) == TOOLS


@pytest.mark.parametrize("tool", TOOLS)
def test_help(tool, monkeypatch, capsys):
    """A tool's help names its command and begins with the first line of its documentation."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "argv", [f"{tool}.py", "--help"])
    with pytest.raises(SystemExit) as end:
        import_module(f"scripts.{tool}").main()
    assert end.value.code == 0
    documentation = (ROOT / "scripts" / f"{tool}.py").read_text("utf-8")
    assert documentation.split("\n")[0].strip('"') in capsys.readouterr().out
    assert f"python -m scripts.{tool}" in documentation


def test_a_tool_runs_from_the_root():
    """A tool needs only the working folder for its imports."""
    done = subprocess.run(
        [sys.executable, "-m", "scripts.make_check_fixtures", "--help"], cwd=ROOT, capture_output=True, check=True
    )
    assert b"fixtures" in done.stdout


def test_no_module_changes_the_import_path():
    """Tests and tools import by full names; only tests of tools import tools."""
    for folder in ("tests", "scripts"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text("utf-8")
            assert "sys.path" not in text or path == Path(__file__), path
            if "scripts" not in path.relative_to(ROOT).parts:
                assert not re.search(r"^\s*(from|import) scripts\b", text, re.MULTILINE), path

"""The README of the engine: its examples run, and its table of rooms lists every module."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import engine

FOLDER = Path(engine.__file__).parent
ROOMS = sorted(path.parent.name for path in FOLDER.glob("*/__init__.py"))


def test_readme_examples():
    """Every example of the README gives what the README shows."""
    failed, tried = doctest.testfile(str(FOLDER / "README.md"), module_relative=False)
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize("room", ROOMS)
def test_every_module_is_in_the_table_of_its_room(room):
    """A new module needs its place in the rows of its room in the README, and in the docstring of the room."""
    table = (FOLDER / "README.md").read_text("utf-8").split("## Rooms")[1].split("##")[0]
    rows = table.split(f"\n| `{room}/` |")[1].split("/` |")[0]
    docstring = (FOLDER / room / "__init__.py").read_text("utf-8")
    modules = {path.stem for path in (FOLDER / room).glob("*.py")} - {"__init__"}
    assert {name for name in modules if f"`{name}.py`" not in rows} == set()
    assert {name for name in modules if f"``{name}``" not in docstring} == set()

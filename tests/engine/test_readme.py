"""The examples of the engine's README run."""

from __future__ import annotations

import doctest
from pathlib import Path

import engine


def test_readme_examples():
    """The doctest of the README."""
    readme = Path(engine.__file__).with_name("README.md")
    failed, tried = doctest.testfile(str(readme), module_relative=False)
    assert tried > 0
    assert failed == 0


def test_every_module_is_in_the_reading_order():
    """A new module needs its row in the table."""
    folder = Path(engine.__file__).parent
    listed = (folder / "README.md").read_text("utf-8")
    modules = {path.name for path in folder.glob("*.py")} - {"__init__.py", "arrays.py"}
    assert {name for name in modules if f"`{name}`" not in listed} == set()

"""The import table: imports point down, and nothing grows past reading."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("auditor", "engine")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
MOST_LINES = 400

# What a part may import of the auditor and the engine at run time; itself always. A name stands for the module or
# package of that name and all below it.
MAY_IMPORT = {
    "auditor.plain": [],
    "auditor.layout": ["auditor.plain"],
    "auditor.cli_exit": ["auditor.plain"],
    "auditor.cli_places": [],
    "auditor.cli_hands": [
        "auditor.cli_options", "auditor.cli_exit", "auditor.cli_tables", "auditor.choices", "auditor.hands",
        "auditor.ruleset", "auditor.table_files",
    ],
    "auditor.cli_tables": ["auditor.cli_exit", "auditor.choices", "auditor.table_files"],
    "auditor.cli_ask": [
        "auditor.cli_options", "auditor.cli_exit", "auditor.cli_tables", "auditor.choices", "auditor.plain",
        "auditor.schema",
        "auditor.tables", "auditor.stats", "auditor.compare", "auditor.show",
        "auditor.check",
    ],
    "auditor.cli_config": [
        "auditor.cli_check", "auditor.cli_exit", "auditor.config", "auditor.settings", "auditor.remote",
    ],
    "auditor.cli_check": [
        "auditor.cli_ask", "auditor.cli_exit", "auditor.cli_hands", "auditor.check", "auditor.lock", "auditor.remote",
        "auditor.ruleset", "auditor.schema", "auditor.sources",
    ],
    "auditor.cli_options": ["auditor.check", "auditor.remote", "auditor.stats", "engine.preset_files"],
    "auditor.config": [],
    "auditor.settings": ["auditor.cli_options"],
    "auditor.stats": ["auditor.choices", "auditor.schema"],
    "auditor.compare": ["auditor.schema"],
    "auditor.show": [
        "auditor.drawn", "auditor.reread", "auditor.table_at", "auditor.check", "auditor.words", "auditor.won",
        "auditor.plain", "engine.rules",
    ],
    "auditor.won": [
        "auditor.check", "auditor.log", "auditor.pieces", "auditor.readings", "auditor.report", "engine",
    ],
    "auditor.drawn": ["auditor.log", "auditor.pieces", "auditor.plain"],
    "auditor.reread": [
        "auditor.audit", "auditor.archives", "auditor.sources", "auditor.places", "auditor.remote", "auditor.frames",
    ],
    "auditor.table_at": [
        "auditor.acts", "auditor.hands_at", "auditor.open_tiles", "auditor.situations", "auditor.turns",
        "auditor.replay", "auditor.log",
    ],
    "auditor.hands_at": ["auditor.open_tiles", "auditor.replay", "auditor.log", "auditor.pieces"],
    "auditor.open_tiles": ["auditor.acts", "auditor.replay", "auditor.log", "auditor.pieces"],
    "auditor.acts": ["auditor.log", "auditor.pieces"],
    "auditor.choices": [],
    "auditor.tables": ["auditor.layout", "auditor.listed", "auditor.plain", "auditor.schema"],
    "auditor.table_files": ["auditor.choices", "auditor.plain", "auditor.tables"],
    "auditor.cli": [
        "auditor.cli_ask", "auditor.cli_config", "auditor.cli_exit", "auditor.cli_hands", "auditor.cli_options",
        "auditor.cli_places",
        "auditor.run", "auditor.progress", "auditor.writing", "auditor.choices", "auditor.audit", "auditor.summary",
        "auditor.check", "auditor.ruleset", "auditor.steps", "auditor.stopping",
        "auditor.sources", "engine.rules",
    ],
    "auditor.hands": [
        "auditor.table_files", "auditor.choices", "auditor.plain", "engine",
    ],
    "auditor.hand_strings": ["auditor.log", "auditor.pieces", "engine"],
    "auditor.run": [
        "auditor.seen", "auditor.dataset", "auditor.record", "auditor.totals", "auditor.repeats", "auditor.audit",
        "auditor.archives", "auditor.findings", "auditor.repair", "auditor.steps", "auditor.stopping",
    ],
    "auditor.seen": [
        "auditor.archives", "auditor.dataset", "auditor.members", "auditor.places", "auditor.remote",
        "auditor.sources", "auditor.schema",
    ],
    "auditor.dataset": ["auditor.listed", "auditor.lock", "auditor.schema", "auditor.writing"],
    "auditor.repair": ["auditor.dataset", "auditor.listed", "auditor.schema", "auditor.writing"],
    "auditor.listed": ["auditor.schema"],
    "auditor.lock": ["auditor.writing"],
    "auditor.writing": [],
    "auditor.stopping": [],
    "auditor.steps": [],
    "auditor.record": ["auditor.dataset", "auditor.schema", "auditor.writing"],
    "auditor.progress": ["auditor.steps", "auditor.totals", "auditor.choices", "auditor.plain"],
    "auditor.totals": [],
    "auditor.program": [],
    "auditor.archives": [
        "auditor.members", "auditor.tars", "auditor.sources", "auditor.places", "auditor.remote", "auditor.streams",
    ],
    "auditor.tars": ["auditor.members", "auditor.streams"],
    "auditor.members": ["auditor.places", "auditor.streams"],
    "auditor.mending": ["auditor.log"],
    "auditor.audit": [
        "auditor.mending",
        "auditor.sources", "auditor.readers", "auditor.frames", "auditor.findings", "auditor.report", "auditor.log",
        "auditor.check", "auditor.schema", "auditor.program", "auditor.alternatives", "auditor.likeness",
        "auditor.steps", "engine.rules",
    ],
    "auditor.likeness": [],
    "auditor.alternatives": [
        "auditor.fillings", "auditor.findings", "auditor.frames", "auditor.check", "auditor.excerpts", "auditor.log",
        "engine",
    ],
    "auditor.excerpts": ["auditor.log"],
    "auditor.fillings": [
        "auditor.findings", "auditor.frames", "auditor.check", "auditor.excerpts", "auditor.log", "engine",
    ],
    "auditor.repeats": ["auditor.findings", "auditor.words", "auditor.check"],
    "auditor.summary": ["auditor.plain"],
    "auditor.ruleset": ["engine.parameters", "engine.rules", "engine.ruletypes"],
    "auditor.report": [
        "auditor.findings", "auditor.frames", "auditor.log", "auditor.pieces", "auditor.readings", "auditor.situations",
        "auditor.schema", "auditor.words", "engine.rules",
    ],
    "auditor.readings": ["engine"],
    "auditor.findings": ["auditor.check", "auditor.frames", "auditor.schema", "auditor.steps", "auditor.words"],
    "auditor.schema": ["auditor.log"],
    "auditor.check": ["auditor.checks"],
    "auditor.checks": ["auditor.check", "auditor.frames", "auditor.words", "auditor.pieces"],
    "auditor.frames": [
        "auditor.below", "auditor.calls", "auditor.counts", "auditor.indicators", "auditor.kans", "auditor.marks",
        "auditor.actions",
        "auditor.finals", "auditor.finish", "auditor.flow", "auditor.ledger", "auditor.possession", "auditor.replay",
        "auditor.situations",
        "auditor.turns", "auditor.winning", "auditor.log", "auditor.pieces", "engine",
        "auditor.aborts", "auditor.draws", "auditor.endings", "auditor.furiten", "auditor.riichi", "auditor.proof",
        "auditor.ready",
    ],
    "auditor.proof": ["auditor.wall", "auditor.situations", "auditor.replay", "auditor.log", "auditor.pieces"],
    "auditor.wall": ["auditor.log", "auditor.pieces"],
    "auditor.flow": ["auditor.situations", "auditor.replay", "auditor.log", "engine.rules"],
    "auditor.finish": ["auditor.flow", "auditor.situations", "auditor.log", "engine"],
    "auditor.finals": [
        "auditor.finish", "auditor.flow", "auditor.situations", "auditor.replay", "auditor.log", "engine",
    ],
    "auditor.aborts": [
        "auditor.endings", "auditor.furiten", "auditor.replay", "auditor.log", "auditor.pieces", "engine",
    ],
    "auditor.draws": [
        "auditor.endings", "auditor.situations", "auditor.turns", "auditor.replay", "auditor.log", "engine",
    ],
    "auditor.furiten": ["auditor.endings", "auditor.replay", "auditor.log", "auditor.pieces", "engine"],
    "auditor.ready": ["auditor.replay", "auditor.log", "auditor.pieces", "engine"],
    "auditor.riichi": ["auditor.endings", "auditor.turns", "auditor.replay", "auditor.log", "auditor.pieces"],
    "auditor.endings": ["auditor.replay", "auditor.log", "auditor.pieces", "engine"],
    "auditor.ledger": ["auditor.aborts", "auditor.endings", "auditor.situations", "auditor.log", "engine"],
    "auditor.winning": ["auditor.situations", "auditor.turns", "auditor.log", "auditor.pieces", "engine"],
    "auditor.situations": [
        "auditor.actions", "auditor.possession", "auditor.turns", "auditor.replay", "auditor.log", "auditor.pieces",
        "engine",
    ],
    "auditor.calls": [
        "auditor.situations", "auditor.turns", "auditor.replay", "auditor.log", "auditor.pieces", "engine",
    ],
    "auditor.kans": [
        "auditor.calls", "auditor.situations", "auditor.turns", "auditor.replay", "auditor.log", "auditor.pieces",
        "engine",
    ],
    "auditor.indicators": ["auditor.situations", "auditor.replay"],
    "auditor.below": [
        "auditor.situations", "auditor.possession", "auditor.replay", "auditor.log", "auditor.pieces", "engine.rules",
    ],
    "auditor.marks": ["auditor.replay", "auditor.pieces"],
    "auditor.counts": ["auditor.situations", "auditor.turns", "auditor.replay", "auditor.log"],
    "auditor.actions": ["auditor.replay", "auditor.log"],
    "auditor.turns": ["auditor.replay", "auditor.log", "engine"],
    "auditor.possession": ["auditor.replay", "auditor.log", "auditor.pieces"],
    "auditor.replay": ["auditor.log", "auditor.pieces", "engine"],
    "auditor.readers": [
        "auditor.hand_strings", "auditor.log", "auditor.pieces", "auditor.ranges", "auditor.sources", "auditor.steps",
        "engine.rules",
        "engine.yaku",
    ],
    "auditor.words": ["auditor.log", "auditor.pieces", "engine"],
    "auditor.ranges": ["auditor.log", "auditor.pieces"],
    "auditor.log": ["auditor.pieces", "engine.rules"],
    "auditor.pieces": [],
    "auditor.sources": ["auditor.likeness", "auditor.places", "auditor.remote", "auditor.streams"],
    "auditor.remote": ["auditor.places"],
    "auditor.places": [],
    "auditor.streams": [],
    "engine": [],
}  # fmt: skip

# Libraries, beside the standard one.
LIBRARIES = {
    "auditor.cli": ["typer"],
    "auditor.cli_exit": ["typer"],
    "auditor.cli_places": ["typer"],
    "auditor.cli_hands": ["typer"],
    "auditor.cli_ask": ["typer"],
    "auditor.cli_check": ["typer", "polars"],
    "auditor.cli_tables": ["typer", "polars"],  # Polars for annotations alone: help loads none of it
    "auditor.plain": ["rich"],
    "auditor.layout": [],
    "auditor.totals": ["polars"],
    "auditor.cli_config": ["typer", "rich"],
    "auditor.cli_options": ["typer"],
    "auditor.config": ["typer"],
    "auditor.settings": ["typer"],
    "auditor.choices": [],
    "auditor.tables": ["polars"],
    "auditor.table_files": ["polars"],
    "auditor.hands.files": ["polars", "pyarrow"],
    "auditor.schema": ["polars"],
    "auditor.progress": ["tqdm"],
    "auditor.summary": [],
    "auditor.readers": ["numpy", "polars", "pyarrow"],
    "auditor.checks": ["polars"],  # never NumPy: a check is a statement about frames
    "auditor.pieces": ["numpy"],
    "auditor.sources": [],
    "auditor.places": [],
    "auditor.likeness": [],
    "auditor.archives": [],
    "auditor.tars": [],
    "auditor.members": [],
    "auditor.streams": ["pyarrow"],
    "auditor.remote": ["pyarrow"],
    "auditor.drawn": [],
    "auditor.check": ["polars"],
    "auditor.ruleset": [],
    "auditor": ["numpy", "polars"],
    "engine": ["numpy"],
}


def module_of(path):
    """Give the dotted name of a source file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in FILES}


def imports(path, *, typing):
    """List the modules that a file imports, with or without those for annotations only."""
    tree = ast.parse(path.read_text("utf-8"))
    found = []
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test) and not typing:
            skipped |= {id(child) for part in node.body for child in ast.walk(part)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            found += [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            whole = [f"{node.module}.{name.name}" for name in node.names]
            found += [name if name in MODULES else node.module for name in whole]
    return found


def within(module, names):
    """Say whether a module is one of these or below one."""
    return any(module == name or module.startswith(f"{name}.") for name in names)


def part_of(module, table):
    """Give the longest name in a table that the module is or is below."""
    return max((name for name in table if within(module, [name])), key=len, default=None)


@pytest.mark.parametrize("module", [module for module in MODULES if module != "auditor"])
def test_imports_point_down(module):
    """At run time a module imports what its row of the table names, and its own part."""
    part = part_of(module, MAY_IMPORT)
    assert part, f"{module} has no row in MAY_IMPORT"
    own = [name for name in imports(MODULES[module], typing=False) if name.split(".")[0] in PACKAGES]
    # The auditor's package itself holds nothing but its version.
    wrong = [name for name in own if name != "auditor" and not within(name, [part, *MAY_IMPORT[part]])]
    assert wrong == []


@pytest.mark.parametrize("module", MODULES)
def test_libraries(module):
    """NumPy in the engine, Polars outside; each further library in one place."""
    outside = {
        name.split(".")[0] for name in imports(MODULES[module], typing=True) if name.split(".")[0] not in PACKAGES
    } - set(sys.stdlib_module_names)
    assert outside <= set(LIBRARIES[part_of(module, LIBRARIES)])


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("auditor.checks.")])
def test_checks_do_not_import_each_other(module):
    """What two checks share belongs in a frame."""
    assert [name for name in imports(MODULES[module], typing=True) if within(name, ["auditor.checks"])] == []


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("auditor.")])
def test_only_the_audit_knows_readers(module):
    """Checks and frames see canonical tables, never a format; not even in an annotation."""
    if within(module, ["auditor.audit", "auditor.readers"]):
        return
    assert [name for name in imports(MODULES[module], typing=True) if within(name, ["auditor.readers"])] == []


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("engine")])
def test_the_engine_knows_no_logs(module):
    """The engine imports nothing of the auditor, not even in an annotation."""
    assert [name for name in imports(MODULES[module], typing=True) if within(name, ["auditor"])] == []


@pytest.mark.parametrize("module", MODULES)
def test_nobody_imports_tests_or_scripts(module):
    """What is shipped stands alone."""
    local = {path.stem for folder in ("tests", "scripts") for path in (ROOT / folder).rglob("*.py")} | {
        "tests",
        "scripts",
    }
    local -= {"__init__", "conftest"} | set(sys.stdlib_module_names)
    assert {name.split(".")[0] for name in imports(MODULES[module], typing=True)}.isdisjoint(local)


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_a_module_can_be_read_in_one_sitting(path):
    """No module is longer than the limit; one that must be is named here with the reason."""
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES


def test_readers_do_not_import_each_other():
    """A format knows its own package and what all readers share."""
    readers = ROOT / "auditor" / "readers"
    formats = {entry.stem for entry in readers.iterdir() if entry.stem not in ("__init__", "__pycache__")}
    for module, path in MODULES.items():
        if module.startswith("auditor.readers."):
            own = module.split(".")[2]
            others = [f"auditor.readers.{name}" for name in formats - {own}]
            assert [name for name in imports(path, typing=True) if within(name, others)] == []


def test_the_table_has_no_empty_rows():
    """Every row of the tables names a module that is there."""
    for name in {*MAY_IMPORT, *LIBRARIES, *(each for row in MAY_IMPORT.values() for each in row)}:
        assert name in MODULES, name


def test_import_reading_sees_what_it_should(tmp_path):
    """The test's own eyes: plain, from, nested and annotation-only imports."""
    file = tmp_path / "sample.py"
    file.write_text(
        "import numpy as np\nfrom auditor import run\nfrom typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from engine.rules import RuleSet\ndef f():\n    import polars\n"
    )
    assert imports(file, typing=False) == ["numpy", "auditor.run", "typing", "polars"]
    assert "engine.rules" in imports(file, typing=True)

"""The architecture: which room may import which, which libraries it may use, and how long a module may be."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("auditor", "engine")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
MOST_LINES = 400

# What a room may import, beside itself. A room stands below every room that may import it.
ROOMS = {
    "engine.tiles": [],
    "engine.shapes": ["engine.tiles"],
    "engine.yaku": ["engine.shapes", "engine.tiles"],
    "engine.rules": ["engine.yaku", "engine.tiles"],
    "engine.scoring": ["engine.rules", "engine.yaku", "engine.shapes", "engine.tiles"],
    "engine.legality": ["engine.shapes", "engine.tiles"],
    "auditor.base": [],
    "auditor.sources": [],
    "auditor.log": ["engine"],
    "auditor.dataset": ["auditor.log", "auditor.base"],
    "auditor.readers": ["auditor.log", "auditor.sources", "auditor.base", "engine"],
    "auditor.replay": ["auditor.log", "engine"],
    "auditor.scoring": ["auditor.replay", "auditor.log", "engine"],
    "auditor.hands": ["auditor.dataset", "auditor.log", "auditor.base", "engine"],
    "auditor.audit": [
        "auditor.scoring", "auditor.replay", "auditor.readers", "auditor.dataset", "auditor.log", "auditor.sources",
        "auditor.base", "engine",
    ],
    "auditor.run": ["auditor.audit", "auditor.dataset", "auditor.log", "auditor.sources", "auditor.base"],
    "auditor.show": [
        "auditor.audit", "auditor.replay", "auditor.log", "auditor.sources", "auditor.base", "engine",
    ],
    "auditor.report": ["auditor.show", "auditor.audit", "auditor.dataset", "auditor.log", "auditor.base", "engine"],
    "auditor.convert": [
        "auditor.audit", "auditor.readers", "auditor.log", "auditor.sources", "auditor.base", "engine.rules",
    ],
    "auditor.cli": [
        "auditor.run", "auditor.convert", "auditor.report", "auditor.show", "auditor.hands", "auditor.audit",
        "auditor.dataset", "auditor.sources", "auditor.base", "engine.rules",
    ],
}  # fmt: skip
FLOORS = 8

# Libraries that a room, or a part of it with rules of its own, may use beside the standard one.
LIBRARIES = {
    "engine": ["numpy"],
    "auditor": [],
    "auditor.base": ["rich"],
    "auditor.sources": ["pyarrow"],
    "auditor.log": ["numpy", "polars", "pyarrow"],
    "auditor.dataset": ["filelock", "obstore", "polars"],
    "auditor.readers": ["numpy", "polars", "pyarrow"],
    "auditor.readers.mahjong_soul": ["google", "numpy", "polars"],  # google.protobuf
    "auditor.replay": ["numpy", "polars"],
    "auditor.scoring": ["numpy", "polars"],
    "auditor.hands": ["numpy", "polars", "pyarrow"],
    "auditor.audit": ["numpy", "polars"],
    "auditor.convert": ["numpy", "polars"],
    "auditor.audit.checks": ["polars"],  # never NumPy: a check is a statement about frames
    "auditor.run": ["dask", "distributed", "polars", "tqdm"],
    "auditor.show": ["numpy", "polars"],
    "auditor.report": ["altair", "jinja2", "polars", "vl_convert"],
    "auditor.cli": ["typer", "rich", "polars"],
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
    """Say whether a module is one of these, or within one."""
    return any(module == name or module.startswith(f"{name}.") for name in names)


def part_of(module, table):
    """Give the longest name in a table that is the module or contains it."""
    return max((name for name in table if within(module, [name])), key=len, default=None)


@pytest.mark.parametrize("module", [module for module in MODULES if "." in module])
def test_imports_point_down(module):
    """A module imports only what its room may import, in annotations as well."""
    room = part_of(module, ROOMS)
    assert room, f"{module} stands in no room"
    own = [name for name in imports(MODULES[module], typing=True) if name.split(".")[0] in PACKAGES]
    # The auditor's package itself holds nothing but its version.
    wrong = [name for name in own if name != "auditor" and not within(name, [room, *ROOMS[room]])]
    assert wrong == []


def floor(room, above=()):
    """Give the number of rooms on top of one another up to this room; an import circle fails here."""
    assert room not in above, f"a circle: {' -> '.join([*above, room])}"
    rooms = [name for name in ROOMS if name != room and within(name, ROOMS[room]) and name[:6] == room[:6]]
    return 1 + max((floor(name, (*above, room)) for name in rooms), default=0)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_number_of_floors_is_limited(package):
    """The rooms of a package have at most this number of floors, without a circle."""
    assert max(floor(room) for room in ROOMS if within(room, [package])) <= FLOORS


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_says_what_it_is_for(room):
    """A room's docstring says what comes in, what goes out, what it imports, on one screen."""
    docstring = ast.get_docstring(ast.parse(MODULES[room].read_text("utf-8"))) or ""
    assert "mport" in docstring
    assert len(docstring.splitlines()) <= 40


@pytest.mark.parametrize("module", MODULES)
def test_libraries(module):
    """A module uses only the libraries of its room."""
    outside = {
        name.split(".")[0] for name in imports(MODULES[module], typing=True) if name.split(".")[0] not in PACKAGES
    } - set(sys.stdlib_module_names)
    assert outside <= set(LIBRARIES[part_of(module, LIBRARIES)])


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("auditor.audit.checks.")])
def test_checks_do_not_import_each_other(module):
    """Checks do not import each other: what two of them share belongs in a frame."""
    assert [name for name in imports(MODULES[module], typing=True) if within(name, ["auditor.audit.checks"])] == []


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("auditor.")])
def test_few_rooms_know_readers(module):
    """Only the audit and the conversion import readers: checks and frames see canonical tables, never a format."""
    if within(module, ["auditor.audit", "auditor.convert", "auditor.readers"]):
        return
    assert [name for name in imports(MODULES[module], typing=True) if within(name, ["auditor.readers"])] == []


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("engine")])
def test_the_engine_knows_no_logs(module):
    """The engine imports nothing of the auditor, not even in an annotation."""
    assert [name for name in imports(MODULES[module], typing=True) if within(name, ["auditor"])] == []


@pytest.mark.parametrize("module", MODULES)
def test_nobody_imports_tests_or_scripts(module):
    """The packages import neither tests nor tools."""
    local = {path.stem for folder in ("tests", "scripts") for path in (ROOT / folder).rglob("*.py")} | {
        "tests",
        "scripts",
    }
    local -= {"__init__", "conftest"} | set(sys.stdlib_module_names)
    assert {name.split(".")[0] for name in imports(MODULES[module], typing=True)}.isdisjoint(local)


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES])
def test_a_module_can_be_read_in_one_sitting(path):
    """No module is longer than the limit."""
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES


def test_readers_do_not_import_each_other():
    """A reader imports only its own package and the code that all readers share."""
    readers = ROOT / "auditor" / "readers"
    shared = {
        "__init__", "__pycache__", "contract", "json_text", "rooms", "written", "tenhou_ids", "tenhou_rules", "README",
    }  # fmt: skip
    formats = {entry.stem for entry in readers.iterdir()} - shared
    for module, path in MODULES.items():
        if module.startswith("auditor.readers."):
            own = module.split(".")[2]
            others = [f"auditor.readers.{name}" for name in formats - {own}]
            assert [name for name in imports(path, typing=True) if within(name, others)] == []


def test_the_table_has_no_empty_rows():
    """Every name in the tables is an existing module, and every folder of the packages is a room."""
    for name in {*ROOMS, *LIBRARIES, *(each for row in ROOMS.values() for each in row)}:
        assert name in MODULES, name
    assert {module for module in MODULES if module.count(".") == 1} == set(ROOMS)


def test_imports_are_read_completely(tmp_path):
    """``imports`` finds plain, from, nested and annotation-only imports."""
    file = tmp_path / "sample.py"
    file.write_text(
        "import numpy as np\nfrom auditor import run\nfrom typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from engine.rules import RuleSet\ndef f():\n    import polars\n"
    )
    assert imports(file, typing=False) == ["numpy", "auditor.run", "typing", "polars"]
    assert "engine.rules" in imports(file, typing=True)

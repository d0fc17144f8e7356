"""The digest of the program changes with everything that can change a result, and with nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import auditor
import engine
from auditor.audit import code_digest
from tests.kit.audits import LOGS

FOLDERS = [Path(package.__path__[0]) for package in (auditor, engine)]
FILES = code_digest.read(FOLDERS)
DIGEST = code_digest.digest_of(FILES)

CHECK = "auditor/audit/checks/w106_fu.py"
FURITEN = "auditor/replay/furiten.py"
PRESET = "engine/rules/presets/tenhou.toml"
WRITTEN_OTHERWISE = {
    "a comment": (FURITEN, "\n\n\n", "\n\n\n# A comment.\n"),
    "a blank line": (FURITEN, "\n\n\n", "\n\n\n\n\n\n"),
    "the module's docstring": (FURITEN, '"""', '"""Something else. '),
    "a function's docstring": (FURITEN, '    """', '    """Something else. '),
    "a docstring after a constant": (
        "auditor/audit/audit_batch.py",
        'READ = 0.5\n"""',
        'READ = 0.5\n"""Other. ',
    ),
    "a check's docstring": (CHECK, '"""', '"""Something else. '),
    "the layout of a statement": (FURITEN, "import numpy as np\n", "import numpy \\\n    as np\n"),
    "an import for annotations": (FURITEN, "if TYPE_CHECKING:\n", "if TYPE_CHECKING:\n    import auditor.cli\n"),
    "a comment of a preset": (PRESET, "# ", "# Something else: "),
    "a new module that nobody imports": ("engine/tiles/unused.py", "", "X = 1\n"),
}
"""For each change: the file, the text, and the text that replaces its first occurrence."""


def changed(path, old, new):
    """Give the digest of the program with one text of one file replaced."""
    text = FILES.get(path, b"").decode()
    assert old in text
    return code_digest.digest_of({**FILES, path: text.replace(old, new, 1).encode()})


@pytest.mark.parametrize("case", WRITTEN_OTHERWISE)
def test_prose_and_layout_do_not_count(case):
    """Changed comments, docstrings and layout give the same digest."""
    assert changed(*WRITTEN_OTHERWISE[case]) == DIGEST


def another(room):
    """Give the digest of the program with one more statement in every module of a room."""
    more = {path: text + b"\nX = 1\n" for path, text in FILES.items() if path.startswith(f"{room}/")}
    assert more
    return code_digest.digest_of({**FILES, **more})


@pytest.mark.parametrize("room", ["cli", "hands", "show", "run", "dataset/stats"])
def test_rooms_that_an_audit_does_not_enter(room):
    """Rooms that cannot change the result of an audit do not change the digest."""
    assert another(f"auditor/{room}") == DIGEST


@pytest.mark.parametrize(
    "room",
    [
        "auditor/audit", "auditor/audit/checks", "auditor/dataset", "auditor/log", "auditor/readers/mjlog",
        "auditor/readers/majiang", "auditor/replay", "auditor/scoring", "auditor/sources",
        "engine/tiles", "engine/shapes", "engine/rules", "engine/yaku", "engine/scoring", "engine/legality",
    ],
)  # fmt: skip
def test_rooms_that_an_audit_enters(room):
    """Any room that an audit uses changes the digest."""
    assert another(room) != DIGEST


@pytest.mark.parametrize(
    "path", [path for path in FILES if path.startswith(("auditor/audit/checks/", "auditor/sources/"))]
)
def test_every_check_and_every_source_counts(path):
    """Every check and every module of sources counts, although no import statement names them."""
    assert changed(path, "", "X = 1\n") != DIGEST


RESULTS = {
    "an operator": (FURITEN, " & ", " | "),
    "a constant": (FURITEN, " == 0", " == 1"),
    "a message": (CHECK, "recorded {", "found {"),
    "an import": (FURITEN, "import numpy as np", "import numpy as nq"),
    "a value of a preset": (PRESET, " = true", " = false"),
    "a value of another preset": ("engine/rules/presets/wrc.toml", " = true", " = false"),
}


@pytest.mark.parametrize("case", RESULTS)
def test_a_change_that_can_change_results_counts(case):
    """One changed operator, constant or preset value changes the digest."""
    assert changed(*RESULTS[case]) != DIGEST


def test_a_check_more_counts():
    """A new file in the folder of checks changes the digest, although no import statement names it."""
    assert changed("auditor/audit/checks/z999_new.py", "", "X = 1\n") != DIGEST


def test_the_digest_is_kept(tmp_path, monkeypatch):
    """The digest is computed once for each state of the files; a damaged cache file is computed again."""
    monkeypatch.setenv("AUDITOR_CACHE", str(tmp_path / "new" / "cache"))
    code_digest.digest.cache_clear()
    assert code_digest.digest() == DIGEST
    (kept,) = (tmp_path / "new" / "cache").iterdir()
    monkeypatch.setattr(code_digest, "digest_of", lambda _: "computed")
    code_digest.digest.cache_clear()
    assert code_digest.digest() == DIGEST
    kept.write_bytes(b"\xff\0")
    code_digest.digest.cache_clear()
    assert code_digest.digest() == "computed"
    code_digest.digest.cache_clear()


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    """If the cache cannot be written, the digest is computed each time."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("AUDITOR_CACHE", str(tmp_path / "file" / "cache"))
    code_digest.digest.cache_clear()
    assert code_digest.digest() == DIGEST
    code_digest.digest.cache_clear()


@pytest.mark.long
def test_an_archive_is_audited_again_only_for_code(tmp_path):
    """After a changed docstring, a run audits nothing again; after a changed check, it audits everything."""
    for folder in FOLDERS:
        shutil.copytree(folder, tmp_path / folder.name, ignore=shutil.ignore_patterns("__pycache__"))
    check = tmp_path / CHECK

    def unchanged():
        program = "from auditor.cli.main import main; main()"
        words = [sys.executable, "-c", program, "run", str(LOGS[0]), "--out", "out"]
        environment = os.environ | {"PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        ended = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        (count,) = re.findall(r"(\d+) unchanged", ended.stderr)
        return int(count)

    assert unchanged() == 0
    check.write_text(check.read_text("utf-8").replace('"""', '"""Something else. ', 1), "utf-8")
    assert unchanged() == 1
    check.write_text(check.read_text("utf-8") + "\nX = 1\n", "utf-8")
    assert unchanged() == 0

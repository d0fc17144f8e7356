"""Folders, permissions and names: what a run cannot open is named with its reason, and the rest is audited."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.sources import log_files, places, remote
from tests.kit.audits import CHECKS, FIXTURES
from tests.kit.source_runs import GOOD, OTHER, statuses


def closed(monkeypatch, *names):
    """Make the system refuse to list these folders, and to look at or open anything in them."""
    calls = {name: getattr(os, name) for name in ("stat", "lstat", "open", "readlink")}

    def guarded(name):
        def call(path, *more, **named):
            if isinstance(path, (str, Path)) and any(f"/{folder}/" in str(path) for folder in names):
                raise PermissionError(13, "Permission denied", str(path))
            return calls[name](path, *more, **named)

        return call

    for name in calls:
        monkeypatch.setattr(os, name, guarded(name))


def test_a_folder_that_may_be_listed_and_not_entered(tmp_path, monkeypatch):
    """The files and folders in it are listed by name as unreadable; the rest is audited."""
    for name in ("closed/a.mjlog", "closed/below/b.mjlog", "open/c.mjlog", "d.mjlog"):
        (tmp_path / "logs" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "logs" / name).write_bytes(GOOD)
    (tmp_path / "logs" / "closed" / "link").symlink_to("a.mjlog")
    closed(monkeypatch, "closed")
    seen = statuses(tmp_path / "out", tmp_path / "logs")
    assert {name: status for name, (status, _) in seen.items()} == {
        "a.mjlog": "unreadable", "link": "unreadable", "below": "unreadable", "c.mjlog": "audited",
        "d.mjlog": "audited",
    }  # fmt: skip
    assert all("Permission denied" in seen[name][1] for name in ("a.mjlog", "link", "below"))


# A process that audits once as root, to load everything, and then as a user without rights.
AS_NOBODY = """
import os, sys
from auditor.cli.main import app
first, logs, out = sys.argv[1:]
for user, source, folder in ((None, first, out + "/first"), (65534, logs, out + "/second")):
    if user:
        os.setgroups([]), os.setgid(user), os.setuid(user)
    try:
        app(["run", source, "--out", folder, "--jobs", "1", "--progress", "none"])
    except SystemExit as error:
        code = error.code
sys.exit(code)
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_permissions_as_another_user():
    """The same with real permissions, as a user without rights."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        logs = folder / "logs"
        for file in ("listed/a.mjlog", "entered/b.mjlog", "c.mjlog", "d.mjlog"):
            (logs / file).parent.mkdir(parents=True, exist_ok=True)
            (logs / file).write_bytes(GOOD)
        (folder / "out").mkdir()
        for path, mode in (
            (folder, 0o755), (logs, 0o755), (logs / "listed", 0o644), (logs / "entered", 0o711),
            (logs / "c.mjlog", 0o600), (logs / "d.mjlog", 0o644), (folder / "out", 0o777),
        ):  # fmt: skip
            path.chmod(mode)
        command = [sys.executable, "-c", AS_NOBODY, str(CHECKS / "w106_fu"), str(logs), str(folder / "out")]
        done = subprocess.run(command, cwd=FIXTURES.parent, capture_output=True, text=True, check=False)
        assert done.returncode == 1, done.stderr[-800:]
        parts = sorted((folder / "out" / "second" / "sources").glob("*.parquet"))
        rows = pl.read_parquet(parts).select("path", "status", "reason").rows()
    seen = {Path(path).name: (status, reason or "") for path, status, reason in rows}
    assert seen.pop("d.mjlog") == ("audited", "")
    assert set(seen) == {"a.mjlog", "entered", "c.mjlog"}
    assert all(status == "unreadable" and "Permission denied" in reason for status, reason in seen.values())


def test_folders_in_folders(tmp_path):
    """A thousand nested folders are walked like one."""
    depth = 1050
    deep = tmp_path / "logs"
    folders = [deep := deep / "d" for _ in range(depth)]
    for place, folder in enumerate(folders):
        folder.mkdir(parents=not place)
    (deep / "a.mjlog").write_bytes(GOOD)
    try:
        assert [place.path for place in log_files.find([tmp_path / "logs"])] == [deep / "a.mjlog"]
    finally:
        (deep / "a.mjlog").unlink()
        for folder in reversed(folders):
            folder.rmdir()


def test_a_pipe_is_not_waited_for(tmp_path):
    """If a pipe has replaced a file after it was listed, opening it is an error and does not wait."""
    os.mkfifo(tmp_path / "a.mjlog")
    with pytest.raises(OSError, match="not a regular file"):
        places.local(tmp_path / "a.mjlog").open()


LONG_NAME = "n" * 300


@pytest.mark.parametrize("entry", [LONG_NAME, f"{LONG_NAME}/c.mjlog", "gone", "loop", "nonsense://a/b", "file://a/b"])
def test_an_entry_of_a_list_that_cannot_be_had(entry, tmp_path, monkeypatch):
    """An entry that cannot be read has a row with the reason; the entries before and after it are audited."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.mjlog").write_bytes(GOOD)
    (tmp_path / "b.mjlog").write_bytes(OTHER)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "list").write_text(f"a.mjlog\n{entry}\nb.mjlog\n")
    seen = statuses(tmp_path / "out", "--from", tmp_path / "list")
    assert seen.pop("a.mjlog") == seen.pop("b.mjlog") == ("audited", "")
    ((status, reason),) = seen.values()
    assert status == "unreadable"
    assert re.search("too long|No such file|leads nowhere|a scheme that is not known|names no file", reason)


def test_a_folder_of_a_list_that_cannot_be_listed(tmp_path, monkeypatch):
    """A folder of a list that cannot be listed has a row; one on the command line ends the run."""
    for name in ("closed", "open"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.mjlog").write_bytes(GOOD)
    scan = os.scandir

    def refuse(path="."):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    (tmp_path / "list").write_text(f"{tmp_path}/closed\n{tmp_path}/open\n")
    seen = statuses(tmp_path / "out", "--from", tmp_path / "list")
    assert seen["a.mjlog"] == ("audited", "")
    assert "Permission denied" in seen["closed"][1]
    result = CliRunner().invoke(app, ["run", str(tmp_path / "closed"), "--out", str(tmp_path / "no")])
    assert result.exit_code == 2
    assert "closed: cannot be listed: Permission denied" in result.stderr


@pytest.mark.parametrize("given", [LONG_NAME, "a\0b"])
def test_a_name_that_cannot_be(given, tmp_path, monkeypatch):
    """An impossible name on the command line ends the run with the reason."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["run", given, "--out", "out"])
    assert result.exit_code == 2
    assert "cannot be looked at" in result.stderr
    assert "Traceback" not in result.output


def test_a_server_that_is_away_still_ends_a_run(tmp_path, monkeypatch):
    """An unreachable server ends the run, because all later entries would fail, too."""

    def away(*_, **__):
        raise OSError("NETWORK_CONNECTION: no such host")

    monkeypatch.setattr(remote, "_system", away)
    (tmp_path / "list").write_text("s3://bucket/logs\n")
    result = CliRunner().invoke(app, ["run", "--from", str(tmp_path / "list"), "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "the server cannot be reached" in result.stderr

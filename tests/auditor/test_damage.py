"""Damaged datasets: commands name the damaged file, and the next run drops it and audits its sources again."""

from __future__ import annotations

import errno
import json
import os
import shutil
from itertools import cycle
from pathlib import Path

import polars as pl
import pytest

from auditor.dataset import manifest, store
from auditor.dataset.schema import PARTED
from auditor.run import run_batches as running
from tests.kit.audits import CHECKS, LOGS
from tests.kit.command_line import auditor
from tests.kit.containers import zipped
from tests.kit.datasets import last_run, place, rows, run, whole

GAMES = [path.read_bytes() for path in LOGS[:4]]
FAULTY = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
ASKING = (
    ("query", "SELECT COUNT(*) AS n FROM games"), ("stats", "rates"), ("show",), ("tables",),
)  # fmt: skip


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch):
    monkeypatch.setattr(running, "BATCH_FILES", 3)


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """Give a folder of seven files (one faulty, one a copy, one no log) and its dataset; tests copy the dataset."""
    top = tmp_path_factory.mktemp("sound")
    for number, data in enumerate([*GAMES, FAULTY, GAMES[0] + b"\n", b"no log"]):
        place(top / "logs" / f"{number}.mjlog", data)
    before, running.BATCH_FILES = running.BATCH_FILES, 3
    run(top / "out", top / "logs")
    running.BATCH_FILES = before
    return top


@pytest.fixture
def out(sound, tmp_path):
    """Give a copy of the dataset with the same times of change."""
    return shutil.copytree(sound / "out", tmp_path / "out")


def part(out, table="games"):
    """Give a table's file of a part that holds three sources; the last part holds one."""
    part = min(path.name for path in (out / "sources").glob("*.parquet") if pl.read_parquet(path).height == 3)
    return out / table / part


def flipped(path):
    """Change one bit of a file in its middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


DAMAGES = {
    "deleted": lambda path: path.unlink(),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[:-100]),
    "emptied": lambda path: path.write_bytes(b""),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "a bit": flipped,
    "another table": lambda path: pl.DataFrame({"n": [1]}).write_parquet(path),
    "another part": lambda path: shutil.copy(max(path.parent.glob("[0-9a-f]*.parquet")), path),
}


@pytest.mark.parametrize(
    ("damage", "table"), [*zip(cycle(DAMAGES), PARTED, strict=False), ("deleted", "sources"), ("a bit", "games")]
)
def test_damage(damage, table, sound, out):
    """Commands name the damaged file; a run reports it and restores the dataset."""
    path = part(out, table)
    DAMAGES[damage](path)
    for command, *more in ASKING if table == "games" else ASKING[:1]:
        code, text, error = auditor(command, out, *more)
        assert (code, text) == (2, "")
        assert error.startswith(f"auditor: {path}: ")
        assert "run the audit again" in error
        assert "3 files" in error
    assert auditor("compare", sound / "out", out)[0] == 2
    result = run(out, sound / "logs")
    assert str(path) in result.stderr
    assert "3 files are audited again" in result.stderr
    assert last_run(out)["unchanged"] == 4
    whole(out)
    assert rows(out) == rows(sound / "out")
    (reported,) = json.loads(max((out / "summaries").iterdir()).read_text())["damaged"]
    assert str(path) in reported
    assert auditor("query", out, ASKING[0][1])[0] == 0
    assert run(out, sound / "logs", code=(0,)).stderr.count("\n") == 1


def test_a_table_that_is_gone(sound, out):
    """All files of one table are missing."""
    shutil.rmtree(out / "turns")
    code, _, error = auditor("stats", out, "shanten")
    assert code == 2
    assert str(out / "turns") in error
    run(out, sound / "logs")
    assert last_run(out)["unchanged"] == 0
    assert rows(out) == rows(sound / "out")


@pytest.mark.parametrize("damage", [b"", b"\0" * 50, b"{", b"[]", b'{"files": {}}', b'{"schema_version": "0"}'])
def test_a_list_that_is_damaged(damage, sound, out):
    """A part without a readable list of its files is audited again."""
    path = manifest.place(out, part(out).stem)
    path.write_bytes(damage)
    assert str(path) in auditor("tables", out)[2]
    run(out, sound / "logs")
    assert rows(out) == rows(sound / "out")
    assert auditor("tables", out)[0] == 0


def test_a_flipped_bit_with_unchanged_times(sound, out):
    """A flipped bit under the same size and time is found only by --check and --force, which compare digests."""
    path = part(out, "sources")
    status = path.stat()
    flipped(path)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert auditor("tables", out)[0] == 0
    code, text, error = auditor("tables", out, "--check")
    assert (code, text) == (2, "")
    assert error.startswith(f"auditor: {path}: ")
    assert str(path) in run(out, sound / "logs", "--force").stderr
    assert rows(out) == rows(sound / "out")


def test_a_copy_with_new_times(sound, tmp_path):
    """A copy with new times of change is found sound by its digests; the next run records the new times."""
    shutil.copytree(sound / "out", tmp_path / "out", copy_function=shutil.copyfile)
    assert auditor("tables", tmp_path / "out")[0] == 0
    result = run(tmp_path / "out", sound / "logs", code=(0,))
    assert "anew" not in result.stderr
    assert last_run(tmp_path / "out")["unchanged"] == 7
    assert not manifest.look(tmp_path / "out").moved


def test_sources_that_the_run_does_not_meet(sound, out):
    """Lost sources that the run does not look at are named."""
    part(out, "turns").unlink()
    error = run(out, sound / "logs" / "6.mjlog").stderr
    lost = sorted(
        set(pl.read_parquet(sound / "out" / "sources")["path"]) - set(pl.read_parquet(out / "sources")["path"])
    )
    assert len(lost) == 3
    for name in lost:
        assert name in error
    assert "did not audit their sources again" in error


@pytest.mark.long
def test_members_of_an_archive(tmp_path):
    """If a part with members of an unchanged archive was damaged, the archive is opened again."""
    path, out = tmp_path / "logs.zip", tmp_path / "out"
    place(path, zipped({f"{number}.mjlog": data for number, data in enumerate([*GAMES, FAULTY])}))
    run(out, path)
    before = rows(out)
    parts = sorted((out / "sources").glob("*.parquet"))
    assert len(parts) == 2
    for damaged in parts:
        for broken in ("sources", "turns"):
            (out / broken / damaged.name).unlink()
            run(out, path)
            assert rows(out) == before
            (out / broken / damaged.name).unlink()
            manifest.place(out, damaged.stem).write_text("no list")
            run(out, path)
            assert rows(out) == before


@pytest.mark.parametrize("command", [("stats", "rates"), ("show",), ("tables", "--check")], ids=lambda each: each[0])
def test_zeros_with_unchanged_times(command, out):
    """An unreadable file is named in words, even if its size and time are unchanged; no library's error is shown."""
    paths = [path for name in ("rounds", "findings") for path in (out / name).glob("*.parquet")]
    for path in paths:
        status = path.stat()
        path.write_bytes(bytes(status.st_size))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    code, text, error = auditor(command[0], out, *command[1:])
    assert (code, text) == (2, "")
    assert any(error.startswith(f"auditor: {path}: ") for path in paths)
    assert "run the audit again" in error


@pytest.mark.parametrize("form", ["table", "csv", "json", "parquet"])
@pytest.mark.parametrize("where", ["gone/answer", "."])
def test_an_answer_that_cannot_be_written(form, where, out, tmp_path):
    """The message for an answer that cannot be written has the file, the reason and what to do, and no error number."""
    place = tmp_path / where
    code, _, error = auditor("query", out, "SELECT 1 AS n", "--format", form, "--out", place)
    assert code == 2
    assert error.startswith(f"auditor: --out {place}: cannot be written (")
    assert "Errno" not in error
    assert "os error" not in error
    assert "give another file" in error


class TestWithoutLists:
    """Datasets from a version that wrote no lists of files."""

    @pytest.fixture(autouse=True)
    def _old(self, out):
        shutil.rmtree(out / ".parts")

    def test_they_open(self, sound, out):
        """Commands read them, and the next run writes the lists without an audit."""
        assert [auditor(command, out, *more)[0] for command, *more in ASKING] == [0] * len(ASKING)
        assert run(out, sound / "logs", code=(0,)).stderr.count("\n") == 1
        assert last_run(out)["unchanged"] == 7
        assert {path.stem for path in (out / ".parts").iterdir()} == {path.stem for path in out.glob("*/*.parquet")}
        assert rows(out) == rows(sound / "out")

    @pytest.mark.parametrize("damage", ["deleted", "truncated", "emptied", "zeros", "another table"])
    @pytest.mark.parametrize("table", ["sources", "wins"])
    def test_they_are_damaged(self, damage, table, sound, out):
        """A file that is no table of the auditor is named, and its sources are audited again."""
        path = part(out, table)
        DAMAGES[damage](path)
        if damage != "deleted":  # to a reader, a part that is in no table is a part without rows
            code, _, error = auditor("tables", out)
            assert code == 2
            assert str(path) in error
        if damage == "another table":  # a table without a version is like one of another version
            assert "schema version none" in run(out, sound / "logs", code=(2,)).stderr
            return
        assert str(path) in run(out, sound / "logs").stderr
        assert rows(out) == rows(sound / "out")


def test_a_file_that_no_run_wrote_is_kept(sound, out):
    """A run does not delete a file that no run wrote: it refuses, and says what to do."""
    for name, data in (("notes.parquet", b"notes"), ("1.parquet", part(out).read_bytes()[:-9])):
        path = out / "games" / name
        path.write_bytes(data)
        for code, error in (
            (run(out, sound / "logs", code=(2,)).exit_code, run(out, sound / "logs", code=(2,)).stderr),
            auditor("tables", out)[::2],
        ):
            assert code == 2
            assert str(path) in error
            assert "move it away" in error
        assert path.read_bytes() == data
        path.unlink()


ODD = {
    "runs is a file": lambda out: [shutil.rmtree(out / "runs"), (out / "runs").write_text("x")],
    "summaries is a file": lambda out: [shutil.rmtree(out / "summaries"), (out / "summaries").write_text("x")],
    "games is a file": lambda out: [shutil.rmtree(out / "games"), (out / "games").write_text("x")],
    "the lock is a folder": lambda out: [(out / ".lock").unlink(), (out / ".lock").mkdir()],
    "a part is a folder": lambda out: [path := part(out), path.unlink(), path.mkdir(), (path / "x").touch()],
    "the lists are a file": lambda out: [shutil.rmtree(out / ".parts"), (out / ".parts").write_text("x")],
}


@pytest.mark.parametrize("odd", ODD)
def test_folders_that_are_none(odd, sound, out):
    """If --out cannot be a folder, the run ends with exit code 2 and its name; no traceback, nothing half written."""
    ODD[odd](out)
    result = run(out, sound / "logs", "--force", code=(2,))
    assert result.stderr.splitlines()[-1].startswith(f"auditor: {out}")
    assert not list(out.glob("*/.*.tmp"))


HEALED = {
    "the lock has noise": lambda out: (out / ".lock").write_bytes(b"\0\xff\x1b[31m" * 99),
    "what is staged is a file": lambda out: (out / ".staged").write_text("x"),
    "noise is staged": lambda out: [
        (out / ".staged" / "x-1.ready" / "games" / "a").mkdir(parents=True), (out / ".staged" / "file").touch(),
        (out / ".staged" / "y.ready").mkdir(), (out / ".staged" / "z-2.new").mkdir(),
    ],
    "a run's row is noise": lambda out: next((out / "runs").iterdir()).write_bytes(b"noise"),
    "a run's row is gone": lambda out: next((out / "runs").iterdir()).unlink(),
    "a summary is noise": lambda out: next((out / "summaries").iterdir()).write_bytes(b"\0"),
    "findings of repeats are noise": lambda out: (out / "findings" / "L005.parquet").write_bytes(b"noise"),
    "findings of repeats are gone": lambda out: (out / "findings" / "L005.parquet").unlink(),
}  # fmt: skip


@pytest.mark.parametrize("odd", HEALED)
def test_a_damaged_file_that_a_run_does_not_need(odd, sound, out):
    """A damaged file that a run does not need is replaced, and nothing is audited again."""
    HEALED[odd](out)
    run(out, sound / "logs")
    assert last_run(out)["unchanged"] == 7
    assert rows(out) == rows(sound / "out")
    assert auditor("tables", out)[0] == 0
    assert not (out / ".staged").exists()


def test_a_lock_of_noise_is_not_printed(sound, out):
    """The name of the run that holds the lock is printed only if the lock file contains a name."""
    with store.locked(out, wait=False):
        (out / ".lock").write_bytes(b"process \x1b[31m1")
        error = run(out, sound / "logs", code=(2,)).stderr
    assert "not yet named" in error
    assert "\x1b" not in error


@pytest.mark.parametrize(("now", "jobs"), [
    ("nothing", 1), ("a file", 1), ("an empty folder", 1), ("nothing", 2),
    pytest.param("a file", 2, marks=pytest.mark.long), pytest.param("an empty folder", 2, marks=pytest.mark.long),
])  # fmt: skip
def test_out_goes_in_the_middle(now, jobs, sound, tmp_path, monkeypatch):
    """If --out is removed or replaced during a run, the run ends with exit code 2 and its name, and writes no more."""
    out = tmp_path / "out"
    commit = store.commit

    def removed(*arguments):
        commit(*arguments)
        if out.is_dir():
            out.rename(tmp_path / f"aside {len(list(tmp_path.iterdir()))}")
        if now == "a file":
            out.write_text("mine")
        elif now == "an empty folder":
            out.mkdir()  # the lock is not in it

    monkeypatch.setattr(store, "commit", removed)
    result = run(out, sound / "logs", "--jobs", jobs, code=(2,))
    assert result.stderr.splitlines()[-1].startswith(f"auditor: {out}")
    assert "run the same command again" in result.stderr
    assert not out.exists() if now == "nothing" else out.read_text() == "mine" if now == "a file" else out.is_dir()
    assert not out.is_dir() or {path.name for path in out.iterdir()} <= {".staged"}


@pytest.mark.parametrize(
    ("call", "number"), [("mkdir", errno.EROFS), ("replace", errno.ENOSPC), ("replace", errno.EACCES)]
)
def test_out_cannot_be_written_any_more(call, number, sound, tmp_path, monkeypatch):
    """If the disk becomes full or read-only during a commit, the message says so; the next run completes it."""
    out, real = tmp_path / "out", getattr(Path, call)
    seen = []

    def refuse(path, *arguments, **more):
        seen.append(path)
        if len(seen) > 9:
            raise OSError(number, os.strerror(number), str(path))
        return real(path, *arguments, **more)

    monkeypatch.setattr(Path, call, refuse)
    result = run(out, sound / "logs", code=(2,))
    monkeypatch.undo()
    assert os.strerror(number) in result.stderr
    assert "give another folder with --out" in result.stderr
    whole(out)
    monkeypatch.setattr(running, "BATCH_FILES", 3)
    run(out, sound / "logs")
    assert rows(out) == rows(sound / "out")


def test_asking_while_a_part_is_put_in_place(sound, out):
    """While a commit renames its parts, or after a kill there, readers do not take its parts for damaged."""
    path = part(out)
    ready = out / ".staged" / "0123-1.ready"
    (ready / "games").mkdir(parents=True)
    (ready / ".parts").mkdir()
    path.rename(ready / "games" / path.name)
    shutil.copy2(manifest.place(out, path.stem), ready / ".parts")
    assert auditor("tables", out)[0] == 0
    run(out, sound / "logs", code=(0,))
    assert rows(out) == rows(sound / "out")

"""A run audits only new and changed sources, and the dataset is that of one run over everything."""

from __future__ import annotations

import os

import polars as pl
import pytest

from auditor.dataset import store
from auditor.run import run_batches as running
from tests.kit.audits import CHECKS, LOGS
from tests.kit.containers import zipped
from tests.kit.datasets import OLD, last_run, place, rows, run, whole

GAMES = [path.read_bytes() for path in LOGS[:6]]
FAULTY = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
CORRECT = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()


@pytest.fixture
def logs(tmp_path):
    """Give a folder of six games, one faulty log and one file that is no log."""
    folder = tmp_path / "logs"
    for number, data in enumerate([*GAMES, FAULTY, b"no log"]):
        place(folder / f"{number}.mjlog", data)
    return folder


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch):
    monkeypatch.setattr(running, "BATCH_FILES", 3)


def again(out, *arguments):
    """Run again in this process; give the number of audited or unreadable files, and of unchanged ones."""
    run(out, *arguments)
    row = last_run(out)
    return row["audited"] + row["unreadable"], row["unchanged"]


def fresh(tmp_path, *arguments):
    """Give the rows of a run over everything into an empty folder."""
    out = tmp_path / "fresh"
    run(out, *arguments)
    return rows(out)


def test_nothing_new(logs, tmp_path):
    """A second run audits nothing, changes no table and finds nothing again."""
    out = tmp_path / "out"
    run(out, logs)
    before = rows(out)
    result = run(out, logs, code=(0,))
    assert last_run(out)["unchanged"] == 8
    assert last_run(out)["audited"] == last_run(out)["findings"] == 0
    assert "8 unchanged" in result.output
    assert rows(out) == before


def test_unchanged_files_are_not_opened(logs, tmp_path):
    """A file of the same size and time is not opened."""
    out = tmp_path / "out"
    run(out, logs)
    place(logs / "0.mjlog", b"x" * len(GAMES[0]))
    assert again(out, logs) == (0, 8)


def test_a_touched_file_is_compared(logs, tmp_path):
    """A file with another time and the same bytes is read, and not audited."""
    out = tmp_path / "out"
    run(out, logs)
    before = rows(out)
    os.utime(logs / "0.mjlog", (OLD + 5, OLD + 5))
    assert again(out, logs) == (0, 8)
    assert rows(out) == fresh(tmp_path, logs) != before
    place(logs / "0.mjlog", b"x" * len(GAMES[0]), age=5)  # its new time is known: it is not opened again
    assert again(out, logs) == (0, 8)


CHANGED = [(which, now) for which in ("0.mjlog", "6.mjlog", "7.mjlog") for now in (CORRECT, b"no longer", b"")]
QUICK = (("0.mjlog", CORRECT), ("6.mjlog", b"no longer"), ("7.mjlog", b""))
"""Each file and each change once; the other pairs are long tests."""


@pytest.mark.parametrize(
    ("which", "now"), [each if each in QUICK else pytest.param(*each, marks=pytest.mark.long) for each in CHANGED]
)
def test_a_changed_file_takes_the_place_of_the_old(which, now, logs, tmp_path):
    """Its old rows disappear from every table, and those of its neighbours in the same part stay."""
    out = tmp_path / "out"
    run(out, logs)
    place(logs / which, now, age=9)
    assert again(out, logs) == (1, 7)
    whole(out)
    assert rows(out) == fresh(tmp_path, logs)


def test_added_files(logs, tmp_path):
    """Of ten more files, ten are audited."""
    out = tmp_path / "out"
    run(out, logs)
    for number in range(10):
        place(logs / f"new-{number}.mjlog", CORRECT.replace(b"<mjloggm", b"<mjloggm " + b" " * number))
    assert again(out, logs) == (10, 8)
    assert rows(out) == fresh(tmp_path, logs)


def test_other_rules_or_checks_audit_all_again(logs, tmp_path):
    """Other rules or checks audit everything again; with the old ones, the rows are as before."""
    out = tmp_path / "out"
    run(out, logs)
    before = rows(out)
    assert again(out, logs, "--ignore", "W106") == (8, 0)
    assert not any("W106" in row for row in rows(out)["findings"])
    assert again(out, logs, "--ignore", "W106") == (0, 8)
    assert again(out, logs) == (8, 0)
    assert rows(out) == before


def test_force(logs, tmp_path):
    """--force audits everything again, in other batches, and no row occurs twice."""
    out = tmp_path / "out"
    run(out, logs)
    before = rows(out)
    assert again(out, logs, "--force") == (8, 0)
    assert rows(out) == before
    place(logs / "00.mjlog", CORRECT)
    assert again(out, logs, "--force") == (9, 0)
    whole(out)
    assert rows(out) == fresh(tmp_path, logs)


def test_copies_of_a_game_in_one_part(tmp_path):
    """Two files have the same game and one changes: the other keeps its rows."""
    folder, out = tmp_path / "logs", tmp_path / "out"
    place(folder / "a.mjlog", GAMES[0])
    place(folder / "b.mjlog", GAMES[0] + b"\n")
    place(folder / "c.mjlog", GAMES[1])
    run(out, folder)
    assert sum("L005" in row for row in rows(out)["findings"]) == 1
    place(folder / "a.mjlog", GAMES[2], age=9)
    assert again(out, folder) == (1, 2)
    assert rows(out) == fresh(tmp_path, folder)
    assert not (out / "findings" / "L005.parquet").exists()


def test_copies_across_runs(logs, tmp_path):
    """A copy that arrives in a later run is named once."""
    out = tmp_path / "out"
    run(out, logs)
    place(logs / "copy.mjlog", GAMES[3])
    run(out, logs)
    assert last_run(out)["findings"] == 1
    run(out, logs)
    assert last_run(out)["findings"] == 0
    assert rows(out) == fresh(tmp_path, logs)


def test_archives(tmp_path):
    """An unchanged archive is not opened. Of a larger one, new members are audited, and removed ones disappear."""
    path, out = tmp_path / "logs.zip", tmp_path / "out"
    members = {f"{number}.mjlog": data for number, data in enumerate(GAMES)}
    place(path, zipped(members))
    run(out, path)
    assert [last_run(out)[name] for name in ("files", "audited", "archives")] == [7, 6, 1]
    assert again(out, path) == (0, 7)
    size = path.stat().st_size
    place(path, b"x" * size)
    assert again(out, path) == (0, 7)
    place(path, zipped(members | {"6.mjlog": FAULTY}), age=5)
    assert again(out, path) == (1, 6)
    assert rows(out) == fresh(tmp_path, path)
    place(path, zipped({name: members[name] for name in ("1.mjlog", "4.mjlog")}), age=9)
    again(out, path)
    assert pl.read_parquet(out / "sources")["member"].sort().to_list() == [None, "1.mjlog", "4.mjlog"]
    assert pl.read_parquet(out / "games").height == 2


def test_an_archive_that_was_not_read_to_its_end(tmp_path):
    """If the archive's own row is missing, its members are compared one by one, and missing ones are audited."""
    path, out = tmp_path / "logs.zip", tmp_path / "out"
    place(path, zipped({f"{number}.mjlog": data for number, data in enumerate(GAMES)}))
    run(out, path)
    before = rows(out)
    for part in (out / "sources").glob("*"):
        if {None, "4.mjlog"} & set(pl.read_parquet(part)["member"]):
            for name in before:
                (out / name / part.name).unlink()
    assert again(out, path) == (3, 3)
    assert rows(out) == before


@pytest.mark.parametrize("now", ["no members", "no archive", "members elsewhere", "cut"])
def test_members_that_are_gone(now, tmp_path):
    """Removed members disappear from the dataset, unless the archive is damaged, so that its content is unknown."""
    path, out = tmp_path / "logs.zip", tmp_path / "out"
    held = {f"{number}.mjlog": data for number, data in enumerate(GAMES)}
    place(path, zipped(held))
    run(out, path)
    data = {
        "no members": zipped({}), "no archive": FAULTY, "cut": zipped(held)[:200],
        "members elsewhere": zipped({f"in/{name}": log for name, log in held.items()}),
    }[now]  # fmt: skip
    place(path, data, age=5)
    run(out, path)
    whole(out)
    members = pl.read_parquet(sorted((out / "sources").glob("*.parquet"))).drop_nulls("member")
    if now == "cut":
        assert set(held) <= set(members["member"])
    else:
        assert rows(out) == fresh(tmp_path, path)


def test_an_unreadable_source_is_tried_again(tmp_path):
    """A link that led nowhere leads to a log in the next run."""
    folder, out = tmp_path / "logs", tmp_path / "out"
    folder.mkdir()
    (folder / "a.mjlog").symlink_to(tmp_path / "later")
    run(out, folder)
    assert "leads nowhere" in pl.read_parquet(out / "sources")["reason"][0]
    place(tmp_path / "later", CORRECT)
    assert again(out, folder) == (1, 0)
    assert rows(out) == fresh(tmp_path, folder)


def test_a_file_just_written_is_read_again(tmp_path):
    """A file that was written just now is read again, because a later change may have the same time."""
    path, out = tmp_path / "a.mjlog", tmp_path / "out"
    path.write_bytes(CORRECT)
    run(out, path)
    assert pl.read_parquet(out / "sources")["modified"].to_list() == [None]
    status = path.stat()
    path.write_bytes(CORRECT.replace(b"ten=", b"tem=", 1))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert again(out, path) == (1, 0)


def test_other_versions_of_the_schema_are_refused(logs, tmp_path, monkeypatch):
    """Tables of two versions of the schema cannot be read together."""
    out = tmp_path / "out"
    monkeypatch.setattr(store, "METADATA", {"schema_version": "0"})
    run(out, logs)
    monkeypatch.undo()
    result = run(out, logs, code=(2,))
    assert "schema version 0" in result.output

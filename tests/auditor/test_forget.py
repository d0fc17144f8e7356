"""Sources that left the archive: all their rows go, and nothing else does, however they are named."""

from __future__ import annotations

import os
import shutil
import signal

import polars as pl
import pytest

from auditor.dataset.opened import opened
from auditor.run import forget as forgetting
from auditor.run.forget import _within
from auditor.sources.log_files import identity
from tests.kit.audits import CHECKS, LOGS
from tests.kit.command_line import auditor
from tests.kit.containers import zipped
from tests.kit.datasets import command, last_run, place, rows, run, whole

FU = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
HONBA = (CHECKS / "p103_honba" / "fail.mjlog").read_bytes()
GAME = LOGS[0].read_bytes()


@pytest.fixture(name="logs")
def _logs(tmp_path, monkeypatch):
    """Work in a folder with a dataset of seven sources: games in two folders, an archive, a file that is no log."""
    monkeypatch.chdir(tmp_path)
    place(tmp_path / "logs" / "2019" / "fu.mjlog", FU)
    place(tmp_path / "logs" / "2019" / "no.mjlog", b"no log")
    place(tmp_path / "logs" / "2020" / "honba.mjlog", HONBA)
    place(tmp_path / "logs" / "2019b" / "game.mjlog", GAME)
    place(tmp_path / "logs" / "a.zip", zipped({"fu.mjlog": FU + b"\n"}))
    (tmp_path / "link").symlink_to("logs")
    (tmp_path / "auditor.toml").write_text(
        '[run]\nsource = ["logs"]\nout = "out"\n[forget]\nsource = ["logs/2019"]\ndir = "out"'
    )
    run("out", "logs")
    return tmp_path / "logs"


def forgotten(*words):
    """Run ``forget``; give its exit code and both outputs."""
    return auditor("forget", *words, "--dir", "out")


WAYS = {
    "relative": "logs/2019", "absolute": "{here}/logs/2019", "by the parent": "logs/2020/../2019",
    "with a slash": "logs/2019/", "by a dot": "./logs/./2019", "by a link": "link/2019", "as a URI": "file://{here}/logs/2019",
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("there", [True, False])
def test_a_folder_named_in_any_way(way, there, logs, tmp_path):
    """However a folder is named, and whether or not it is still there, its sources go, and only they."""
    if not there:
        shutil.rmtree(logs / "2019")
    code, text, _ = forgotten(WAYS[way].format(here=tmp_path))
    assert code == 0
    assert text.splitlines() == [
        "2 sources forgotten: 1 game, 2 findings gone",
        "  logs/2019/fu.mjlog",
        "  logs/2019/no.mjlog",
    ]
    shutil.rmtree(logs / "2019", ignore_errors=True)
    run("fresh", "logs")
    assert rows(tmp_path / "out") == rows(tmp_path / "fresh")
    whole(tmp_path / "out")
    assert auditor("tables", "out", "--check")[0] == 0
    run("out", "logs", code=(0,))
    assert last_run(tmp_path / "out")["audited"] == 0


@pytest.mark.usefixtures("logs")
def test_as_the_configuration_names_it(tmp_path, monkeypatch):
    """A path of the configuration is that file's, from whatever folder the command runs."""
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    code, text, _ = auditor("forget")
    assert (code, text.splitlines()[0]) == (0, "2 sources forgotten: 1 game, 2 findings gone")


def test_a_link_that_is_gone(logs):
    """If the links that led to a file are gone, it can be named as the table ``sources`` names it."""
    shutil.move(logs / "2019", "elsewhere")
    (logs / "2019").symlink_to("../elsewhere")
    run("other", "logs")
    (logs / "2019").unlink()
    for name in ("logs/2019", logs / "2019" / "fu.mjlog"):
        code, text, _ = auditor("forget", name, "--dir", "other", "--dry-run")
        assert code == 0
        assert "  logs/2019/fu.mjlog" in text


def test_an_archive_and_all_of_it(logs, tmp_path):
    """An archive goes with its members; the finding that another copy of the game has stays."""
    del logs
    assert forgotten("logs/a.zip!fu.mjlog")[0::2] == (
        2, "auditor: logs/a.zip!fu.mjlog: a member of an archive; a run removes it when logs/a.zip has lost it\n",
    )  # fmt: skip
    code, text, _ = forgotten("logs/a.zip")
    assert code == 0
    assert text.splitlines()[0] == "2 sources forgotten: 1 game, 1 finding gone"  # L005; W106 is in fu.mjlog too
    (tmp_path / "logs" / "a.zip").unlink()
    run("fresh", "logs")
    assert rows(tmp_path / "out") == rows(tmp_path / "fresh")


@pytest.mark.usefixtures("logs")
def test_all(tmp_path):
    """A dataset without any source is still one; its history stays, and the next run begins anew."""
    assert forgotten("logs")[0] == 0
    assert all(
        opened(tmp_path / "out")[name].collect().is_empty() for name in ("sources", "games", "turns", "findings")
    )
    assert auditor("show", "out")[1] == "0 findings\n"
    assert forgotten("logs")[0] == 2
    assert auditor("query", "out", "SELECT COUNT(*) AS n FROM history WHERE why = 'file forgotten'", "--format", "csv")[
        1
    ]
    run("out", "logs")
    run("fresh", "logs")
    assert rows(tmp_path / "out") == rows(tmp_path / "fresh")


@pytest.mark.usefixtures("logs")
def test_refused(tmp_path):
    """What the dataset does not have is named, and then nothing is forgotten; so is a folder that is no dataset."""
    before = rows(tmp_path / "out")
    for words in (["logs/2021"], ["logs/2019", "log"], ["s3://bucket/logs"], ["logs/2019/fu"], [os.fsdecode(b"\xff")]):
        code, _, error = forgotten(*words)
        assert (code, "the dataset has no such source" in error) == (2, True), words
    assert (forgotten("")[0], forgotten("logs", "")[0]) == (2, 2)  # not the current folder
    code, _, error = auditor("forget", "logs", "--dir", "logs")
    assert (code, "has no tables" in error) == (2, True)
    assert not (tmp_path / "logs" / ".lock").exists()
    code, _, error = auditor("forget", "logs", "--dir", "none")
    assert (code, "is no folder" in error) == (2, True)
    assert not (tmp_path / "none").exists()
    assert rows(tmp_path / "out") == before


@pytest.mark.usefixtures("logs")
def test_a_dry_run_changes_nothing(tmp_path):
    """``--dry-run`` prints the same and changes no file."""
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.parquet")}
    code, text, _ = forgotten("logs/2019", "--dry-run")
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.parquet")} == before
    assert (code, text) == (0, forgotten("logs/2019")[1].replace("forgotten", "would be forgotten"))


def test_only_what_is_missing(logs, tmp_path):
    """``--missing`` forgets only files that are gone; a folder that is not there, or empty, may be another disk."""
    (logs / "2019" / "fu.mjlog").unlink()
    code, text, _ = forgotten("logs", "--missing")
    assert (code, text.splitlines()) == (0, ["1 source forgotten: 1 game, 1 finding gone", "  logs/2019/fu.mjlog"])
    assert forgotten("logs", "--missing")[:2] == (0, "0 sources forgotten: 0 games, 0 findings gone\n")
    run("fresh", "logs")
    assert rows(tmp_path / "out") == rows(tmp_path / "fresh")
    shutil.move(logs, tmp_path / "away")
    for change in (lambda: None, logs.mkdir):
        change()
        code, _, error = forgotten("logs", "--missing")
        assert (code, "is its disk mounted?" in error) == (2, True)
    assert len(opened(tmp_path / "out")["sources"].collect()) == 5


def test_what_cannot_be_looked_at_is_not_gone(monkeypatch, tmp_path):
    """A file below a folder that may not be entered counts as there."""

    def refused(_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(tmp_path), "lstat", refused)
    assert not forgetting._is_gone(tmp_path / "a")
    monkeypatch.undo()
    assert forgetting._is_gone(tmp_path / "a" / "b")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("s3://b/logs", [0, 1]), ("s3://b/logs/", [0, 1]), ("s3://KEY:SECRET@b/logs/a?region=x", [0]),
        ("s3://b/log", []), ("s3://b/logs?endpoint_override=h:1", [2]), ("s3://c", []), ("s3://b", [0, 1]),
    ],
)  # fmt: skip
def test_uris(text, found):
    """A URI names what lies below it on the same server; keys and regions do not count."""
    files = pl.DataFrame(
        {"file": ["s3://b/logs/a", "s3://b/logs/2/c", "s3://b/logs/a?endpoint_override=h:1", "/b/logs"]}
    )
    assert files.with_row_index().filter(_within(pl.col("file"), identity(text)))["index"].to_list() == found


@pytest.mark.parametrize("at", [1, *(pytest.param(at, marks=pytest.mark.long) for at in range(2, 62, 6))])
def test_killed_at_any_moment(at, logs, tmp_path):
    """Killed in the middle of its n-th change on disk, ``forget`` leaves all or nothing, and a run completes it."""
    before = rows(tmp_path / "out")
    process = command("forget", logs / "2019", "--dir", "out", kill_at=at)
    _, errors = process.communicate()
    assert process.returncode in (0, -signal.SIGKILL), errors
    shutil.rmtree(logs / "2019")
    whole(tmp_path / "out")
    opened(tmp_path / "out")
    run("fresh", "logs")
    after = rows(tmp_path / "fresh")
    run("out", "logs")
    assert not (tmp_path / "out" / ".staged").exists()
    assert rows(tmp_path / "out") in ([after] if process.returncode == 0 else [before, after])
    gone = opened(tmp_path / "out")["changes"].filter(change="gone").collect()
    assert len(gone) == (2 if rows(tmp_path / "out") == after else 0)

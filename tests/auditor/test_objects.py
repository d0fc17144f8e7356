"""Datasets on an object store: an S3 server of this machine holds what a folder of this machine would hold."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from urllib.parse import quote

import polars as pl
import pytest

from auditor.dataset import commits, in_bucket, lease
from auditor.dataset.objects import Bucket
from auditor.dataset.schema import PARTED, TABLES
from auditor.dataset.writing import OutputError
from auditor.run import run_batches
from tests.kit.audits import CHECKS, LOGS
from tests.kit.command_line import auditor
from tests.kit.containers import zipped
from tests.kit.datasets import place, rows
from tests.kit.grid import Grid, kill, wait_for
from tests.kit.s3 import assert_no_secret, query

pytestmark = pytest.mark.usefixtures("no_other_keys", "_quick")

FAULTY = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
GAMES = [path.read_bytes() for path in LOGS[:3]]


@pytest.fixture
def _quick(monkeypatch):
    """Make batches small, and leases short."""
    monkeypatch.setattr(run_batches, "BATCH_FILES", 2)
    monkeypatch.setattr(lease, "RENEWED", 0.2)
    monkeypatch.setattr(lease, "SILENT", 1.5)
    monkeypatch.setattr(lease, "TICK", 0.1)


@pytest.fixture
def logs(tmp_path):
    """Give a folder of games, a faulty game, a copy, an archive, and files that are no logs."""
    folder = tmp_path / "logs"
    for number, data in enumerate([*GAMES, FAULTY, GAMES[0] + b"\n", b"no log"]):
        place(folder / f"{number}.mjlog", data)
    place(folder / "a.zip", zipped({"0.mjlog": FAULTY, "1.mjlog": GAMES[1]}))
    return folder


@pytest.fixture
def at(server, request):
    """Give the URI of a folder of the server that nothing is in yet."""
    name = re.sub(r"\W", "-", request.node.name)
    for each in listed(server, name):
        server.s3.delete_object(Bucket="logs", Key=each)
    return server.uri(f"logs/{name}")


def listed(server, folder):
    """Give the keys below a folder."""
    pages = server.s3.get_paginator("list_objects_v2").paginate(Bucket="logs", Prefix=f"{folder}/")
    return [each["Key"] for page in pages for each in page.get("Contents", [])]


def folder_of(uri):
    """Give the folder that a URI names, without its bucket."""
    return uri.partition("@logs/")[2].partition("?")[0]


def stored(server, uri):
    """Give the bytes of every table's objects but those of the runs, by table and part."""
    found = {}
    for key in listed(server, folder_of(uri)):
        _, table, name = key.rsplit("/", 2)
        if table in PARTED:
            part = f"{table}/{name.rpartition('-')[0]}.parquet"
            assert part not in found, "two versions of a part are left"
            found[part] = server.s3.get_object(Bucket="logs", Key=key)["Body"].read()
    return found


def kept(out):
    """Give the same of a folder of this machine."""
    return {f"{name}/{path.name}": path.read_bytes() for name in PARTED for path in (out / name).glob("*.parquet")}


def audit(out, *words, code=(0, 1)):
    """Run an audit; give what it printed."""
    found = auditor("run", *words, "--out", out, "--jobs", "1", "--progress", "none")
    assert found[0] in code, found[2]
    return found[1] + found[2]


def same(server, uri, out):
    """Check that a dataset on the server has the rows of one on this machine."""
    texts = {}
    for name, data in stored(server, uri).items():
        texts.setdefault(name.partition("/")[0], []).extend(map(repr, pl.read_parquet(io.BytesIO(data)).rows()))
    assert {name: sorted(texts.get(name, [])) for name in PARTED} == rows(out)


def test_the_same_dataset(server, at, logs, tmp_path):
    """The objects have the bytes of the files of a run into a folder, and every command reads them there."""
    audit(tmp_path / "out", logs)
    printed = audit(at, logs)
    assert stored(server, at) == kept(tmp_path / "out")
    name = f"s3://logs/{folder_of(at)}"
    assert f"tables in {name}\n" in printed
    for words in (
        ("query", "SELECT code, source, COUNT(*) AS n FROM findings GROUP BY code, source ORDER BY code, source"),
        ("stats", "rates"),
        ("show",),
        ("tables", "--check"),
    ):
        there, here = auditor(words[0], at, *words[1:]), auditor(words[0], tmp_path / "out", *words[1:])
        assert there == here
        assert there[0] == 0
    assert auditor("compare", tmp_path / "out", at)[0] == 0
    summaries = [key for key in listed(server, folder_of(at)) if "/summaries/" in key]
    text = server.s3.get_object(Bucket="logs", Key=summaries[0])["Body"].read().decode()
    assert json.loads(text)["files"] == 9
    assert_no_secret(printed + text + "".join(listed(server, folder_of(at))), server)
    assert "9 unchanged" in audit(at, logs, code=(0,))


@pytest.mark.long
def test_what_changes(server, at, logs, tmp_path):
    """Files that change, are touched, come again or go from an archive: the rows are those of a folder."""
    for step in range(4):
        if step == 1:
            place(logs / "1.mjlog", FAULTY, age=100)
            place(logs / "2.mjlog", GAMES[2], age=200)
            place(logs / "a.zip", zipped({"1.mjlog": GAMES[1]}), age=300)
        if step == 2:
            place(logs / "4.mjlog", b"no copy any more", age=400)
        for out in (at, tmp_path / "out"):
            audit(out, logs, *(["--force"] if step == 3 else []))
        same(server, at, tmp_path / "out")
    assert not [key for key in listed(server, folder_of(at)) if "/.staged/" in key or key.endswith("/.lock")]


@pytest.mark.long
@pytest.mark.parametrize("table", ["sources", "wins"])
def test_damage(server, at, logs, tmp_path, table):
    """An object that is gone or was cut is named by every command; the next run audits its logs again."""
    audit(at, logs)
    audit(tmp_path / "out", logs)
    first, second, *_ = [key for key in listed(server, folder_of(at)) if f"/{table}/" in key]
    server.s3.delete_object(Bucket="logs", Key=first)
    server.put(second, b"cut")
    code, _, error = auditor("query", at, "SELECT COUNT(*) FROM games")
    assert code == 2
    assert f"{first}: is missing" in error
    assert f"{second}: has 3 bytes" in error
    assert "its part is dropped" in audit(at, logs)
    same(server, at, tmp_path / "out")


@pytest.mark.long
def test_another_digest(server, at, logs):
    """An object of the same size with other bytes is found by --check."""
    audit(at, logs)
    key = next(key for key in listed(server, folder_of(at)) if "/wins/" in key)
    size = server.s3.head_object(Bucket="logs", Key=key)["ContentLength"]
    server.put(key, b"x" * size)
    code, _, error = auditor("tables", at, "--check")
    assert (code, "another digest" in error) == (2, True)


@pytest.mark.long
def test_one_writer(at, logs):
    """A second run is refused while the first is alive; with --wait, it waits for it."""
    first = lease.Lease(Bucket(at))
    first.take(wait=False)
    assert "another run writes there (process " in audit(at, logs, code=(2,))
    ends = threading.Timer(lease.SILENT * 2, first.end)
    ends.start()
    assert "files               9 " in audit(at, logs, "--wait")
    assert not ends.is_alive()


@pytest.mark.long
def test_a_silent_run_is_replaced(at, logs):
    """A lease that nobody renews is taken over; the run that had it can commit nothing any more."""
    bucket = Bucket(at)
    old = lease.Lease(bucket)
    old.take(wait=False)
    old._over.set()  # as if it slept
    old._thread.join()
    audit(at, logs)
    audit(at, logs)
    old._renewed = 0.0
    with pytest.raises(OutputError, match="taken over"):
        old.still()
    writer = in_bucket.Writer(bucket, old, commits.read(bucket))
    writer.state.number -= 1  # it would write the commit that another run has written
    old._lost, old._renewed = None, time.time()
    with writer.copies, pytest.raises(OutputError, match="another run has written there"):
        writer.commit({}, [])


@pytest.mark.long
@pytest.mark.parametrize("kind", ["refused", "ignored"])
def test_without_conditional_writes(at, logs, request, monkeypatch, kind):
    """Where a store refuses conditions or ignores them, the run says what that means, and writes the same."""
    server, tmp_path = (request.getfixturevalue(name) for name in ("server", "tmp_path"))

    def without(self, key, data, _):
        if kind == "refused":
            raise NotImplementedError
        return self.put(key, data)

    monkeypatch.setattr(Bucket, "_under_condition", without)
    audit(tmp_path / "out", logs)
    found = auditor("run", logs, "--out", at, "--jobs", "1", "--progress", "log")
    assert "no conditional writes" in found[2]
    same(server, at, tmp_path / "out")


REFUSED = {
    "no such bucket": (lambda s: s.uri("nobody/has"), "no such bucket|access is denied"),
    "wrong secret": (lambda s: s.uri("logs/x", secret="wrong"), "access is denied"),
    "/ in the secret": (lambda s: f"s3://{s.key}:ab/{s.secret}@logs/odd?{query(s.at)}", "%2F"),
    "unknown option": (lambda s: s.uri("logs/x") + "&acl=x", "acl is no option here"),
    "no bucket": (lambda s: f"s3://{s.key}:{quote(s.secret, safe='')}@/odd?{query(s.at)}", "names no bucket"),
    "another scheme": (lambda _: "hdfs://host/x", "is a URI"),
}


@pytest.mark.parametrize(("uri", "reason"), REFUSED.values(), ids=REFUSED)
def test_refused(server, logs, uri, reason):
    """A place that cannot be written is one line with the reason, and no secret."""
    code, out, error = auditor("run", logs, "--out", uri(server), "--jobs", "1", "--progress", "none")
    assert (code, out) == (2, "")
    assert re.search(reason, error), error
    assert error.count("\n") == 1
    assert_no_secret(error, server)


@pytest.mark.long
def test_files_of_others_stay(server, at, logs):
    """What no run wrote into a table's folder is named, and not deleted; logs beside the tables are not read."""
    above, folder = at, folder_of(at)
    at = server.uri(f"logs/{folder}/out")
    server.put(f"{folder}/out/wins/mine.parquet", b"mine")
    assert "no run wrote it there" in audit(at, logs, code=(2,))
    assert listed(server, folder) == [f"{folder}/out/wins/mine.parquet"]
    server.s3.delete_object(Bucket="logs", Key=f"{folder}/out/wins/mine.parquet")
    server.put(f"{folder}/out/in.mjlog", FAULTY)
    server.put(f"{folder}/outside.mjlog", FAULTY)
    audit(at, above)
    _, found, _ = auditor("query", at, "SELECT path FROM sources", "--format", "csv")
    assert [line.partition("?")[0] for line in found.splitlines()] == ["path", f"s3://logs/{folder}/outside.mjlog"]


# A run that SIGKILL ends at its n-th write, before or after the server has it.
KILLED = """
import itertools, os, signal, sys
from auditor.dataset import lease
from auditor.dataset.objects import Bucket
from auditor.run import run_batches
run_batches.BATCH_FILES, lease.RENEWED, lease.SILENT, lease.TICK = 2, 0.2, 1.5, 0.1
at, numbers = int(os.environ["KILL_AT"]), itertools.count(1)

def counted(real):
    def write(self, key, *more):
        number = next(numbers) if key != ".lock" else 0
        if number and number * 2 == at:
            os.kill(os.getpid(), signal.SIGKILL)
        found = real(self, key, *more)
        if number and number * 2 + 1 == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return found
    return write

for name in ("put", "_under_condition"):
    setattr(Bucket, name, counted(getattr(Bucket, name)))
from auditor.cli.main import main
main()
"""


def started(out, logs, *words, kill_at=0):
    """Start an audit in its own process."""
    words = [sys.executable, "-c", KILLED, "run", str(logs), "--out", out, "--progress", "none", *map(str, words)]
    environment = os.environ | {"KILL_AT": str(kill_at)}
    return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(run, *codes):
    """Wait for an audit; give what it printed."""
    texts = run.communicate(timeout=300)
    assert run.returncode in (codes or (0, 1)), texts
    return "".join(texts)


def killed(out, logs, at):
    """Run an audit that ends at its n-th write; say whether it was killed."""
    run = started(out, logs, "--jobs", 1, kill_at=at)
    ended(run, 0, 1, -signal.SIGKILL)
    return run.returncode == -signal.SIGKILL


@pytest.mark.long
def test_a_killed_run(server, at, logs, tmp_path):
    """At any moment the dataset reads whole; the run after a killed one completes it, and nothing is left over."""
    audit(tmp_path / "out", logs)
    expected = kept(tmp_path / "out")
    for kill_at in (3, 18, 19, 21, 22, 40, 41, 80, 81):
        assert killed(at, logs, kill_at)
        state = commits.read(Bucket(at))
        if state and any("sources" in part.files for part in state.parts.values()):
            assert auditor("tables", at, "--check")[0] == 0
            answer = auditor("query", at, "SELECT path, member FROM sources", "--format", "csv")[1].splitlines()
            assert len(answer) == len(set(answer))
        audit(at, logs)
        assert stored(server, at) == expected
        for key in listed(server, folder_of(at)):
            server.s3.delete_object(Bucket="logs", Key=key)


@pytest.mark.long
def test_a_run_killed_again_and_again(server, at, logs, tmp_path):
    """Runs that are all killed still come to the end, each beginning where the last commit was."""
    audit(tmp_path / "out", logs)
    for _ in range(40):
        if not killed(at, logs, 43):
            break
    assert stored(server, at) == kept(tmp_path / "out")


@pytest.mark.long
def test_with_workers(server, at, logs, tmp_path):
    """Worker processes of this machine write the same objects."""
    audit(tmp_path / "out", logs)
    found = auditor("run", logs, "--out", at, "--jobs", "2", "--progress", "none")
    assert found[0] == 1, found[2]
    assert stored(server, at) == kept(tmp_path / "out")
    assert {key.rsplit("/", 2)[1] for key in listed(server, folder_of(at))} <= {*TABLES, ".commits", "summaries"}


@pytest.mark.long
def test_on_a_cluster(server, at, logs, tmp_path):
    """Logs and dataset on the server: whoever is killed or comes late, the objects are those of one machine."""
    above, out = folder_of(at), at.replace("?", "/out?")
    for path in sorted(logs.iterdir()):
        server.put(f"{above}/in/{path.name}", path.read_bytes())
    time.sleep(2.5)  # a run takes no time of change that is so new
    there, alone = (at.replace("?", f"/{name}?") for name in ("in", "alone"))
    audit(alone, there)
    expected = stored(server, alone)
    first, second = Grid(tmp_path / "first"), Grid(tmp_path / "second")
    try:
        worker = first.worker(SLOW="0.5")
        run = started(out, there, "--cluster", first.file)
        wait_for(lambda: stored(server, out))
        run.kill()
        ended(run, -signal.SIGKILL)
        run = started(out, there, "--cluster", first.file)
        wait_for(lambda: f"{above}/out/.lock" in listed(server, above))
        first.worker(SLOW="0.5")
        kill(worker, again=False)
        wait_for(lambda: len([name for name in stored(server, out) if name.startswith("sources")]) >= 3)
        first.scheduler.kill()
        printed = ended(run, 2)
        assert "the scheduler has gone" in printed
        second.worker()
        printed += ended(started(out, there, "--cluster", second.file))
        assert stored(server, out) == expected
        log = "".join(path.read_text() for grid in (first, second) for path in grid.folder.glob("*.log"))
        assert_no_secret(printed + log, server)
    finally:
        first.close()
        second.close()


def test_configuration(tmp_path, monkeypatch):
    """A file can set URIs for --out and DIR; ``config`` shows them without secrets, and --check asks no server."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "auditor.toml").write_text(
        '[run]\nout = "s3://KEY:SECRET@bucket/out?region=x"\n[query]\ndir = "s3://KEY:SECRET@bucket/out"\n'
    )
    assert auditor("config", "--check")[0] == 0
    printed = auditor("config")[1]
    assert printed.count('"s3://bucket/out"') == 2
    assert "SECRET" not in printed


def test_without_the_library(monkeypatch):
    """A run says what to install if the library for object stores is missing."""
    monkeypatch.setitem(sys.modules, "obstore", None)
    code, out, error = auditor("run", LOGS[0], "--out", "s3://bucket/out")
    assert (code, out) == (2, "")
    assert "pip install 'riichi-log-auditor[objects]'" in error

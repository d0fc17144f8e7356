"""Sources named by URIs: faults are reported in one line, and no message shows a secret."""

from __future__ import annotations

import socket
import threading
from dataclasses import replace
from urllib.parse import quote

import pytest

from auditor.sources import remote
from tests.kit.command_line import auditor
from tests.kit.s3 import assert_no_secret, query

pytestmark = pytest.mark.usefixtures("no_other_keys")


def test_small_files_are_asked_for_together(tmp_path, monkeypatch):
    """Four small files are read at once and returned in order, with local files between them."""
    begun, four = threading.Semaphore(0), threading.Event()

    def read(place):
        begun.release()
        if place.path == "0":  # the first one waits until three more are under way
            assert all(begun.acquire(timeout=120) for _ in range(4))
            four.set()
        return replace(place, data=b"read")

    monkeypatch.setattr(remote.Remote, "read", read)
    places = [remote.Remote("", str(place), "", 1) for place in range(40)]
    mixed = [tmp_path, *places, tmp_path]
    found = list(remote.read_ahead(mixed))
    assert four.is_set()
    assert found == mixed
    assert all(place.data == b"read" for place in found[1:-1])
    monkeypatch.undo()
    ahead = remote.read_ahead(iter([tmp_path, *places]))
    assert next(ahead) == tmp_path
    ahead.close()


def closed_port():
    """Give an address on which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{free.getsockname()[1]}"


REFUSED = {
    "no such bucket": (lambda s: s.uri("nobody/has"), "s3://nobody/has?"),
    "no such folder": (lambda s: s.uri("logs/gone"), "no such file or folder"),
    "another's bucket": (lambda s: s.uri("nobody"), "s3://nobody?"),
    "wrong secret": (lambda s: s.uri("logs/odd", secret=s.secret[::-1]), "access is denied"),
    "wrong secret, whole bucket": (lambda s: s.uri("logs", secret=s.secret[::-1]), "access is denied"),
    "unknown key": (lambda s: s.uri("logs/odd", key=f"{s.key}X"), "access is denied"),
    "server down": (lambda s: s.uri("logs/odd", at=closed_port()), "cannot be reached"),
    "/ in the secret": (lambda s: f"s3://{s.key}:ab/{s.secret}@logs/odd?{query(s.at)}", "%2F"),
    "? in the secret": (lambda s: f"s3://{s.key}:ab?{s.secret}@logs/odd?{query(s.at)}", "%3F"),
    "? after digits": (lambda s: f"s3://{s.key}:12?{s.secret}@logs/odd", "%3F"),
    "# in the secret": (lambda s: f"s3://{s.key}:a#b{s.secret}@logs/odd?{query(s.at)}", "written as"),
    "@ in the secret": (lambda s: f"s3://{s.key}:ab@{s.secret}@logs/odd?{query(s.at)}", "%40"),
    "one slash": (lambda s: f"s3:/{s.key}:{s.secret}@logs/odd", "no such file or folder"),
    "no bucket": (lambda s: f"s3://{s.key}:{quote(s.secret, safe='')}@/odd?{query(s.at)}", "names no bucket"),
    "unknown option": (lambda s: f"{s.uri('logs/odd')}&session_key={s.secret}", "session_key"),
    "unknown scheme": (lambda s: f"az://{s.key}:{quote(s.secret, safe='')}@logs/odd", "s3, gs, hdfs and file"),
    "no Hadoop": (lambda s: f"hdfs://reader:{quote(s.secret, safe='')}@no.such.host.invalid:8020/x", "hdfs://***@no.such"),
    "Google down": (
        lambda _: f"gs://anonymous@logs/odd?{query(closed_port())}&retry_limit_seconds=1", "cannot be reached",
    ),
    "file of elsewhere": (lambda _: "file://elsewhere/logs", "file:///"),
}  # fmt: skip


@pytest.mark.parametrize(
    "what", [what if what != "server down" else pytest.param(what, marks=pytest.mark.long) for what in REFUSED]
)
def test_refused(what, server, tmp_path):
    """A bad URI is reported in one line with exit code 2; no secret is shown, and nothing is written."""
    given, word = REFUSED[what]
    code, printed, error = auditor("run", given(server), "--out", tmp_path / "out")
    assert code == 2
    assert word in error
    assert error.startswith("auditor: ")
    assert error.count("\n") == 1
    assert len(error) < 600
    assert_no_secret(printed + error, server)
    assert server.secret[::-1] not in error
    assert not (tmp_path / "out").exists()


def test_an_empty_bucket(server, tmp_path):
    """An empty bucket is reported without the key."""
    server.put("hollow/", b"")
    code, printed, error = auditor("run", server.uri("logs/hollow"), "--out", tmp_path / "out")
    assert code == 2
    assert "no files there" in error
    assert_no_secret(printed + error, server)


@pytest.mark.parametrize(
    ("given", "shown"),
    {
        "s3://bucket/logs": "s3://bucket/logs",
        "s3://KEY:SECRET@bucket/logs?region=x": "s3://bucket/logs?region=x",
        "s3://KEY@bucket": "s3://bucket",
        "s3://bucket/somebody@home/a:b": "s3://bucket/somebody@home/a:b",
        "s3://K/EY:SECRET@bucket/logs": "s3://***",
        "s3://KEY:SEC@RE/T@bucket/logs": "s3://***",
        "gs://anonymous@bucket/logs": "gs://anonymous@bucket/logs",
        "hdfs://reader@host:8020/logs": "hdfs://***@host:8020/logs",
        "hdfs://reader:SECRET@host:8020/logs?token=SECRET&user=me": "hdfs://***@host:8020/logs?token=***&user=***",
        "s3://b/l?scheme=http&endpoint_override=me:pw@host:9": "s3://b/l?scheme=http&endpoint_override=***",
        "s3://b/l?endpoint_override=http%3A%2F%2Fme%40host": "s3://b/l?endpoint_override=***",
        "s3:KEY:SECRET@bucket": "s3:***@bucket",
        "/home/me/a:b@c": "/home/me/a:b@c",
        "a:b@c": "a:b@c",
    }.items(),
)
def test_masked(given, shown):
    """Every part of a URI that may be a secret is masked, and other parts are not."""
    assert remote.masked(given) == shown


def test_configuration(server):
    """``auditor config`` shows a URI without its keys."""
    code, printed, error = auditor("config", "run", server.uri("logs/odd"))
    assert code == 0
    assert "s3://logs/odd?scheme=http" in printed
    assert_no_secret(printed + error, server)


def test_google_is_not_waited_for():
    """A Google URI gets a time limit, since the client would otherwise retry for a quarter of an hour."""
    assert remote._parts("gs://logs/x").store == "gs://logs?retry_limit_seconds=30"
    assert remote._parts("gs://logs/x?retry_limit_seconds=5").store == "gs://logs?retry_limit_seconds=5"

"""Logs behind URIs: an S3 server of this machine gives the tables that the folder gives; no secret is ever told."""

from __future__ import annotations

import gzip
import io
import json
import logging
import os
import socket
import sqlite3
import tarfile
import threading
import urllib.request
import zipfile
from dataclasses import replace
from urllib.parse import quote, unquote

import boto3
import polars as pl
import pytest
from moto.server import ThreadedMotoServer

from auditor.dataset.schema import TABLES
from auditor.run import run_batches
from auditor.sources import archives, remote
from tests.kit.audits import CHECKS, FIXTURES
from tests.kit.command_line import auditor

GOOD = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
FAULTY = {
    name: (CHECKS / name / "fail.mjlog").read_bytes() for name in ("w106_fu", "w107_points", "c104_call_in_riichi")
}
LONG = (FIXTURES / "logs" / "tenhou" / "2023112505gm-0009-0000-1917fe69.mjlog").read_bytes()
MEMBERS = {"2009/a.mjlog": FAULTY["w106_fu"], "2009/b.mjlog.gz": gzip.compress(GOOD), "c.txt": b"no log"}
ALLOWED = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": ["arn:aws:s3:::logs", "arn:aws:s3:::logs/*"]}],
}


class Server:
    """A running server, the key that it knows, and clients that ask it."""

    def __init__(self):
        self._server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        host, port = self._server.get_host_and_port()
        self.at, self.url = f"{host}:{port}", f"http://{host}:{port}"
        iam = self.client("iam", "first", "of all")
        iam.create_user(UserName="reader")
        iam.put_user_policy(UserName="reader", PolicyName="reads", PolicyDocument=json.dumps(ALLOWED))
        made = iam.create_access_key(UserName="reader")["AccessKey"]
        self.key, self.secret = made["AccessKeyId"], made["SecretAccessKey"]
        self.s3 = self.client("s3", self.key, self.secret)
        self.s3.create_bucket(Bucket="logs")
        self.command("reset-auth", b"0")  # from here on the server verifies every signature

    def command(self, name, data):
        """Tell the server itself something."""
        asked = urllib.request.Request(f"{self.url}/moto-api/{name}", data, {"Content-Type": "text/plain"})
        urllib.request.urlopen(asked).close()

    def client(self, service, key, secret):
        """Give Amazon's own client."""
        return boto3.client(
            service, endpoint_url=self.url, aws_access_key_id=key, aws_secret_access_key=secret, region_name="us-east-1"
        )

    def put(self, key, data):
        """Write an object."""
        self.s3.put_object(Bucket="logs", Key=key, Body=data)

    def uri(self, path, key=None, secret=None, at=None):
        """Name a path with a key and its secret."""
        user = f"{quote(key or self.key, safe='')}:{quote(secret or self.secret, safe='')}"
        return f"s3://{user}@{path}?{query(at or self.at)}"

    def stop(self):
        """End it, and forget what it knows: all servers of a process share that."""
        self.command("reset-auth", b"inf")
        self.command("reset", b"")
        self._server.stop()


def query(at):
    """Give what names a server in a URI."""
    return f"scheme=http&endpoint_override={at}"


@pytest.fixture(scope="module")
def server():
    """Start a server; end it."""
    started = Server()
    yield started
    started.stop()


@pytest.fixture(autouse=True)
def no_other_keys(monkeypatch):
    """Let nothing of the machine's own settings in."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.devnull)
    monkeypatch.setenv("AWS_CONFIG_FILE", os.devnull)


def zipped():
    """Make a zip of the members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in MEMBERS.items():
            archive.writestr(name, data)
    return file.getvalue()


def tarred(members, mode="w"):
    """Make a tar of members."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def database(path):
    """Make a database of two logs and one not fetched."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE logs (id TEXT, is_processed INTEGER, was_error INTEGER, log BLOB)")
        rows = [("x", 1, 0, gzip.compress(GOOD)), ("y", 1, 0, gzip.compress(LONG)), ("z", 0, 0, None)]
        connection.executemany("INSERT INTO logs VALUES (?, ?, ?, ?)", rows)
    connection.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory, server):
    """Give a folder of logs and archives that lies on the server too, below logs/of all kinds."""
    folder = tmp_path_factory.mktemp("s3") / "logs"
    for name, data in {
        "plain.mjlog": FAULTY["w106_fu"],
        "packed.mjlog.gz": gzip.compress(FAULTY["w107_points"]),
        "a.zip": zipped(),
        "b.tar.gz": tarred(MEMBERS, "w:gz"),
        "b.tar": tarred(MEMBERS),
        "in.tar": tarred({"in.zip": zipped()}),
        "nested/2024/01/deep.mjlog": FAULTY["c104_call_in_riichi"],
        "nested/odd ü #+%20&a=b!?.mjlog": LONG,
        "empty.mjlog": b"",
        "cut.zip": zipped()[:-40],
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    database(folder / "c.db")
    for path in sorted(folder.rglob("*")):
        name = f"of all kinds/{path.relative_to(folder)}"
        server.put(f"{name}/" if path.is_dir() else name, b"" if path.is_dir() else path.read_bytes())
    return folder


@pytest.fixture(scope="module")
def expected(folder, tmp_path_factory):
    """Give the tables of the folder."""
    return audit(tmp_path_factory.mktemp("local") / "out", folder)


def audit(out, *words):
    """Run an audit; give its tables."""
    code, _, error = auditor("run", *words, "--out", out, "--progress", "none")
    assert code in (0, 1), error
    assert not error
    return tables(out)


def tables(out):
    """Read all tables of a dataset."""
    names = [name for name in TABLES if (out / name).is_dir()]
    return {name: pl.read_parquet(sorted((out / name).glob("*.parquet"))) for name in names}


def bare(found, root, query=""):
    """Give tables with the names of sources as they are below a root, without what no two runs have in common."""

    def below(name):
        return (unquote(name.replace(query, "")) if "://" in root else name).replace(f"{root}/", "")

    kept = {name: table for name, table in found.items() if name != "runs"}
    for name, columns in {
        "sources": ["source", "path"], "findings": ["source", "recorded", "expected", "message"],
        **{each: ["source"] for each in ("games", "rounds", "turns", "riichis", "wins")},
    }.items():  # fmt: skip
        kept[name] = kept[name].with_columns(pl.col(columns).map_elements(below, pl.String))
    kept["sources"] = kept["sources"].drop("modified", "file")
    return {name: sorted(map(repr, table.iter_rows(named=True))) for name, table in kept.items()}


def assert_same(found, expected):
    """Compare all tables."""
    assert set(found) == set(expected)
    for name in expected:
        assert found[name] == expected[name], name


def assert_no_secret(text, server):
    """Say that the key and its secret are not in there, however written."""
    for secret in (server.key, server.secret):
        assert secret not in text
        assert quote(secret, safe="") not in text


def all_told(out):
    """Give everything that a run wrote, as text."""
    return repr([table.rows() for table in tables(out).values()]) + "".join(
        path.read_text(errors="replace") for path in out.rglob("*") if path.is_file() and path.suffix != ".parquet"
    )


def test_the_same_as_the_folder(server, folder, expected, tmp_path):
    """A key in the URI: all tables are those of the folder; it is written nowhere; folders are no logs."""
    words = ("run", server.uri("logs/of all kinds"), "--out", tmp_path / "out", "--jobs", 1)
    code, told, error = auditor(*words)
    assert code == 1
    found = tables(tmp_path / "out")
    assert_same(bare(found, "s3://logs/of all kinds", f"?{query(server.at)}"), bare(expected, str(folder)))
    assert set(found["sources"]["status"]) >= {"audited", "unreadable", "missing"}
    assert len(found["findings"]) > 5
    assert_no_secret(told + error + all_told(tmp_path / "out"), server)
    name = found["sources"].filter(pl.col("path").str.contains("odd"))["path"].item()
    again = name.replace("s3://", f"s3://{server.key}:{quote(server.secret, safe='')}@")
    assert len(audit(tmp_path / "again", again)["games"]) == 1


def test_keys_in_the_environment(server, folder, expected, tmp_path, monkeypatch):
    """The server and its key from the environment; workers read by themselves."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", server.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", server.key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", server.secret)
    monkeypatch.setattr(run_batches, "BATCH_FILES", 10)
    found = audit(tmp_path / "out", "s3://logs/of all kinds/", "--jobs", 2)
    assert_same(bare(found, "s3://logs/of all kinds"), bare(expected, str(folder)))


@pytest.mark.usefixtures("folder")
def test_findings_are_shown_with_their_tables(server, tmp_path, monkeypatch):
    """For the table a source is read again, its key from the environment; without one it says so, and no secret."""
    out = tmp_path / "out"
    audit(out, server.uri("logs/of all kinds/nested/2024/01/deep.mjlog"))
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", server.key)
    for secret, table in (
        (server.secret, "64 tiles left, indicators 9p"),
        ("wrong", "not shown: s3://logs/of all kinds"),
    ):
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", secret)
        remote._system.cache_clear()
        code, text, error = auditor("show", out, "--code", "C104")
        assert (code, error) == (0, "")
        assert f"  table     {table}" in text
        assert_no_secret(text, server)


def test_a_list_of_uris(server, folder, tmp_path, monkeypatch):
    """A URI a line, made once into a client; what is gone since is named and stops nothing; the same twice is one."""
    made = []
    known = remote.fs.FileSystem.from_uri
    monkeypatch.setattr(
        remote.fs,
        "FileSystem",
        type("Counted", (), {"from_uri": staticmethod(lambda uri: made.append(uri) or known(uri))}),
    )
    remote._system.cache_clear()
    names = ["plain.mjlog", "nested", "gone.mjlog", "packed.mjlog.gz", "plain.mjlog"]
    lines = [server.uri(f"logs/of%20all%20kinds/{name}") for name in names]
    (tmp_path / "list").write_text("\n".join([*lines, (folder / "plain.mjlog").as_uri()]))
    found = audit(tmp_path / "out", "--from", tmp_path / "list")["sources"].sort("path")
    assert dict(found.select(pl.col("path").str.extract(r"(\w+)\.mjlog"), "status").rows()) == {
        "plain": "audited", "3F": "audited", "deep": "audited", "gone": "unreadable", "packed": "audited",
    }  # fmt: skip
    assert len(found) == 6
    assert found.filter(pl.col("path").str.contains("gone"))["reason"].str.contains("cannot be read").all()
    assert len(made) == 1
    assert_no_secret(all_told(tmp_path / "out"), server)


def test_objects_of_any_name(server, tmp_path):
    """An object that is a folder too, names that Arrow opens, names that it does not: each has its row."""
    for name in ("both", "both/in.mjlog", "//double.mjlog", "full marker/"):
        server.put(f"odd/{name}", GOOD)
    found = audit(tmp_path / "out", server.uri("logs/odd"))["sources"]
    seen = {
        path.partition("?")[0]: (status, reason)
        for path, status, reason in found.select("path", "status", "reason").rows()
    }
    assert {path: status for path, (status, _) in seen.items()} == {
        "s3://logs/odd/both": "audited",
        "s3://logs/odd/both/in.mjlog": "audited",
        "s3://logs/odd//" + "/double.mjlog": "unreadable",
        "s3://logs/odd/full marker": "unreadable",
    }
    assert all(
        reason and reason.startswith("cannot be read: ") for status, reason in seen.values() if status != "audited"
    )
    found = audit(tmp_path / "both", server.uri("logs/odd/both"))["sources"]
    assert len(found) == 2


def asked(caplog, folder):
    """Give the requests to read what is in a folder."""
    told = [record.getMessage() for record in caplog.records]
    return [each for each in told if f"/{folder}/" in each and "PUT" not in each]


def test_few_requests(server, tmp_path, caplog):
    """An archive is read in large pieces, a small file once: every request takes its time on the way."""
    many = {f"{place}.mjlog": LONG for place in range(60)}
    server.put("large/a.tar", tarred(many))
    server.put("large/b.tar.gz", tarred(many | {"rest": os.urandom(2 << 20)}, "w:gz"))
    for place in range(20):
        server.put(f"small/{place}.mjlog.gz", gzip.compress(GOOD))
    with caplog.at_level(logging.INFO, "werkzeug"):
        large = audit(tmp_path / "large", server.uri("logs/large"), "--select", "W106")
        small = audit(tmp_path / "small", server.uri("logs/small"), "--select", "W106")
    assert (len(large["games"]), len(small["games"])) == (120, 20)
    assert 4 < len(asked(caplog, "large")) < 15
    assert len(asked(caplog, "small")) == 20 * 2


def test_small_files_are_asked_for_together(tmp_path, monkeypatch):
    """Four are under way at once, and come in their order, local ones between them."""
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
    """Give an address at which nobody answers."""
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


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what, server, tmp_path):
    """One line that says what is wrong, exit code 2, no secret, and nothing written."""
    given, word = REFUSED[what]
    code, told, error = auditor("run", given(server), "--out", tmp_path / "out")
    assert code == 2
    assert word in error
    assert error.startswith("auditor: ")
    assert error.count("\n") == 1
    assert len(error) < 600
    assert_no_secret(told + error, server)
    assert server.secret[::-1] not in error
    assert not (tmp_path / "out").exists()


def test_an_empty_bucket(server, tmp_path):
    """Nothing but a folder: said without the key."""
    server.put("hollow/", b"")
    code, told, error = auditor("run", server.uri("logs/hollow"), "--out", tmp_path / "out")
    assert code == 2
    assert "no files there" in error
    assert_no_secret(told + error, server)


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
    """Nothing that may be a secret is left, and what cannot be one is."""
    assert remote.masked(given) == shown


def test_configuration(server):
    """Where the configuration is shown, keys are not."""
    code, told, error = auditor("config", "run", server.uri("logs/odd"))
    assert code == 0
    assert "s3://logs/odd?scheme=http" in told
    assert_no_secret(told + error, server)


def test_google_is_not_waited_for():
    """Without a limit of its own the client would try for a quarter of an hour."""
    assert remote._parts("gs://logs/x").store == "gs://logs?retry_limit_seconds=30"
    assert remote._parts("gs://logs/x?retry_limit_seconds=5").store == "gs://logs?retry_limit_seconds=5"


def test_a_server_that_ends_meanwhile(server, folder, expected, tmp_path, monkeypatch):
    """The run fails in one line, what was done stays; the next run does the rest, as if nothing had been."""
    second = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    second.start()
    host, port = second.get_host_and_port()
    given = server.uri("logs/of all kinds", at=f"{host}:{port}")
    fetch, fetched = archives.fetch, []

    def fetch_some(piece):
        fetched.append(piece)
        if len(fetched) == 12:
            second.stop()
        return fetch(piece)

    with monkeypatch.context() as patch:
        patch.setattr(archives, "fetch", fetch_some)
        patch.setattr(run_batches, "BATCH_FILES", 2)
        patch.setattr(remote, "ABREAST", 1)
        code, told, error = auditor("run", given, "--out", tmp_path / "out", "--jobs", 1, "--progress", "none")
    assert code == 2
    assert "cannot be reached" in error
    assert error.count("\n") == 1
    assert_no_secret(told + error, server)
    before = tables(tmp_path / "out")["sources"]
    assert 5 < len(before) < len(expected["sources"])
    third = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    third.start()
    found = audit(tmp_path / "out", given, "--jobs", 1)
    third.stop()
    assert_same(bare(found, "s3://logs/of all kinds", f"?{query(f'{host}:{port}')}"), bare(expected, str(folder)))


def test_only_what_is_new(server, tmp_path):
    """A second run reads nothing that is unchanged, an object written anew is read anew."""
    for name in ("a", "b"):
        server.put(f"nights/{name}.mjlog", GOOD)
    given = server.uri("logs/nights")
    auditor("run", given, "--out", tmp_path / "out")
    server.put("nights/b.mjlog", FAULTY["w106_fu"])
    server.put("nights/c.mjlog", GOOD)
    code, _, _ = auditor("run", given, "--out", tmp_path / "out")
    assert code == 1
    found = tables(tmp_path / "out")
    assert len(found["sources"]) == 3
    assert found["findings"].filter(pl.col("code") != "L005")["code"].to_list() == ["W106"]

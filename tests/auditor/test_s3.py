"""Logs on an S3 server of this machine: a run gives the tables that the same folder gives, and writes no secret."""

from __future__ import annotations

import gzip
import io
import logging
import os
import sqlite3
import tarfile
import zipfile
from urllib.parse import quote, unquote

import polars as pl
import pytest
from moto.server import ThreadedMotoServer
from pyarrow import fs

from auditor.dataset.schema import TABLES
from auditor.run import run_batches
from auditor.sources import archives, remote
from tests.kit.audits import CHECKS, FIXTURES
from tests.kit.command_line import auditor
from tests.kit.s3 import assert_no_secret, query

pytestmark = pytest.mark.usefixtures("no_other_keys")

GOOD = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
FAULTY = {
    name: (CHECKS / name / "fail.mjlog").read_bytes() for name in ("w106_fu", "w107_points", "c104_call_in_riichi")
}
LONG = (FIXTURES / "logs" / "tenhou" / "2023112505gm-0009-0000-1917fe69.mjlog").read_bytes()
MEMBERS = {"2009/a.mjlog": FAULTY["w106_fu"], "2009/b.mjlog.gz": gzip.compress(GOOD), "c.txt": b"no log"}


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
    """Make a database of two logs and one row without a log."""
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE logs (id TEXT, is_processed INTEGER, was_error INTEGER, log BLOB)")
        rows = [("x", 1, 0, gzip.compress(GOOD)), ("y", 1, 0, gzip.compress(LONG)), ("z", 0, 0, None)]
        connection.executemany("INSERT INTO logs VALUES (?, ?, ?, ?)", rows)
    connection.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory, server):
    """Give a folder of logs and archives that is also on the server, below "logs/of all kinds"."""
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
    """Give the tables of an audit of the folder."""
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


def comparable(found, root, query=""):
    """Give tables without the root in names of sources, and without values that differ between any two runs."""

    def below(name):
        return (unquote(name.replace(query, "")) if "://" in root else name).replace(f"{root}/", "")

    # The rows of changes depend on times and on names of sources.
    kept = {name: table for name, table in found.items() if name not in {"runs", "changes"}}
    for name, columns in {
        "sources": ["source", "path"], "findings": ["source", "recorded", "expected", "message"],
        **{each: ["source"] for each in ("games", "rounds", "hands", "turns", "riichis", "wins")},
    }.items():  # fmt: skip
        kept[name] = kept[name].with_columns(pl.col(columns).map_elements(below, pl.String))
    kept["sources"] = kept["sources"].drop("modified", "file")
    return {name: sorted(map(repr, table.iter_rows(named=True))) for name, table in kept.items()}


def assert_same(found, expected):
    """Compare all tables."""
    assert set(found) == set(expected)
    for name in expected:
        assert found[name] == expected[name], name


def everything_written(out):
    """Give everything that a run wrote, as text."""
    return repr([table.rows() for table in tables(out).values()]) + "".join(
        path.read_text(errors="replace") for path in out.rglob("*") if path.is_file() and path.suffix != ".parquet"
    )


def test_the_same_as_the_folder(server, folder, expected, tmp_path):
    """With a key in the URI, all tables are the folder's; the key is written nowhere, and folders are no logs."""
    words = ("run", server.uri("logs/of all kinds"), "--out", tmp_path / "out", "--jobs", 1)
    code, printed, error = auditor(*words)
    assert code == 1
    found = tables(tmp_path / "out")
    assert_same(comparable(found, "s3://logs/of all kinds", f"?{query(server.at)}"), comparable(expected, str(folder)))
    assert set(found["sources"]["status"]) >= {"audited", "unreadable", "missing"}
    assert len(found["findings"]) > 5
    assert_no_secret(printed + error + everything_written(tmp_path / "out"), server)
    name = found["sources"].filter(pl.col("path").str.contains("odd"))["path"].item()
    again = name.replace("s3://", f"s3://{server.key}:{quote(server.secret, safe='')}@")
    assert len(audit(tmp_path / "again", again)["games"]) == 1


def test_keys_in_the_environment(server, folder, expected, tmp_path, monkeypatch):
    """Server and key come from the environment, and workers read by themselves."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", server.url)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", server.key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", server.secret)
    monkeypatch.setattr(run_batches, "BATCH_FILES", 10)
    found = audit(tmp_path / "out", "s3://logs/of all kinds/", "--jobs", 2)
    assert_same(comparable(found, "s3://logs/of all kinds"), comparable(expected, str(folder)))


@pytest.mark.usefixtures("folder")
def test_findings_are_shown_with_their_tables(server, tmp_path, monkeypatch):
    """``show`` reads a source again with the key from the environment; a wrong key is reported without the secret."""
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
    """URIs in a list share one client; a missing object is named and stops nothing; a repeated one is one source."""
    made = []
    known = fs.FileSystem.from_uri
    monkeypatch.setattr(
        fs,
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
    assert_no_secret(everything_written(tmp_path / "out"), server)


def test_objects_of_any_name(server, tmp_path):
    """An object that is also a folder, and names that Arrow can or cannot open, have a row each."""
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
    """Give the requests that read objects of a folder."""
    messages = [record.getMessage() for record in caplog.records]
    return [each for each in messages if f"/{folder}/" in each and "PUT" not in each]


def test_few_requests(server, tmp_path, caplog):
    """An archive is read in large pieces and a small file once, because each request takes time."""
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


@pytest.mark.long
def test_a_server_that_goes_away_meanwhile(server, folder, expected, tmp_path, monkeypatch):
    """If the server goes away, the run ends with one line and keeps its work; the next run completes it."""
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
        code, printed, error = auditor("run", given, "--out", tmp_path / "out", "--jobs", 1, "--progress", "none")
    assert code == 2
    assert "cannot be reached" in error
    assert error.count("\n") == 1
    assert_no_secret(printed + error, server)
    before = tables(tmp_path / "out")["sources"]
    assert 5 < len(before) < len(expected["sources"])
    third = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    third.start()
    found = audit(tmp_path / "out", given, "--jobs", 1)
    third.stop()
    assert_same(
        comparable(found, "s3://logs/of all kinds", f"?{query(f'{host}:{port}')}"), comparable(expected, str(folder))
    )


def test_only_new_objects_are_read(server, tmp_path):
    """A second run reads only new and changed objects."""
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

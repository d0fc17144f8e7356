"""Archives, lists and folders: the same logs give the same tables wherever they are kept."""

from __future__ import annotations

import gzip
import io
import itertools
import lzma
import os
import pickle
import socket
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.run import run_batches
from auditor.run.unchanged import Task
from auditor.sources import archives, log_files
from tests.kit.containers import PACK, SCHEMAS, UNFETCHED, database, tarred, zipped
from tests.kit.source_runs import GOOD, LOGS, audit, folder_of, rows


def plain(tables):
    """Give tables without the names of sources, in an order that does not depend on those names."""
    findings = tables["findings"].drop("source")
    return [
        findings.sort(findings.columns),
        tables["turns"].drop("source").sort("game_id", "event"),
        tables["wins"].drop("source", "yaku", "expected_yaku").sort("game_id", "event"),
        tables["games"].drop("source").sort("game_id"),
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Give the logs as a folder."""
    return folder_of(tmp_path_factory.mktemp("logs") / "folder")


@pytest.fixture(scope="module")
def expected(folder, tmp_path_factory):
    """Give the tables of the logs as a folder."""
    return audit(tmp_path_factory.mktemp("out"), folder)


def each_packed(pack):
    """Compress every log by itself."""
    return {name: pack(data) if data else b"" for name, data in LOGS.items()}


CONTAINERS = {
    "zip": lambda: zipped(LOGS),
    "zip, stored": lambda: zipped(LOGS, zipfile.ZIP_STORED),
    "zip, bzip2": lambda: zipped(LOGS, zipfile.ZIP_BZIP2),
    "zip, lzma": lambda: zipped(LOGS, zipfile.ZIP_LZMA),
    "tar": lambda: tarred(LOGS),
    "tar, GNU": lambda: tarred(LOGS, tarfile.GNU_FORMAT),
    **{f"tar.{kind}": lambda pack=pack: pack(tarred(LOGS)) for kind, pack in PACK.items()},
    **{f"zip of {kind}": lambda pack=pack: zipped(each_packed(pack)) for kind, pack in PACK.items()},
    **{f"tar of {kind}": lambda pack=pack: tarred(each_packed(pack)) for kind, pack in PACK.items()},
    "tar.gz of gz": lambda: gzip.compress(tarred(each_packed(gzip.compress))),
    "zip in tar": lambda: tarred({"in.zip": zipped(LOGS)}),
    "zip in tar.xz": lambda: lzma.compress(tarred({"in.zip": zipped(LOGS)})),
    "tar in zip": lambda: zipped({"in.tar": tarred(LOGS)}),
    "tar.gz in zip": lambda: zipped({"in.tgz": gzip.compress(tarred(LOGS))}),
    "zip.gz": lambda: gzip.compress(zipped(LOGS)),
    "two zips in a tar": lambda: tarred({
        year: zipped({name: data for name, data in LOGS.items() if name.startswith(year)}) for year in ("2009", "2010")
    }),
}  # fmt: skip


@pytest.fixture(scope="module")
def contained(tmp_path_factory):
    """Give path and tables of each container and database, by name. One run reads them all."""
    top = tmp_path_factory.mktemp("contained")
    paths = {name: top / f"{place}.bin" for place, name in enumerate(CONTAINERS)}
    for name, path in paths.items():
        path.write_bytes(CONTAINERS[name]())
    for schema, form in itertools.product(SCHEMAS, FORMS):
        paths[schema, form] = path = top / f"{len(paths)}.db"
        data = database(path, schema, IN_A_DATABASE, more=[*unfetched(schema), ("nothing", 1, 0, "")])
        if form == "gz":
            path.write_bytes(gzip.compress(data))
        elif form == "in a zip":
            path.write_bytes(zipped({"x.db": data}))
    given = [f"file://{path}" if "file://" in name else path for name, path in paths.items()]
    tables = audit(top / "out", *given, "--ignore", "L005")
    return {
        name: (
            path,
            {part: table.filter(pl.col("source").str.starts_with(f"{path}!")) for part, table in tables.items()},
        )
        for name, path in paths.items()
    }


@pytest.mark.parametrize("what", CONTAINERS)
def test_the_same_whatever_the_container(what, contained, expected):
    """A container gives the findings, turns, wins and games of the folder, and each member is in ``sources`` once."""
    path, found = contained[what]
    for got, want in zip(plain(found), plain(expected), strict=True):
        assert got.equals(want)
    seen = found["sources"]
    assert set(seen["path"]) == {str(path)}
    assert sorted(name.rpartition("!")[2] for name in seen["member"]) == sorted(LOGS)
    assert sorted(seen["status"]) == ["audited"] * 3 + ["ignored", "unreadable"]
    bad = found["findings"].filter(pl.col("code") == "L001")["source"]
    assert {f"{path}!{member}" for path, member in seen.select("path", "member").rows()} >= set(bad)


@pytest.mark.parametrize("kind", PACK)
def test_compressed_files(kind, tmp_path, expected):
    """A compressed file is one log: its source has no member."""
    found = audit(tmp_path / "out", folder_of(tmp_path / "logs", each_packed(PACK[kind])))
    for got, want in zip(plain(found), plain(expected), strict=True):
        assert got.equals(want)
    assert found["sources"]["member"].to_list() == [None] * len(LOGS)


FORMS = ["file", "gz", "in a zip", "file://"]
IN_A_DATABASE = {name: data for name, data in LOGS.items() if data}


def unfetched(schema):
    """Give the rows without a log that a schema of database has."""
    return UNFETCHED if schema != "plain text" else ()


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("form", FORMS)
def test_databases(schema, form, contained, expected):
    """A database gives the same tables, whatever its schema and packing. A row without a log is missing, no finding."""
    _, found = contained[schema, form]
    want = dict(expected) | {"findings": expected["findings"].filter(~pl.col("source").str.ends_with("e.mjlog"))}
    for got, wanted in zip(plain(found), plain(want), strict=True):
        assert got.equals(wanted)
    seen = {row["member"].rpartition("!")[2]: row for row in found["sources"].iter_rows(named=True)}
    assert set(seen) == {*IN_A_DATABASE, *(row[0] for row in unfetched(schema)), "nothing"}
    for name, word in {"not yet": "is_processed", "error": "was_error", "nothing": "holds nothing"}.items():
        if name in seen:
            assert seen[name]["status"] == "missing"
            assert word in seen[name]["reason"]


@pytest.mark.long
def test_workers_read_their_own(tmp_path, monkeypatch):
    """Two processes write what one writes, from zip, tar, tar.xz and a database. Only pieces of tar.xz carry bytes."""
    logs = {f"{place:04}.mjlog": LOGS["2009/a.mjlog"] if place % 2 else GOOD for place in range(700)}
    (tmp_path / "a.zip").write_bytes(zipped(logs))
    (tmp_path / "b.tar").write_bytes(tarred(logs))
    (tmp_path / "c.txz").write_bytes(lzma.compress(tarred(logs), preset=0))
    database(tmp_path / "d.db", "houou", logs)
    paths = [tmp_path / name for name in ("a.zip", "b.tar", "c.txz", "d.db")]
    for path in paths:
        os.utime(path, (1e9, 1e9))
    found = list(archives.pieces(paths))
    assert [piece.held is not None for piece in found if not piece.archive] == (
        [False] * 1400 + [True] * 700 + [False] * 700
    )
    assert all(len(pickle.dumps(piece)) < 1000 for piece in found if piece.held is None)
    assert [piece.member for piece in found] == [*logs, None] * 4
    monkeypatch.setattr(run_batches, "BATCH_FILES", 500)
    one, two = (audit(tmp_path / f"out{jobs}", *paths, "--select", "W106", jobs=jobs) for jobs in (1, 2))
    names = [sorted(path.name for path in (tmp_path / f"out{jobs}" / "sources").iterdir()) for jobs in (1, 2)]
    assert names[0] == names[1]
    assert len(names[0]) == 6
    assert all(one[name].equals(two[name]) for name in one)
    assert len(one["findings"]) == 1400
    monkeypatch.setattr(run_batches, "BATCH_BYTES", 1)
    assert all(len(batch) == 1 for batch in run_batches.batches(map(Task, found)))


def test_lists_and_uris(tmp_path, folder, expected):
    """Paths come from a file (with line ends or zero bytes), from standard input, or as file:// URIs."""
    names = [str(folder / name) for name in LOGS]
    (tmp_path / "list").write_text("\r\n".join(names) + "\n")
    (tmp_path / "zeros").write_bytes("\0".join([*names, str(folder), str(tmp_path / "gone")]).encode())
    found = audit(tmp_path / "1", "--from", tmp_path / "list")
    assert found["sources"].equals(expected["sources"])
    found = audit(tmp_path / "2", "--from", tmp_path / "zeros")
    assert found["sources"]["path"].to_list() == [*names, str(tmp_path / "gone")]
    assert "No such file" in rows(found)["gone"][1]
    assert audit(tmp_path / "3", "-", text="\n".join(names))["sources"].equals(expected["sources"])
    assert audit(tmp_path / "4", "--from", "-", text="\n".join(names))["sources"].equals(expected["sources"])
    (tmp_path / "ü %20").symlink_to(folder)
    found = audit(tmp_path / "5", (tmp_path / "ü %20").as_uri(), f"file://localhost{folder}")
    assert found["sources"]["path"].to_list() == [str(tmp_path / "ü %20" / name) for name in LOGS]
    assert audit(tmp_path / "6", f"file://{folder}", folder)["sources"].equals(expected["sources"])


@pytest.mark.parametrize("given", ["file:///no/such/place", "nonsense://x/y", "s3://"])
def test_uris_that_lead_nowhere(given, tmp_path):
    """A URI that cannot be opened is named in the error message; the exit code is 2."""
    result = CliRunner().invoke(app, ["run", given, "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert given in result.stderr
    assert "Traceback" not in result.output


def test_names(tmp_path):
    """Names that are absolute, with .., not UTF-8, with a line feed or given twice are shown on one line, each once."""
    names = ["/etc/a.mjlog", "../../b.mjlog", "C:\\c.mjlog", "d\n.mjlog", "\udcffe\udc83.mjlog", "山.mjlog"]
    logs = dict.fromkeys(names, GOOD)
    (tmp_path / "a.tar").write_bytes(tarred(logs))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in [*names[:4], "XXe.mjlog", "twice"]:
            archive.writestr(name, GOOD)
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("twice", GOOD)
        archive.writestr("山.mjlog", GOOD)
    (tmp_path / "b.zip").write_bytes(file.getvalue().replace(b"XXe", b"\xff\x83e"))
    found = audit(tmp_path / "out", tmp_path / "a.tar", tmp_path / "b.zip")
    seen = found["sources"]
    assert set(seen["status"]) == {"audited"}
    both = ["/etc/a.mjlog", "../../b.mjlog", "C:\\c.mjlog", "d\\x0a.mjlog"]
    assert seen.filter(pl.col("path").str.ends_with("tar"))["member"].to_list() == [
        *both, "\\xffe\\x83.mjlog", "山.mjlog",
    ]  # fmt: skip
    assert seen.filter(pl.col("path").str.ends_with("zip"))["member"].to_list() == [
        *both, "\\xff\\x83e.mjlog", "twice", "twice~2", "山.mjlog",
    ]  # fmt: skip
    doubtful = seen.filter(pl.col("reason").is_not_null())
    assert set(doubtful["member"]) == set(both[:3])
    assert doubtful["reason"].str.contains("leads out of the archive").all()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tar", "b.zip", "out"]


def test_entries_that_are_no_files(tmp_path):
    """A socket, a pipe, links in a circle and names that are not UTF-8 have a row each, and the run goes on."""
    folder = tmp_path / "f"
    folder.mkdir()
    (folder / "good.mjlog").write_bytes(GOOD)
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff.mjlog")).write_bytes(GOOD)
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to("loop")
    (folder / "up").symlink_to("..")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(folder / "socket"))
    seen = rows(audit(tmp_path / "out", folder))
    listener.close()
    assert {name: seen[name][0] for name in ("good.mjlog", "\\xff.mjlog")} == dict.fromkeys(
        ("good.mjlog", "\\xff.mjlog"), "audited"
    )
    assert "socket" in seen["socket"][1]
    assert "pipe" in seen["pipe"][1]
    assert "leads nowhere" in seen["loop"][1]


def test_permissions(tmp_path, monkeypatch):
    """Without read permission, a file and a folder are named. Root may read all, so the test fakes the refusal."""
    folder = folder_of(tmp_path / "f", {"closed/a.mjlog": GOOD, "b.mjlog": GOOD, "c.mjlog": GOOD})
    scan, opened = os.scandir, os.open

    def refuse(path, *_, **__):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "scandir", lambda path=".": refuse(path) if str(path).endswith("closed") else scan(path))
    monkeypatch.setattr(
        os,
        "open",
        lambda path, *more, **named: (refuse if str(path).endswith("b.mjlog") else opened)(path, *more, **named),
    )
    seen = rows(audit(tmp_path / "out", folder))
    assert {name: status for name, (status, _) in seen.items()} == {
        "b.mjlog": "unreadable", "c.mjlog": "audited", "closed": "unreadable",
    }  # fmt: skip
    assert all("Permission denied" in seen[name][1] for name in ("b.mjlog", "closed"))


def test_a_large_folder_of_days(tmp_path):
    """Ten thousand files in folders of days, with a link in a circle, are found once each, in order."""
    for day in range(100):
        (tmp_path / "2009" / f"{day:02}").mkdir(parents=True)
        for place in range(100):
            (tmp_path / "2009" / f"{day:02}" / f"{place:02}").touch()
    (tmp_path / "2009" / "again").symlink_to(tmp_path / "2009")
    found = list(log_files.find([tmp_path, tmp_path / "2009" / "05"]))
    assert len(found) == 10_000
    assert found == sorted(found)


def test_a_database_in_use(tmp_path):
    """A database that another process is writing to is read, with its write-ahead log."""
    database(tmp_path / "x.db", "houou", {"a": GOOD})
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute("PRAGMA journal_mode = wal")
    connection.execute("INSERT INTO logs (id, is_processed, was_error, log) VALUES ('b', 1, 0, ?)", (GOOD,))
    connection.commit()
    assert (tmp_path / "x.db-wal").stat().st_size > 0
    seen = rows(audit(tmp_path / "out", tmp_path / "x.db"))
    connection.close()
    assert seen == {"a": ("audited", ""), "b": ("audited", "")}

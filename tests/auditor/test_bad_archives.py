"""Damaged, cut, encrypted and over-large archives: what can be read is audited, the rest is named with its reason."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import sqlite3
import tarfile
import zipfile

import pytest

from auditor.sources import archives, members, streams
from tests.kit.containers import PACK, database, encrypted, tarred, zipped
from tests.kit.source_runs import GOOD, LOGS, audit, rows

LONG = LOGS["2010/2023112505gm-0009-0000-1917fe69.mjlog"]
MANY = {f"{place}.mjlog": GOOD if place == 1 else LONG for place in range(4)}


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tar.bz2", "tar.xz", "tar.zst", "tar of gz", "zip in tar"])
def test_cut_archives(kind, tmp_path):
    """Members before the cut are audited, the member at the cut at most in part, and the loss is named."""
    data = {
        "zip": lambda: zipped(MANY), "tar": lambda: tarred(MANY), "tar of gz": lambda: tarred(packed_all(MANY)),
        "zip in tar": lambda: tarred({"in.zip": zipped(MANY)}),
    }.get(kind, lambda: PACK[kind.rpartition(".")[2]](tarred({**MANY, "rest": os.urandom(2 << 20)})))()  # fmt: skip
    path = tmp_path / "cut"
    path.write_bytes(data[: len(data) * 6 // 10])
    found = audit(tmp_path / "out", path)
    seen = rows(found)
    names = {name.rpartition("!")[2]: status for name, (status, _) in seen.items()}
    assert {names[f"{place}.mjlog"] for place in range(2)} == {"audited"}
    reasons = " ".join(reason for _, reason in seen.values())
    assert "cut" in reasons or "ends early" in reasons
    assert len(found["games"]) >= 2


def packed_all(logs):
    """Compress each by gzip."""
    return {name: gzip.compress(data) for name, data in logs.items()}


def test_any_cut_of_any_container(tmp_path):
    """Wherever an archive is cut or damaged, nothing raises: every piece has data or a reason, and its own name."""
    logs = {"a.mjlog": GOOD, "b.mjlog": LOGS["2009/a.mjlog"]}
    made = {"zip": zipped(logs), "tar": tarred(logs), "sqlite": database(tmp_path / "x.db", "phoenix", logs)}
    made |= {f"tar.{kind}": pack(made["tar"]) for kind, pack in PACK.items()}
    made["zip in tar"] = tarred({"in.zip": made["zip"]})
    path = tmp_path / "archive"
    for name, data in made.items():
        for place in range(1, len(data), max(1, len(data) // 40)):
            for damaged in (data[:place], data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]):
                path.write_bytes(damaged)
                found = [archives.fetch(piece) for piece in archives.pieces([path])]
                assert found, (name, place)
                assert all(each.data or each.reason for each in found), (name, place)
                assert len({each.name for each in found}) == len(found), (name, place)


def test_bombs(tmp_path, monkeypatch):
    """A file, member or nested member that unpacks to too much is named, and not read."""
    monkeypatch.setattr(streams, "MOST_RATIO", 50)
    zeros = b"<" + b" " * (40 << 20)
    for name, data in {
        **{f"1.{kind}": pack(zeros) for kind, pack in PACK.items()},
        "2.zip": zipped({"a.mjlog": GOOD, "z": zeros}),
        "3.zip": zipped({"a.mjlog": GOOD, "z.gz": gzip.compress(zeros)}),
        "4.tar": tarred({"a.mjlog": GOOD, "z.xz": lzma.compress(zeros)}),
    }.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.setattr(members, "MOST_RATIO", 50)
    found = audit(tmp_path / "out", *sorted(tmp_path.iterdir()))
    seen = [(row["status"], row["reason"] or "") for row in found["sources"].iter_rows(named=True)]
    assert len(seen) == 10
    assert [status for status, _ in seen].count("audited") == 3
    assert all("times its size: not read" in reason for status, reason in seen if status == "unreadable")


def test_bomb_of_a_whole_archive(tmp_path, monkeypatch):
    """An archive is not read further than its size allows: overlapping members, or a tar without end."""
    monkeypatch.setattr(members, "FREE_ARCHIVE", 1 << 20)
    monkeypatch.setattr(streams, "FREE_ARCHIVE", 1 << 20)
    monkeypatch.setattr(members, "MOST_RATIO", 20)
    monkeypatch.setattr(streams, "MOST_RATIO", 20)
    logs = {"a.mjlog": GOOD, **{f"{place:02}": b" " * 100_000 for place in range(40)}}
    (tmp_path / "a.zip").write_bytes(zipped(logs))
    (tmp_path / "b.tgz").write_bytes(gzip.compress(tarred(logs)))
    seen = [archives.fetch(piece) for piece in archives.pieces([tmp_path / "a.zip"])][:-1]
    assert len(seen) == 41
    assert seen[0].readable
    assert "times its size" in seen[-1].reason
    seen = [archives.fetch(piece) for piece in archives.pieces([tmp_path / "b.tgz"])]
    assert seen[0].readable
    assert "times its size" in seen[-1].reason


def linked():
    """Make a tar with links and a pipe."""
    file = io.BytesIO(tarred({"a.mjlog": GOOD}))
    with tarfile.open(fileobj=file, mode="a") as archive:
        for name, kind in {"soft": tarfile.SYMTYPE, "hard": tarfile.LNKTYPE, "pipe": tarfile.FIFOTYPE}.items():
            info = tarfile.TarInfo(name)
            info.type, info.linkname = kind, "../a.mjlog"
            archive.addfile(info)
    return file.getvalue()


def method_99():
    """Make a zip that is packed with an unknown method."""
    data = zipped({"odd.mjlog": GOOD})
    return data.replace(b"PK\x03\x04\x14\x00\x00\x00\x08", b"PK\x03\x04\x14\x00\x00\x00\x63").replace(
        b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x08", b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x63"
    )


TWO = {"a.mjlog": GOOD, "b.mjlog": GOOD + b"<!-- -->"}
DEEP = {"in.zip": zipped({"mid.zip": zipped({"low.mjlog": GOOD}), "a.mjlog": GOOD})}
BAD = {
    "encrypted": (
        lambda: encrypted({"secret.mjlog": GOOD, "open.mjlog": GOOD}),
        {"secret.mjlog": "encrypted", "open.mjlog": None},
    ),
    "unknown method": (method_99, {"odd.mjlog": "method 99"}),
    "links in a tar": (linked, {"a.mjlog": None, "soft": "a link", "hard": "a link", "pipe": "device or pipe"}),
    "empty zip": (lambda: zipped({}), {"bad": "without members"}),
    "zip of an empty zip": (lambda: zipped({"x": zipped({})}), {"x": "without members"}),
    "three deep": (lambda: zipped(DEEP), {"in.zip!mid.zip": "an archive (zip)", "in.zip!a.mjlog": None}),
    "bad checksum": (
        lambda: zipped(TWO, zipfile.ZIP_STORED).replace(b"!-- -", b"!++ +", 1),
        {"a.mjlog": None, "b.mjlog": "CRC"},
    ),
    "tar without its end": (
        lambda: tarred({"a.mjlog": GOOD}).rstrip(b"\0") + bytes(8),
        {"a.mjlog": None, "bad": "cut"},
    ),
    "7-Zip": (lambda: b"7z\xbc\xaf\x27\x1c" + bytes(90), {"bad": "7-Zip"}),
    "gz of gz of gz": (lambda: gzip.compress(gzip.compress(gzip.compress(GOOD))), {"bad": "more than 2 times"}),
    "no zip": (lambda: b"PK\x03\x04" + b"rubbish", {"bad": "cut or damaged"}),
    "no database": (lambda: b"SQLite format 3\0" + b"rubbish" * 40, {"bad": "SQLite"}),
}  # fmt: skip


@pytest.mark.parametrize("what", BAD)
def test_bad_archives(what, tmp_path):
    """Every member is in ``sources`` once with its reason, and the readable members are audited."""
    make, expected = BAD[what]
    (tmp_path / "bad").write_bytes(make())
    seen = rows(audit(tmp_path / "out", tmp_path / "bad"))
    assert set(seen) == set(expected)
    for name, word in expected.items():
        status, reason = seen[name]
        assert status == ("audited" if word is None else "unreadable")
        assert (word or "") in reason


def test_a_database_of_something_else(tmp_path):
    """A database without logs is unreadable, and the reason lists the tables that it has."""
    connection = sqlite3.connect(tmp_path / "x.db")
    connection.execute("CREATE TABLE file_index (file TEXT, size INTEGER)")
    connection.close()
    assert "tables: file_index" in rows(audit(tmp_path / "out", tmp_path / "x.db"))["x.db"][1]

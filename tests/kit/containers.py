"""Logs in every way that people store them: folders, compressed files, zips, tars, databases, nested archives.

The same logs must give the same findings in all of them. Cut, damaged and empty archives are made as well.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sqlite3
import struct
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa

Logs = Mapping[str, bytes]
"""Contents by name."""


def zstd(data: bytes) -> bytes:
    """Compress as zstd."""
    packed: bytes = pa.compress(data, codec="zstd", asbytes=True)
    return packed


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda data: gzip.compress(data, mtime=0),
    "bz2": bz2.compress,
    "xz": lambda data: lzma.compress(data, preset=1),
    "zst": zstd,
}


def zipped(logs: Logs, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Make a zip."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in logs.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)  # a fixed time, so that the bytes are always the same
    return file.getvalue()


def streamed(logs: Logs) -> bytes:
    """Make a zip as written to a pipe: sizes follow each member, as 64-bit numbers."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def tell(self) -> int:
            raise io.UnsupportedOperation

    file = Pipe()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in logs.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w", force_zip64=True) as member:
                member.write(data)
    return file.getvalue()


def tarred(logs: Logs, form: int = tarfile.PAX_FORMAT) -> bytes:
    """Make a plain tar, with entries for its folders."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form, errors="surrogateescape") as archive:
        for folder in sorted({name.split("/")[0] for name in logs if "/" in name.strip("/")}):
            entry = tarfile.TarInfo(folder or "/")
            entry.type = tarfile.DIRTYPE
            archive.addfile(entry)
        for name, data in logs.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return file.getvalue()


class Schema(NamedTuple):
    """A downloader's database: how it creates the table, fills a row (name, processed, error, content), packs a log."""

    create: str
    insert: str
    pack: Callable[[bytes], bytes | str]


SCHEMAS = {
    "houou": Schema(
        "CREATE TABLE logs (id TEXT PRIMARY KEY, date TEXT, num_players INTEGER, is_tonpu INTEGER,"
        " is_processed INTEGER, was_error INTEGER, log BLOB) WITHOUT ROWID;"
        " CREATE TABLE file_index (file TEXT PRIMARY KEY, size INTEGER)",
        "INSERT INTO logs VALUES (?, '2009-03-17T12:00', 4, 0, ?, ?, ?)",
        PACK["gz"],
    ),
    "phoenix": Schema(
        "CREATE TABLE logs (log_id text PRIMARY KEY, date text, is_sanma int, is_tonpusen int, is_processed int,"
        " was_error int, log_content text); CREATE TABLE last_downloads (name text, date text)",
        "INSERT INTO logs VALUES (?, '', 0, 0, ?, ?, ?)",
        PACK["gz"],
    ),
    "old phoenix": Schema(
        "CREATE TABLE logs (is_hirosima int, log_content text, log_hash text, is_tonpusen int, log_id text,"
        " is_processed int, was_error int)",
        "INSERT INTO logs (log_id, is_processed, was_error, log_content) VALUES (?, ?, ?, ?)",
        bz2.compress,
    ),
    "plain text": Schema(
        "CREATE TABLE other (x); CREATE TABLE logs (log_id text, log_content text)",
        "INSERT INTO logs SELECT log_id, content FROM (SELECT ? log_id, ? a, ? b, ? content)",
        bytes.decode,
    ),
}
UNFETCHED = (("not yet", 0, 0, None), ("error", 1, 1, ""))
"""Rows of a database whose log was not, or could not be, downloaded."""


def database(path: Path, schema: str, logs: Logs, *, more: Iterable[tuple[str, int, int, str | None]] = ()) -> bytes:
    """Make a database of logs at a path; ``more`` are rows (name, processed, error, content). Return its bytes."""
    create, insert, pack = SCHEMAS[schema]
    connection = sqlite3.connect(path)
    connection.executescript(create)
    connection.executemany(insert, [(name, 1, 0, pack(data) if data else "") for name, data in logs.items()])
    connection.executemany(insert, more)
    connection.commit()
    connection.close()
    return path.read_bytes()


def _database(schema: str) -> Callable[[Logs], bytes]:
    def make(logs: Logs) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            return database(Path(folder) / "made.db", schema, logs, more=UNFETCHED)

    return make


def packed(logs: Logs, kind: str) -> dict[str, bytes]:
    """Compress each log separately; name it as the tool would."""
    return {f"{name}.{kind}": PACK[kind](data) for name, data in logs.items()}


def _tarred_and_packed(pack: Callable[[bytes], bytes], logs: Logs) -> bytes:
    return pack(tarred(logs))


ARCHIVES: dict[str, Callable[[Logs], bytes]] = {
    "plain.zip": zipped,
    "stored.zip": lambda logs: zipped(logs, zipfile.ZIP_STORED),
    "bzip2.zip": lambda logs: zipped(logs, zipfile.ZIP_BZIP2),
    "lzma.zip": lambda logs: zipped(logs, zipfile.ZIP_LZMA),
    "streamed.zip": streamed,
    "pax.tar": tarred,
    "gnu.tar": lambda logs: tarred(logs, tarfile.GNU_FORMAT),
    **{f"logs.tar.{kind}": partial(_tarred_and_packed, pack) for kind, pack in PACK.items()},
    "logs.zip.zst": lambda logs: zstd(zipped(logs)),
    "2024.db": _database("houou"),
    "2009.db": _database("phoenix"),
    "2018.db": _database("old phoenix"),
    "2009.db.gz": lambda logs: PACK["gz"](_database("phoenix")(logs)),
}
"""Archives of uncompressed logs."""
PACKED: dict[str, tuple[str, Callable[[Logs], bytes]]] = {
    "of gz.zip": ("gz", zipped),
    "of zst.tar": ("zst", tarred),
    "of bz2.tar.xz": ("bz2", lambda logs: PACK["xz"](tarred(logs))),
}
"""Archives of compressed logs."""
NESTED: dict[str, tuple[str, Callable[[Logs], bytes], Callable[[Logs], bytes]]] = {
    "zip in.tar.gz": ("in.zip", zipped, lambda logs: PACK["gz"](tarred(logs))),
    "tar.bz2 in.zip": ("in.tar.bz2", lambda logs: PACK["bz2"](tarred(logs)), zipped),
    "database in.zip": ("in.db", _database("houou"), zipped),
}
"""Archives that contain one archive."""
NAMES = ("loose", *(f"loose {kind}" for kind in PACK), *ARCHIVES, *PACKED, *NESTED)
"""Every container. The loose ones are folders."""


class Member(NamedTuple):
    """An expected row of ``sources``: file, member, and the name of its log, or None if it was not downloaded."""

    path: Path
    member: str | None
    log: str | None


def make(name: str, logs: Logs, folder: Path) -> list[Member]:
    """Make one container below a folder; give its expected members."""
    if name.startswith("loose"):
        files = packed(logs, name[6:]) if name[6:] else logs
        paths = [folder / name / file for file in files]
        for path, data in zip(paths, files.values(), strict=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return [Member(path, None, log) for path, log in zip(paths, logs, strict=True)]
    inside, given = "", logs
    if name in NESTED:
        inner, build, around = NESTED[name]
        data, inside = around({inner: build(logs)}), f"{inner}!"
    elif name in PACKED:
        kind, build = PACKED[name]
        given = packed(logs, kind)
        data = build(given)
    else:
        data = ARCHIVES[name](logs)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)
    found = [Member(folder / name, inside + each, log) for each, log in zip(given, logs, strict=True)]
    if ".db" in name or "database" in name:
        found += [Member(folder / name, inside + row[0], None) for row in UNFETCHED]
    return found


def encrypted(logs: Logs) -> bytes:
    """Make a zip whose first member is marked as encrypted."""
    data = bytearray(zipped(logs))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(mark) + offset
        data[at : at + 2] = struct.pack("<H", struct.unpack("<H", data[at : at + 2])[0] | 1)
    return bytes(data)


def _cut(data: bytes) -> bytes:
    return data[: len(data) * 6 // 10]


def _damaged(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes(each ^ 0xFF for each in data[middle : middle + 16]) + data[middle + 16 :]


def make_broken(logs: Logs, folder: Path) -> list[Path]:
    """Write cut, damaged and empty archives; give their paths."""
    whole = {name: build(logs) for name, build in ARCHIVES.items()}
    whole |= {name: build(packed(logs, kind)) for name, (kind, build) in PACKED.items()}
    whole |= {name: around({inner: build(logs)}) for name, (inner, build, around) in NESTED.items()}
    whole |= packed(dict([next(iter(logs.items()))]), "gz")
    files = {f"cut {name}": _cut(data) for name, data in whole.items()}
    files |= {f"damaged {name}": _damaged(data) for name, data in whole.items()}
    files |= {f"empty {name}": build({}) for name, build in ARCHIVES.items() if ".db" not in name}
    files |= {"nothing.mjlog": b"", "nothing.zip": b"", "nothing.db": b"", "blank": b" \n"}
    files |= {"noise.zip": bytes(range(256)) * 8, "no.db": b"SQLite format 3\0" + b"rubbish" * 40}
    files |= {"secret.zip": encrypted(logs), "page.html": b"<html>busy</html>"}
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name.replace("/", "-")).write_bytes(data)
    return sorted(folder.iterdir())

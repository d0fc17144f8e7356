"""Lists the members of a zip archive or a SQLite database (tars.py: of a tar): names, and how to read each.

No member is unpacked into a folder, and the content of an archive never raises an error. A member that cannot be read
has a reason. If a damaged archive has lost members, a last member without a name says so.
"""

from __future__ import annotations

import io
import lzma
import re
import sqlite3
import struct
import tarfile
import zipfile
import zlib
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias, cast
from urllib.parse import quote

from auditor.sources import places, streams
from auditor.sources.streams import FREE, FREE_ARCHIVE, MOST_BYTES, MOST_RATIO

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FAULTS = (
    OSError, EOFError, zipfile.BadZipFile, tarfile.TarError, sqlite3.Error, zlib.error, lzma.LZMAError, struct.error,
    NotImplementedError, RuntimeError, ValueError, OverflowError, KeyError, IndexError,
)  # fmt: skip
"""The errors that the standard library raises for damaged archives."""


class InZip(NamedTuple):
    """The place of a member in a zip's directory."""

    place: int


class InTar(NamedTuple):
    """The bytes of a member in a tar."""

    offset: int
    size: int


class InDatabase(NamedTuple):
    """A row of a database: its table, the columns that find it and that hold the log (quoted), and its key."""

    table: str
    row: str
    content: str
    key: int | str | bytes


At: TypeAlias = InZip | InTar | InDatabase

_OUTSIDE = re.compile(r"^/|^\\(?!x[0-9a-f]{2})|^[A-Za-z]:[/\\]|(^|[/\\])\.\.([/\\]|$)")
_LOCAL = b"PK\x03\x04"
_DESCRIPTOR = b"PK\x07\x08"
_METHODS = {0: "stored", 8: "deflate", 12: "bzip2", 14: "lzma"}
_KEYS = ("id", "log_id", "uuid")
_CONTENTS = ("log", "log_content")
WAITED = 1.0
"""Seconds to wait for a database that another program has locked."""
PACKING = 8
"""About how many times its size a log unpacks to. Used to make batches of even size."""


@dataclass(frozen=True)
class Member:
    """One member of an archive.

    Attributes
    ----------
    name
        its name; None if this is a fault of the archive itself
    size
        bytes
    at
        where it lies, for a reader that opens the archive again
    open
        opens it; valid until the next member is asked for
    reason
        why it cannot be read, or a doubt about it
    cut
        whether it is incomplete
    missing
        whether the archive says that it has no log under this name

    """

    name: str | None
    size: int = 0
    at: At | None = None
    open: Callable[[], BinaryIO] | None = None
    reason: str | None = None
    cut: bool = False
    missing: bool = False


def decode_name(raw: bytes) -> str:
    """Return a member's name as text on one line, escaped as paths are."""
    return places.shown(raw.decode("utf-8", "surrogateescape"))


def doubt(name: str) -> str | None:
    """Return a doubt about a name that leads out of the archive, else None; the member is read all the same."""
    if _OUTSIDE.search(name):
        return "its name leads out of the archive (absolute, or with ..); read in place, nothing was written there"
    return None


# zip


def zip_name(info: zipfile.ZipInfo) -> str:
    """Return a zip member's name as UTF-8, also where the standard library takes it for code page 437."""
    utf8 = info.flag_bits & 0x800
    return decode_name(info.orig_filename.encode("utf-8" if utf8 else "cp437", "surrogateescape"))


def of_zip(file: BinaryIO, size: int) -> Iterator[Member]:
    """Yield a zip's members in the order of its directory; of a cut zip, which has none, those before the cut."""
    try:
        archive = zipfile.ZipFile(file)
    except FAULTS:
        yield from _of_cut_zip(file)
        return
    unpacked = 0
    with archive:
        for place, info in enumerate(archive.infolist()):
            if info.is_dir():
                continue
            name = zip_name(info)
            reason = _zip_fault(info)
            unpacked += 0 if reason else info.file_size
            if unpacked > FREE_ARCHIVE and unpacked > MOST_RATIO * size:
                reason = f"the archive unpacks to more than {MOST_RATIO} times its size: not read"
            if reason:
                yield Member(name, reason=reason)
            else:
                yield Member(name, info.file_size, InZip(place), partial(_entry, archive, info))


def _entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> BinaryIO:
    return cast("BinaryIO", archive.open(info))


def _zip_fault(info: zipfile.ZipInfo) -> str | None:
    if info.flag_bits & 1:
        return "encrypted: unpack it with its password first"
    if info.compress_type not in _METHODS:
        return f"packed by a method that is not known here (zip method {info.compress_type}): unpack it first"
    if info.file_size > FREE and info.file_size > MOST_RATIO * max(info.compress_size, 1):
        return f"unpacks to more than {MOST_RATIO} times its size: not read"
    return None


def _of_cut_zip(file: BinaryIO) -> Iterator[Member]:
    """Yield the members of a zip that has lost its directory, found by the header before each."""
    file.seek(0)
    whole = 0
    while True:
        place = file.tell()
        head = file.read(30)
        if len(head) < 30 or not head.startswith(_LOCAL):
            break
        _, flags, method, _, _, _, packed, _, name_length, extra = struct.unpack("<HHHHHIIIHH", head[4:])
        name = decode_name(file.read(name_length))
        file.read(extra)
        unknown = packed == 0xFFFFFFFF or (bool(flags & 8) and not packed)
        if name.endswith("/") and not packed and not unknown:
            continue
        if flags & 1 or method not in (0, 8) or (unknown and method == 0):
            yield Member(name, reason="encrypted, or packed in a way that a zip without a directory cannot be read by")
            if unknown:
                break
            file.seek(packed, io.SEEK_CUR)
            continue
        data, cut = _inflated(file) if method else _stored(file, packed)
        if data is None:
            yield Member(name, reason="damaged, or unpacks to too much, in a zip without a directory")
            break
        if cut and not data:
            yield Member(name, reason="the zip ends before any data of it")
            break
        reason = "the zip ends within it" if cut else None
        yield Member(name, len(data), open=partial(io.BytesIO, data), reason=reason, cut=cut)
        if cut:
            break
        whole += 1
        if flags & 8:
            _skip_descriptor(file, len(data))
    yield Member(
        None,
        reason=f"the zip is cut or damaged: no directory at its end; {whole} whole members stand before byte {place}",
    )


def _skip_descriptor(file: BinaryIO, size: int) -> None:
    """Skip the data descriptor behind a member: an optional mark, a checksum, and two sizes of 32 or 64 bits."""
    start = file.tell()
    found = file.read(24)
    mark = 4 if found.startswith(_DESCRIPTOR) else 0
    wide = found[mark + 12 : mark + 20] == size.to_bytes(8, "little")
    file.seek(start + mark + (20 if wide else 12))


def _stored(file: BinaryIO, size: int) -> tuple[bytes | None, bool]:
    if size > MOST_BYTES:
        return None, False
    data = file.read(size)
    return data, len(data) < size


def _inflated(file: BinaryIO) -> tuple[bytes | None, bool]:
    """Inflate one member to its own end; return data (None if damaged or too much), and whether the file ends first."""
    unpacker = zlib.decompressobj(wbits=-15)
    data = bytearray()
    packed = 0
    while not unpacker.eof:
        piece = file.read(streams.PIECE)
        packed += len(piece)
        if not piece:
            return bytes(data), True
        try:
            data += unpacker.decompress(piece)
        except zlib.error:
            return None, False
        if len(data) > MOST_BYTES or len(data) > FREE + MOST_RATIO * packed:
            return None, False
    file.seek(-len(unpacker.unused_data), io.SEEK_CUR)
    return bytes(data), False


# SQLite


def connect(path: Path) -> sqlite3.Connection:
    """Open a database for reading only; text comes as bytes."""
    still = not path.with_name(f"{path.name}-wal").exists()
    name = quote(str(path.absolute()).encode("utf-8", "surrogateescape"))
    connection = sqlite3.connect(f"file:{name}?mode=ro{'&immutable=1' if still else ''}", uri=True, timeout=WAITED)
    connection.text_factory = bytes
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)  # of a row, whatever it says of itself
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def of_sqlite(path: Path) -> Iterator[Member]:
    """Yield the logs of a database, from every table that has a column for a log's name and one for the log."""
    with closing(connect(path)) as connection:
        names = [
            row[0].decode(errors="surrogateescape")
            for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        ]
        shapes = [(name, shape) for name in names if (shape := _shape(connection, name))]
        for name, shape in shapes:
            yield from _rows(connection, name, shape, prefix=f"{name}/" if len(shapes) > 1 else "")
        if not shapes:
            listed = ", ".join(names) or "none"
            yield Member(
                None, reason=f"no table with a log's name (id, log_id) and the log (log, log_content); tables: {listed}"
            )


@dataclass(frozen=True)
class _Shape:
    """The columns of a table of logs, quoted. ``row`` is the column by which a row is found again."""

    key: str
    content: str
    row: str
    processed: str
    error: str


def _shape(connection: sqlite3.Connection, table: str) -> _Shape | None:
    columns = {
        row[1].decode(errors="surrogateescape").lower()
        for row in connection.execute(f"PRAGMA table_info({_quoted(table)})")
    }
    key = next((name for name in _KEYS if name in columns), None)
    content = next((name for name in _CONTENTS if name in columns), None)
    if key is None or content is None:
        return None
    try:
        connection.execute(f"SELECT rowid FROM {_quoted(table)} LIMIT 0")  # noqa: S608  (names are quoted)
    except sqlite3.OperationalError:
        row = _quoted(key)
    else:
        row = "rowid"
    return _Shape(
        _quoted(key),
        _quoted(content),
        row,
        "is_processed" if "is_processed" in columns else "1",
        "was_error" if "was_error" in columns else "0",
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _rows(connection: sqlite3.Connection, table: str, shape: _Shape, prefix: str) -> Iterator[Member]:
    query = (
        f"SELECT {shape.row}, {shape.key}, {shape.processed}, {shape.error} "  # noqa: S608  (names are quoted)
        f"FROM {_quoted(table)} ORDER BY {shape.row}"
    )
    count = 0
    last: object = None
    try:
        most = connection.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()[
            0
        ]
        for row, key, processed, error in connection.execute(query):
            if count >= most or (isinstance(row, int) and isinstance(last, int) and row <= last):
                raise sqlite3.DatabaseError("the same row again")
            count, last = count + 1, row
            name = prefix + (decode_name(key) if isinstance(key, bytes) else str(key))
            if not processed:
                yield Member(name, reason="not fetched yet: is_processed is 0 in the archive", missing=True)
            elif error:
                yield Member(name, reason="no log: was_error is set in the archive", missing=True)
            else:
                yield _log(connection, name, InDatabase(table, shape.row, shape.content, row))
    except sqlite3.Error as error:
        yield Member(None, reason=f"damaged SQLite database after {count} rows of {table}: {error}")


def _log(connection: sqlite3.Connection, name: str, at: InDatabase) -> Member:
    length = (
        f"CASE typeof({at.content}) WHEN 'blob' THEN length({at.content}) ELSE length(CAST({at.content} AS BLOB)) END"
    )
    try:
        size = _of_row(connection, at, length)
    except (sqlite3.Error, ValueError) as error:
        return Member(name, reason=f"cannot be read from the archive: {error}")
    if not size:
        return Member(name, reason="no log: the archive holds nothing under this name", missing=True)
    return Member(name, cast("int", size), at, partial(_row, connection, at))


def _of_row(connection: sqlite3.Connection, at: InDatabase, expression: str) -> object:
    """Return the value of an SQL expression for one row; None if the row is gone.

    Raises
    ------
    sqlite3.Error
        when it is damaged, or larger than a log is
    ValueError
        when its key is no text

    """
    key = at.key.decode(errors="surrogateescape") if isinstance(at.key, bytes) else at.key
    found = connection.execute(
        f"SELECT {expression} FROM {_quoted(at.table)} WHERE {at.row} = ?",  # noqa: S608  (columns are quoted)
        (key,),
    ).fetchone()
    return found[0] if found else None


def row_of(connection: sqlite3.Connection, at: InDatabase) -> bytes:
    """Return one log's bytes."""
    value = _of_row(connection, at, at.content)
    return value if isinstance(value, bytes) else b"" if value is None else str(value).encode()


def _row(connection: sqlite3.Connection, at: InDatabase) -> BinaryIO:
    return io.BytesIO(row_of(connection, at))

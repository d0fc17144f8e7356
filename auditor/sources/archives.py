"""Cuts files into pieces of work: a file that is one log, or each member of an archive (and of archives within it).

A worker process reads the bytes of a piece itself. Archives that can only be read from front to back (a compressed tar,
an archive within an archive) are read here, once; the bytes of a member are then part of its piece.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import zipfile
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from auditor.sources import log_files, members, places, streams, tars
from auditor.sources.log_files import Source
from auditor.sources.members import FAULTS, InTar, InZip, Member
from auditor.sources.piece import Names, Piece, source_name
from auditor.sources.places import Local
from auditor.sources.remote import Remote, UnreachableError
from auditor.sources.streams import ARCHIVES, COMPRESSED, MOST_BYTES, Unpacking

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from auditor.sources.log_files import Place

MOST_NESTED = 4 << 30
"""An archive within another is copied to a temporary file up to this size."""
HELD = 16 << 20
"""Larger content is kept in a temporary file, not in memory, while it is read."""

SMALL = 4096
"""Bytes copied at once. The number is small, because the read that meets the end of a cut archive returns nothing."""


def pieces(found: Iterable[Place | Path]) -> Iterator[Piece]:
    """Yield the pieces of files, in order. The content of a file never raises an error.

    The last piece of a file is the file itself. For an archive it follows the members, and has the archive's faults.

    Raises
    ------
    UnreachableError
        when a server cannot be reached

    """
    for each in found:
        place = places.local(each) if isinstance(each, Path) else each
        stamp, fault = place.look()
        bare = place.unread if isinstance(place, Remote) else place
        names = Names()
        count, own = 0, []
        for piece in _guarded(place, stamp.size, fault):
            if piece.member is None:
                own.append(piece)
            else:
                count += 1
                yield piece._replace(member=names.only(piece.member))
        faults = "; ".join(piece.reason for piece in own if piece.reason)
        whole = own[0] if own else Piece(bare, size=stamp.size, archive=True, reason=f"{count:,} members")
        yield whole._replace(reason=faults or whole.reason, stamp=stamp)


def _guarded(place: Place, size: int, fault: str | None) -> Iterator[Piece]:
    """Yield the pieces of a file. A fault, or an unexpected error, becomes a last piece that cannot be read."""
    if fault:
        yield Piece(place, reason=fault)
        return
    try:
        yield from _of_file(place, size)
    except UnreachableError:
        raise
    except Exception as error:  # noqa: BLE001  (an unexpected error can be of any type, also lack of memory)
        yield Piece(place, reason=_unforeseen(error))


def _unforeseen(error: Exception) -> str:
    return f"the auditor fails on it ({type(error).__name__}: {' '.join(str(error).split())}): please report it"


def _of_file(place: Place, size: int) -> Iterator[Piece]:
    given = False
    kind = inner = ""
    try:
        if isinstance(place, Local) and not streams.kind_of(places.beginning(place.path, streams.BLOCK)):
            yield Piece(place, size=size)  # nearly every file
            return
        with place.open() as file:
            kind, inner = _sniffed(file)
            if kind not in ARCHIVES and inner not in ARCHIVES:
                given = True
                yield Piece(place, size=_unpacked_size(file, kind, size))
                return
            file.seek(0)
            local = place.path if isinstance(place, Local) else None
            for member in _members(file, kind, inner, size, local):
                given = True
                yield from _pieces(place, member)
    except FAULTS as error:
        given = True
        yield Piece(place, reason=_damage(kind, error))
    if not given:
        yield Piece(place, reason=f"an archive ({ARCHIVES.get(kind) or ARCHIVES[inner]}) without members", empty=True)


def _damage(kind: str, error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"cannot be read: {error.strerror}"
    if isinstance(error, sqlite3.OperationalError):
        return f"cannot be read: {error} (SQLite)"
    return f"damaged {ARCHIVES.get(kind) or COMPRESSED.get(kind, 'file')}: {error}"


def _sniffed(file: BinaryIO) -> tuple[str, str]:
    """Return the kind of a file, and if it is compressed, the kind of its content."""
    kind = streams.kind_of(file.read(streams.BLOCK))
    if kind not in COMPRESSED:
        return kind, ""
    file.seek(0)
    return kind, streams.kind_of(Unpacking(file, kind).read(streams.BLOCK))


def _unpacked_size(file: BinaryIO, kind: str, size: int) -> int:
    if kind == "gz" and size >= 18:
        file.seek(-4, os.SEEK_END)
        return min(int.from_bytes(file.read(4), "little"), size * streams.MOST_RATIO)
    return size * members.PACKING if kind in COMPRESSED else size


def _members(file: BinaryIO, kind: str, inner: str, size: int, local: Path | None) -> Iterator[Member]:
    """Yield the members of an archive, which may be compressed as a whole; ``local`` is its path on this machine."""
    if kind in COMPRESSED and inner == "tar":
        stream = Unpacking(file, kind, free=streams.FREE_ARCHIVE, most=None)
        for member in tars.of_tar(stream, seekable=False):
            if member.name is not None or not stream.fault:
                yield member
        if stream.fault:
            yield Member(None, reason=f"{stream.fault}; members after it are lost")
    elif kind in COMPRESSED:
        with _spooled(file, kind) as (copy, fault):
            if fault:
                yield Member(None, reason=fault)
            else:
                yield from _unreached(_members(copy, inner, "", copy.seek(0, os.SEEK_END), None))
    elif kind == "zip":
        yield from members.of_zip(file, size)
    elif kind == "tar":
        yield from tars.of_tar(file, seekable=True)
    elif local is not None:
        yield from members.of_sqlite(local)
    else:
        with tempfile.NamedTemporaryFile(suffix=".db") as copy:
            file.seek(0)
            shutil.copyfileobj(file, copy)
            copy.flush()
            yield from _unreached(members.of_sqlite(Path(copy.name)))


def _unreached(found: Iterable[Member]) -> Iterator[Member]:
    """Yield members without a place to read them from again, since they are in a temporary copy."""
    return (replace(member, at=None) for member in found)


@contextmanager
def _spooled(file: BinaryIO, kind: str) -> Iterator[tuple[BinaryIO, str | None]]:
    """Yield a compressed file unpacked, in memory or in a temporary file; and a reason, if it unpacks to too much."""
    stream = Unpacking(file, kind, free=streams.FREE_ARCHIVE, most=MOST_NESTED)
    file.seek(0)
    with tempfile.SpooledTemporaryFile(HELD) as copy:
        shutil.copyfileobj(stream, copy)
        copy.seek(0)
        yield cast("BinaryIO", copy), stream.fault if stream.excessive else None


def _pieces(place: Place, member: Member, outer: str | None = None) -> Iterator[Piece]:
    """Yield the pieces of one member: itself, or if it is an archive, its own members.

    ``outer`` is the name of the archive that has the member, if that is a member itself; no third one is opened.
    """
    name = "!".join(each for each in (outer, member.name) if each is not None) or member.name
    whole = Piece(place, name, member.size, member.at, None, member.reason, member.cut, member.missing)
    if member.open is None or member.name is None:
        yield whole
        return
    whole = whole._replace(reason=whole.reason or members.doubt(member.name))
    try:
        if member.size > MOST_NESTED:
            raise ValueError(f"{member.size >> 20} MiB, too much for a member")
        with closing(member.open()) as opened, _rereadable(opened, member) as (file, cut):
            whole = whole._replace(cut=cut, reason="the archive ends within it") if cut else whole
            kind, inner = _sniffed(file)
            file.seek(0)
            if outer is None and (kind in ARCHIVES or inner in ARCHIVES):
                yield from _nested(whole, file, kind, inner)
            elif member.size > MOST_BYTES and not (kind in COMPRESSED and member.at):
                yield whole._replace(at=None, reason=f"larger than {MOST_BYTES >> 20} MiB: not read")
            else:
                grown = member.size * (members.PACKING if kind in COMPRESSED else 1)
                yield whole._replace(size=grown, held=None if member.at else file.read())
    except FAULTS as error:
        yield whole._replace(at=None, reason=f"cannot be read from the archive: {error}")


@contextmanager
def _rereadable(file: BinaryIO, member: Member) -> Iterator[tuple[BinaryIO, bool]]:
    """Yield a member as a file that can be read twice, and whether it ends too early."""
    if member.at:
        yield file, False
        return
    with tempfile.SpooledTemporaryFile(HELD) as copy:
        cut = _copy(file, cast("BinaryIO", copy)) or member.cut
        copy.seek(0)
        yield cast("BinaryIO", copy), cut


def _copy(file: BinaryIO, copy: BinaryIO) -> bool:
    """Copy as many bytes as can be read; say whether an error came before the end."""
    try:
        shutil.copyfileobj(file, copy, SMALL)
    except FAULTS:
        if not copy.tell():
            raise
        return True
    return False


def _nested(whole: Piece, file: BinaryIO, kind: str, inner: str) -> Iterator[Piece]:
    given = False
    with tempfile.SpooledTemporaryFile(HELD) as spool:
        _copy(file, cast("BinaryIO", spool))  # if it ends too early, reading its members shows it
        size = spool.tell()
        spool.seek(0)
        for member in _unreached(_members(cast("BinaryIO", spool), kind, inner, size, None)):
            given = True
            yield from _pieces(whole.place, member, whole.member)
    if not given:
        yield whole._replace(at=None, reason="an archive without members")


def fetch(piece: Piece) -> Source:
    """Read and unpack one piece. Its bytes never raise an error.

    Raises
    ------
    UnreachableError
        when a server cannot be reached

    """
    path = piece.place.name if piece.path is None else piece.path
    source = Source(
        source_name(path, piece.member), path=path, member=piece.member, file=piece.place.file,
        cut=piece.cut, missing=piece.missing, archive=piece.archive,
        modified=piece.stamp and piece.stamp.modified, named=piece.member is None and piece.place.named,
        ignored=piece.place.ignored,
    )  # fmt: skip
    if piece.archive:
        return source._replace(size=piece.size, reason=piece.reason)
    try:
        return _fetched(piece, source)
    except UnreachableError:
        raise
    except FAULTS as error:
        fault = f"cannot be read from the archive: {error}" if piece.member else piece.place.look()[1]
        return source._replace(reason=fault or _damage("", error))
    except Exception as error:  # noqa: BLE001  (as above)
        return source._replace(reason=_unforeseen(error))


def _fetched(piece: Piece, source: Source) -> Source:
    if piece.member is None and not piece.reason:
        return log_files.read_file(source, piece.place)
    raw = piece.held if piece.held is not None else _reached(piece)
    if raw is None:
        return source._replace(reason=piece.reason)
    if len(raw) > MOST_BYTES:
        return source._replace(size=len(raw), reason=log_files.TOO_LARGE)
    if isinstance(piece.at, InTar) and len(raw) < piece.at.size:
        source = source._replace(cut=True, reason="the tar ends within it")
    found = log_files.unpack(source, raw)
    return found._replace(reason=found.reason or piece.reason)


def _reached(piece: Piece) -> bytes | None:
    """Read a member from its archive, at most one byte more than the limit; None if it cannot be read there."""
    if isinstance(piece.at, InTar):
        with nullcontext(_kept(piece.place)) if isinstance(piece.place, Remote) else piece.place.open() as file:
            file.seek(piece.at.offset)
            return file.read(min(piece.at.size, MOST_BYTES + 1))
    if isinstance(piece.at, InZip):
        archive = _zip(piece.place, _stamp(piece.place))
        with archive.open(archive.infolist()[piece.at.place]) as file:
            return file.read(MOST_BYTES + 1)
    if piece.at is None:
        return None
    assert isinstance(piece.place, Local)
    return members.row_of(_database(piece.place.path, _stamp(piece.place)), piece.at)


def _stamp(place: Place) -> tuple[int, ...]:
    """Return values that differ if another file has taken this one's place."""
    if isinstance(place, Remote):
        return ()
    status = place.path.stat()
    return status.st_mtime_ns, status.st_size, status.st_ino


@lru_cache(maxsize=2)
def _kept(place: Remote) -> BinaryIO:
    """Keep a remote file open: one request brings enough bytes for many members."""
    return place.open()


@lru_cache(maxsize=2)
def _zip(place: Place, _stamp: tuple[int, ...]) -> zipfile.ZipFile:
    return zipfile.ZipFile(place.open() if isinstance(place, Remote) else place.path)


@lru_cache(maxsize=2)
def _database(path: Path, _stamp: tuple[int, ...]) -> sqlite3.Connection:
    return members.connect(path)

"""Lists the members of a tar, as members.py does for other archives.

The sizes that a tar states may be wrong or hostile. Each is checked before it is used.
"""

from __future__ import annotations

import re
import tarfile
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from auditor.sources.members import FAULTS, InTar, Member, decode_name
from auditor.sources.streams import CHUNK, FREE, MOST_RATIO

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

    from auditor.sources.streams import Readable

MOST_AHEAD = 1 << 20
"""The most bytes of an extended header: a long name, or further fields of the member that follows."""
_AHEAD = (
    tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE,
)  # fmt: skip
_NO_NUMBER = re.compile(rb"[0-9]{100}")
"""A run of digits so long that the standard library's search for numbers would take hours."""


class _Head(tarfile.TarInfo):
    """A header that refuses impossible sizes. ``ends`` collects the errors that ended the archive."""

    ends: list[tarfile.TarError]

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str | None, errors: str) -> tarfile.TarInfo:  # type: ignore[override]
        try:
            head = super().frombuf(buf, encoding, errors)  # type: ignore[arg-type]
            if head.size < 0:
                raise tarfile.ReadError(f"a member of {head.size} bytes")
            if head.type in _AHEAD and head.size > MOST_AHEAD:
                raise tarfile.ReadError(f"a name or head of {head.size:,} bytes")
        except tarfile.TarError as error:
            cls.ends.append(error)
            raise
        return head

    def _proc_pax(self, archive: Any) -> tarfile.TarInfo:  # noqa: ANN401  (typeshed knows none of it)
        file = archive.fileobj
        data = file.read(self._block(self.size))  # type: ignore[attr-defined]
        if _NO_NUMBER.search(data):
            raise tarfile.ReadError("a head with numbers of a hundred digits")
        archive.fileobj = _Again(data, file)
        try:
            return cast("tarfile.TarInfo", super()._proc_pax(archive))  # type: ignore[misc]
        finally:
            archive.fileobj = file


class _Again:
    """A file whose last read can be returned once more."""

    def __init__(self, data: bytes, file: BinaryIO) -> None:
        self._data, self._file = data, file
        self.tell, self.seek = file.tell, file.seek

    def read(self, size: int) -> bytes:
        data, self._data = self._data, b""
        return data or self._file.read(size)


class _Forward:
    """A stream as the file that tarfile expects: it seeks forward by reading, and stops at the end."""

    def __init__(self, file: Readable) -> None:
        self._file, self._at = file, 0

    def tell(self) -> int:
        return self._at

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._at += len(data)
        return data

    def seek(self, place: int) -> int:
        while self._at < place and self.read(min(CHUNK, place - self._at)):
            pass
        if self._at > place:
            raise tarfile.StreamError("a place that was passed")
        return self._at


def of_tar(file: Readable, *, seekable: bool) -> Iterator[Member]:
    """Yield a tar's members in their order; a compressed one (not ``seekable``) is read once, from front to back."""
    ends: list[tarfile.TarError] = []
    count = 0
    last = -1
    try:
        with tarfile.open(
            fileobj=file if seekable else _Forward(file),  # type: ignore[call-overload]
            mode="r:",
            tarinfo=type("Head", (_Head,), {"ends": ends}),
            encoding="utf-8",
            errors="surrogateescape",
        ) as archive:
            while (info := archive.next()) is not None:
                archive.members.clear()  # else it keeps them all
                if info.size < 0 or not last < info.offset_data <= archive.offset:
                    raise tarfile.ReadError("a member that ends before it begins")
                last = info.offset_data
                if not info.isdir():
                    count += 1
                    yield _member(archive, info, seekable=seekable)
    except FAULTS as error:
        ends.append(tarfile.ReadError(str(error)))
    fault = str(ends[-1]) if ends else ""
    if fault and fault != "end of file header":
        yield Member(None, reason=f"the tar is cut or damaged after {count} members: {fault}")


def _member(archive: tarfile.TarFile, info: tarfile.TarInfo, *, seekable: bool) -> Member:
    name = decode_name(info.name.encode("utf-8", "surrogateescape"))
    if info.islnk() or info.issym():
        return Member(
            name, reason=f"a link to {decode_name(info.linkname.encode('utf-8', 'surrogateescape'))}, not a log"
        )
    if not info.isreg():
        return Member(name, reason="not a regular file but a device or pipe")
    if info.issparse() and info.size > FREE and info.size > MOST_RATIO * max(_filled(info), 1):
        return Member(name, reason=f"unpacks to more than {MOST_RATIO} times its size: not read")
    at = InTar(info.offset_data, info.size) if seekable and not info.issparse() else None
    return Member(name, info.size, at, lambda: _content(archive, info, seekable=seekable))


def _filled(info: tarfile.TarInfo) -> int:
    """Return how many bytes of a file with holes stand in the tar."""
    return sum(size for _, size in cast("list[tuple[int, int]]", info.sparse))


def _content(archive: tarfile.TarFile, info: tarfile.TarInfo, *, seekable: bool) -> BinaryIO:
    content = archive.extractfile(info)
    assert content is not None
    # Without the buffer, which loses its content when the archive ends before the buffer is full.
    return cast("BinaryIO", content if seekable else cast("io.BufferedReader", content).raw)

"""Recognises kinds of files by their first bytes, and unpacks compressed streams in bounded memory."""

from __future__ import annotations

import bz2
import io
import lzma
import re
import tarfile
import zlib
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PIECE = 1024
"""Compressed bytes unpacked at once. A call that meets damage returns nothing; small pieces save the bytes before."""
CHUNK = 1 << 20
"""The most unpacked bytes of one call."""
MOST_BYTES = 256 << 20
"""The most bytes of an unpacked log."""
MOST_RATIO = 200
"""A file that unpacks to more than ``FREE`` bytes must not unpack to more than this many times its size."""
FREE = 16 << 20
FREE_ARCHIVE = 1 << 30
"""As ``FREE``, for an archive as a whole."""

MOST_MEMORY = 1 << 30
"""The most bytes that an xz decoder may use: a header may ask for more than the machine has."""

COMPRESSED = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}
ARCHIVES = {"zip": "zip", "tar": "tar", "sqlite": "SQLite"}
BLOCK = 512

_BEGINNINGS = {
    b"\x1f\x8b": "gz",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zst",
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"SQLite format 3\0": "sqlite",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!\x1a\x07": "RAR",
}
_BZIP2 = (b"1AY&SY", b"\x17rE8P\x90")
_NUMBER = re.compile(rb"[\x80\xff]|[\s\x1c-\x1f0-7_+o-]*(\0|\Z)", re.IGNORECASE)
"""What the standard library reads as a number in the header of a tar, and a little more."""


class Readable(Protocol):
    """The part of a file's interface that is used here."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes; at the end, none."""


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def needs_input(self) -> bool: ...
    def decompress(self, data: bytes, most: int, /) -> bytes: ...


class _Gzip:
    """zlib's decoder for gzip, with the attributes of those for bzip2 and xz."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    def decompress(self, data: bytes, most: int, /) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, most)


_UNPACKERS: dict[str, Callable[[], _Unpacker]] = {
    "gz": _Gzip,
    "bz2": bz2.BZ2Decompressor,
    "xz": lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY),
}


def kind_of(start: bytes) -> str:
    """Return a file's kind by its first bytes: a key of COMPRESSED or ARCHIVES, another archive's name, or empty."""
    if start.startswith(b"BZh") and start[4:10] in _BZIP2:
        return "bz2"
    if start.startswith(tuple(_BEGINNINGS)):
        return next(kind for beginning, kind in _BEGINNINGS.items() if start.startswith(beginning))
    return "tar" if _is_tar(start[:BLOCK]) else ""


def _is_tar(block: bytes) -> bool:
    if not _NUMBER.match(block, 148, 156):  # nearly every file: the exception of a wrong checksum would take far longer
        return False
    try:
        tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except tarfile.TarError:
        return False
    return True


class Unpacking:
    """The unpacked bytes of a compressed file, read in order.

    The content of the file never raises an error. At damage, at a cut and at a limit the bytes end, and ``fault`` says
    why. ``excessive`` is true if it was a limit, ``ended`` if other bytes follow a whole stream.
    """

    def __init__(self, file: Readable, kind: str, free: int = FREE, most: int | None = MOST_BYTES) -> None:
        self.fault: str | None = None
        self.excessive = self.ended = False
        self._file, self._kind, self._free, self._most = file, kind, free, most
        self._packed = self._given = 0
        self._rest = b""
        self._chunks = self._arrow() if kind == "zst" else self._standard()

    def read(self, size: int = -1, /) -> bytes:
        """Return the next ``size`` bytes, fewer only at the end; with a negative size, all that are left."""
        found = bytearray(self._rest)
        while (size < 0 or len(found) < size) and (chunk := self._next()):
            found += chunk
        if size < 0:
            size = len(found)
        self._rest = bytes(found[size:])
        return bytes(found[:size])

    def _next(self) -> bytes:
        if self.fault:
            return b""
        chunk = next(self._chunks, b"")
        self._given += len(chunk)
        if self._most is not None and self._given > self._most:
            self.excessive, self.fault = True, f"unpacks to more than {self._most >> 20} MiB: not read"
        elif self._given > self._free and self._given > MOST_RATIO * self._packed:
            self.excessive, self.fault = True, f"unpacks to more than {MOST_RATIO} times its size: not read"
        return b"" if self.excessive else chunk

    def _take(self, size: int) -> bytes:
        data = self._file.read(size)
        self._packed += len(data)
        return data

    def _standard(self) -> Iterator[bytes]:
        """Unpack one stream after another; zeros between them are skipped."""
        word = COMPRESSED[self._kind]
        data, unpacker = b"", None
        whole = begun = False  # whether a stream has ended, and whether any bytes of the next have come
        while True:
            if unpacker is None:
                begun = False
                data = data.lstrip(b"\0")
                while not data:
                    data = self._take(PIECE)
                    if not data:
                        return
                    data = data.lstrip(b"\0")
                unpacker = _UNPACKERS[self._kind]()
            elif not data and unpacker.needs_input:
                data = self._take(PIECE)
                if not data:
                    self.fault = f"{word} stream ends early"
                    return
            try:
                chunk = unpacker.decompress(data, CHUNK)
            except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError) as error:
                self.ended = whole and not begun
                self.fault = f"something else stands behind the {word}" if self.ended else f"damaged {word}: {error}"
                return
            data = b""
            if unpacker.eof:
                data, unpacker, whole = unpacker.unused_data, None, True
            if chunk:
                begun = True
                yield chunk

    def _arrow(self) -> Iterator[bytes]:
        """Unpack zstd, which the standard library of Python 3.11 lacks."""
        import pyarrow as pa  # noqa: PLC0415  (slow to import, and most runs meet no zstd)

        stream = None
        try:
            stream = pa.CompressedInputStream(pa.PythonFile(_Counted(self), mode="r"), "zstd")
            while chunk := stream.read(PIECE):
                yield chunk
        except (OSError, pa.ArrowException, ValueError) as error:
            text = str(error).splitlines()[0]
            self.fault = "zstd stream ends early" if "runcated" in text else f"damaged zstd: {text}"


class _Counted(io.RawIOBase):
    """The compressed bytes of a stream as a file for Arrow. Closing it does not close the stream."""

    def __init__(self, stream: Unpacking) -> None:
        super().__init__()
        self._stream = stream

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        return self._stream._take(size if size < 0 else min(size, PIECE))  # noqa: SLF001  (its other half)


class Undone(NamedTuple):
    """An unpacked file: its bytes, whether they are incomplete, and what is wrong."""

    text: bytes
    cut: bool
    fault: str | None


def undo(raw: bytes, kind: str) -> Undone:
    """Unpack a compressed file."""
    stream = Unpacking(io.BytesIO(raw), kind)
    text = stream.read()
    if stream.excessive:
        return Undone(b"", cut=False, fault=stream.fault)
    if stream.fault and not text and stream.fault.endswith("ends early"):
        return Undone(b"", cut=True, fault=stream.fault.replace("early", "before any data"))
    return Undone(text, cut=stream.fault is not None and not stream.ended, fault=stream.fault)

"""Files and folders → one :class:`Source` a file: its unpacked bytes, or the reason why it has none.

What a file is is decided by its content, never by its name. Nothing is skipped: a file that cannot be read
or is no log comes out with a status and a reason.
"""

from __future__ import annotations

import hashlib
import os
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

GZIP = b"\x1f\x8b"
_UTF8_MARK = b"\xef\xbb\xbf"
SNIFFED = 4096
PIECE = 1024


@dataclass(frozen=True)
class Source:
    """One file as it was found.

    ``name`` is the path as given, ``data`` the unpacked text's bytes without leading white space (empty when
    unreadable), ``offset`` how many bytes were dropped before it, ``reason`` why it could not be read, or
    what is doubtful about it; ``cut`` says that a compressed stream ends too early.
    """

    name: str
    size: int = 0
    sha256: str = ""
    data: bytes = b""
    offset: int = 0
    reason: str | None = None
    cut: bool = False

    @property
    def readable(self) -> bool:
        """Whether there is text to audit."""
        return bool(self.data)


class SourceError(Exception):
    """A source named on the command line does not exist or cannot be listed."""


def find(paths: Iterable[Path], out: Path | None = None) -> Iterator[Path]:
    """Yield the files at and below these paths, each path once, folders in the order of their names.

    Links are followed; a folder that is met again, such as by a link to one of its own parents, is not entered
    twice, and the output folder ``out`` is left aside: its tables are no logs.

    Raises
    ------
    SourceError
        when a path does not exist, a folder cannot be listed, or no file is found at all

    """
    paths = list(paths)
    seen: set[str] = set()
    for path in paths:
        if not path.exists():
            raise SourceError(f"{path}: no such file or folder; give the path of a log or of a folder of logs")
        for found in _walk(path):
            place = os.path.normpath(found.absolute())
            if place not in seen and not (out and Path(place).is_relative_to(os.path.normpath(out.absolute()))):
                seen.add(place)
                yield found
    if not seen:
        raise SourceError(f"{', '.join(map(str, paths))}: no files there; give a folder that has logs")


def _walk(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    entered: set[tuple[int, int]] = set()
    for folder, folders, files in os.walk(path, onerror=_refuse, followlinks=True):
        status = Path(folder).stat()
        if (status.st_dev, status.st_ino) in entered:
            folders.clear()
            continue
        entered.add((status.st_dev, status.st_ino))
        folders.sort()
        yield from (Path(folder) / file for file in sorted(files))


def _refuse(error: OSError) -> None:
    raise SourceError(f"{error.filename}: cannot be listed ({error.strerror}); check its permissions") from error


def shown(path: Path) -> str:
    """Return a path as text; bytes of a name that are not UTF-8 are written as their numbers."""
    return os.fsencode(path).decode(errors="backslashreplace")


def read(path: Path) -> Source:
    """Read and unpack one file; never raises for what the file is."""
    source = Source(shown(path))
    try:
        if not path.is_file():
            return replace(source, reason="not a regular file")
        raw = path.read_bytes()
    except OSError as error:
        return replace(source, reason=f"cannot be read: {error.strerror}")
    return unpack(replace(source, size=len(raw), sha256=hashlib.sha256(raw).hexdigest()), raw)


def unpack(source: Source, raw: bytes) -> Source:
    """Return the source with its text: gzip undone as far as it goes, UTF-8 verified, leading space dropped."""
    if not raw:
        return replace(source, reason="empty file")
    cut = False
    if raw.startswith(GZIP):
        raw, cut, fault = _gunzip(raw)
        if fault:
            return replace(source, reason=fault)
    text = raw.removeprefix(_UTF8_MARK).lstrip()
    if not text:
        return replace(source, reason="nothing but white space")
    try:
        text.decode()
    except UnicodeDecodeError as error:
        if not (cut and error.end == len(text)):
            return replace(source, reason=_not_text(text, error))
        text = text[: error.start]
    return replace(
        source,
        data=text,
        offset=len(raw) - len(text),
        cut=cut,
        reason="gzip stream ends early" if cut else None,
    )


def content_id(text: bytes) -> str:
    """Return 16 hex digits that name a game by its content, the same however the file is spaced or packed."""
    return hashlib.sha256(text.translate(None, delete=b" \t\r\n")).hexdigest()[:16]


def _not_text(text: bytes, error: UnicodeDecodeError) -> str:
    """Say what stands in a file that is not UTF-8."""
    if b"\0" in text[:SNIFFED]:
        return f"binary data, not a log (byte {text.index(0)} is 0)"
    return f"not UTF-8 at byte {error.start}: re-save it as UTF-8 (it may be Shift_JIS or Latin-1)"


def _gunzip(raw: bytes) -> tuple[bytes, bool, str | None]:
    """Unpack gzip members one after another; return text, whether it ends early, and the fault if nothing came."""
    text = bytearray()
    while raw:
        unpacker = zlib.decompressobj(wbits=31)
        try:
            # In pieces: a call that meets damage gives nothing, so what stands before it must be out already.
            for start in range(0, len(raw), PIECE):
                text += unpacker.decompress(raw[start : start + PIECE])
        except zlib.error as error:
            return bytes(text), True, None if text else f"damaged gzip: {error}"
        if not unpacker.eof:
            return bytes(text), True, None if text else "gzip stream ends before any data"
        raw = unpacker.unused_data.lstrip(b"\0")
    return bytes(text), False, None

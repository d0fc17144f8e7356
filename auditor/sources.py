"""Files, folders, lists and URIs → the places of files; a file's bytes → one :class:`Source`, or the reason why not.

What a file is is decided by its content, never by its name. Nothing is skipped: a file that cannot be read
or is no log comes out with a status and a reason. What holds many logs is in archives.py.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes

from auditor import remote, streams
from auditor.remote import Remote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Place: TypeAlias = Path | Remote

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_STARTS = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<", b"{\0", b"\0{", b"[\0", b"\0[")
"""Byte order marks, and the first letters of logs that have none."""
SNIFFED = 4096
SETTLED = 2_000_000_000
"""Nanoseconds after which a file's time of change tells the next change from the last: file systems count coarsely."""
LAYERS = 2
"""How often a log may be compressed."""
_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


@dataclass(frozen=True)
class Source:
    """One file, or one member of an archive, as it was found.

    ``name`` is the path as given (a member's after ``!``), ``path`` and ``member`` its two halves, ``data`` the
    unpacked text's bytes without leading white space (empty when unreadable), ``offset`` how many bytes were
    dropped before it, ``reason`` why it could not be read, or what is doubtful about it; ``cut`` says that a
    compressed stream or an archive ends too early; ``missing`` that the archive itself says that it has no log here;
    ``archive`` that it is one, read to its end, whose members are sources of their own. ``modified`` is the time of
    the file's last change, in ns of the Unix epoch, where it can be relied on.
    """

    name: str
    size: int = 0
    sha256: str = ""
    data: bytes = b""
    offset: int = 0
    reason: str | None = None
    cut: bool = False
    path: str | None = None
    member: str | None = None
    missing: bool = False
    archive: bool = False
    modified: int | None = None

    @property
    def readable(self) -> bool:
        """Whether there is text to audit."""
        return bool(self.data)


class Stamp(NamedTuple):
    """What a file is known by without opening it: size, time of change (null where it cannot be relied on)."""

    size: int
    modified: int | None


SourceError = remote.SourceError


def find(paths: Iterable[Path | str], out: Path | None = None, lists: Sequence[str] = ()) -> Iterator[Place]:
    """Yield the files at and below these paths, each once, folders in the order of their names.

    Links are followed; a folder that is met again, such as by a link to one of its own parents, is not entered
    twice, and the output folder ``out`` is left aside: its tables are no logs. ``lists`` name files of paths, a
    path a line (or ended by zero bytes); ``-``, there or among the paths, is standard input. What a list names
    and is not there is a file that cannot be read.

    Raises
    ------
    SourceError
        when a path does not exist or lies in ``out``, a folder or URI given cannot be listed, or no file is found

    """
    named = [str(path) for path in paths]
    once = len(named) == 1 and not lists and named != ["-"]  # one walk meets no file twice
    left_out = tuple({_key(out) + os.sep, str(out.resolve()) + os.sep}) if out else ()  # a link, and where it leads
    seen: set[str] = set()
    empty = True
    for text in named:
        local = _local(text) if text != "-" else None
        if local and (_key(local) + os.sep).startswith(left_out):
            raise SourceError(
                f"{_told(text)}: lies in the --out folder, where no logs are read; give another folder with --out"
            )
    for place in _places(named, lists):
        key = place.name if isinstance(place, Remote) else _key(place)
        if key in seen or (key + os.sep).startswith(left_out):
            continue
        if not once:
            seen.add(key)
        empty = False
        yield place
    if empty:
        given = ", ".join(map(_told, [*named, *lists]))
        raise SourceError(
            f"{given}: no files there; give a folder that has logs"
            if given
            else "no source: give logs, folders, archives or URIs, or a list of them with --from"
        )


def _key(path: Path) -> str:
    return os.path.abspath(path)  # noqa: PTH100  (resolve() asks the system for every folder, and follows links)


def _places(paths: Sequence[str], lists: Iterable[str]) -> Iterator[Place]:
    for text in paths:
        local = _local(text)
        if text != "-" and local and not local.exists():
            raise SourceError(f"{_told(text)}: no such file or folder; give the path of a log or of a folder of logs")
    for text in paths:
        yield from _listed(text) if text == "-" else _found(text)
    for name in lists:
        yield from _listed(name)


def _found(text: str, *, listed: bool = False) -> Iterator[Place]:
    local = _local(text)
    yield from remote.find(text, listed=listed) if local is None else _walk(local)


def _local(text: str) -> Path | None:
    """Return the path on this machine that a text names; None if it is elsewhere."""
    if not remote.is_uri(text):
        return Path(text)
    if not text.startswith("file://"):
        return None
    path = os.fsdecode(unquote_to_bytes(os.fsencode(text.removeprefix("file://").removeprefix("localhost"))))
    if not path.startswith("/"):
        raise SourceError(f"{_told(text)}: names no file of this machine; write file:///folder/file")
    return Path(path)


def _told(text: str) -> str:
    return shown(remote.masked(text))


def _listed(name: str) -> Iterator[Place]:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise SourceError(f"{shown(name)}: the list cannot be read ({error.strerror})") from error
    for line in data.split(b"\0" if b"\0" in data else b"\n"):
        if text := os.fsdecode(line.removesuffix(b"\r")):
            yield from _found(text, listed=True)


def _walk(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    entered: set[tuple[int, int]] = set()
    closed: list[Path] = []

    def note(error: OSError) -> None:
        if Path(error.filename) == path:
            raise SourceError(f"{shown(path)}: cannot be listed ({error.strerror}); check its permissions") from error
        closed.append(Path(error.filename))

    for folder, folders, files in os.walk(path, onerror=note, followlinks=True):
        yield from closed
        closed.clear()
        status = Path(folder).stat()
        if (status.st_dev, status.st_ino) in entered:
            folders.clear()
            continue
        entered.add((status.st_dev, status.st_ino))
        folders.sort()
        yield from (Path(folder) / file for file in sorted(files))
    yield from closed


def shown(path: Path | str) -> str:
    """Return a path as text; bytes of a name that are not UTF-8 are written as their numbers."""
    return os.fsencode(path).decode(errors="backslashreplace")


def told_path(place: Place) -> str:
    """Return a place as its row of ``sources`` names it."""
    return place.name if isinstance(place, Remote) else shown(place)


def stamp(place: Place) -> Stamp:
    """Return size and time of change of a file; of what has none or no size that tells something, zeros and nulls.

    A change within ``SETTLED`` of now may be followed by another that leaves the same time.
    """
    if isinstance(place, Remote):
        size, modified = place.size, place.modified
    else:
        try:
            status = place.stat()
        except OSError:
            return Stamp(0, None)
        if not stat.S_ISREG(status.st_mode):
            return Stamp(0, None)
        size, modified = status.st_size, status.st_mtime_ns
    if modified is None or not 0 < modified < time.time_ns() - SETTLED:
        return Stamp(size, None)
    return Stamp(size, modified)


def fault_of(path: Path) -> str | None:
    """Say why there is no reading a path, None if it is a regular file."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            os.scandir(path).close()
            return "a folder, not a file"
    except OSError as error:
        if path.is_symlink():
            return f"a link that leads nowhere: {error.strerror}"
        return f"cannot be read: {error.strerror}"
    return None if stat.S_ISREG(mode) else f"not a regular file but {_KINDS.get(stat.S_IFMT(mode), 'something else')}"


def read(path: Path) -> Source:
    """Read and unpack one file; never raises for what the file is."""
    source = Source(shown(path))
    fault = fault_of(path)
    if fault:
        return replace(source, reason=fault)
    try:
        raw = path.read_bytes()
    except OSError as error:
        return replace(source, reason=f"cannot be read: {error.strerror}")
    return unpack(replace(source, size=len(raw), sha256=hashlib.sha256(raw).hexdigest()), raw)


def unpack(source: Source, raw: bytes) -> Source:
    """Return the source with its text: packing undone as far as it goes, UTF-8 verified, leading space dropped.

    A source that is ``cut`` already may end within a character.
    """
    if not raw:
        return replace(source, reason=source.reason or "empty file")
    cut, reason = source.cut, source.reason
    for _ in range(LAYERS):
        kind = streams.kind_of(raw)
        if kind not in streams.COMPRESSED:
            break
        raw, early, fault = streams.undo(raw, kind)
        if fault:
            return replace(source, reason=fault)
        if early:
            cut, reason = True, reason or f"{streams.COMPRESSED[kind]} stream ends early"
    text = raw.removeprefix(_UTF8_MARK).lstrip()
    if not text:
        return replace(source, reason="nothing but white space")
    if text.startswith(_UTF16_STARTS):
        return replace(source, reason="UTF-16 text, not UTF-8: re-save it as UTF-8")
    try:
        text.decode()
    except UnicodeDecodeError as error:
        if not (cut and error.end == len(text)):
            return replace(source, reason=_not_text(text, error))
        text = text[: error.start]
    return replace(source, data=text, offset=len(raw) - len(text), cut=cut, reason=reason)


def content_id(text: bytes) -> str:
    """Return 16 hex digits that name a game by its content, the same however the file is spaced or packed."""
    return hashlib.sha256(text.translate(None, delete=b" \t\r\n")).hexdigest()[:16]


def _not_text(text: bytes, error: UnicodeDecodeError) -> str:
    """Say what stands in a file that is not UTF-8."""
    kind = streams.kind_of(text)
    if kind in streams.COMPRESSED:
        return f"compressed more than {LAYERS} times: unpack it first"
    if kind:
        return f"an archive ({streams.ARCHIVES.get(kind, kind)}) that is not opened here: unpack it first"
    if b"\0" in text[:SNIFFED]:
        return f"binary data, not a log (byte {text.index(0)} is 0)"
    return f"not UTF-8 at byte {error.start}: re-save it as UTF-8 (it may be Shift_JIS or Latin-1)"

"""Finds the files that paths, lists and URIs name, and reads one file into a :class:`Source`.

The content of a file decides what it is, never its name. No file is skipped: one that cannot be read or is no log is a
source with a reason. archives.py opens files that hold many logs.
"""

from __future__ import annotations

import hashlib
import os
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from urllib.parse import unquote_to_bytes

from auditor.sources import likeness, places, remote, streams
from auditor.sources.places import Local, shown
from auditor.sources.remote import Remote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Place: TypeAlias = Local | Remote

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_STARTS = (b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<", b"{\0", b"\0{", b"[\0", b"\0[")
"""Byte order marks, and the first letters of logs that have none."""
SNIFFED = 4096
AT_ONCE = 1 << 16
"""The bytes read first: nearly every log is smaller."""
LAYERS = 2
"""How many times over a log may be compressed."""
MOST_LISTED = 1 << 30
"""The most bytes of a list of paths."""
TOO_LARGE = f"larger than {streams.MOST_BYTES >> 20} MiB: not read"


class Source(NamedTuple):
    """One file, or one member of an archive, as it was found.

    Attributes
    ----------
    name
        its name in all tables: :func:`auditor.sources.piece.source_name` of ``path`` and ``member``
    size
        bytes as found, packed or not
    sha256
        hex digest of these bytes; empty if they were not read
    data
        the unpacked text as UTF-8 bytes, without leading white space; empty if it cannot be read
    offset
        how many bytes were dropped before ``data``
    reason
        why it could not be read, or a doubt about it
    cut
        whether a compressed stream or an archive ends too early
    path
        the path by which tables know the file
    member
        name of the member of an archive; None for a file itself
    missing
        whether the archive says that it has no log under this name
    archive
        whether it is an archive whose members are sources of their own
    modified
        time of the file's last change in ns of the Unix epoch; None if it cannot be relied on
    file
        the path with all links resolved
    start
        the first unpacked bytes; None if nothing could be read
    named
        whether the user named this file itself
    ignored
        whether it is plainly no log and need not be one

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
    file: str | None = None
    start: bytes | None = None
    named: bool = False
    ignored: bool = False

    @property
    def readable(self) -> bool:
        """Whether there is text to audit."""
        return bool(self.data)


SourceError = remote.SourceError


def find(paths: Iterable[Path | str], out: Path | None = None, lists: Sequence[str] = ()) -> Iterator[Place]:
    """Yield the files at and below these paths, each once, in the order of their names within a folder.

    Two names of one file (relative and absolute, through links, from a folder that is given twice) give one place, with
    the first of the names. Links are followed, and no folder is entered twice.

    Parameters
    ----------
    paths
        files, folders and URIs; ``-`` is a list on standard input
    out
        the output folder; files in it are left out
    lists
        files with a path a line, or with zero bytes between the paths; ``-`` is standard input. A path of a list that
        does not exist or cannot be read gives a place with a fault

    Raises
    ------
    SourceError
        when a path does not exist or lies in ``out``, a folder or URI given cannot be listed, or no file is found

    """
    named = [str(path) for path in paths]
    once = len(named) == 1 and not lists and named != ["-"]  # a single walk meets no file twice
    left_out = _tree(out) if out else None
    seen: set[str] = set()
    empty = True
    for text in named:
        path = _local(text) if text != "-" else None
        if path and left_out and _tree(path).startswith(left_out):
            raise SourceError(
                f"{_printable(text)}: lies in the --out folder, where no logs are read; give another folder with --out"
            )
    for place in _places(named, lists):
        if place.file in seen or (left_out and (place.file + os.sep).startswith(left_out)):
            continue
        if not once:
            seen.add(place.file)
        empty = False
        yield place
    if empty:
        given = ", ".join(map(_printable, [*named, *lists]))
        raise SourceError(
            f"{given}: no files there; give a folder that has logs"
            if given
            else "no source: give logs, folders, archives or URIs, or a list of them with --from"
        )


def _tree(path: Path) -> str:
    """Return the text with which the names of all files below a folder begin."""
    return places.local(path).file.rstrip(os.sep) + os.sep


def _places(paths: Sequence[str], lists: Iterable[str]) -> Iterator[Place]:
    for text in paths:
        path = _local(text)
        if text != "-" and path and (fault := _unseen(path)):
            raise SourceError(f"{_printable(text)}: {fault}; give the path of a log or of a folder of logs")
    for text in paths:
        yield from _listed(text) if text == "-" else _found(text)
    for name in lists:
        yield from _listed(name)


def _unseen(path: Path) -> str | None:
    try:
        path.stat()
    except FileNotFoundError:
        return "no such file or folder"
    except (OSError, ValueError) as error:
        return f"cannot be looked at ({places.describe_error(error)})"
    return None


def _found(text: str) -> Iterator[Place]:
    """Yield the files at and below one path or URI."""
    path = _local(text)
    if path is None:
        yield from remote.find(text)
    elif os.path.isdir(path):  # noqa: PTH112  (is_dir() raises where it may not look)
        for place in places.walk(path):
            if place.path == path and place.fault:
                raise SourceError(f"{_printable(text)}: {place.fault}; check its permissions")
            yield place
    else:
        yield places.local(path, named=True)


def _local(text: str) -> Path | None:
    """Return the path on this machine that a text names; None if it is elsewhere."""
    if not remote.is_uri(text):
        return Path(text)
    if not text.startswith("file://"):
        return None
    path = os.fsdecode(unquote_to_bytes(os.fsencode(text.removeprefix("file://").removeprefix("localhost"))))
    if not path.startswith("/"):
        raise SourceError(f"{_printable(text)}: names no file of this machine; write file:///folder/file")
    return Path(path)


def identity(text: str) -> str:
    """Return the identity of the file or folder that a path or URI names, as places have it; it need not exist."""
    path = _local(text)
    return Remote("", "", remote.masked(text)).file if path is None else places.local(path).file


def _printable(text: str) -> str:
    """Return a path or URI for a message: on one line, and without secrets."""
    return shown(remote.masked(text))


def _listed(name: str) -> Iterator[Place]:
    try:
        data = _list(name)
    except (OSError, ValueError) as error:
        raise SourceError(f"{_printable(name)}: the list cannot be read ({places.describe_error(error)})") from error
    if len(data) > MOST_LISTED:
        raise SourceError(f"{_printable(name)}: no list of paths: larger than {MOST_LISTED >> 20} MiB")
    for line in data.split(b"\0" if b"\0" in data else b"\n"):
        if text := os.fsdecode(line.removesuffix(b"\r")):
            yield from _of_list(text)


def _list(name: str) -> bytes:
    if name == "-":
        return sys.stdin.buffer.read(MOST_LISTED + 1)
    with Path(name).open("rb") as file:  # a pipe is allowed here
        return file.read(MOST_LISTED + 1)


def _of_list(text: str) -> Iterator[Place]:
    """Yield the files at and below one line of a list; what cannot be read is a place with a fault."""
    try:
        path = _local(text)
        if path is None:
            yield from remote.find(text, listed=True)
        elif os.path.isdir(path):  # noqa: PTH112  (as above)
            yield from places.walk(path)
        else:
            yield places.local(path)
    except remote.UnreachableError:
        raise
    except SourceError as error:
        yield Remote("", "", _printable(text), fault=str(error))


def read(path: Path) -> Source:
    """Read and unpack one file. A file that cannot be read is a source with a reason, not an error."""
    place = places.local(path)
    source = Source(place.name, file=place.file)
    try:
        return read_file(source, place)
    except (OSError, ValueError) as error:
        return source._replace(reason=place.look()[1] or f"cannot be read: {places.describe_error(error)}")


def read_file(source: Source, place: Place) -> Source:
    """Read and unpack a file; if it is too large, read only its beginning.

    Raises
    ------
    OSError
        when it cannot be read

    """
    most = min(AT_ONCE, streams.MOST_BYTES)
    if isinstance(place, Local) and len(raw := places.beginning(place.path, most)) < most:
        return unpack(source, raw)
    with place.open() as file:
        size = file.seek(0, os.SEEK_END)  # no more is read, should it grow meanwhile
        file.seek(0)
        if size <= streams.MOST_BYTES:
            return unpack(source, file.read(size))
        start = file.read(SNIFFED)
    packed = streams.kind_of(start) in streams.COMPRESSED
    return source._replace(size=size, reason=TOO_LARGE, start=None if packed else start)


def unpack(source: Source, raw: bytes) -> Source:
    """Return the source with its size, its digest and its text.

    The text is unpacked as far as possible, verified as UTF-8, and without leading white space.

    Parameters
    ----------
    source
        the source so far; if it is ``cut``, its text may end within a character
    raw
        the bytes as found

    """
    found = partial(source._replace, size=len(raw), sha256=hashlib.sha256(raw).hexdigest())
    lost = _lost_packing(source, raw)
    if not raw:
        return found(reason=source.reason or "empty file", start=None if lost else b"")
    cut, reason = source.cut, source.reason
    for _ in range(LAYERS):
        kind = streams.kind_of(raw)
        if kind not in streams.COMPRESSED:
            break
        undone = streams.undo(raw, kind)
        raw, cut, reason = undone.text, cut or undone.cut, reason or undone.fault
        if undone.fault and not undone.text:
            return found(reason=undone.fault)
    unpacked = found(cut=cut, reason=reason)
    if likeness.is_record(raw):
        return unpacked._replace(data=raw, start=raw[:SNIFFED])
    return _text(unpacked, raw, lost=lost)


def _text(source: Source, raw: bytes, *, lost: bool) -> Source:
    """Return a source with its text, unpacked bytes; ``lost``: nothing that can be shown is left of its content."""
    found, cut, reason = source._replace, source.cut, source.reason
    text = raw.removeprefix(_UTF8_MARK).lstrip()
    start = None if lost else text[:SNIFFED]
    if not text:
        return found(reason="nothing but white space", start=start)
    if text.startswith(_UTF16_STARTS) and not _has_whole_line(text):
        return found(reason="UTF-16 text, not UTF-8: re-save it as UTF-8", start=start)
    try:
        text.decode()
    except UnicodeDecodeError as error:
        if cut and error.end == len(text):
            text = text[: error.start]
        elif _has_whole_line(text):
            # An escape such as \xff is no JSON, so the reader reports the line and the place.
            text = text.decode(errors="backslashreplace").encode()
            reason = reason or f"a line is not UTF-8 (byte {error.start})"
        else:
            return _not_text(found(start=start), text, error)
    return found(data=text, offset=len(raw) - len(text), cut=cut, reason=reason, start=start)


def _lost_packing(source: Source, raw: bytes) -> bool:
    """Say whether a name promises compression, and the bytes are neither compressed nor text: the content is lost."""
    named = likeness.is_named_packed(source.member or source.path or source.name)
    return named and streams.kind_of(raw) not in streams.COMPRESSED and (not raw or b"\0" in raw[:SNIFFED])


def _has_whole_line(text: bytes) -> bool:
    """Say whether a text is JSON Lines with at least one whole game. In such a file, a bad line costs only itself."""
    ends = (line for line in map(bytes.strip, text.split(b"\n")) if line[:1] + line[-1:] == b"{}")
    return any(likeness.begins_like_one(line) and _is_text(line) for line in ends)


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def content_id(text: bytes) -> str:
    """Return 16 hex digits that name a game by its content, the same for any white space or packing of the file."""
    # White bytes are few: to cut them out is faster than translate(), which looks at each byte.
    for white in (b" ", b"\t", b"\r", b"\n"):
        text = text.replace(white, b"")
    return hashlib.sha256(text).hexdigest()[:16]


def _not_text(source: Source, text: bytes, error: UnicodeDecodeError) -> Source:
    """Return a source that is not UTF-8; the reason says what it is instead."""
    kind = streams.kind_of(text)
    if kind in streams.COMPRESSED:
        return source._replace(start=None, reason=f"compressed more than {LAYERS} times: unpack it first")
    if kind:
        word = streams.ARCHIVES.get(kind, kind)
        return source._replace(start=None, reason=f"an archive ({word}) that is not opened here: unpack it first")
    if b"\0" in text[:SNIFFED]:
        return source._replace(reason=f"binary data, not a log (byte {text.index(0)} is 0)")
    other = "re-save it as UTF-8 (it may be Shift_JIS or Latin-1)"
    return source._replace(reason=f"not UTF-8 at byte {error.start}: {other}")

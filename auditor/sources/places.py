"""Files of this machine: found below a path, known by one name however they are reached, opened without waiting.

A path that cannot be looked at is a place with a fault, never an end of the search.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

SETTLED = 2_000_000_000
"""Nanoseconds after which a file's time of change tells the next change from the last: file systems count coarsely."""
NOT_ENTERED = {".git": "git", ".hg": "Mercurial", ".svn": "Subversion", ".bzr": "Bazaar"}
"""Folders in which a program keeps what is no log, by name."""
_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


_MOVING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode's categories of characters that break a line, move a cursor, turn the order of what follows, or are none."""


class Stamp(NamedTuple):
    """What a file is known by without opening it: size, time of change (null where it cannot be relied on)."""

    size: int
    modified: int | None


def settled(size: int, modified: int | None) -> Stamp:
    """Return a stamp; a change within ``SETTLED`` of now may be followed by another that leaves the same time."""
    return Stamp(size, modified if modified is not None and 0 < modified < time.time_ns() - SETTLED else None)


@dataclass(frozen=True, order=True)
class Local:
    """A file of this machine: its path as given or found, and the one that it has whatever links lead to it.

    ``named`` says that somebody named this very file, rather than a folder or list that it stands in; ``fault`` why
    there is nothing to open, and ``ignored`` that this is as it should be.
    """

    path: Path
    file: str = field(compare=False)
    named: bool = field(default=False, compare=False)
    fault: str | None = field(default=None, compare=False)
    ignored: bool = field(default=False, compare=False)

    @property
    def name(self) -> str:
        """The path as tables and messages have it."""
        return shown(self.path)

    @property
    def stamp(self) -> Stamp:
        """Size and time of change; of what is no regular file zero and null."""
        try:
            status = self.path.stat()
        except (OSError, ValueError):
            return Stamp(0, None)
        return settled(status.st_size, status.st_mtime_ns) if stat.S_ISREG(status.st_mode) else Stamp(0, None)

    def open(self) -> BinaryIO:
        """Open it for reading.

        Raises
        ------
        OSError
            when it cannot be opened, or is no regular file any more: a pipe would be waited for

        """
        return opened(self.path)


def local(path: Path, *, named: bool = False, fault: str | None = None) -> Local:
    """Return the place that a path leads to."""
    try:
        file = os.path.realpath(path)
    except (OSError, ValueError):
        file = os.path.abspath(path)  # noqa: PTH100  (resolve() raises for what cannot be looked at)
    return Local(path, shown(file), named, fault)


def shown(path: Path | str) -> str:
    r"""Return a path as text on one line from which it can be had again (:func:`path_of`).

    Bytes that are not UTF-8, and characters that move a cursor, are written as ``\x`` and their number in two digits;
    so is a backslash that stands before what would read as one of these.
    """
    text = os.fspath(path)
    if text.isprintable() and "\\" not in text:
        return text
    told = re.sub(r"\\(?=x[0-9a-f]{2})", r"\\x5c", text)
    return "".join(_numbered(each) if unicodedata.category(each) in _MOVING else each for each in told)


def _numbered(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))


def path_of(text: str) -> Path:
    """Return the path that was shown as this text."""
    told = re.sub(rb"\\x([0-9a-f]{2})", lambda byte: bytes.fromhex(byte[1].decode()), os.fsencode(text))
    return Path(os.fsdecode(told))


def fault_of(path: Path) -> str | None:
    """Say why there is no reading a path, None if it is a regular file."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            os.scandir(path).close()
            return "a folder, not a file"
    except (OSError, ValueError) as error:
        return _link_fault(path, error) or f"cannot be read: {describe_error(error)}"
    return None if stat.S_ISREG(mode) else f"not a regular file but {_KINDS.get(stat.S_IFMT(mode), 'something else')}"


def _link_fault(path: Path, error: Exception) -> str | None:
    try:
        return f"a link that leads nowhere: {describe_error(error)}" if path.readlink() else None
    except (OSError, ValueError):
        return None


def describe_error(error: BaseException) -> str:
    """Return what a system's error says, without the path."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def opened(path: Path) -> BinaryIO:
    """Open a regular file for reading; never waits for the other end of a pipe.

    Raises
    ------
    OSError
        when it cannot be opened or is none

    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise OSError(errno.EINVAL, "not a regular file any more")


def walk(path: Path) -> Iterator[Local]:
    """Yield the files at and below a folder, each once, a folder's own files before those of its folders, by name.

    Links are followed; a folder that is met again, such as by a link to one of its own parents, is not entered twice.
    What cannot be listed is a place with its fault, the folder itself as the first.
    """
    top = local(path)
    entered: set[tuple[int, int]] = set()
    reached: set[str] = set()  # by links that lead out of the folder: only there a file may be met twice
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        if folder is not top and folder.path.name in NOT_ENTERED:
            kept = f"a folder of {NOT_ENTERED[folder.path.name]}: not entered"
            yield Local(folder.path, folder.file, fault=kept, ignored=True)
            continue
        try:
            status = folder.path.stat()
            if (status.st_dev, status.st_ino) in entered:
                continue
            entered.add((status.st_dev, status.st_ino))
            with os.scandir(folder.path) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except (OSError, ValueError) as error:
            yield Local(folder.path, folder.file, fault=f"cannot be listed: {describe_error(error)}")
            continue
        below = {entry.name for entry in entries if _is_folder(entry)}
        for entry in entries:
            if entry.name not in below:
                yield from _own(_entry(folder, entry), top, reached, is_link=entry.is_symlink())
        waiting += [_entry(folder, entry) for entry in reversed(entries) if entry.name in below]


def _own(found: Local, top: Local, reached: set[str], *, is_link: bool) -> Iterator[Local]:
    """Yield a file of a folder unless it is met, was met, by another name."""
    inside = _below(found.file, top.file)
    if is_link and inside and os.path.isfile(found.path):  # noqa: PTH113  (is_file() raises where it may not look)
        return  # the walk comes by it
    if not inside or is_link:
        if found.file in reached:
            return
        reached.add(found.file)
    yield found


def _entry(folder: Local, entry: os.DirEntry[str]) -> Local:
    path = folder.path / entry.name
    return local(path) if entry.is_symlink() else Local(path, folder.file.rstrip(os.sep) + os.sep + shown(entry.name))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False  # a link in circles, or into what may not be entered: told when it is opened


def _below(file: str, top: str) -> bool:
    return file == top or file.startswith(top.rstrip(os.sep) + os.sep)

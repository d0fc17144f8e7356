"""Files of this machine: finding them below a path, giving each one identity, and opening them.

A path that cannot be read becomes a place with a fault, and the search goes on.
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
"""A modification time is trusted once it is this many ns ago. File systems store times coarsely, so a later change can
get the same time."""
NOT_ENTERED = {".git": "git", ".hg": "Mercurial", ".svn": "Subversion", ".bzr": "Bazaar"}
"""Folders of version control, by name: they hold no logs."""
_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


_MOVING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Unicode categories of characters that break a line, move the cursor, reverse the text, or are not valid."""


class Stamp(NamedTuple):
    """The facts about a file that need no opening: size in bytes, modification time in ns (None if not reliable)."""

    size: int
    modified: int | None


def settled(size: int, modified: int | None) -> Stamp:
    """Return a stamp, without the modification time if it is within ``SETTLED`` of now."""
    return Stamp(size, modified if modified is not None and 0 < modified < time.time_ns() - SETTLED else None)


@dataclass(frozen=True, order=True)
class Local:
    """A file of this machine.

    Attributes
    ----------
    path
        the path as given or found
    file
        the path with all links resolved, as text: it is the same for every name of the file
    named
        whether the user named this file itself, not a folder or a list that contains it
    fault
        why it cannot be opened
    ignored
        whether the fault is no finding

    """

    path: Path
    file: str = field(compare=False)
    named: bool = field(default=False, compare=False)
    fault: str | None = field(default=None, compare=False)
    ignored: bool = field(default=False, compare=False)

    @property
    def name(self) -> str:
        """The path as tables and messages show it."""
        return shown(self.path)

    @property
    def stamp(self) -> Stamp:
        """Size and modification time; 0 and None for anything but a regular file."""
        return self.look()[0]

    def look(self) -> tuple[Stamp, str | None]:
        """Return the stamp as it is now, and why the file cannot be read; None if it is a regular file."""
        try:
            status = self.path.stat()
            if stat.S_ISREG(status.st_mode):
                return settled(status.st_size, status.st_mtime_ns), self.fault
            fault = f"not a regular file but {_KINDS.get(stat.S_IFMT(status.st_mode), 'something else')}"
            if stat.S_ISDIR(status.st_mode):
                os.scandir(self.path).close()
                fault = "a folder, not a file"
        except (OSError, ValueError) as error:
            fault = _link_fault(self.path, error) or f"cannot be read: {describe_error(error)}"
        return Stamp(0, None), self.fault or fault

    def open(self) -> BinaryIO:
        """Open it for reading. It never waits for the other end of a pipe.

        Raises
        ------
        OSError
            when it cannot be opened, or is no longer a regular file

        """
        return os.fdopen(_descriptor(self.path)[0], "rb")


def local(path: Path, *, named: bool = False) -> Local:
    """Return the place that a path leads to."""
    try:
        file = os.path.realpath(path)
    except (OSError, ValueError):
        file = os.path.abspath(path)  # noqa: PTH100  (resolve() raises for what cannot be looked at)
    return Local(path, shown(file), named)


def shown(path: Path | str) -> str:
    r"""Return a path as text on one line. :func:`path_of` is the inverse.

    Bytes that are not UTF-8, and characters that move the cursor, are written as ``\x`` and two hex digits for each
    byte. So is a backslash before an ``x`` and two hex digits.
    """
    text = os.fspath(path)
    if text.isprintable() and "\\" not in text:
        return text
    text = re.sub(r"\\(?=x[0-9a-f]{2})", r"\\x5c", text)
    return "".join(_numbered(each) if unicodedata.category(each) in _MOVING else each for each in text)


def _numbered(character: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))


def path_of(text: str) -> Path:
    """Return the path that :func:`shown` has turned into this text."""
    path = re.sub(rb"\\x([0-9a-f]{2})", lambda byte: bytes.fromhex(byte[1].decode()), os.fsencode(text))
    return Path(os.fsdecode(path))


def _link_fault(path: Path, error: Exception) -> str | None:
    try:
        return f"a link that leads nowhere: {describe_error(error)}" if path.readlink() else None
    except (OSError, ValueError):
        return None


def describe_error(error: BaseException) -> str:
    """Return the message of an operating system's error, without the path."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _descriptor(path: Path) -> tuple[int, int]:
    """Open a regular file for reading; return its descriptor and its size in bytes."""
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    status = os.fstat(descriptor)
    if stat.S_ISREG(status.st_mode):
        return descriptor, status.st_size
    os.close(descriptor)
    raise OSError(errno.EINVAL, "not a regular file any more")


def beginning(path: Path, size: int) -> bytes:
    """Return the first bytes of a regular file, all if it has no more. A file of Python's own takes twice as long.

    Raises
    ------
    OSError
        when it cannot be opened, or is no regular file

    """
    descriptor, whole = _descriptor(path)
    found, size = b"", min(size, whole or size)  # the kernel's own files have a size of 0
    try:
        while len(found) < size and (more := os.read(descriptor, size - len(found))):
            found += more
        return found
    finally:
        os.close(descriptor)


def walk(path: Path) -> Iterator[Local]:
    """Yield the files at and below a folder, each once, a folder's own files before those of its folders, by name.

    Links are followed. No folder is entered twice, even if a link leads to one of its own parents. A folder that
    cannot be listed is a place with a fault; if that is ``path`` itself, it is the only place.
    """
    top = local(path)
    entered: set[tuple[int, int]] = set()
    reached: set[str] = set()  # files reached by links out of the folder: only those can be met twice
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
    """Yield a file of a folder unless the walk meets it, or has met it, by another name."""
    inside = _below(found.file, top.file)
    if is_link and inside and os.path.isfile(found.path):  # noqa: PTH113  (is_file() raises where it may not look)
        return  # the walk meets the file itself
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
        return False  # a cycle of links, or no permission: reported when it is opened


def _below(file: str, top: str) -> bool:
    return file == top or file.startswith(top.rstrip(os.sep) + os.sep)

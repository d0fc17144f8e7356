"""A dataset's lock: one writer at a time, and whether the folder is still the one that was locked."""

from __future__ import annotations

import os
import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from auditor.dataset.writing import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

LOCK = ".lock"
POLL = 0.5
"""Seconds between two tries for a lock."""


class Held:
    """A lock that is held."""

    def __init__(self, file: BinaryIO, out: Path) -> None:
        self._own, self._out = os.fstat(file.fileno()), out

    def still(self) -> None:
        """Raise OutputError if the folder is gone, or is another than the one locked."""
        try:
            there = (self._out / LOCK).stat()
        except OSError:
            there = None
        if there is None or not os.path.samestat(there, self._own):
            raise OutputError(
                f"{self._out}: was removed or replaced while the run wrote there; nothing more is written: "
                "run the same command again"
            )


def refused(out: Path) -> str | None:
    """Say why a path is no folder to write a dataset to; None if nothing that is known beforehand forbids it."""
    if re.match(r"\w{2,}:/", str(out)):
        return f"{out}: is a URI; give a folder of this machine with --out, and copy it there"
    if out.exists() and not out.is_dir():
        return f"{out}: is a file; give a folder with --out"
    return None


@contextmanager
def taken(out: Path, *, wait: bool) -> Iterator[Held]:
    """Lock a dataset's folder, made if it is not there.

    Raises
    ------
    OutputError
        when it cannot be written, or another run writes there and is not waited for

    """
    try:
        if fault := refused(out):
            raise OutputError(fault)
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(out, error) from error
    try:
        file = (out / LOCK).open("a+b")
    except OSError as error:
        raise _unwritable(out / LOCK if os.path.lexists(out / LOCK) else out, error) from error
    with file:
        _take(file, out, wait=wait)
        yield Held(file, out)


def _unwritable(place: Path, error: OSError) -> OutputError:
    return OutputError(f"{place}: cannot be written ({error.strerror or error}); give another folder with --out")


def _take(file: BinaryIO, out: Path, *, wait: bool) -> None:
    """Lock a file until it is closed, by whatever end the process comes to."""
    while not _locked(file):
        if not wait:
            file.seek(0)
            named = re.fullmatch(rb"process \d{1,20}", file.read(40))
            raise OutputError(
                f"{out}: another run writes there ({named[0].decode() if named else 'not yet named'}); "
                "wait for it with --wait, or give another folder with --out"
            )
        time.sleep(POLL)
    try:
        file.truncate(0)
        file.write(f"process {os.getpid()}".encode())
        file.flush()
    except OSError as error:
        raise OutputError(
            f"{file.name}: cannot be written ({error.strerror or error}); free space, or give another folder with --out"
        ) from error


def _locked(file: BinaryIO) -> bool:
    try:
        if os.name == "nt":
            import msvcrt  # noqa: PLC0415  (each system has one of the two)

            file.seek(1 << 30)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        raise OutputError(f"{file.name}: cannot be locked ({error.strerror}); give a folder of a local disk") from error
    return True

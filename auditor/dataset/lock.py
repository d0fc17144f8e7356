"""A dataset's lock: one run writes at a time, and it writes to the folder that it has locked.

The lock is the operating system's, on the file ``.lock``, taken with the library ``filelock``. It ends with its
process, even if that is killed, so no lock is ever left over. The file stays; it names the last process that wrote.

Limits: on a network file system a lock may hold for one machine only, or be refused. A refusal is an error: a lock of
another kind could be left over. On Windows a second run is refused, but cannot read which process holds the lock.
"""

from __future__ import annotations

import errno
import os
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from auditor.dataset.objects import SCHEMES, Bucket, located
from auditor.dataset.writing import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LOCK = ".lock"
POLL = 0.5
"""Seconds between two tries for a lock."""
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""Errors of a file system that has no locks."""


class Held:
    """A lock that is held: the folder, and the lock's file as it was when it was locked."""

    messages: tuple[str, ...] = ()

    def __init__(self, out: Path, file: os.stat_result) -> None:
        self._out, self._file = out, file

    def still(self) -> None:
        """Raise OutputError if the folder is gone, or is no longer the one that was locked."""
        try:
            there = (self._out / LOCK).stat()
        except OSError:
            there = None
        if there is None or not os.path.samestat(there, self._file):
            raise OutputError(
                f"{self._out}: was removed or replaced while the run wrote there; nothing more is written: "
                "run the same command again"
            )


def refused(out: Path) -> str | None:
    """Return why a dataset cannot be written to this path: it is a URI or a file; None if it is neither."""
    if isinstance(found := located(out), Bucket):
        return None
    if scheme := re.match(r"\w{2,}:/", str(found)):
        return f"{scheme[0]}…: is a URI; a dataset can lie in a folder of this machine, or on {', '.join(SCHEMES)}://"
    if out.exists() and not out.is_dir():
        return f"{out}: is a file; give a folder with --out"
    return None


@contextmanager
def taken(out: Path, *, wait: bool) -> Iterator[Held]:
    """Lock a dataset's folder while the context lasts; the folder is made if it does not exist.

    Parameters
    ----------
    out
        the folder
    wait
        whether to wait for another run there to end

    Raises
    ------
    OutputError
        when the folder cannot be written or locked, or another run writes there and is not waited for

    """
    from filelock import FileLock, Timeout  # noqa: PLC0415  (slow to import, and only runs need it)

    held: list[Held] = []

    def locked(descriptor: int) -> None:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"process {os.getpid()}".encode())
        held.append(Held(out, os.fstat(descriptor)))

    file = out / LOCK
    lock = FileLock(
        file, timeout=-1 if wait else 0, poll_interval=POLL, preserve_lock_file=True, fallback_to_soft=False,
        on_acquired=locked,
    )  # fmt: skip
    try:
        if fault := refused(out):
            raise OutputError(fault)
        out.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except Timeout:
        raise OutputError(
            f"{out}: another run writes there ({_holder(file)}); "
            "wait for it with --wait, or give another folder with --out"
        ) from None
    except OSError as error:
        place, reason = file if os.path.lexists(file) else out, error.strerror or error
        if error.errno in NO_LOCKS:
            raise OutputError(f"{place}: cannot be locked ({reason}); give a folder of a local disk") from error
        raise OutputError(
            f"{place}: cannot be written ({reason}); free space, or give another folder with --out"
        ) from error
    try:
        yield held[0]
    finally:
        lock.release()


def _holder(file: Path) -> str:
    """Return the process that holds the lock as text, if the lock's file names one."""
    try:
        with file.open("rb") as opened:
            found = re.fullmatch(rb"process \d{1,20}", opened.read(40))
    except OSError:
        found = None
    return found[0].decode() if found else "not yet named"

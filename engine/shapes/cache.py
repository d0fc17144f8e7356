"""Tables on disk: built once, checked at every load, and built again if the file is damaged.

The name of a file holds a hash of the source that builds it, so a file of another version is not read. Its first bytes
are a checksum of the rest. A file that does not fit its checksum (half a file, zeros, a flipped bit) is built again.
A file is written under another name and then renamed, so that two processes can build the same one at once. Where the
system has locks, the second one waits for the first instead.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import os
import sys
import tempfile
import warnings
import zlib
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.tiles.arrays import Arrays

FORMAT = 3
"""Version of the file layout: the checksum of what follows, then one record in NumPy's .npy format, a field an array.

A record is read in a third of the time of an .npz archive, and every run of the auditor begins with these tables."""
CHECKSUM = 4
"""Bytes of the checksum."""


def folder() -> Path:
    """Give the folder of the tables.

    It is ``AUDITOR_CACHE`` if that is set, else ``riichi-log-auditor`` in ``XDG_CACHE_HOME`` or in ``~/.cache``.
    """
    own = os.environ.get("AUDITOR_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "riichi-log-auditor"


def load(name: str, build: Callable[[], Arrays]) -> Arrays:
    """Give a table: from disk if an undamaged file is there, else built and stored.

    Parameters
    ----------
    name
        First part of the file name.
    build
        Builds the arrays. A change in the source of its module makes a new file.

    Returns
    -------
    Arrays
        The arrays by name. If the folder cannot be written, the table is built at every start, with one warning.
    """
    path = folder() / f"{name}-{_identity(build)}.bin"
    arrays = _read(path)
    if arrays is None:
        with _alone(path.parent):
            arrays = _read(path)
            if arrays is None:
                arrays = build()
                _write(path, arrays)
    return arrays


_alone_here = Lock()


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Hold back other processes that build in a folder while the context lasts; without locks, none is held back.

    In this process only the outermost call takes the lock, since to build one table can load another.
    """
    with ExitStack() as held:
        if _alone_here.acquire(blocking=False):
            held.callback(_alone_here.release)
            with suppress(OSError, ImportError):
                import fcntl  # noqa: PLC0415  (Windows has none)

                place.mkdir(parents=True, exist_ok=True)
                descriptor = os.open(place, os.O_RDONLY)
                held.callback(os.close, descriptor)
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield


def _identity(build: Callable[[], Arrays]) -> str:
    source = inspect.getsource(sys.modules[build.__module__])
    text = f"{FORMAT} {sys.byteorder} {source}"
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def _read(path: Path) -> Arrays | None:
    """Read a file back, or give None if it is missing or not what was written."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    body = memoryview(content)[CHECKSUM:]
    if content[:CHECKSUM] != _checksum(body):
        return None
    record = np.load(io.BytesIO(body), allow_pickle=False)
    return {name: record[name] for name in record.dtype.names}


def _checksum(body: memoryview) -> bytes:
    """Give the checksum of a file's body: Adler-32, which unlike CRC-32 is not zero for a body without a byte."""
    return zlib.adler32(body).to_bytes(CHECKSUM, "big")


def _write(path: Path, arrays: Arrays) -> None:
    fields = [(name, array.dtype, array.shape) for name, array in arrays.items()]
    record = np.zeros((), dtype=np.dtype(fields, align=True))
    for name, array in arrays.items():
        record[name] = array
    buffer = io.BytesIO()
    np.save(buffer, record, allow_pickle=False)
    body = buffer.getbuffer()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_checksum(body))
                file.write(body)
            Path(temporary).replace(path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        _warn_once(path.parent, str(error))


@cache
def _warn_once(where: Path, reason: str) -> None:
    warnings.warn(
        f"tables are not kept in {where} ({reason}); they are built at every start. Set AUDITOR_CACHE to a "
        "folder that can be written",
        stacklevel=2,
    )

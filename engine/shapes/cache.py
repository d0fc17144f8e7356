"""Tables on disk: built once, checked at every load, and built again if the file is damaged.

The name of a file holds a hash of the source that builds it, so a file of another version is not read. Its first bytes
are a digest of the rest. A file that does not fit its digest (half a file, zeros, a flipped bit) is built again.
A file is written under another name and then renamed, so that two processes can build the same one at once.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import os
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.tiles.arrays import Arrays

FORMAT = 2
"""Version of the file layout: the digest (BLAKE2b) of what follows, then an .npz archive."""
DIGEST = 16
"""Bytes of the digest."""


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
        arrays = build()
        _write(path, arrays)
    return arrays


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
    body = content[DIGEST:]
    if content[:DIGEST] != _digest(body):
        return None
    with np.load(io.BytesIO(body), allow_pickle=False) as archive:
        return dict(archive)


def _digest(body: bytes) -> bytes:
    """Give the digest of a file's body. Unlike a checksum, it is not zero for a body of zeros or an empty one."""
    return hashlib.blake2b(body, digest_size=DIGEST).digest()


def _write(path: Path, arrays: Arrays) -> None:
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    body = buffer.getvalue()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(body) + body)
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

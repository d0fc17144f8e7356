"""Writing files whole or not at all; all errors become :class:`OutputError`."""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_GONE = (errno.ENOENT, errno.ENOTDIR, errno.ESTALE)


class OutputError(Exception):
    """The dataset cannot be written, or a file in it cannot be read."""


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Turn errors of writing into :class:`OutputError`; the message names ``place`` if the error names no file."""
    try:
        yield
    except (OSError, pl.exceptions.ComputeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        where = getattr(error, "filename", None) or place
        if getattr(error, "errno", None) in _GONE:
            raise OutputError(
                f"{where}: is gone ({reason}); something removed or replaced it while the run wrote: "
                "run the same command again"
            ) from error
        raise OutputError(
            f"{where}: cannot be written ({reason}); free space, or give another folder with --out"
        ) from error


def write_text(text: str, place: Path) -> None:
    """Write one text file, whole or not at all. Its folder is made if it does not exist; the folder above must exist.

    Raises
    ------
    OutputError
        when the file cannot be written

    """
    with writing(place):
        place.parent.mkdir(exist_ok=True)
        beside = place.with_name(f".{place.name}.{os.getpid()}.tmp")
        try:
            write(text.encode(), beside)
            beside.replace(place)
            settle(place.parent)
        finally:
            beside.unlink(missing_ok=True)


def write(data: bytes | memoryview, place: Path) -> None:
    """Write bytes, and wait until they are on the disk."""
    with place.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def settle(folder: Path) -> None:
    """Wait until a folder's file names are on the disk; otherwise a power loss could lose the files. Not on Windows."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

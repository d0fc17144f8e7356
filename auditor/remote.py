"""Files behind URIs (s3://, gs://, hdfs://, file://), through the file systems that Arrow has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import pyarrow as pa
from pyarrow import fs

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, order=True)
class Remote:
    """A file of a file system: the URI that names the system, the path in it, the name to show, bytes, changed when."""

    uri: str
    path: str
    name: str
    size: int = 0
    modified: int | None = None

    def open(self) -> BinaryIO:
        """Open it for reading, at any place."""
        return cast("BinaryIO", _system(self.uri)[0].open_input_file(self.path))


class RemoteError(Exception):
    """A URI that names nothing that can be read."""


@lru_cache(maxsize=8)
def _system(uri: str) -> tuple[Any, str]:
    system, path = fs.FileSystem.from_uri(uri)
    return system, path


def is_uri(text: str) -> bool:
    """Say whether this names a file by scheme."""
    scheme, mark, _ = text.partition("://")
    return bool(mark) and scheme.isalnum()


def find(uri: str) -> Iterator[Remote]:
    """Yield the files at and below a URI, in the order of their names.

    Raises
    ------
    RemoteError
        when the scheme is not known, nothing is there, or it cannot be listed

    """
    try:
        system, path = _system(uri)
        info = system.get_file_info(path)
        if info.type == fs.FileType.NotFound:
            raise RemoteError(f"{uri}: no such file or folder")
        below = [info] if info.is_file else system.get_file_info(fs.FileSelector(path, recursive=True))
    except (OSError, pa.ArrowException, ValueError) as error:
        raise RemoteError(f"{uri}: {str(error).splitlines()[0]}") from error
    # A query names the system's server: it stays at the end, so that the name is a URI again.
    at, mark, query = uri.partition("?")
    for each in sorted(below, key=lambda each: each.path):
        if each.type != fs.FileType.Directory:
            name = f"{at.rstrip('/')}{each.path[len(path.rstrip('/')) :]}{mark}{query}"
            yield Remote(uri, each.path, name, each.size or 0, each.mtime_ns)

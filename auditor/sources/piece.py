"""Pieces of work, which archives.py makes and workers read, and the names of sources.

A :class:`Piece` is a small description that can be pickled, so that a worker process reads the bytes itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from auditor.sources import members
    from auditor.sources.log_files import Place
    from auditor.sources.places import Stamp


class Piece(NamedTuple):
    """A piece of work for a worker: a file, or a member of it.

    Attributes
    ----------
    place
        where the file is
    member
        name of the member; None for the file itself
    size
        about how many bytes it unpacks to
    at
        where the member lies in the archive; None if it cannot be read there again
    held
        its bytes, if they could be read only once
    reason
        why it cannot be read, or a doubt about it
    cut
        the archive ends within it
    missing
        the archive says that it has no log under this name
    archive
        the piece is an archive itself, after its members
    empty
        the piece is an archive that was read to its end and has no members
    stamp
        size and time of change of the file; only in the file's own piece
    path
        the path by which tables know the file, if it is not that of ``place``

    """

    place: Place
    member: str | None = None
    size: int = 0
    at: members.At | None = None
    held: bytes | None = None
    reason: str | None = None
    cut: bool = False
    missing: bool = False
    archive: bool = False
    empty: bool = False
    stamp: Stamp | None = None
    path: str | None = None


class Names:
    """The names of an archive's members; a second member of the same name becomes ``name~2``."""

    def __init__(self) -> None:
        self._count: dict[str, int] = {}

    def only(self, name: str) -> str:
        """Return the name, or if an earlier member has it, one with a number."""
        if name not in self._count:
            self._count[name] = 1
            return name
        number = self._count[name] + 1
        while f"{name}~{number}" in self._count:
            number += 1
        self._count[name] = number
        self._count[f"{name}~{number}"] = 1
        return f"{name}~{number}"


def source_name(path: str, member: str | None) -> str:
    r"""Return the name of a file, or of a member of it, in all tables. No other source has the same name.

    The first ``!`` separates path and member. A ``!`` in the path is written ``\x21``.
    """
    path = path.replace("!", "\\x21")  # places.shown writes no path with \x21 in it: no two sources share a name
    return path if member is None else f"{path}!{member}"

"""What a dataset has already: of the files of a run, those that need no audit, and what is known of the others.

A file is known by the path that it has whatever links lead to it, and keeps the name by which it was first met. One
whose row of ``sources`` has its size and time of change is not opened; one that was touched or moved into
place is read and compared by digest. Rows that were audited with another version, other rules or other checks
count for neither.
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.dataset import store
from auditor.dataset.schema import TABLES
from auditor.sources import archives, members, remote
from auditor.sources.places import local, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from auditor.sources.log_files import Place, Source
    from auditor.sources.piece import Piece

CHUNK = 20_000
"""Files looked up at once."""

_PACKED = (".gz", ".tgz", ".bz2", ".xz", ".zst", ".zip")
"""How names of files end that are likely packed: it is only asked for how much there may be to do."""

_KNOWN = ("source", "path", "member", "file", "size", "modified", "sha256", "status", "reason", "audit", "part")


class Row(NamedTuple):
    """What the dataset has of a source: where, by what name, and whether it was audited as it would be now."""

    part: str
    source: str
    path: str
    sha256: str
    status: str
    reason: str | None
    modified: int | None
    same_audit: bool


class Task(NamedTuple):
    """A piece, what was known of it, and the rows that go when its own is written: part and source.

    ``expected`` is how many of the bytes that its file was taken for when it was listed are these.
    """

    piece: Piece
    before: Row | None = None
    leaves: tuple[tuple[str, str], ...] = ()
    expected: int = 0

    @property
    def size(self) -> int:
        """About how many bytes are to be audited."""
        return 0 if self.piece.archive else self.piece.size

    def unchanged(self, found: Source) -> bool:
        """Say whether what was found is what the dataset has already."""
        before = self.before
        if before is None or not before.same_audit or before.sha256 != found.sha256:
            return False
        if found.archive and (found.modified is None or before.modified != found.modified):
            return False
        if found.named and before.status == "ignored":
            return False  # nobody had asked for this very file before
        return bool(found.sha256) or before.reason == found.reason

    def touched(self, found: Source) -> bool:
        """Say whether a file is unchanged but for its time."""
        before = self.before
        return (
            before is not None
            and self.piece.member is None
            and before.modified != found.modified
            and self.unchanged(found)
        )


class Seen:
    """The rows of ``sources`` that are there when a run begins.

    Parameters
    ----------
    out
        the dataset
    audit
        digest of version, rules and checks (:attr:`auditor.audit.audit_batch.Options.digest`)
    force
        whether everything is to be audited again

    """

    def __init__(self, out: Path, audit: str, *, force: bool) -> None:
        self._out, self._audit, self._force = out, audit, force

    def tasks(self, places: Iterable[Place], listed: Callable[[int, int, int], None]) -> Iterator[Task]:
        """Yield what is to be read, in order.

        ``listed`` is told how many files there are, how many unchanged, and about how many bytes the others unpack to.

        Raises
        ------
        OutputError
            when the dataset cannot be read

        """
        places = iter(places)
        while chunk := list(islice(places, CHUNK)):
            rows = self._rows("file", [place.file for place in chunk])
            fresh = self._unskipped(chunk, rows)
            asked = rows.join(fresh, on="file", how="semi")
            known = _by_file(asked, "" if self._force else self._audit)
            new = [chunk[at] for at in fresh["at"].to_list() if chunk[at].file not in known]
            named = {file: next(iter(rows.values())).path for file, rows in known.items()}
            named |= self._renamed(new, known)
            expected = dict(fresh.select("file", "expected").iter_rows())
            listed(len(chunk), len(rows) - len(asked), sum(expected.values()))
            for place in remote.read_ahead(chunk[at] for at in fresh["at"].to_list()):
                yield from _of_place(place, named.get(place.file), known.get(place.file, {}), expected[place.file])

    def _rows(self, column: str, values: list[str]) -> pl.DataFrame:
        wanted = pl.Series(column, values, dtype=pl.String)
        rows = store.scanned(self._out, "sources")
        if rows is None or wanted.is_empty():
            types = {name: TABLES["sources"].types.get(name, pl.String) for name in _KNOWN}
            return pl.DataFrame(schema=types)
        with store.reading(self._out):
            return (
                rows.filter(
                    pl.col(column).is_between(pl.lit(wanted.min()), pl.lit(wanted.max()))
                )  # parts of other files are not decoded
                .join(wanted.to_frame().lazy(), on=column, how="semi")
                .select(_KNOWN)
                .collect()
            )

    def _unskipped(self, chunk: list[Place], rows: pl.DataFrame) -> pl.DataFrame:
        """Return place in the chunk, name and expected bytes of the files that must be opened."""
        stamps = [place.stamp for place in chunk]
        files = pl.DataFrame(
            {
                "file": [place.file for place in chunk],
                "named": [place.named for place in chunk],
                "size": [stamp.size for stamp in stamps],
                "modified": [stamp.modified for stamp in stamps],
            },
            schema={"file": pl.String, "named": pl.Boolean, "size": pl.UInt64, "modified": pl.Int64},
        ).with_row_index("at").cast({"modified": TABLES["sources"].types["modified"]})  # fmt: skip
        packed = pl.any_horizontal(pl.col("file").str.to_lowercase().str.ends_with(end) for end in _PACKED)
        times = pl.when(packed).then(members.PACKING).otherwise(1)
        told = ("at", "file", (pl.col("size").cast(pl.Int64) * times).alias("expected"))
        if self._force or rows.is_empty():
            return files.select(told)
        # A file's own row, of an archive too, is its last: where it stands, all its members stand.
        done = rows.filter(pl.col("member").is_null(), pl.col("audit") == self._audit)
        stands = files.join(done, on=["file", "size", "modified"]).filter(
            ~(pl.col("named") & (pl.col("status") == "ignored"))
        )
        return files.join(stands, on="at", how="anti", maintain_order="left").select(told)

    def _renamed(self, new: list[Place], known: dict[str, dict[str | None, Row]]) -> dict[str, str]:
        """Return by file what tables call a new one whose path they have of another, met from another folder perhaps.

        If the other is gone, or is but a link to the new one, what is ``known`` of it is handed on: a folder was moved
        and a link leads there. Else the new one is called by the path that it has without links.
        """
        rows = self._rows("path", [place.name for place in new])
        others = dict(rows.select("path", "file").rows())
        taken = [place for place in new if others.get(place.name, place.file) != place.file]
        handed = {others[place.name]: place for place in taken if _is_now(others[place.name], place)}
        known |= {handed[file].file: told for file, told in _by_file(rows, "").items() if file in handed}
        return {place.file: place.file for place in taken if others[place.name] not in handed}


def _is_now(file: str, place: Place) -> bool:
    """Say whether a file that was there by this path without links is gone, or is this one now."""
    path = path_of(file)
    return not os.path.lexists(path) or local(path).file == place.file


def _by_file(rows: pl.DataFrame, audit: str) -> dict[str, dict[str | None, Row]]:
    known: dict[str, dict[str | None, Row]] = {}
    told = rows.select(
        "file", "member", "part", "source", "path", "sha256", "status", "reason", pl.col("modified").cast(pl.Int64),
        pl.col("audit") == audit,
    )  # fmt: skip
    for file, member, *row in told.iter_rows():
        known.setdefault(file, {})[member] = Row(*row)
    return known


def _of_place(place: Place, path: str | None, known: dict[str | None, Row], expected: int) -> Iterator[Task]:
    """Yield the tasks of one file; what it had and has no longer goes with its own row, if it was read to its end."""
    for found in archives.pieces([place]):
        piece = found if path is None else replace(found, path=path)
        before = known.pop(piece.member, None)
        leaves: tuple[tuple[str, str], ...] = ((before.part, before.source),) if before else ()
        if piece.member is None and (piece.archive or piece.empty or not piece.reason):
            leaves += tuple((row.part, row.source) for row in known.values())
        these = expected if piece.member is None else min(piece.size, expected)
        expected -= these
        yield Task(piece, before, leaves, these)

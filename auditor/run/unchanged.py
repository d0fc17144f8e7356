"""Which files of a run the dataset has already, so that they need no audit, and what it knows of the others.

A file is identified by its path without links, and keeps the name under which it was first given. If its row of
``sources`` has the same size and modification time, it is not opened. Otherwise it is read and compared by digest.
Rows that were audited with another version, other rules or other checks do not count for this.
"""

from __future__ import annotations

import os
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.dataset import store
from auditor.dataset.schema import TABLES
from auditor.sources import archives, members, remote
from auditor.sources.places import local, path_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from auditor.dataset.store import Out
    from auditor.sources.log_files import Place, Source
    from auditor.sources.piece import Piece

CHUNK = 20_000
"""How many files are looked up at once."""

_PACKED = (".gz", ".tgz", ".bz2", ".xz", ".zst", ".zip")
"""Endings of files that are probably compressed; only the estimate of the work depends on them."""

_KNOWN = ("source", "path", "member", "file", "size", "modified", "sha256", "status", "reason", "audit", "part")


class Row(NamedTuple):
    """A source's row in the dataset; ``same_audit``: the version, rules and checks were those of this run."""

    part: str
    source: str
    path: str
    sha256: str
    status: str
    reason: str | None
    modified: int | None
    same_audit: bool


class Task(NamedTuple):
    """A piece to read, and what the dataset has of it.

    ``before`` is its row in the dataset. ``leaves`` has part and source of each row to remove when the new row is
    written. ``expected`` is this piece's share, in bytes, of the size that was estimated for its file when listed.
    """

    piece: Piece
    before: Row | None = None
    leaves: tuple[tuple[str, str], ...] = ()
    expected: int = 0

    @property
    def size(self) -> int:
        """About how many bytes must be audited."""
        return 0 if self.piece.archive else self.piece.size

    def unchanged(self, found: Source) -> bool:
        """Say whether the dataset already has the audit of these bytes."""
        before = self.before
        if before is None or not before.same_audit or before.sha256 != found.sha256:
            return False
        if found.archive and (found.modified is None or before.modified != found.modified):
            return False
        if found.named and before.status == "ignored":
            return False  # a file that the user names is never ignored
        return bool(found.sha256) or before.reason == found.reason

    def touched(self, found: Source) -> bool:
        """Say whether only the modification time of a file has changed."""
        before = self.before
        return (
            before is not None
            and self.piece.member is None
            and before.modified != found.modified
            and self.unchanged(found)
        )


class Seen:
    """The rows of ``sources`` that a dataset has when a run begins.

    Parameters
    ----------
    out
        folder of the dataset
    audit
        digest of version, rules and checks (:attr:`auditor.audit.audit_batch.Options.digest`)
    force
        whether unchanged files are audited again

    """

    def __init__(self, out: Out, audit: str, *, force: bool) -> None:
        self._out, self._audit, self._force = out, audit, force

    def tasks(self, places: Iterable[Place], listed: Callable[[int, int, int], None]) -> Iterator[Task]:
        """Yield the pieces that must be read, in order.

        ``listed`` is called with the number of files, the number of unchanged ones, and the estimated bytes that the
        others unpack to.

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
        """Return ``at`` (place in the chunk), ``file`` and ``expected`` bytes of the files that must be opened."""
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
        columns = ("at", "file", (pl.col("size").cast(pl.Int64) * times).alias("expected"))
        if self._force or rows.is_empty():
            return files.select(columns)
        # An archive's own row is written after those of its members: if it is there, they are all there.
        done = rows.filter(pl.col("member").is_null(), pl.col("audit") == self._audit)
        skipped = files.join(done, on=["file", "size", "modified"]).filter(
            ~(pl.col("named") & (pl.col("status") == "ignored"))
        )
        return files.join(skipped, on="at", how="anti", maintain_order="left").select(columns)

    def _renamed(self, new: list[Place], known: dict[str, dict[str | None, Row]]) -> dict[str, str]:
        """Return, by file, the name to use for each new file whose own name another file has in the dataset.

        If the other file is gone, or is now a link to the new one (a folder was moved, and a link replaces it), the new
        file takes over its rows: they are added to ``known``, and the name stays. Otherwise the new file is named by
        its path without links.
        """
        rows = self._rows("path", [place.name for place in new])
        others = dict(rows.select("path", "file").rows())
        taken = [place for place in new if others.get(place.name, place.file) != place.file]
        handed = {others[place.name]: place for place in taken if _is_now(others[place.name], place)}
        known |= {handed[file].file: theirs for file, theirs in _by_file(rows, "").items() if file in handed}
        return {place.file: place.file for place in taken if others[place.name] not in handed}


def _is_now(file: str, place: Place) -> bool:
    """Say whether a file, by its path without links, is gone, or is now a link to this place."""
    path = path_of(file)
    return not os.path.lexists(path) or local(path).file == place.file


def _by_file(rows: pl.DataFrame, audit: str) -> dict[str, dict[str | None, Row]]:
    """Return the rows of sources by file and member; ``audit`` is the digest that ``same_audit`` compares."""
    known: dict[str, dict[str | None, Row]] = {}
    selected = rows.select(
        "file", "member", "part", "source", "path", "sha256", "status", "reason", pl.col("modified").cast(pl.Int64),
        pl.col("audit") == audit,
    )  # fmt: skip
    for file, member, *row in selected.iter_rows():
        known.setdefault(file, {})[member] = Row(*row)
    return known


def _of_place(place: Place, path: str | None, known: dict[str | None, Row], expected: int) -> Iterator[Task]:
    """Yield the tasks of one file, its own row last.

    If the file was read to its end, the last task also removes the rows of members that the file no longer has.
    """
    for found in archives.pieces([place]):
        piece = found if path is None else found._replace(path=path)
        before = known.pop(piece.member, None)
        leaves: tuple[tuple[str, str], ...] = ((before.part, before.source),) if before else ()
        if piece.member is None and (piece.archive or piece.empty or not piece.reason):
            leaves += tuple((row.part, row.source) for row in known.values())
        these = expected if piece.member is None else min(piece.size, expected)
        expected -= these
        yield Task(piece, before, leaves, these)

"""What a dataset has already: of the files of a run, those that need no audit, and what is known of the others.

A file whose row of ``sources`` has its size and time of change is not opened; one that was touched or moved into
place is read and compared by digest. Rows that were audited with another version, other rules or other checks
count for neither.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor import archives, dataset, members, remote, sources
from auditor.schema import TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from auditor.archives import Piece
    from auditor.sources import Place, Source

CHUNK = 20_000
"""Files looked up at once."""

_PACKED = (".gz", ".tgz", ".bz2", ".xz", ".zst", ".zip")
"""How names of files end that are likely packed: it is only asked for how much there may be to do."""

_KNOWN = ("path", "member", "size", "modified", "sha256", "reason", "audit", "part")


class Row(NamedTuple):
    """What the dataset has of a source: where, and whether it was audited as it would be now."""

    part: str
    sha256: str
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
        digest of version, rules and checks (:attr:`auditor.audit.Options.digest`)
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
            rows = self._rows(chunk)
            fresh = self._unskipped(chunk, rows)
            asked = rows.join(fresh, on="path", how="semi")
            known = _by_path(asked, "" if self._force else self._audit)
            expected = dict(fresh.select("path", "expected").iter_rows())
            listed(len(chunk), len(rows) - len(asked), sum(expected.values()))
            for place in remote.read_ahead(chunk[at] for at in fresh["at"].to_list()):
                path = sources.told_path(place)
                yield from _of_place(place, path, known.get(path, {}), expected[path])

    def _rows(self, chunk: list[Place]) -> pl.DataFrame:
        paths = pl.Series("path", [sources.told_path(place) for place in chunk], dtype=pl.String)
        rows = dataset.scanned(self._out, "sources")
        if rows is None:
            types = {name: TABLES["sources"].types.get(name, pl.String) for name in _KNOWN}
            return pl.DataFrame(schema=types)
        with dataset.reading(self._out):
            return (
                rows.filter(
                    pl.col("path").is_between(pl.lit(paths.min()), pl.lit(paths.max()))
                )  # parts of other paths are not decoded
                .join(paths.to_frame().lazy(), on="path", how="semi")
                .select(_KNOWN)
                .collect()
            )

    def _unskipped(self, chunk: list[Place], rows: pl.DataFrame) -> pl.DataFrame:
        """Return place in the chunk, path and expected bytes of the files that must be opened."""
        stamps = [sources.stamp(place) for place in chunk]
        files = pl.DataFrame(
            {
                "path": [sources.told_path(place) for place in chunk],
                "size": [stamp.size for stamp in stamps],
                "modified": [stamp.modified for stamp in stamps],
            },
            schema={"path": pl.String, "size": pl.UInt64, "modified": pl.Int64},
        ).with_row_index("at").cast({"modified": TABLES["sources"].types["modified"]})  # fmt: skip
        packed = pl.any_horizontal(pl.col("path").str.to_lowercase().str.ends_with(end) for end in _PACKED)
        times = pl.when(packed).then(members.PACKING).otherwise(1)
        told = ("at", "path", (pl.col("size").cast(pl.Int64) * times).alias("expected"))
        if self._force or rows.is_empty():
            return files.select(told)
        # A file's own row, of an archive too, is its last: where it stands, all its members stand.
        done = rows.filter(pl.col("member").is_null(), pl.col("audit") == self._audit)
        return files.join(done, on=["path", "size", "modified"], how="anti", maintain_order="left").select(told)


def _by_path(rows: pl.DataFrame, audit: str) -> dict[str, dict[str | None, Row]]:
    known: dict[str, dict[str | None, Row]] = {}
    told = rows.select(
        "path", "member", "part", "sha256", "reason", pl.col("modified").cast(pl.Int64), pl.col("audit") == audit
    )
    for path, member, *row in told.iter_rows():
        known.setdefault(path, {})[member] = Row(*row)
    return known


def _of_place(place: Place, path: str, known: dict[str | None, Row], expected: int) -> Iterator[Task]:
    """Yield the tasks of one file; what it had and has no longer goes with its own row, if it was read to its end."""
    for piece in archives.pieces([place]):
        before = known.pop(piece.member, None)
        leaves: tuple[tuple[str, str], ...] = ((before.part, archives.told_name(path, piece.member)),) if before else ()
        if piece.member is None and (piece.archive or not piece.reason):
            leaves += tuple((row.part, archives.told_name(path, member)) for member, row in known.items())
        these = expected if piece.member is None else min(piece.size, expected)
        expected -= these
        yield Task(piece, before, leaves, these)

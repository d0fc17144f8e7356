"""Writing to a dataset on an object store: what store.py does for a folder, with commits (commits.py) and no rename.

A process stages a part by writing its objects where they will stay. They count from the commit that names them. What a
killed run has left uncommitted, the next run deletes.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from auditor.dataset import commits, encoding, lease
from auditor.dataset.commits import Committed, Part
from auditor.dataset.manifest import ListedError
from auditor.dataset.objects import GoneError, TakenError, scan
from auditor.dataset.schema import PARTED, TABLES
from auditor.dataset.writing import OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from auditor.dataset.lease import Lease
    from auditor.dataset.manifest import Damage
    from auditor.dataset.objects import Bucket

ABREAST = 16
"""How many objects are requested at the same time."""
LISTED_EVERY = 64
"""After how many commits all parts are listed, at least; later after an eighth of their number."""


@contextmanager
def locked(out: Bucket, *, wait: bool) -> Iterator[Lease]:
    """Hold the dataset's lease while the context lasts, and delete what a killed run has left."""
    with lease.taken(out, wait=wait) as held:
        try:
            out.writer = writer = Writer(out, held, commits.read(out) or Committed())
        except ListedError as error:
            raise OutputError(str(error)) from error
        try:
            with writer.copies:
                writer.clean()
                yield held
                writer.listed()
        finally:
            out.writer = None
            with suppress(OutputError):
                held.still()
                writer.clean()


class Writer:
    """The run that holds the lease, and the state of the dataset after its last commit."""

    def __init__(self, bucket: Bucket, held: Lease, state: Committed) -> None:
        self.bucket, self.held, self.state = bucket, held, state
        self.first = state.number
        self.staged: dict[str, Part] = {}
        """Parts that this process has staged, by name."""
        self.copies = tempfile.TemporaryDirectory(prefix="auditor-")

    def clean(self) -> None:
        """Delete objects that no commit names; raise OutputError for one that no run wrote."""
        known = {each.key for part in self.state.parts.values() for each in part.files.values()}
        left = [key for table in TABLES for key in self.bucket.sizes(table) if key not in known]
        for key in left:
            if not re.search(commits.PART_OF_KEY, key):
                raise OutputError(
                    f"{self.bucket.address(key)}: no run wrote it there; "
                    "move it away, or give another folder with --out"
                )
        self.bucket.delete(left)

    def commit(self, parts: Mapping[str, Part], dropped: Iterable[str] = ()) -> None:
        """Add or replace parts and drop others, in one moment."""
        self.held.still()
        number = self.state.number + 1
        key, data = commits.name(number), commits.text(parts, dropped, self.held.by)
        write = self.bucket.create if self.held.conditional else self.bucket.put
        try:
            write(key, data)
        except TakenError:
            if self._found(key) != data:  # it is ours if only the answer was lost
                raise OutputError(
                    f"{self.bucket}: another run has written there; nothing more is written: run the same command again"
                ) from None
        self.state.apply(parts, dropped)
        self.state.number = number
        if number - self.state.base >= max(LISTED_EVERY, len(self.state.parts) // 8):
            self._list()

    def _found(self, key: str) -> bytes:
        try:
            return self.bucket.get(key)
        except GoneError:
            return b""

    def _list(self) -> None:
        number = self.state.number
        self.bucket.put(commits.name(number, whole=True), commits.text(self.state.parts, (), self.held.by))
        self.state.base = number

    def listed(self) -> None:
        """List all parts, and delete the commits from before this run.

        Its own commits stay until the next run: another run that lost its lease must find their numbers taken.
        """
        if self.state.number > self.state.base:
            self._list()
        newest = commits.name(self.state.base, whole=True)
        own = {commits.name(number) for number in range(self.first + 1, self.state.number + 1)}
        self.bucket.delete([key for key in self.bucket.sizes(commits.FOLDER) if key != newest and key not in own])

    def without(self, leaving: Mapping[str, AbstractSet[str]]) -> tuple[dict[str, Part], list[str]]:
        """Write older parts anew without some sources; return them, and the names of those of which nothing is left."""
        parts, empty = {}, []
        for old in sorted(leaving):
            kept = encoding.without({name: self.table(name, old) for name in PARTED}, leaving[old])
            if kept["sources"].is_empty():
                empty.append(old)
            else:
                parts[old] = _put(self.bucket, kept, old)
        return parts, empty

    def table(self, name: str, part: str) -> pl.DataFrame:
        """Return a part's table."""
        return _read(self.bucket, self.state.parts[part].files[name].key)

    def scanned(self, table: str, leaving_out: Iterable[str]) -> pl.LazyFrame | None:
        """Return a table as a lazy frame with a column ``part``; None if it has no object.

        A run looks into ``sources`` again and again, so each of its objects is copied to this machine once.
        """
        keys = self.state.keys(table, leaving_out)
        if not keys:
            return None
        if table == "sources":
            frame = pl.scan_parquet(self._copied(keys), include_file_paths="part", glob=False)
        else:
            frame = scan(self.bucket, keys, include_file_paths="part")
        return frame.with_columns(pl.col("part").str.extract(commits.PART_OF_KEY))

    def _copied(self, keys: list[str]) -> list[Path]:
        paths = {key: Path(self.copies.name) / key.rpartition("/")[2] for key in keys}

        def copy(key: str) -> None:
            paths[key].write_bytes(_bytes(self.bucket, key))

        missing = [key for key, path in paths.items() if not path.exists()]
        with ThreadPoolExecutor(ABREAST) as pool:
            list(pool.map(copy, missing))
        return [*paths.values()]


def _bytes(bucket: Bucket, key: str) -> bytes:
    try:
        return bucket.get(key)
    except GoneError:
        raise OutputError(f"{bucket.address(key)}: is gone; run the same command again") from None


def _read(bucket: Bucket, key: str) -> pl.DataFrame:
    try:
        return pl.read_parquet(io.BytesIO(_bytes(bucket, key)))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise OutputError(
            f"{bucket.address(key)}: cannot be read ({' '.join(str(error).split())}); --force drops what is damaged"
        ) from error


def _put(bucket: Bucket, tables: Mapping[str, pl.DataFrame | bytes], part: str) -> Part:
    """Write the objects of a part; they do not count before a commit."""
    data = {name: each if isinstance(each, bytes) else encoding.encoded(each, name) for name, each in tables.items()}
    files = commits.stored(part, {name: (len(each), hashlib.sha256(each).hexdigest()) for name, each in data.items()})
    with ThreadPoolExecutor(len(TABLES)) as pool:
        list(pool.map(lambda name: bucket.put(files[name].key, data[name]), files))
    sources = tables.get("sources")
    listing = encoding.listing_of(pl.read_parquet(sources) if isinstance(sources, bytes) else sources, {})
    return Part(files, listing.sources, listing.archives)


def stage(tables: Mapping[str, pl.DataFrame | bytes], out: Bucket, part: str) -> str:
    """Write a part's objects; return their list as a text, which :func:`commit` needs if another process stages."""
    found = _put(out, tables, part)
    if out.writer is not None:
        out.writer.staged[part] = found
    return json.dumps(found.values)


def commit(out: Bucket, part: str, leaving: Mapping[str, AbstractSet[str]], listed: int | str | None) -> None:
    """Make a staged part count, and in the same moment remove rows of older parts."""
    writer: Writer = out.writer
    new = writer.staged.pop(part, None)
    if isinstance(listed, str):
        new = commits.part_of(json.loads(listed))
    assert new is not None
    parts, empty = writer.without({old: gone for old, gone in leaving.items() if old != part})
    writer.commit({**parts, part: new}, empty)


def exchange(
    out: Bucket, leaving: Mapping[str, AbstractSet[str]], tables: Mapping[str, Mapping[str, pl.DataFrame]]
) -> None:
    """Write parts, and in the same moment remove rows of other parts; a part without tables is removed."""
    writer: Writer = out.writer
    kept, empty = writer.without(leaving)
    new = {part: _put(out, each, part) for part, each in tables.items() if each}
    writer.commit({**kept, **new}, [*empty, *(part for part, each in tables.items() if not each)])


def rewrite_sources(out: Bucket, part: str, table: pl.DataFrame) -> None:
    """Replace a part's table ``sources``; the store copies the others."""
    writer: Writer = out.writer
    before = writer.state.parts[part]
    data = encoding.encoded(table, "sources")
    sizes = {name: (each.size, each.sha256) for name, each in before.files.items()}
    files = commits.stored(part, sizes | {"sources": (len(data), hashlib.sha256(data).hexdigest())})
    out.put(files["sources"].key, data)
    for name in before.files.keys() - {"sources"}:
        out.copy(before.files[name].key, files[name].key)
    writer.commit({part: Part(files, before.sources, before.archives)})


def sources_of(out: Bucket, part: str, damage: Iterable[Damage], columns: list[str]) -> pl.DataFrame | None:
    """Return columns of a damaged part's ``sources``; None if that object is damaged itself."""
    writer: Writer = out.writer
    files = writer.state.parts[part].files
    if "sources" not in files:
        return pl.DataFrame(schema=dict.fromkeys(columns, pl.String))
    damaged = any(each.path == out.address(files["sources"].key) for each in damage)
    return None if damaged else writer.table("sources", part).select(columns)


def opened(folder: Bucket) -> dict[str, pl.LazyFrame] | None:
    """Return a dataset's tables by name, as lazy frames; None if nothing was ever committed there."""
    state = commits.read(folder)
    if state is None:
        return None
    tables = {}
    for name in TABLES:
        keys, types = state.keys(name), TABLES[name].types
        frame = scan(folder, keys, schema=types, extra_columns="ignore") if keys else pl.DataFrame(schema=types).lazy()
        tables[name] = frame
    return tables


def damage(folder: Bucket, *, whole: bool) -> list[Damage]:
    """Compare a dataset's objects with its commits."""
    state = commits.read(folder) if folder.writer is None else folder.writer.state
    return commits.damage(folder, state, whole=whole) if state else []

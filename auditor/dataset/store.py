"""Writing to a dataset: one writer at a time; even after a crash each part is there as a whole or not at all.

A process stages a part's files and their list (manifest.py) in a folder ``.staged/<part>-<process>.new``. The part
counts from the moment that this folder is renamed to ``….ready``. Then the files move to their places, lists last.
When a run begins, it completes the parts that are ready and drops the others; so a killed run leaves nothing half done.
All changes go this way: parts, a run's own row, and the removal of rows.

An object store has no rename; in_bucket.py does the same there, and each function here calls it for such a dataset.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import polars as pl

from auditor.dataset import encoding, in_bucket, lock, manifest
from auditor.dataset.lock import LOCK
from auditor.dataset.manifest import LISTS, READY, STAGED, Entry, Listing
from auditor.dataset.objects import Bucket
from auditor.dataset.schema import METADATA, PARTED, TABLES
from auditor.dataset.writing import OutputError, settle, write, write_text, writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from auditor.dataset.lease import Lease
    from auditor.dataset.lock import Held

    Out = Path | Bucket
    """Where a dataset lies."""

__all__ = ["LOCK", "OutputError"]

NEW = ".new"


@contextmanager
def locked(out: Out, *, wait: bool) -> Iterator[Held | Lease]:
    """Lock the dataset while the context lasts, complete or drop what a killed run has left, and yield the lock.

    Parameters
    ----------
    out
        folder of the dataset; made if it does not exist
    wait
        whether to wait for another run to end

    Raises
    ------
    OutputError
        when the folder cannot be written, or another run writes there and is not waited for

    """
    if isinstance(out, Bucket):
        with in_bucket.locked(out, wait=wait) as leased:
            yield leased
        return
    with lock.taken(out, wait=wait) as held:
        try:
            _mend(out)
            yield held
        finally:
            for folder in (out / STAGED).glob(f"*{NEW}"):
                shutil.rmtree(folder, ignore_errors=True)
            with suppress(OSError):
                (out / STAGED).rmdir()


def _mend(out: Path) -> None:
    """Complete the parts of a killed run that are ready; drop the others, and any other file among them."""
    with writing(out):
        if os.path.lexists(out / STAGED) and not (out / STAGED).is_dir():
            (out / STAGED).unlink()
        for found in sorted((out / STAGED).glob("*")):
            if found.is_symlink() or not found.is_dir():
                found.unlink()
            elif found.suffix == READY:
                _place(found, out)
            else:
                shutil.rmtree(found)
        for left in (left for left in out.glob("*/.*.tmp") if not left.is_dir()):
            left.unlink()


def stage(tables: Mapping[str, pl.DataFrame | bytes], out: Out, part: str, run: int | str) -> int | str:
    """Write a part's tables and their list to its staged folder; they do not count before :func:`commit`.

    Returns what :func:`commit` needs to find them.

    A table may be given as the bytes of its file, from :func:`~auditor.dataset.encoding.encoded`. ``run`` is the id of
    the process that commits, or another word without ``-``. It is in the folder's name, so that a worker that outlives
    a killed run does not disturb the next run.

    Raises
    ------
    OutputError
        when the files cannot be written, or the dataset's folder is gone

    """
    if isinstance(out, Bucket):
        return in_bucket.stage(tables, out, part)
    folder = _staged(out, part, run)
    with writing(out):
        shutil.rmtree(folder, ignore_errors=True)
        _make(folder)
        _put(tables, folder, part)
    return run


def _staged(out: Path, part: str, run: int | str) -> Path:
    return out / STAGED / f"{part}-{run}{NEW}"


def _make(folder: Path) -> None:
    """Make a folder for staging. A missing dataset folder is an error: rows must not go into a new, empty dataset."""
    folder.parent.mkdir(exist_ok=True)
    folder.mkdir(exist_ok=True)


def _put(tables: Mapping[str, pl.DataFrame | bytes], folder: Path, part: str, before: Listing | None = None) -> None:
    """Write tables of a part and its list into a staged folder.

    ``before`` is the part's present list; its files stay, unless ``tables`` has new ones.
    """
    files = {name: _write(table, folder / name / f"{part}{manifest.SUFFIX}") for name, table in tables.items()}
    sources = tables.get("sources")
    now = encoding.listing_of(pl.read_parquet(sources) if isinstance(sources, bytes) else sources, files)
    if before:
        now = Listing({**before.files, **files}, before.sources, before.archives)
    _list(now, folder, part)


def _list(listing: Listing, folder: Path, part: str) -> None:
    place = manifest.place(folder, part)
    place.parent.mkdir(exist_ok=True)
    write(listing.text(METADATA["schema_version"]).encode(), place)


def relist(listing: Listing, out: Path, part: str) -> None:
    """Write the list of a part whose files are in place already."""
    write_text(listing.text(METADATA["schema_version"]), manifest.place(out, part))


def commit(out: Out, part: str, leaving: Mapping[str, AbstractSet[str]], run: int | str | None = None) -> None:
    """Make a staged part count, and in the same moment remove the rows that it replaces from older parts.

    Parameters
    ----------
    out
        folder of the dataset
    part
        name of the staged part
    leaving
        by older part, the sources whose rows are removed
    run
        what :func:`stage` returned; None: this process has staged it

    Raises
    ------
    OutputError
        when it cannot be written; the dataset is then as before, or the next run completes the commit

    """
    if isinstance(out, Bucket):
        in_bucket.commit(out, part, leaving, run)
        return
    folder = _staged(out, part, os.getpid() if run is None else run)
    _leave(folder, out, {old: gone for old, gone in leaving.items() if old != part})
    _settled(folder, out)


def drop(out: Out, parts: Iterable[str], leaving: Mapping[str, AbstractSet[str]]) -> None:
    """Remove whole parts, damaged or not, and in the same moment rows of other parts (by part, the sources)."""
    if isinstance(out, Bucket):
        in_bucket.exchange(out, leaving, {part: {} for part in parts})
        return
    folder = _staged(out, "dropped", os.getpid())
    with writing(out):
        _make(folder)
        for part in parts:
            _none(out, folder, part)
    _leave(folder, out, leaving)
    _settled(folder, out)


def restamp(out: Out, part: str, times: Mapping[str, int]) -> None:
    """Write new modification times (ns of the Unix epoch, by source) into a part; its other values stay."""
    before = None if isinstance(out, Bucket) else manifest.read(out, part)
    table = one(out, "sources", part)
    if table is None or (before is None and not isinstance(out, Bucket)):
        return
    changed = pl.DataFrame(
        {"source": list(times), "now": list(times.values())}, schema={"source": pl.String, "now": pl.Int64}
    ).cast({"now": table.schema["modified"]})  # fmt: skip
    joined = table.join(changed, on="source", how="left", maintain_order="left")
    stamped = joined.with_columns(modified=pl.coalesce("now", "modified")).drop("now")
    if isinstance(out, Bucket):
        in_bucket.rewrite_sources(out, part, stamped)
        return
    folder = _staged(out, f"times of {part}", os.getpid())
    with writing(out):
        _make(folder)
        _put({"sources": stamped}, folder, part, before)
    _settled(folder, out)


def _leave(folder: Path, out: Path, leaving: Mapping[str, AbstractSet[str]]) -> None:
    """Stage older parts without the rows that are removed."""
    for old in sorted(leaving):
        with reading(out):
            kept = encoding.without(read(out, old), leaving[old])
        with writing(out):
            if kept["sources"].is_empty():
                _none(out, folder, old)
            else:
                _put(kept, folder, old)


def _none(out: Path, folder: Path, part: str) -> None:
    """Stage the removal of a part: an empty file means that the file in its place is deleted."""
    there = [table for table in TABLES if os.path.lexists(_file(out, table, part))]
    for place in (*(_file(folder, table, part) for table in there), manifest.place(folder, part)):
        place.parent.mkdir(exist_ok=True)
        place.touch()


def exchange(
    out: Out,
    part: str,
    leaving: Mapping[str, AbstractSet[str]],
    tables: Mapping[str, Mapping[str, pl.DataFrame]],
) -> None:
    """Write parts, and in the same moment remove rows of other parts.

    Parameters
    ----------
    out
        folder of the dataset
    part
        name of one of the parts to write, which names the whole
    leaving
        by other part, the sources whose rows are removed
    tables
        by part, its tables; of a part without tables, the files are removed

    Raises
    ------
    OutputError
        when it cannot be written; the dataset is then as before, or the next run completes the work

    """
    if isinstance(out, Bucket):
        in_bucket.exchange(out, leaving, tables)
        return
    folder = _staged(out, part, os.getpid())
    with writing(out):
        _make(folder)
        for name, each in tables.items():
            if each:
                _put(each, folder, name)
            else:
                _none(out, folder, name)
    _leave(folder, out, leaving)
    _settled(folder, out)


def _file(folder: Path, table: str, part: str) -> Path:
    return folder / table / f"{part}{manifest.SUFFIX}"


def _settled(folder: Path, out: Path) -> None:
    """Make a staged folder count, and move its files to their places."""
    ready = folder.with_name(folder.name.removesuffix(NEW) + READY)
    with writing(out):
        for below in (*folder.iterdir(), folder):
            settle(below)
        folder.rename(ready)
        settle(ready.parent)
        _place(ready, out)


def _place(ready: Path, out: Path) -> None:
    """Move the files of a ready part to their places; after an interruption, a second call completes the work.

    In each table, old rows are removed before new ones are added, so that no source is ever there twice. The lists move
    last: while a list is here, a reader of the dataset knows that the part is being moved.
    """
    part = ready.name.rpartition("-")[0]
    for table in (*TABLES, LISTS):
        if not (ready / table).is_dir():
            continue
        target = out / table
        target.mkdir(exist_ok=True)
        for file in sorted((ready / table).iterdir(), key=lambda file: file.stem == part):
            if file.stat().st_size:
                file.replace(target / file.name)
            else:
                (target / file.name).unlink(missing_ok=True)
        settle(target)
    shutil.rmtree(ready)
    with suppress(OSError):
        ready.parent.rmdir()


@contextmanager
def reading(out: Out) -> Iterator[None]:
    """Turn errors in reading a table into :class:`OutputError`; the file's size and time were right."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = " ".join(str(error).split())
        raise OutputError(
            f"{out}: a table cannot be read ({reason}); "
            "--force compares every file with its digest, drops what is damaged, and audits all again"
        ) from error


def one(out: Out, table: str, part: str) -> pl.DataFrame | None:
    """Return one table of a part; None if the part, or this table of it, is not there."""
    if isinstance(out, Bucket):
        known = out.writer.state.parts.get(part)
        found: pl.DataFrame | None = out.writer.table(table, part) if known and table in known.files else None
        return found
    place = _file(out, table, part)
    if not place.exists():
        return None
    with reading(out):
        return pl.read_parquet(place, glob=False)


def read(out: Path, part: str) -> dict[str, pl.DataFrame]:
    """Return a part's tables by name."""
    return {name: pl.read_parquet(_file(out, name, part), glob=False) for name in PARTED}


def _write(table: pl.DataFrame | bytes, place: Path) -> Entry:
    """Write one file of a table; return its entry for the list."""
    place.parent.mkdir(exist_ok=True)
    data = table if isinstance(table, bytes) else encoding.encoded(table, place.parent.name)
    write(data, place)
    status = place.stat()
    return Entry(status.st_size, status.st_mtime_ns, hashlib.sha256(data).hexdigest())


def scanned(out: Out, table: str, leaving_out: Iterable[str] = ()) -> pl.LazyFrame | None:
    """Return a table of the dataset as a lazy frame, with a column ``part``; None if the table has no file.

    ``leaving_out`` names parts to ignore.
    """
    if isinstance(out, Bucket):
        scan: pl.LazyFrame | None = out.writer.scanned(table, leaving_out)
        return scan
    paths = sorted(path for path in (out / table).glob("[!.]*.parquet") if path.stem not in leaving_out)
    if not paths:
        return None
    frame = pl.scan_parquet(paths, include_file_paths="part", glob=False)
    return frame.with_columns(pl.col("part").str.extract(r"([^/\\]+)\.parquet$"))


def note(text: str, out: Out, folder: str, name: str) -> None:
    """Write a text file into a folder beside the tables, whole or not at all."""
    if isinstance(out, Bucket):
        out.put(f"{folder}/{name}", text.encode())
    else:
        write_text(text, out / folder / name)

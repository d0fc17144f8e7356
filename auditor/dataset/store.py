"""The dataset as its writer sees it: one writer at a time, each part whole or not there, whatever happens between.

A part's files are staged beside the tables (``.staged/<part>-<process>.new``), by whichever process, and with them the
list of them (manifest.py). The moment at which they count is the renaming of that folder (``….ready``); then they are
moved to their places, lists last. A run that begins completes what is ready and drops what is not, so a killed run
leaves nothing half done. All that a run writes goes this way, its own row and what it takes out, too.
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import polars as pl

from auditor.dataset import lock, manifest
from auditor.dataset.lock import LOCK
from auditor.dataset.manifest import LISTS, READY, STAGED, Entry, Listing
from auditor.dataset.schema import METADATA, PARTED, TABLES
from auditor.dataset.writing import OutputError, settle, write, write_text, writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from auditor.dataset.lock import Held

__all__ = ["LOCK", "OutputError", "write_text"]

NEW = ".new"


@contextmanager
def locked(out: Path, *, wait: bool) -> Iterator[Held]:
    """Make the dataset this process's own to write; complete or drop what a killed run has left; give the lock.

    Parameters
    ----------
    out
        folder of the dataset; made if it is not there
    wait
        whether to wait for another run to end

    Raises
    ------
    OutputError
        when the folder cannot be written, or another run writes there and is not waited for

    """
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
    """Complete the parts of a killed run that are ready, drop the others, and whatever else lies among them."""
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


def stage(tables: Mapping[str, pl.DataFrame], out: Path, part: str, run: int) -> None:
    """Write a part's tables and their list beside the dataset; nothing of it counts before :func:`commit`.

    ``run`` is the process that commits: a worker that outlives a killed run is in nobody's way.

    Raises
    ------
    OutputError
        when they cannot be written, or the dataset's folder is gone

    """
    folder = _staged(out, part, run)
    with writing(out):
        shutil.rmtree(folder, ignore_errors=True)
        _make(folder)
        _put(tables, folder, part)


def _staged(out: Path, part: str, run: int) -> Path:
    return out / STAGED / f"{part}-{run}{NEW}"


def _make(folder: Path) -> None:
    """Make a folder for staging; the dataset's own is never made anew: a run's rows would go into an empty one."""
    folder.parent.mkdir(exist_ok=True)
    folder.mkdir(exist_ok=True)


def _put(tables: Mapping[str, pl.DataFrame], folder: Path, part: str, before: Listing | None = None) -> None:
    """Write tables of a part and its list into a staged folder; ``before`` lists the files that stay as they are."""
    files = {name: _write(table, folder / name / f"{part}{manifest.SUFFIX}") for name, table in tables.items()}
    now = listing_of(tables.get("sources"), files)
    if before:
        now = Listing({**before.files, **files}, before.sources, before.archives)
    _list(now, folder, part)


def listing_of(sources: pl.DataFrame | None, files: Mapping[str, Entry]) -> Listing:
    """Return the list of a part, given its table of sources, if it has one."""
    if sources is None:
        return Listing(files)
    archives = sources.filter(pl.col("member").is_not_null())["path"].unique().sort().to_list()
    return Listing(files, len(sources), tuple(archives))


def _list(listing: Listing, folder: Path, part: str) -> None:
    place = manifest.place(folder, part)
    place.parent.mkdir(exist_ok=True)
    write(listing.text(METADATA["schema_version"]).encode(), place)


def relist(listing: Listing, out: Path, part: str) -> None:
    """Write the list of a part whose files are in place already."""
    write_text(listing.text(METADATA["schema_version"]), manifest.place(out, part))


def commit(out: Path, part: str, leaving: Mapping[str, AbstractSet[str]]) -> None:
    """Make a staged part count, and in the same moment take from older parts the rows that it replaces.

    Parameters
    ----------
    out
        the dataset
    part
        the part, staged
    leaving
        by older part, the sources whose rows go

    Raises
    ------
    OutputError
        when it cannot be written; the dataset is as it was before then

    """
    folder = _staged(out, part, os.getpid())
    _leave(folder, out, {old: gone for old, gone in leaving.items() if old != part})
    _settled(folder, out)


def drop(out: Path, parts: Iterable[str], leaving: Mapping[str, AbstractSet[str]]) -> None:
    """Take whole parts out of the dataset, whatever state they are in, and in the same moment rows of others."""
    folder = _staged(out, "dropped", os.getpid())
    with writing(out):
        _make(folder)
        for part in parts:
            _none(out, folder, part)
    _leave(folder, out, leaving)
    _settled(folder, out)


def restamp(out: Path, part: str, times: Mapping[str, int]) -> None:
    """Note new times of change (ns of the Unix epoch), by source, of files that are the same otherwise."""
    before = manifest.read(out, part)
    if before is None:
        return
    with reading(out):
        table = pl.read_parquet(_file(out, "sources", part), glob=False)
    changed = pl.DataFrame(
        {"source": list(times), "now": list(times.values())}, schema={"source": pl.String, "now": pl.Int64}
    ).cast({"now": table.schema["modified"]})  # fmt: skip
    joined = table.join(changed, on="source", how="left", maintain_order="left")
    folder = _staged(out, f"times of {part}", os.getpid())
    with writing(out):
        _make(folder)
        _put(
            {"sources": joined.with_columns(modified=pl.coalesce("now", "modified")).drop("now")}, folder, part, before
        )
    _settled(folder, out)


def _leave(folder: Path, out: Path, leaving: Mapping[str, AbstractSet[str]]) -> None:
    """Stage older parts without the rows that go."""
    for old in sorted(leaving):
        with reading(out):
            kept = without(read(out, old), leaving[old])
        with writing(out):
            if kept["sources"].is_empty():
                _none(out, folder, old)
            else:
                _put(kept, folder, old)


def _none(out: Path, folder: Path, part: str) -> None:
    """Stage that a part is no more: an empty file stands for none."""
    there = [table for table in TABLES if os.path.lexists(_file(out, table, part))]
    for place in (*(_file(folder, table, part) for table in there), manifest.place(folder, part)):
        place.parent.mkdir(exist_ok=True)
        place.touch()


def _file(folder: Path, table: str, part: str) -> Path:
    return folder / table / f"{part}{manifest.SUFFIX}"


def _settled(folder: Path, out: Path) -> None:
    """Make what is staged count."""
    ready = folder.with_name(folder.name.removesuffix(NEW) + READY)
    with writing(out):
        for below in (*folder.iterdir(), folder):
            settle(below)
        folder.rename(ready)
        settle(ready.parent)
        _place(ready, out)


def _place(ready: Path, out: Path) -> None:
    """Move the files of a part that is ready to where they belong; begun anew, it goes on where it was.

    In each table the rows that leave go before their successors come: at no moment is a source there twice. The lists
    come last: as long as one lies here, whoever looks at the dataset knows that its files are on their way.
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
def reading(out: Path) -> Iterator[None]:
    """Turn what goes wrong in reading a table into an :class:`OutputError`: it was sound by size and time."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = " ".join(str(error).split())
        raise OutputError(
            f"{out}: a table cannot be read ({reason}); "
            "--force compares every file with its digest, drops what is damaged, and audits all again"
        ) from error


def read(out: Path, part: str) -> dict[str, pl.DataFrame]:
    """Return a part's tables by name."""
    return {name: pl.read_parquet(_file(out, name, part), glob=False) for name in PARTED}


def without(tables: Mapping[str, pl.DataFrame], gone: AbstractSet[str]) -> dict[str, pl.DataFrame]:
    """Return a part's tables without some sources."""
    sources = pl.Series(sorted(gone), dtype=pl.String)
    return {name: tables[name].filter(~pl.col("source").is_in(sources.implode())) for name in PARTED}


def _write(table: pl.DataFrame, place: Path) -> Entry:
    """Write one file of a table; return how it is listed."""
    place.parent.mkdir(exist_ok=True)
    buffer = io.BytesIO()
    table.write_parquet(buffer, compression="zstd", metadata=METADATA)
    write(buffer.getbuffer(), place)
    status = place.stat()
    return Entry(status.st_size, status.st_mtime_ns, hashlib.sha256(buffer.getbuffer()).hexdigest())


def scanned(out: Path, table: str, leaving_out: Iterable[str] = ()) -> pl.LazyFrame | None:
    """Return a table of the dataset with the column ``part``, not yet read; None if it has no part."""
    paths = sorted(path for path in (out / table).glob("[!.]*.parquet") if path.stem not in leaving_out)
    if not paths:
        return None
    frame = pl.scan_parquet(paths, include_file_paths="part", glob=False)
    return frame.with_columns(pl.col("part").str.extract(r"([^/\\]+)\.parquet$"))

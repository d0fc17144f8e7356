"""The dataset as its writer sees it: one writer at a time, each part whole or not there, whatever happens between.

A part's files are staged beside the tables (``.staged/<part>-<process>.new``), by whichever process. The moment at
which they count is the renaming of that folder (``….ready``); then they are moved to their places. A run that
begins completes what is ready and drops what is not, so a killed run leaves nothing half done.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING

import polars as pl

from auditor.schema import METADATA, PARTED, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from collections.abc import Set as AbstractSet
    from pathlib import Path
    from typing import BinaryIO

STAGED, NEW, READY = ".staged", ".new", ".ready"
LOCK = ".lock"
POLL = 0.5
"""Seconds between two tries for a lock."""


class OutputError(Exception):
    """The dataset cannot be written."""


@contextmanager
def locked(out: Path, *, wait: bool) -> Iterator[int]:
    """Make the dataset this process's own to write; give how many parts of a killed run were completed or dropped.

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
    if re.match(r"\w{2,}:/", str(out)):
        raise OutputError(f"{out}: is a URI; give a folder of this machine with --out, and copy it there")
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out}: is a file; give a folder with --out")
    try:
        out.mkdir(parents=True, exist_ok=True)
        file = (out / LOCK).open("a+b")
    except OSError as error:
        raise OutputError(f"{out}: cannot be written ({error.strerror}); give another folder with --out") from error
    with file:
        _take(file, out, wait=wait)
        try:
            yield _mended(out)
        finally:
            for folder in (out / STAGED).glob(f"*{NEW}"):
                shutil.rmtree(folder, ignore_errors=True)
            with suppress(OSError):
                (out / STAGED).rmdir()


def _take(file: BinaryIO, out: Path, *, wait: bool) -> None:
    """Lock a file until it is closed, by whatever end the process comes to."""
    while not _taken(file):
        if not wait:
            file.seek(0)
            raise OutputError(
                f"{out}: another run writes there ({file.read().decode(errors='replace') or 'not yet named'}); "
                "wait for it with --wait, or give another folder with --out"
            )
        time.sleep(POLL)
    file.truncate(0)
    file.write(f"process {os.getpid()}".encode())
    file.flush()


def _taken(file: BinaryIO) -> bool:
    try:
        if os.name == "nt":
            import msvcrt  # noqa: PLC0415  (each system has one of the two)

            file.seek(1 << 30)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        raise OutputError(f"{file.name}: cannot be locked ({error.strerror}); give a folder of a local disk") from error
    return True


def _mended(out: Path) -> int:
    """Complete the parts of a killed run that are ready, drop the others; return how many there were."""
    staged = sorted((out / STAGED).glob("*")) if (out / STAGED).is_dir() else []
    with _writing(out):
        for folder in staged:
            if folder.suffix == READY:
                _place(folder, out)
            else:
                shutil.rmtree(folder)
        for left in out.glob("*/.*.tmp"):
            left.unlink()
    return len(staged)


def stage(tables: Mapping[str, pl.DataFrame], out: Path, part: str, run: int) -> None:
    """Write a part's tables beside the dataset; nothing of it counts before :func:`commit`.

    ``run`` is the process that commits: a worker that outlives a killed run is in nobody's way.

    Raises
    ------
    OutputError
        when they cannot be written

    """
    folder = _staged(out, part, run)
    with _writing(out):
        shutil.rmtree(folder, ignore_errors=True)
        for name, table in tables.items():
            _write(table, folder / name / f"{part}.parquet")


def _staged(out: Path, part: str, run: int) -> Path:
    return out / STAGED / f"{part}-{run}{NEW}"


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
    ready = folder.with_suffix(READY)
    with _writing(out):
        for old in sorted(set(leaving) - {part}):
            kept = without(read(out, old), leaving[old])
            for name, table in kept.items():
                place = folder / name / f"{old}.parquet"
                if kept["sources"].is_empty():
                    place.parent.mkdir(parents=True, exist_ok=True)
                    place.touch()  # an empty file stands for none
                else:
                    _write(table, place)
        for below in (*folder.iterdir(), folder):
            _settle(below)
        folder.rename(ready)
        _settle(ready.parent)
        _place(ready, out)


def _place(ready: Path, out: Path) -> None:
    """Move the files of a part that is ready to where they belong; begun anew, it goes on where it was.

    In each table the rows that leave go before their successors come: at no moment is a source there twice.
    """
    part = ready.name.partition("-")[0]
    for table in sorted(ready.iterdir()):
        target = out / table.name
        target.mkdir(exist_ok=True)
        for file in sorted(table.iterdir(), key=lambda file: file.stem == part):
            if file.stat().st_size:
                file.replace(target / file.name)
            else:
                (target / file.name).unlink(missing_ok=True)
        _settle(target)
    shutil.rmtree(ready)
    with suppress(OSError):
        ready.parent.rmdir()


def read(out: Path, part: str) -> dict[str, pl.DataFrame]:
    """Return a part's tables by name."""
    return {name: pl.read_parquet(out / name / f"{part}.parquet", glob=False) for name in PARTED}


def without(tables: Mapping[str, pl.DataFrame], gone: AbstractSet[str]) -> dict[str, pl.DataFrame]:
    """Return a part's tables without some sources."""
    sources = pl.Series(sorted(gone), dtype=pl.String)
    return {name: tables[name].filter(~pl.col("source").is_in(sources.implode())) for name in PARTED}


def restamp(out: Path, part: str, times: Mapping[str, int]) -> None:
    """Note new times of change (ns of the Unix epoch), by source, of files that are the same otherwise."""
    place = out / "sources" / f"{part}.parquet"
    if not place.exists():
        return
    table = pl.read_parquet(place, glob=False)
    changed = pl.DataFrame(
        {"source": list(times), "now": list(times.values())}, schema={"source": pl.String, "now": pl.Int64}
    ).cast({"now": table.schema["modified"]})  # fmt: skip
    joined = table.join(changed, on="source", how="left", maintain_order="left")
    write_table(joined.with_columns(modified=pl.coalesce("now", "modified")).drop("now"), place)


def verify(out: Path) -> None:
    """Raise OutputError if the dataset has tables that another version of the schema wrote."""
    for name in PARTED:
        for path in islice((out / name).glob("[!.]*.parquet"), 1):
            try:
                version = pl.read_parquet_metadata(path).get("schema_version")
            except (OSError, pl.exceptions.PolarsError) as error:
                raise OutputError(f"{path}: cannot be read ({error}); delete the dataset and run again") from error
            if version != VERSION:
                raise OutputError(
                    f"{out}: has tables of schema version {version or 'none'}, this auditor writes {VERSION}; "
                    "give another folder with --out, or delete this one"
                )


def write_table(table: pl.DataFrame, place: Path) -> None:
    """Write one Parquet file, whole or not at all.

    Raises
    ------
    OutputError
        when it cannot be written

    """
    _whole(place, lambda beside: _write(table, beside))


def write_text(text: str, place: Path) -> None:
    """Write one text file in the same way."""
    _whole(place, lambda beside: beside.write_text(text, encoding="utf-8"))


def _whole(place: Path, write: Callable[[Path], object]) -> None:
    with _writing(place):
        place.parent.mkdir(parents=True, exist_ok=True)
        beside = place.with_name(f".{place.name}.{os.getpid()}.tmp")
        try:
            write(beside)
            beside.replace(place)
            _settle(place.parent)
        finally:
            beside.unlink(missing_ok=True)


def _write(table: pl.DataFrame, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.open("wb") as file:
        table.write_parquet(file, compression="zstd", metadata=METADATA)
        file.flush()
        os.fsync(file.fileno())


def _settle(folder: Path) -> None:
    """Have the names in a folder on the disk, where the system can: a file's bytes alone survive no power loss."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _writing(place: Path) -> Iterator[None]:
    """Turn what goes wrong in writing into an :class:`OutputError`."""
    try:
        yield
    except (OSError, pl.exceptions.ComputeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        where = getattr(error, "filename", None) or place
        raise OutputError(
            f"{where}: cannot be written ({reason}); free space, or give another folder with --out"
        ) from error


def scanned(out: Path, table: str) -> pl.LazyFrame | None:
    """Return a table of the dataset with the column ``part``, not yet read; None if it has no part."""
    paths = sorted((out / table).glob("[!.]*.parquet"))
    if not paths:
        return None
    frame = pl.scan_parquet(paths, include_file_paths="part", glob=False)
    return frame.with_columns(pl.col("part").str.extract(r"([^/\\]+)\.parquet$"))

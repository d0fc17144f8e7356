"""Sources that left the archive of logs: their rows go from every table, in one moment.

What is known about their findings stays in the table `changes`, where they are gone. After a crash the dataset is as
before, or the next run completes the work (store.py).
"""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.audit.check import all_checks
from auditor.dataset import changes, history, opened, store
from auditor.dataset.objects import located
from auditor.dataset.writing import OutputError
from auditor.run import noted, repeats
from auditor.sources import log_files
from auditor.sources.log_files import SourceError
from auditor.sources.places import path_of, shown
from auditor.sources.remote import is_uri

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.dataset.store import Out


class Forgotten(NamedTuple):
    """What left the dataset: the names of the sources, in order, the number of games, and that of findings gone."""

    sources: list[str]
    games: int
    findings: int


def forget(
    folder: Path, texts: Sequence[str], *, missing: bool = False, dry: bool = False, wait: bool = False
) -> Forgotten:
    """Remove sources from a dataset, with their rows of every table.

    Parameters
    ----------
    folder
        the dataset: a folder, or a folder of an object store
    texts
        paths or URIs of files, archives and folders, as the user writes them or as the table `sources` has them
    missing
        whether to remove only those files below them that are not there any more
    dry
        whether to change nothing, and only return what would be removed
    wait
        whether to wait for a run on the same dataset to end

    Raises
    ------
    DatasetError
        when the folder is no sound dataset
    SourceError
        when the dataset has no such source, or a folder that should lack only some files is itself not there
    OutputError
        when the dataset cannot be written, or another run writes there

    """
    opened.opened(folder)  # it raises before a lock is made where no dataset is
    out = located(folder)
    with store.locked(out, wait=wait):
        opened.verify(folder)
        with store.reading(out):
            rows = _rows(out)
            asked = [_asked(rows, text) for text in texts]
        removed = rows.join(pl.concat(asked).select("source").unique(), on="source", how="semi").sort("source")
        if missing:
            removed = _not_there(removed, texts)
        return _removed(out, removed, dry=dry)


def _rows(out: Out) -> pl.DataFrame:
    """Return the dataset's sources with the parts that have them."""
    found = store.scanned(out, "sources")
    if found is None:
        raise SourceError(f"{out}: the dataset has no source that could be forgotten")
    return found.select("part", "source", "path", "member", "file").collect()


def _asked(rows: pl.DataFrame, text: str) -> pl.DataFrame:
    """Return the sources that are the file, or lie in the folder or archive, that a text names.

    A name that leads to no file of the dataset is compared with the names that the files had when they were first
    found: a link to them may be gone.
    """
    if not text:
        raise SourceError("an empty path names nothing that could be forgotten; give . for the current folder")
    found = rows.filter(_within(pl.col("file"), log_files.identity(text)))
    if found.is_empty() and not is_uri(text):
        paths = rows["path"].unique().to_list()
        absolute = pl.Series([path if is_uri(path) else _absolute(path_of(path)) for path in paths], dtype=pl.String)
        names = pl.DataFrame({"path": paths, "absolute": absolute})
        same = names.filter(_within(pl.col("absolute"), _absolute(Path(text))))
        found = rows.join(same, on="path", how="semi")
    if not found.is_empty():
        return found
    if len(member := rows.filter(pl.col("source") == shown(text), pl.col("member").is_not_null())):
        archive = member["path"][0]
        raise SourceError(f"{text}: a member of an archive; a run removes it when {archive} has lost it")
    raise SourceError(f"{text}: the dataset has no such source; give a file or folder as the table sources has it")


def _absolute(path: Path) -> str:
    return os.path.abspath(path)  # noqa: PTH100  (resolve() follows links, and these may be others today)


def _within(name: pl.Expr, top: str) -> pl.Expr:
    """Say whether a name is that of a file, or of a file below that folder; options of a URI must be the same."""
    if not is_uri(top):
        return (name == top) | name.str.starts_with(top.rstrip("/") + "/")
    base, _, options = top.partition("?")
    parts = name.str.splitn("?", 2)
    path, more = parts.struct.field("field_0"), parts.struct.field("field_1").fill_null("")
    return ((path == base.rstrip("/")) | path.str.starts_with(base.rstrip("/") + "/")) & (more == options)


def _not_there(rows: pl.DataFrame, texts: Sequence[str]) -> pl.DataFrame:
    """Return the sources whose files are gone.

    A folder that is not there, or is empty, may be a disk that is not mounted: then nothing is removed.
    """
    for text in texts:
        if is_uri(log_files.identity(text)):
            raise SourceError(f"{text}: --missing asks no server; name the files or folders that are gone")
        path = path_of(log_files.identity(text))
        try:
            there = path.is_file() or any(path.iterdir())
        except OSError:
            there = False
        if not there:
            raise SourceError(
                f"{text}: is not there, or empty; is its disk mounted? Without --missing, all of it is forgotten"
            )
    gone = [file for file in rows["file"].unique().to_list() if not is_uri(file) and _is_gone(path_of(file))]
    return rows.filter(pl.col("file").is_in(pl.Series(gone, dtype=pl.String).implode()))


def _is_gone(path: Path) -> bool:
    """Say whether nothing is there; what cannot be looked at is not gone."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def _removed(out: Out, rows: pl.DataFrame, *, dry: bool) -> Forgotten:
    """Write the dataset without these sources; count what it loses."""
    names = rows["source"].to_list()
    gone = pl.col("source").is_in(pl.Series(names, dtype=pl.String).implode())
    tables = {name: noted.table(out, name) for name in ("games", "findings", "sources", "changes", "runs")}
    with store.reading(out):
        games = tables["games"].filter(gone).select(pl.len()).collect().item()
        kept = {name: tables[name].filter(~gone) for name in ("games", "findings", "sources")}
        again = _repeats(out, kept["games"])
        others = kept["findings"].filter(pl.col("code") != repeats.CODE)
        kept["findings"] = others if again is None else pl.concat([others, again.lazy()], how="diagonal_relaxed")
        at = noted.later(out, datetime.now(UTC))
        whole = [check.code for check in all_checks() if check.whole_dataset]
        lost = changes.of_removal({**tables, **kept}, names, at, whole=whole)
    if names and not dry:
        part = f"{at:{history.NAME}}"
        leaving = {name: set(each["source"]) for (name,), each in rows.group_by("part")}
        parts = {part: {"changes": lost}}
        if again is not None:
            parts[repeats.CODE] = {"findings": again} if len(again) else {}
        store.exchange(out, part, leaving, parts)
    return Forgotten(names, games, lost.filter(pl.col("change") == history.GONE).height)


def _repeats(out: Out, games: pl.LazyFrame) -> pl.DataFrame | None:
    """Return the findings about repeated games of what stays; None if the dataset has none now."""
    if store.one(out, "findings", repeats.CODE) is None:
        return None
    check = next(check for check in all_checks() if check.code == repeats.CODE)
    return repeats.repeated(games, check)


__all__ = ["Forgotten", "OutputError", "SourceError", "forget"]

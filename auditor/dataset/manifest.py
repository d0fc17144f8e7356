"""The list of each part's files. It shows which files are missing, cut, changed or foreign.

Beside a part's tables a run writes ``.parts/<part>.json``: the part's files with size, modification time and SHA-256,
the number of its sources, and the archives that have members in it. The list and the files begin to count in the same
moment (store.py). A file with the listed size and time is trusted. If only the time differs, the digest decides; so a
copied dataset is sound. A check of the ``whole`` dataset compares every digest.

Parts from before there were lists have none; such a part must have a file in every table, with the schema's columns.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from auditor.dataset.schema import PARTED, TABLES, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

LISTS = ".parts"
STAGED, READY = ".staged", ".ready"
SUFFIX = ".parquet"
_ALONE = ({"findings"}, {"runs"}, {"changes"}, {"runs", "changes"})
"""Parts without the other tables: findings about the whole dataset, and what a run or `forget` writes about itself."""
MOST_NAMED = 5
"""How many damaged files a message names."""


class ListedError(ValueError):
    """The dataset has files that no run of this version wrote."""


class Entry(NamedTuple):
    """A listed file: size in bytes, modification time in ns of the Unix epoch, SHA-256 in hex."""

    size: int
    modified: int
    sha256: str


@dataclass(frozen=True)
class Listing:
    """The list of a part: its files by table, the number of its sources, and the archives that have members in it."""

    files: Mapping[str, Entry]
    sources: int = 0
    archives: tuple[str, ...] = ()

    def text(self, version: str) -> str:
        """Return the list as the text of its file."""
        values = {"schema_version": version, "sources": self.sources, "archives": self.archives, "files": self.files}
        return json.dumps(values) + "\n"


@dataclass(frozen=True)
class Damage:
    """A damaged file of a part, and what is wrong with it; how many sources the part has and its archives, if known."""

    part: str
    path: Path | str
    what: str
    sources: int | None = None
    archives: tuple[str, ...] | None = None

    def __str__(self) -> str:
        """Return place, fault and consequence as one line."""
        files = {None: "the files", 1: "the file"}.get(self.sources, f"the {self.sources} files")
        again = "" if self.sources == 0 else f" and audits {files} of it again"
        return f"{self.path}: {self.what}; run the audit again: it drops this part of the dataset{again}"


@dataclass
class State:
    """The state of a dataset: damage, sound parts without a list, and the new lists of parts whose times changed."""

    damage: list[Damage] = field(default_factory=list)
    unlisted: list[str] = field(default_factory=list)
    moved: dict[str, Listing] = field(default_factory=dict)


def place(out: Path, part: str) -> Path:
    """Return the path of a part's list."""
    return out / LISTS / f"{part}.json"


def entry(path: Path) -> Entry:
    """Return the entry of a file, computed from the file itself."""
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        return Entry(status.st_size, status.st_mtime_ns, hashlib.file_digest(file, "sha256").hexdigest())


def read(out: Path, part: str) -> Listing | None:
    """Return a part's list; None if it does not exist or cannot be read as one.

    Raises
    ------
    ListedError
        when the list states another version of the schema

    """
    try:
        values = json.loads(place(out, part).read_bytes())
        version = values["schema_version"]
        files = {str(table): Entry(int(size), int(at), str(digest)) for table, (size, at, digest) in _items(values)}
        listing = Listing(files, int(values["sources"]), tuple(map(str, values["archives"])))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    if version != VERSION:
        raise ListedError(_other_version(out, version))
    return listing


def _items(values: Any) -> Iterable[tuple[str, Any]]:  # noqa: ANN401  (JSON has no type of its own)
    found: Iterable[tuple[str, Any]] = values["files"].items()
    return found


def _other_version(place: Path, version: object) -> str:
    newer = isinstance(version, str) and version.isdecimal() and int(version) > int(VERSION)
    what, do = (
        ("a newer", "update this one, or name another folder")
        if newer
        else (
            "another" if version is None else "an older",
            "audit the logs again into another folder, then delete this one",
        )
    )
    return f"{place}: tables of schema version {version or 'none'}, by {what} auditor; this one has {VERSION}: {do}"


def format_damage(damage: list[Damage]) -> str:
    """Return damage as text, a line for each of the first files."""
    more = len(damage) - MOST_NAMED
    return "\n".join([*map(str, damage[:MOST_NAMED]), *([f"... and {more:,} more files"] if more > 0 else [])])


def look(out: Path, *, whole: bool = False, writer: bool = False) -> State:
    """Compare a dataset with its lists.

    Parameters
    ----------
    out
        the dataset
    whole
        whether to compare the digest of every file
    writer
        whether the caller holds the dataset's lock; it then compares even a dataset without any list with the schema

    Raises
    ------
    ListedError
        when there are files that no run wrote, or files with another version of the schema

    """
    return _Look(out, whole=whole, writer=writer).state


class _Look:
    """One comparison of a dataset's files with its lists; ``state`` is the result."""

    def __init__(self, out: Path, *, whole: bool, writer: bool) -> None:
        self.out, self.whole, self.state = out, whole, State()
        self.there = {(table, part): path for table in TABLES for part, path in _parts(out / table, SUFFIX)}
        lists = dict(_parts(out / LISTS, ".json"))
        strict = writer or bool(lists)
        begun = _begun(out)
        for part in sorted(lists):
            listing = read(out, part)
            if part in begun:
                self._files(part)
            elif listing is None:
                self._files(part)
                self.state.damage.append(Damage(part, lists[part], "cannot be read as the list of a part"))
            else:
                self._listed(part, listing)
        rest = sorted({part for _, part in self.there})
        for part in rest:
            files = self._files(part)
            if part not in begun:
                self._unlisted(part, files, strict=strict)

    def _files(self, part: str) -> dict[str, Path]:
        """Remove the files of a part from ``there``, and return them by table."""
        return {table: self.there.pop((table, part)) for table in TABLES if (table, part) in self.there}

    def _listed(self, part: str, listing: Listing) -> None:
        files, now = self._files(part), dict(listing.files)
        for table, known in listing.files.items():
            path = files.pop(table, None)
            fault = "is missing" if path is None else None
            if path is not None:
                fault, now[table] = self._compared(path, known)
            if fault:
                at = self.out / table / f"{part}{SUFFIX}"
                self.state.damage.append(Damage(part, at, fault, listing.sources, listing.archives))
        for path in files.values():
            raise ListedError(_foreign(path))
        if now != listing.files:
            self.state.moved[part] = Listing(now, listing.sources, listing.archives)

    def _compared(self, path: Path, known: Entry) -> tuple[str | None, Entry]:
        """Return what is wrong with a file (None: nothing), and its entry as it would be listed now."""
        try:
            status = path.stat()
            if status.st_size != known.size:
                return f"has {status.st_size:,} bytes, a run wrote {known.size:,}", known
            if status.st_mtime_ns == known.modified and not self.whole:
                return None, known
            found = entry(path)
        except OSError as error:
            return f"cannot be read ({error.strerror})", known
        if found.sha256 != known.sha256:
            return "is not what a run wrote there (another digest)", known
        return None, found

    def _unlisted(self, part: str, files: Mapping[str, Path], *, strict: bool) -> None:
        """Compare a part without a list with the schema; if no file of it fits, a stranger wrote it, so raise."""
        faults = {path: schema_fault(path, table) for table, path in files.items()}
        if all(faults.values()):
            raise ListedError(_foreign(next(iter(faults)), next(iter(faults.values()))))
        damage = [Damage(part, path, fault) for path, fault in faults.items() if fault]
        if strict and files.keys() not in _ALONE:
            missing = [table for table in PARTED if table not in files]
            damage += [Damage(part, self.out / table / f"{part}{SUFFIX}", "is missing") for table in missing]
        self.state.damage += damage
        if not damage:
            self.state.unlisted.append(part)


def _parts(folder: Path, suffix: str) -> list[tuple[str, Path]]:
    """Return the parts that have a file in a folder, with the path of that file; hidden files are left out."""
    names = []
    with suppress(OSError):  # the folder may be missing, or be a file
        names = os.listdir(folder)  # noqa: PTH208  (Path.iterdir takes three times as long)
    return [
        (name.removesuffix(suffix), folder / name)
        for name in names if name.endswith(suffix) and not name.startswith(".")
    ]  # fmt: skip


def _begun(out: Path) -> set[str]:
    """Return the parts that a run is moving to their places, or was when it was killed: the next run completes them."""
    return {path.stem for path in (out / STAGED).glob(f"*{READY}/{LISTS}/*.json")}


def schema_fault(path: Path, table: str) -> str | None:
    """Return why a file does not fit a table of the schema; None if it fits.

    Raises
    ------
    ListedError
        when the file states another version of the schema

    """
    try:
        version = pl.read_parquet_metadata(path).get("schema_version")
        found = pl.read_parquet_schema(path)
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        return f"cannot be read as Parquet ({' '.join(str(error).split())})"
    if version != VERSION:
        raise ListedError(_other_version(path, version))
    types = TABLES[table].types
    wrong = [name for name, kind in types.items() if name not in found or found[name] != kind]
    return f"has no column {wrong[0]} as the table {table} has it" if wrong else None


def _foreign(path: Path, fault: str | None = None) -> str:
    return f"{path}: {fault or 'no run wrote it there'}; move it away, or delete the dataset, and run again"

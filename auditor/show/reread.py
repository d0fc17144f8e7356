"""Sources of a dataset, read again: from their names in the tables to the frames of their games.

A source is used only if its bytes are those that were audited. Each source is read once, each archive is opened once,
and files of one format are read together, as in an audit.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import polars as pl

from auditor.audit import audit_batch
from auditor.audit.frames import Frames
from auditor.sources import archives, log_files, remote
from auditor.sources.places import local, path_of
from auditor.sources.remote import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from auditor.sources.log_files import Place, Source
    from engine.rules.rule_sets import RuleSet

BATCH_FILES = 200
BATCH_BYTES = 16 << 20


@dataclass(frozen=True)
class Known:
    """A source as the dataset has it: name, path, member, digests of its bytes, and its file's path without links."""

    name: str
    path: str
    member: str | None
    digests: frozenset[str]
    file: str | None = None


@dataclass(frozen=True)
class ReadBatch:
    """Sources read together: their frames, and by name the reason why a source could not be read."""

    frames: Sequence[Frames]
    faults: dict[str, str]


def read_again(known: Iterable[Known], rules: RuleSet) -> Iterator[ReadBatch]:
    """Read sources again and yield them in batches; ``rules`` hold where a log states none.

    A source that is gone or has changed is a fault of its batch, not an error.
    """
    held: list[Source] = []
    faults: dict[str, str] = {}
    for each, found in _fetched(known):
        if isinstance(found, str):
            faults[each.name] = found
            continue
        held.append(found)
        if len(held) >= BATCH_FILES or sum(len(source.data) for source in held) >= BATCH_BYTES:
            yield ReadBatch(_frames(held, rules), faults)
            held, faults = [], {}
    yield ReadBatch(_frames(held, rules), faults)


def _fetched(known: Iterable[Known]) -> Iterator[tuple[Known, Source | str]]:
    """Yield each source with its bytes, or with the reason why it cannot be used."""
    for path, group in groupby(sorted(known, key=lambda each: each.path), key=lambda each: each.path):
        missing = {each.member: each for each in group}
        fault = f"{path} has no such member any more"
        try:
            place = _place(path, next(iter(missing.values())).file)
            for piece in archives.pieces([place]):
                if piece.member in missing and not piece.archive:
                    yield _verified(missing.pop(piece.member), archives.fetch(piece._replace(path=path)))
                if not missing:
                    break
        except FileNotFoundError:
            fault = f"{path} is not there any more"
        except SourceError as error:
            fault = str(error)
        yield from ((each, fault) for each in missing.values())


def _place(path: str, file: str | None) -> Place:
    """Return the file of a source: at its path without links, or at its path from the current folder.

    Raises
    ------
    FileNotFoundError
        when there is no file
    SourceError
        when a server does not answer

    """
    if not remote.is_uri(path):
        found = next((each for each in map(path_of, (file or path, path)) if os.path.isfile(each)), None)  # noqa: PTH113  (no error)
        if found is None:
            raise FileNotFoundError(path)
        return local(found)
    place = next((place for place in log_files.find([path]) if place.name == path), None)
    if place is None:
        raise FileNotFoundError(path)
    return place


def _verified(known: Known, found: Source) -> tuple[Known, Source | str]:
    if known.digests and found.sha256 not in known.digests:
        return known, f"{known.name} has changed since it was audited"
    return known, found


def _frames(files: Sequence[Source], rules: RuleSet) -> list[Frames]:
    return [Frames(batch.log, pl.DataFrame()) for batch in audit_batch.read(files, rules)[0]]

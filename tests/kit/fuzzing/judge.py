"""Audits of mutants and clean logs together: which mutants raise, hang, or change their neighbours."""

from __future__ import annotations

import signal
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.audit import audit_batch
from auditor.cli import rule_option
from auditor.sources import log_files
from auditor.sources.log_files import Source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import FrameType

LONGEST = 120
"""Seconds after which a batch of some hundred mutants counts as hanging."""
OF_PLACE = ("pos", "within", "right_under", "modified", "path", "member", "size", "sha256", "source")
"""Columns with the place of a game, and one that is the same for a whole batch."""


class Broken(NamedTuple):
    """A mutant that the auditor did not survive, and the symptom."""

    name: str
    how: str


class TooLongError(Exception):
    """A batch does not end."""


@contextmanager
def watched() -> Iterator[None]:
    """Turn warnings into errors, and stop an audit that takes too long."""

    def end(_signal: int, _frame: FrameType | None) -> None:
        raise TooLongError(f"no end after {LONGEST} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(LONGEST)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def options() -> audit_batch.Options:
    """Return the options of every audit here: Tenhou's rules as a base, all checks."""
    return audit_batch.Options(rule_option.load("tenhou"), ("ALL",))


def loaded(files: Mapping[str, bytes]) -> list[Source]:
    """Return files as the auditor reads them."""
    return [log_files.unpack(Source(name=name, size=len(data)), data) for name, data in files.items()]


Rows = dict[str, pl.DataFrame]


def rows_of(tables: Rows, games: Sequence[str]) -> Rows:
    """Return the rows of games in every table that has games, without the columns of their place."""
    return {
        name: table.filter(pl.col("game_id").is_in(games)).drop(OF_PLACE, strict=False)
        for name, table in tables.items()
        if "game_id" in table.columns
    }


class Mutant(NamedTuple):
    """A file to audit: its name, its bytes, and the unchanged games in it."""

    name: str
    data: bytes
    neighbours: tuple[str, ...] = ()


class Witness(NamedTuple):
    """Clean logs: the files beside every batch of mutants, and the rows of clean games when audited alone."""

    files: dict[str, bytes]
    games: tuple[str, ...]
    rows: Rows

    @classmethod
    def of(cls, files: Mapping[str, bytes], within: Mapping[str, bytes] | None = None) -> Witness:
        """Audit clean logs alone: files that stand beside mutants, and logs within the mutants' files."""
        alone = audit_batch.audit(loaded(files), options()).tables
        inside = audit_batch.audit(loaded(within or {}), options()).tables
        games = tuple(alone["games"]["game_id"])
        tables = {name: pl.concat([alone[name], inside[name]]) for name in alone}
        return cls(dict(files), games, rows_of(tables, (*games, *inside["games"]["game_id"])))

    def changed(self, tables: Rows, games: Sequence[str]) -> list[str]:
        """Return the tables in which the rows of these games differ from those when audited alone."""
        found, before = rows_of(tables, games), rows_of(self.rows, games)
        return [name for name in before if not _same(before[name], found[name])]


def _same(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Say whether two tables have the same rows, each game's in the same order."""
    one, other = (table.sort("game_id", maintain_order=True) for table in (one, other))
    return one.equals(other)


def judged(mutants: Sequence[tuple[Mutant, list[Source]]], witness: Witness) -> list[Broken]:
    """Audit mutants with clean logs between them.

    Returns the mutants that broke something, each found by halving.
    """
    if not mutants:
        return []
    middle = len(mutants) // 2
    first, second = ([file for _, files in half for file in files] for half in (mutants[:middle], mutants[middle:]))
    games = [*witness.games, *(game for mutant, _ in mutants for game in mutant.neighbours)]
    try:
        with watched():
            tables = audit_batch.audit([*first, *loaded(witness.files), *second], options()).tables
            how = [f"changes {name} of its neighbours" for name in witness.changed(tables, games)]
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001  (that is what is looked for)
        how = [f"{type(error).__name__}: {error}"]
    if not how:
        return []
    if not middle:
        return [Broken(mutants[0][0].name, "; ".join(how))]
    found = [*judged(mutants[:middle], witness), *judged(mutants[middle:], witness)]
    return found or [Broken(mutants[0][0].name, f"{'; '.join(how)}, but only in its batch of {len(mutants)}")]

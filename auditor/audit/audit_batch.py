"""The audit: a pure function of a batch of files and of options, from bytes to output tables."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor import __version__
from auditor.audit import code_digest, hand_table, report, rule_trials
from auditor.audit.check import Check, choose
from auditor.audit.frames import WALLS, Frames
from auditor.audit.report import Report
from auditor.base import steps
from auditor.dataset.schema import PARTED, TABLES
from auditor.log.arrays import repeated, rows_where
from auditor.log.repair import mended
from auditor.log.tables import CLAIMS, DEALS, DEPOSITS, EVENTS, GAMES, MELDS, PROBLEMS, ROUNDS, SHOWS, Log
from auditor.readers import reader_of, unknown_format
from auditor.sources import likeness

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from auditor.audit.findings import Tally
    from auditor.readers.contract import Reader
    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet


READ = 0.5
"""The estimated share of reading in an audit, for the report of progress (steps.py)."""


@dataclass(frozen=True)
class Options:
    """Everything but the files that an audit depends on: rules, checks, and the program itself."""

    rules: RuleSet
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    program: str = field(default_factory=code_digest.digest)

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks that run."""
        return choose(self.select, self.ignore)

    @cached_property
    def digest(self) -> str:
        """The identity of this audit: a digest of program (code_digest), rules and checks, 16 hex digits."""
        chosen = [check.code for check in self.checks if not check.whole_dataset]
        options = json.dumps([__version__, self.program, asdict(self.rules), chosen], sort_keys=True)
        return hashlib.sha256(options.encode()).hexdigest()[:16]


def audit(files: Sequence[Source], options: Options) -> Report:
    """Audit a batch of files in memory; nothing is written."""
    with steps.span(0, READ):
        batches, unread = read(files, options.rules)
    parts = [_part(unread, None, no_log(), options)] if unread or not batches else []
    for at, batch in enumerate(batches):
        wide = (1 - READ) / len(batches)
        with steps.span(READ + at * wide, READ + (at + 1) * wide):
            parts.append(_part(batch.sources, batch.format, batch.log, options))
    if len(parts) == 1:
        return parts[0]
    merged = {name: pl.concat([part.tables[name] for part in parts]) for name in PARTED}
    # The rows of sources are in the order of the parts; the table has them in the order of the files.
    place = {source.name: at for at, source in enumerate(files)}
    parted = [*unread, *(source for batch in batches for source in batch.sources)]
    order = pl.Series([place[source.name] for source in parted], dtype=pl.UInt32)
    merged["sources"] = merged["sources"][order.arg_sort()]
    return Report(merged, _summed(tally for part in parts for tally in part.tallies))


class FormatBatch(NamedTuple):
    """Files of one format, read together: the format's name, the files, and their log."""

    format: str
    sources: list[Source]
    log: Log


def read(files: Sequence[Source], rules: RuleSet) -> tuple[list[FormatBatch], list[Source]]:
    """Return the logs of files, mended, in one batch per format; and the files that are no logs, with the reason."""
    groups: dict[str, tuple[Reader, list[Source]]] = {}
    unread: list[Source] = []
    for source in files:
        reader = reader_of(source) if source.readable else None
        if reader is None:
            unread.append(_unread(source))
        else:
            groups.setdefault(reader.name, (reader, []))[1].append(source)
    batches = []
    for at, (name, (reader, group)) in enumerate(groups.items()):
        with steps.span(at / len(groups), (at + 1) / len(groups)):
            batches.append(FormatBatch(name, group, mended(reader.read(group, rules))))
    return batches, unread


def _unread(source: Source) -> Source:
    """Return a file that is no log, with the reason; it is ``ignored`` if nothing suggests that it is a log."""
    if source.missing or source.archive:
        return source
    reason = source.reason if source.reason and not source.readable else unknown_format(source)
    return source._replace(reason=reason, ignored=source.ignored or not likeness.is_meant(source))


def guarded(files: Sequence[Source], options: Options) -> Report:
    """Audit a batch; if the auditor itself fails on a log, only that log is reported as unreadable.

    Bad logs raise no errors; they give findings. This is for unexpected errors in the auditor.
    """
    try:
        return audit(files, options)
    except (Exception, pl.exceptions.PanicException) as error:  # noqa: BLE001  (an unexpected error can be of any type)
        if len(files) == 1:
            reason = f"the auditor fails on it ({type(error).__name__}: {error}): please report it"
            return audit([files[0]._replace(data=b"", start=None, reason=" ".join(reason.split()))], options)
    middle = len(files) // 2
    one, other = guarded(files[:middle], options), guarded(files[middle:], options)
    tables = {name: pl.concat([one.tables[name], other.tables[name]]) for name in PARTED}
    return Report(tables, _summed([*one.tallies, *other.tallies]))


def _part(files: Sequence[Source], name: str | None, log: Log, options: Options) -> Report:
    frames = Frames(log, status(files, log, readable=name is not None))
    found, tallies = rule_trials.run(frames, options.checks)
    return Report(tables(frames, found, name, options), tallies)


def tables(frames: Frames, found: pl.DataFrame, name: str | None, options: Options) -> dict[str, pl.DataFrame]:
    """Return the output tables of a batch of one format; ``name`` is None for files without a known format."""
    games = report.games(frames, found, walls=any(check.subject in WALLS for check in options.checks))
    rule_sets: dict[str, set[str]] = {}
    for source, text in zip(games["source"], games["rule_set"], strict=True):
        rule_sets.setdefault(source, set()).add(text)
    seen, count = frames.sources, len(frames.sources)
    of_source = [" | ".join(sorted(rule_sets[source])) if source in rule_sets else None for source in seen["source"]]
    return {
        "games": games,
        "rounds": report.rounds(frames),
        "hands": hand_table.hands(frames),
        "turns": report.turns(frames),
        "riichis": report.riichis(frames),
        "wins": report.wins(frames),
        "findings": found,
        "sources": report.table("sources", seen, {
            "format": repeated(name, pl.String, count),
            "modified": seen["modified"].cast(TABLES["sources"].types["modified"]),
            "engine_version": repeated(__version__, pl.String, count),
            "rule_set": pl.Series(of_source, dtype=pl.String),
            "audit": repeated(options.digest, pl.String, count),
        }),
    }  # fmt: skip


def status(files: Sequence[Source], log: Log, *, readable: bool) -> pl.DataFrame:
    """Return the sources as the table that checks see, a row a file."""
    unsupported = _unsupported(log)
    plain = ("member", "size", "sha256", "cut", "missing", "archive", "ignored", "modified")
    return pl.DataFrame(
        {
            "source": [file.name for file in files],
            "path": [file.name if file.path is None else file.path for file in files],
            "file": [file.name if file.file is None else file.file for file in files],
            **{name: [getattr(file, name) for file in files] for name in plain},
            "reason": [unsupported.get(file.name) if file.reason is None else file.reason for file in files],
            "status": [_status(file, unsupported, readable=readable) for file in files],
        },
        schema=_SOURCES,
    )


_SOURCES: dict[str, type[pl.DataType]] = {
    "source": pl.String, "path": pl.String, "member": pl.String, "file": pl.String, "size": pl.UInt64,
    "sha256": pl.String, "cut": pl.Boolean, "missing": pl.Boolean, "archive": pl.Boolean, "ignored": pl.Boolean,
    "modified": pl.Int64, "reason": pl.String, "status": pl.String,
}  # fmt: skip


def _unsupported(log: Log) -> dict[str, str]:
    """Return by source, why a game of it was not read (L007); the first reason of each."""
    set_aside = rows_where(log.problems, log.problems["code"] == "L007")
    sources = log.games["source"][set_aside["game"]]
    reasons = zip(sources, set_aside["recorded"], set_aside["expected"], strict=True)
    return {source: f"{recorded}: expected {expected}" for source, recorded, expected in [*reasons][::-1]}


def _status(file: Source, unsupported: Collection[str], *, readable: bool) -> str:
    if readable:
        return "unsupported" if file.name in unsupported else "audited"
    return "missing" if file.missing else "archive" if file.archive else "ignored" if file.ignored else "unreadable"


def no_log() -> Log:
    """Return a log without games."""
    return Log(
        games=pl.DataFrame(schema=GAMES),
        rounds=pl.DataFrame(schema=ROUNDS),
        events=pl.DataFrame(schema=EVENTS),
        melds=pl.DataFrame(schema=MELDS),
        deals=pl.DataFrame(schema=DEALS),
        deposits=pl.DataFrame(schema=DEPOSITS),
        claims=pl.DataFrame(schema=CLAIMS),
        shows=pl.DataFrame(schema=SHOWS),
        problems=pl.DataFrame(schema=PROBLEMS),
    )


def _summed(tallies: Iterable[Tally]) -> list[Tally]:
    by_code: dict[str, Tally] = {}
    for tally in tallies:
        old = by_code.get(tally.code)
        by_code[tally.code] = tally if old is None else old + tally
    return list(by_code.values())

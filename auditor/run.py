"""A run: files in batches, each audited in this process or in a worker, the reports written and counted."""

from __future__ import annotations

import hashlib
import json
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from multiprocessing import get_context
from typing import TYPE_CHECKING

import polars as pl

from auditor import __version__, archives, repeats, report
from auditor.audit import Options, audit
from auditor.report import OutputError, Report, write_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from auditor.archives import Piece
    from auditor.sources import Place, Source

BATCH_FILES = 500
BATCH_BYTES = 16 << 20


@dataclass
class Counts:
    """What a run has seen so far."""

    files: int = 0
    audited: int = 0
    unreadable: int = 0
    unsupported: int = 0
    missing: int = 0
    games: int = 0
    rounds: int = 0
    turns: int = 0
    wins: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    looked: Counter[str] = field(default_factory=Counter)
    not_checkable: Counter[str] = field(default_factory=Counter)
    examples: list[dict[str, object]] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, done: Report, part: str) -> Counts:
        """Count one batch, written under this name."""
        status = Counter(done.tables["sources"]["status"].to_list())
        return cls(
            files=len(done.tables["sources"]),
            audited=status["audited"],
            unreadable=status["unreadable"],
            unsupported=status["unsupported"],
            missing=status["missing"],
            games=len(done.tables["games"]),
            rounds=len(done.tables["rounds"]),
            turns=len(done.tables["turns"]),
            wins=len(done.tables["wins"]),
            findings=Counter({tally.code: tally.findings for tally in done.tallies if tally.findings}),
            looked=Counter({tally.code: tally.looked for tally in done.tallies}),
            not_checkable=Counter({tally.code: tally.not_checkable for tally in done.tallies if tally.not_checkable}),
            examples=done.tables["findings"].head(EXAMPLES).to_dicts(),
            parts=[part],
        )

    def add(self, other: Counts) -> None:
        """Add another batch's counts."""
        for name in ("files", "audited", "unreadable", "unsupported", "missing", "games", "rounds", "turns", "wins"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.findings += other.findings
        self.looked += other.looked
        self.not_checkable += other.not_checkable
        self.examples = (self.examples + other.examples)[:EXAMPLES]
        self.parts += other.parts


EXAMPLES = 20
"""How many findings a run keeps at hand to show."""


def batches(pieces: Iterable[Piece]) -> Iterator[list[Piece]]:
    """Cut a stream of files and members into batches of bounded number and unpacked size."""
    batch: list[Piece] = []
    size = 0
    for piece in pieces:
        batch.append(piece)
        size += piece.size
        if len(batch) >= BATCH_FILES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def part_name(files: Sequence[Source], options: Options) -> str:
    """Name a batch's files by what went in: contents and names, engine version, rules and checks."""
    digest = hashlib.sha256(repr((__version__, options)).encode())
    for file in files:
        digest.update(f"{file.name}\0{file.sha256}\0{file.reason}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()[:16]


def _work(pieces: list[Piece], out: Path, options: Options) -> Counts:
    """Read, audit and write one batch."""
    files = [archives.fetch(piece) for piece in pieces]
    done = audit(files, options)
    part = part_name(files, options)
    report.write(done, out, part)
    return Counts.of(done, part)


def run(paths: Iterable[Place], out: Path, options: Options, jobs: int, progress: Callable[[Counts], None]) -> Counts:
    """Audit files into a dataset.

    Parameters
    ----------
    paths
        the files, archives among them
    out
        folder of the dataset; made if it is not there
    options
        rules and checks
    jobs
        worker processes; with 1 all is done in this one
    progress
        called with each batch's counts, in the order of the files

    Raises
    ------
    OutputError
        when the dataset cannot be written

    """
    _prepare(out)
    total = Counts()
    begun = datetime.now(UTC)
    for counts in _results(batches(archives.pieces(paths)), out, options, jobs):
        total.add(counts)
        progress(counts)
    total.add(_repeats(out, total.parts, options))
    _record(total, out, options, begun)
    return total


def _results(work: Iterator[list[Piece]], out: Path, options: Options, jobs: int) -> Iterator[Counts]:
    if jobs == 1:
        yield from (_work(batch, out, options) for batch in work)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting: deque[Future[Counts]] = deque()
        for batch in work:
            waiting.append(pool.submit(_work, batch, out, options))
            # A bounded queue: the listing of a large archive must not run far ahead of the workers.
            if len(waiting) > 2 * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _repeats(out: Path, parts: Sequence[str], options: Options) -> Counts:
    """Write and count the games that came in more than one batch."""
    check = next((check for check in options.checks if check.code == "L005"), None)
    if check is None or len(parts) < 2:
        return Counts()
    found = repeats.across(out, parts, check)
    if found.is_empty():
        return Counts()
    name = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]
    write_table(found, out / "findings" / f"{name}.parquet")
    return Counts(findings=Counter({check.code: len(found)}), examples=found.to_dicts()[:EXAMPLES])


def _prepare(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise OutputError(f"{out}: is a file; give a folder with --out")
    try:
        out.mkdir(parents=True, exist_ok=True)
        probe = out / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise OutputError(f"{out}: cannot be written ({error.strerror}); give another folder with --out") from error


def _record(total: Counts, out: Path, options: Options, begun: datetime) -> None:
    """Write the run's own row."""
    ended = datetime.now(UTC)
    per_check = [
        {"code": check.code, "looked": total.looked[check.code], "not_checkable": total.not_checkable[check.code],
         "findings": total.findings[check.code]}
        for check in options.checks
    ]  # fmt: skip
    row = pl.DataFrame({
        "begun": [begun],
        "ended": [ended],
        "version": [__version__],
        "options": [json.dumps(asdict(options), ensure_ascii=False)],
        "files": [total.files],
        "unreadable": [total.unreadable],
        "unsupported": [total.unsupported],
        "missing": [total.missing],
        "games": [total.games],
        "rounds": [total.rounds],
        "turns": [total.turns],
        "wins": [total.wins],
        "findings": [total.findings.total()],
        "checks": pl.Series([per_check], dtype=pl.List(pl.Struct({
            "code": pl.String, "looked": pl.Int64, "not_checkable": pl.Int64, "findings": pl.Int64}))),
    })  # fmt: skip
    write_table(row, out / "runs" / f"{begun:%Y%m%dT%H%M%S%f}.parquet")

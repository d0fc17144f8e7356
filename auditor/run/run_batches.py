"""A run: new and changed files are cut into batches; each is audited, in a worker if asked, and committed in order."""

from __future__ import annotations

import hashlib
import os
from collections import Counter, deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import chain, cycle, islice
from typing import TYPE_CHECKING

import polars as pl

from auditor.audit.audit_batch import Options, guarded
from auditor.audit.findings import FINDINGS
from auditor.base import steps
from auditor.base.steps import Board
from auditor.dataset import repair, store
from auditor.run import noted, record, repeats
from auditor.run.crew import Here, Processes, WorkerError, workers
from auditor.run.listener import Listener
from auditor.run.stopping import Stop
from auditor.run.totals import EXAMPLES, Totals
from auditor.run.unchanged import Seen
from auditor.sources import archives

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import ProcessPoolExecutor

    from auditor.dataset.store import Out
    from auditor.run.cluster import Cluster
    from auditor.run.crew import Crew
    from auditor.run.unchanged import Task
    from auditor.sources.log_files import Place, Source

BATCH_BYTES = 10 << 20
"""A batch costs about as much as a hundred games, whatever is in it, so large ones are cheap. 10 MiB are some 1,000
games of mjlog, or a million events. A worker then peaks at about 0.5 GB."""
BATCH_FILES = 2_000
SILENT = Listener()

__all__ = ["WorkerError", "workers"]


@dataclass(frozen=True)
class How:
    """Options of a run that do not change its results.

    Parameters
    ----------
    jobs
        number of worker processes; with 1, the run's own process does all
    force
        whether to audit unchanged files again
    wait
        whether to wait for another run on the same dataset to end
    stop
        says whether a signal has asked the run to end; the run looks between two batches
    board
        memory shared with the workers, for :func:`slots` batches; None: the run makes one
    pool
        the workers, from :func:`workers`; None: the run starts them when it has a second batch
    cluster
        workers of other machines, who then do all; ``jobs`` and ``pool`` do not count

    """

    jobs: int = 1
    force: bool = False
    wait: bool = False
    stop: Stop = field(default_factory=Stop)
    board: Board | None = None
    pool: ProcessPoolExecutor | None = None
    cluster: Cluster | None = None


def slots(jobs: int) -> int:
    """Return how many batches may be under way at once."""
    return 2 * jobs + 1


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def batch_bytes(todo: int) -> int:
    """Return the most bytes of a batch: an even number of batches of one size lets two workers end at the same time.

    What fills one batch is not cut: two workers start for as long as one audits a thousand games. ``todo`` is the
    number of bytes of all batches. The number of workers does not count: any gives the same parts.
    """
    pairs = -(-todo // (2 * BATCH_BYTES))
    return todo // (2 * pairs) if todo > BATCH_BYTES else BATCH_BYTES


def batches(tasks: Iterable[Task], most: Callable[[], int] = lambda: BATCH_BYTES) -> Iterator[list[Task]]:
    """Cut a stream of files and members into batches of bounded number and unpacked size.

    ``most`` returns the most bytes of a batch as far as is known; a batch is full when it has as many, or more.
    """
    batch: list[Task] = []
    size = 0
    for task in tasks:
        batch.append(task)
        size += task.piece.size
        if len(batch) >= BATCH_FILES or size >= most():
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def part_name(files: Sequence[Source], options: Options) -> str:
    """Return the name of a part: a digest of the files' names and contents, the version, the rules and the checks."""
    digest = hashlib.sha256(options.digest.encode())
    for file in files:
        digest.update(f"{file.name}\0{file.sha256}\0{file.reason}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()[:16]


@dataclass
class Done:
    """A batch that is audited and staged.

    ``part`` is its part (None: nothing was new); ``by`` says to the commit where it is staged. If a worker of another
    machine could not stage it, ``files`` has its tables as bytes. ``leaving`` has, by older part, the sources whose
    rows its commit removes. ``touched`` has, by part, the sources of which only the modification time changed, with the
    new time (ns of the Unix epoch).
    """

    totals: Totals
    part: str | None = None
    by: int | str | None = None
    files: dict[str, bytes] = field(default_factory=dict)
    leaving: dict[str, set[str]] = field(default_factory=dict)
    touched: dict[str, dict[str, int]] = field(default_factory=dict)


FETCHED, AUDITED = 0.1, 0.95
"""The share of a batch that is done when its files are read, and when they are audited; estimates."""


def work(tasks: list[Task], out: Out, options: Options, run: int, slot: int = 0) -> Done | None:
    """Read, audit and stage one batch; return None without doing so if the run is ending.

    ``run`` is the id of the process that commits, ``slot`` the batch's cell of the board.
    """
    if steps.closed():
        return None
    with steps.batch(slot):
        done, tables = audited(tasks, (archives.fetch(task.piece) for task in tasks), options)
        if done.part is not None:
            done.by = store.stage(tables, out, done.part, run)
        steps.reached(1.0)
        return done


def audited(tasks: Sequence[Task], fetched: Iterable[Source], options: Options) -> tuple[Done, dict[str, pl.DataFrame]]:
    """Audit one batch; return its result, not yet staged, and the tables of its part.

    ``fetched`` has the source of each task; they are read as they are taken from it.
    """
    found = []
    for at, (task, source) in enumerate(zip(tasks, fetched, strict=True), 1):
        found.append((task, source))
        steps.reached(FETCHED * at / len(tasks))
    fresh = [(task, source) for task, source in found if not task.unchanged(source)]
    unchanged = len(found) - len(fresh)
    done = Done(Totals(files=unchanged, unchanged=unchanged))
    for task, source in found:
        if task.before and source.modified is not None and task.touched(source):
            done.touched.setdefault(task.before.part, {})[source.name] = source.modified
    if not fresh:
        return done, {}
    with steps.span(FETCHED, AUDITED):
        report = guarded([source for _, source in fresh], options)
    done.part = part_name([source for _, source in fresh], options)
    done.totals.add(Totals.of(report))
    for old, name in chain.from_iterable(task.leaves for task, _ in fresh):
        done.leaving.setdefault(old, set()).add(name)
    return done, report.tables


def run(places: Iterable[Place], out: Out, options: Options, how: How, progress: Listener = SILENT) -> Totals:
    """Audit the files that a dataset does not have yet; return the counts of the run.

    Parameters
    ----------
    places
        the files, archives among them
    out
        folder of the dataset; made if it does not exist
    options
        rules and checks
    how
        number of workers, and what to do about unchanged files and other runs
    progress
        receives the files as they are listed, and the batches as they begin and are done, in the order of the files

    Raises
    ------
    SourceError
        when a named place does not exist
    OutputError
        when the dataset cannot be written, or has files that no run of this version wrote
    WorkerError
        when a worker process is killed

    """
    total = Totals()
    begun = datetime.now(UTC)
    board = how.board or Board.of(slots(how.jobs))
    todo = 0

    def listed(files: int, unchanged: int, size: int) -> None:
        nonlocal todo
        todo += size
        skipped = Totals(files=unchanged, unchanged=unchanged)
        total.add(skipped)
        progress.listed(files, size)
        progress.done(None, skipped)

    places = iter(places)
    places = chain(list(islice(places, 1)), places)  # raises for a wrong name before the folder is made
    with store.locked(out, wait=how.wait) as held:
        for text in held.messages:
            progress.say(text)
        lost = repair.repaired(out, whole=how.force)
        later = noted.later(out, begun) - begun  # if the clock was set back, all is this much later than it says
        begun += later
        total.damaged.extend(lost.messages)
        for text in lost.messages:
            progress.say(text)
        tasks = Seen(out, options.digest, force=how.force).tasks(places, listed)
        given = _begun(batches(tasks, lambda: batch_bytes(todo)), board, progress)
        first = list(islice(given, 2 if how.jobs > 1 and not how.cluster else 0))
        crew = how.cluster.crew(out, options, board) if how.cluster else _local(first, out, options, how, board)
        for slot, done in _results(chain(first, given), crew, how, board):
            held.still()
            if done.part is not None:
                if done.files:
                    store.stage(done.files, out, done.part, os.getpid())
                store.commit(out, done.part, done.leaving, done.by)
            for part, times in done.touched.items():
                store.restamp(out, part, times)
            total.add(done.totals)
            progress.done(slot, done.totals)
            board.clear(slot)
        held.still()
        total.add(_repeats(out, options))
        if missed := repair.missed(out, lost):
            progress.say(missed)
            total.damaged.append(missed)
        held.still()
        changes = noted.of_run(total, out, options, begun)
        record.write(total, out, options, (begun, datetime.now(UTC) + later), stopped=how.stop.by, changes=changes)
        progress.ended(how.stop.by)
    return total


def _begun(batched: Iterator[list[Task]], board: Board, progress: Listener) -> Iterator[tuple[int, list[Task]]]:
    """Yield batches, each with a cell of the board in turn; the listener receives each batch that begins."""
    for slot, batch in zip(cycle(range(len(board.cells) - 1)), batched, strict=False):
        progress.begun(slot, sum(task.size for task in batch), sum(task.expected for task in batch))
        yield slot, batch


def _results(
    batched: Iterator[tuple[int, list[Task]]], crew: Crew, how: How, board: Board
) -> Iterator[tuple[int, Done]]:
    """Yield each batch's slot and result, in order, until all are done or a signal ends the run."""
    waiting: deque[int] = deque()
    try:
        for slot, batch in batched:
            if how.stop.by:
                break
            crew.submit(slot, batch)
            waiting.append(slot)
            # A bounded queue: the listing of a large archive must not run far ahead of the workers.
            if len(waiting) > crew.ahead:
                if (done := crew.take()) is None:
                    return
                yield waiting.popleft(), done
        while waiting and (done := crew.take()) is not None:
            yield waiting.popleft(), done
    finally:
        board.close()  # no batch needs to begin any more, also after an error
        crew.end()


def _local(first: Sequence[object], out: Out, options: Options, how: How, board: Board) -> Crew:
    """Return those who do the batches on this machine. ``first`` has up to two batches; a single one needs no pool."""
    do = partial(work, out=out, options=options, run=os.getpid())
    if len(first) < 2:
        return Here(do, board)
    return Processes(do, how.pool or workers(how.jobs, board), 2 * how.jobs, how.stop)


def _repeats(out: Out, options: Options) -> Totals:
    """Write a finding for each game that the dataset has more than once; count those that no earlier run has found."""
    check = next((check for check in options.checks if check.code == repeats.CODE), None)
    games = store.scanned(out, "games")
    there = store.one(out, "findings", repeats.CODE)
    if check is None or games is None:
        if there is not None:
            store.drop(out, [repeats.CODE], {})
        return Totals()
    with store.reading(out):
        found = repeats.repeated(games, check)
        before = pl.DataFrame(schema=FINDINGS) if there is None else there
        looked = games.select(pl.len()).collect().item()
    if found.is_empty() and there is not None:
        store.drop(out, [repeats.CODE], {})
    elif not found.equals(before):
        store.stage({"findings": found}, out, repeats.CODE, os.getpid())
        store.commit(out, repeats.CODE, {})
    new = found.join(before, on=["source", "within"], how="anti", nulls_equal=True, maintain_order="left")
    return Totals(
        findings=Counter({check.code: len(new)}) if len(new) else Counter(),
        severities=Counter(new["severity"].to_list()),
        looked=Counter({check.code: looked}),
        examples=new.head(EXAMPLES).to_dicts(),
    )

"""A run: what is new in batches, each audited in this process or in a worker, committed in order, and counted."""

from __future__ import annotations

import hashlib
import os
import signal
from collections import Counter, deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor import archives, dataset, record, repeats
from auditor.audit import REPEATS, Options, guarded
from auditor.findings import FINDINGS
from auditor.seen import Seen
from auditor.totals import EXAMPLES, Totals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path
    from types import FrameType

    from auditor.seen import Task
    from auditor.sources import Place, Source

BATCH_FILES = 500
BATCH_BYTES = 16 << 20


class WorkerError(Exception):
    """A worker process ended before its time."""


@dataclass
class Stop:
    """Whether and by which signal a run is asked to end: it finishes the batches that are begun."""

    by: str | None = None

    @contextmanager
    def on_signals(self) -> Iterator[Stop]:
        """Listen to SIGINT and SIGTERM; a second one ends the process where it is, as if killed."""
        before = {each: signal.signal(each, self._ask) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield self
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def _ask(self, number: int, _frame: FrameType | None) -> None:
        self.by = signal.Signals(number).name
        signal.signal(number, signal.SIG_DFL)


@dataclass(frozen=True)
class How:
    """How a run is done, whatever it finds.

    Parameters
    ----------
    jobs
        worker processes; with 1 all is done in this one
    force
        audit again what is unchanged
    wait
        wait for another run on the same dataset to end
    stop
        where it looks between two batches

    """

    jobs: int = 1
    force: bool = False
    wait: bool = False
    stop: Stop = field(default_factory=Stop)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Progress(NamedTuple):
    """What a run tells while it goes on: files known of, counts of a batch, and that it has ended, by which signal."""

    listed: Callable[[int], None]
    done: Callable[[Totals], None]
    ended: Callable[[str | None], None]


SILENT = Progress(lambda _: None, lambda _: None, lambda _: None)


def batches(tasks: Iterable[Task]) -> Iterator[list[Task]]:
    """Cut a stream of files and members into batches of bounded number and unpacked size."""
    batch: list[Task] = []
    size = 0
    for task in tasks:
        batch.append(task)
        size += task.piece.size
        if len(batch) >= BATCH_FILES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def part_name(files: Sequence[Source], options: Options) -> str:
    """Name a part by what went in: names and contents of the files, version, rules and checks."""
    digest = hashlib.sha256(options.digest.encode())
    for file in files:
        digest.update(f"{file.name}\0{file.sha256}\0{file.reason}\n".encode(errors="surrogateescape"))
    return digest.hexdigest()[:16]


@dataclass
class Done:
    """A batch that is audited and staged: its part (None: nothing was new), the rows that go with its commit by part.

    ``touched`` are files that changed in nothing but their time: by part, path and new time.
    """

    totals: Totals
    part: str | None = None
    leaving: dict[str, set[str]] = field(default_factory=dict)
    touched: dict[str, dict[str, int]] = field(default_factory=dict)


def work(tasks: list[Task], out: Path, options: Options, run: int) -> Done:
    """Read, audit and stage one batch."""
    found = [(task, archives.fetch(task.piece)) for task in tasks]
    fresh = [(task, source) for task, source in found if not task.unchanged(source)]
    unchanged = len(found) - len(fresh)
    done = Done(Totals(files=unchanged, unchanged=unchanged))
    for task, source in found:
        if task.before and source.modified is not None and task.touched(source):
            done.touched.setdefault(task.before.part, {})[source.name] = source.modified
    if fresh:
        report = guarded([source for _, source in fresh], options.of_batch)
        done.part = part_name([source for _, source in fresh], options)
        dataset.stage(report.tables, out, done.part, run)
        done.totals.add(Totals.of(report))
        for old, name in chain.from_iterable(task.leaves for task, _ in fresh):
            done.leaving.setdefault(old, set()).add(name)
    return done


def run(places: Iterable[Place], out: Path, options: Options, how: How, progress: Progress = SILENT) -> Totals:
    """Audit into a dataset what it does not have yet.

    Parameters
    ----------
    places
        the files, archives among them
    out
        folder of the dataset; made if it is not there
    options
        rules and checks
    how
        workers, and what to do with what is there already
    progress
        called as files are listed and batches are done, in the order of the files

    Raises
    ------
    SourceError
        when a place that is named is not there
    OutputError
        when the dataset cannot be written
    WorkerError
        when a worker process is killed

    """
    total = Totals()
    begun = datetime.now(UTC)

    def listed(files: int, unchanged: int) -> None:
        skipped = Totals(files=unchanged, unchanged=unchanged)
        total.add(skipped)
        progress.listed(files)
        progress.done(skipped)

    places = iter(places)
    places = chain(list(islice(places, 1)), places)  # what is wrong with their names shows before anything is made
    with dataset.locked(out, wait=how.wait):
        tasks = Seen(out, options.digest, force=how.force).tasks(places, listed)
        for done in _results(batches(tasks), out, options, how):
            if done.part is not None:
                dataset.commit(out, done.part, done.leaving)
            for part, times in done.touched.items():
                dataset.restamp(out, part, times)
            total.add(done.totals)
            progress.done(done.totals)
        total.add(_repeats(out, options))
        record.write(total, out, options, (begun, datetime.now(UTC)), how.stop.by)
        progress.ended(how.stop.by)
    return total


def _results(batched: Iterator[list[Task]], out: Path, options: Options, how: How) -> Iterator[Done]:
    me = os.getpid()
    first = list(islice(batched, 2 if how.jobs > 1 else 0))
    if len(first) < 2:
        for batch in chain(first, batched):
            if how.stop.by:
                return
            yield work(batch, out, options, me)
        return
    waiting: deque[Future[Done]] = deque()
    try:
        with ProcessPoolExecutor(how.jobs, mp_context=get_context("spawn"), initializer=_bound) as pool:
            for batch in chain(first, batched):
                if how.stop.by:
                    break
                with _uninterrupted():
                    waiting.append(pool.submit(work, batch, out, options, me))
                # A bounded queue: the listing of a large archive must not run far ahead of the workers.
                if len(waiting) > 2 * how.jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
    except BrokenProcessPool as error:
        if how.stop.by:  # the signal went to the workers, too: what they had begun is for the next run
            return
        raise WorkerError(
            "a worker process died, for lack of memory perhaps; what is done is kept: run the same command again, "
            "with fewer --jobs, or with --jobs 1 to see why"
        ) from error


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold back SIGINT, here and, since they inherit it, in workers started here, until these can ignore it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _bound() -> None:
    """Tie a worker to the run: the run ends it in good order (a terminal sends Ctrl-C to both), or takes it along."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    run = parent_process()
    assert run is not None
    Thread(target=_follow, args=(run.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    """Wait for the run's process to be gone, and go: a pool whose owner was killed would wait for work for ever."""
    wait([sentinel])
    os._exit(1)


def _repeats(out: Path, options: Options) -> Totals:
    """Write the games that the dataset has more than once; count those that no run before has found."""
    check = next((check for check in options.checks if check.code == REPEATS), None)
    games = dataset.scanned(out, "games")
    place = out / "findings" / f"{REPEATS}.parquet"
    if check is None or games is None:
        place.unlink(missing_ok=True)
        return Totals()
    found = repeats.repeated(games, check)
    before = pl.read_parquet(place, glob=False) if place.exists() else pl.DataFrame(schema=FINDINGS)
    if found.is_empty():
        place.unlink(missing_ok=True)
    elif not found.equals(before):
        dataset.write_table(found, place)
    new = found.join(before, on=["source", "within"], how="anti", nulls_equal=True, maintain_order="left")
    return Totals(
        findings=Counter({check.code: len(new)}) if len(new) else Counter(),
        severities=Counter(new["severity"].to_list()),
        looked=Counter({check.code: games.select(pl.len()).collect().item()}),
        examples=new.head(EXAMPLES).to_dicts(),
    )

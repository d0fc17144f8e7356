"""Those who do the batches of a run: batches are submitted, and results taken in the same order.

A run knows only :class:`Crew`. ``Here`` is the run's own process, ``Processes`` are worker processes of this machine,
and cluster.py has workers of other machines.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import deque
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from auditor.base import steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from auditor.base.steps import Board
    from auditor.run.run_batches import Done
    from auditor.run.stopping import Stop
    from auditor.run.unchanged import Task

    Do = Callable[..., Done | None]
    """Does a batch: called with the tasks, and with the batch's cell of the board as ``slot``."""


class WorkerError(Exception):
    """A worker process died, or the workers of a cluster cannot be used."""


class Crew(Protocol):
    """Those who do the batches of a run."""

    @property
    def ahead(self) -> int:
        """How many batches may be submitted before the result of the first is taken, beside that one."""

    def submit(self, slot: int, batch: list[Task]) -> None:
        """Give a batch to do; ``slot`` is its cell of the board."""

    def take(self) -> Done | None:
        """Return the result of the first batch not taken yet; None if the run is ending and it was not begun.

        Raises
        ------
        WorkerError
            when a worker died and the batch cannot be done

        """

    def end(self) -> None:
        """Let the workers go; results not taken are lost."""


class Here:
    """The run's own process: a batch is done when its result is taken."""

    ahead = 0

    def __init__(self, do: Do, board: Board) -> None:
        self._do = do
        self._given: tuple[int, list[Task]] | None = None
        steps.share_with(board.cells)

    def submit(self, slot: int, batch: list[Task]) -> None:
        """Keep the batch."""
        self._given = slot, batch

    def take(self) -> Done | None:
        """Do the batch."""
        assert self._given is not None
        slot, batch = self._given
        return self._do(batch, slot=slot)

    def end(self) -> None:
        """Do nothing: there is nobody else."""


class Processes:
    """Worker processes of this machine, from :func:`workers`."""

    def __init__(self, do: Do, pool: ProcessPoolExecutor, ahead: int, stop: Stop) -> None:
        self._do, self._pool, self._stop, self.ahead = do, pool, stop, ahead
        self._waiting: deque[Future[Done | None]] = deque()

    def submit(self, slot: int, batch: list[Task]) -> None:
        """Queue the batch for the next idle worker."""
        with _uninterrupted():
            try:
                self._waiting.append(self._pool.submit(self._do, batch, slot=slot))
            except BrokenProcessPool as error:
                self._waiting.append(Future())
                self._waiting[-1].set_exception(error)

    def take(self) -> Done | None:
        """Wait for the first result."""
        try:
            return self._waiting.popleft().result()
        except BrokenProcessPool as error:
            if self._stop.by:  # the signal ended the workers too; the next run does the batches that they had begun
                return None
            raise WorkerError(
                "a worker process died, perhaps for lack of memory; finished batches are kept: run the same command "
                "again with fewer --jobs, or with --jobs 1 to see why"
            ) from error

    def end(self) -> None:
        """Drop the batches that no worker has begun, and wait for the workers to end."""
        self._pool.shutdown(cancel_futures=True)


def workers(jobs: int, board: Board, *, fresh: bool = False) -> ProcessPoolExecutor:
    """Return a pool of worker processes.

    They start with the first batch, and each imports all modules, for half a second. ``fresh`` says that Polars is
    imported but unused: no thread of it works yet, so none can hold a lock that a fork would wait for. Only then can
    the workers be forks of this process, made now.
    """
    forked = fresh and sys.platform == "linux"
    context = get_context("fork" if forked else "spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_bound, initargs=(board.cells,))
    if forked:
        with _uninterrupted():
            pool.submit(os.getpid)  # the first task starts all workers
    return pool


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Block SIGINT while workers start: they inherit the block, and it holds until they ignore the signal."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _bound(cells: Any) -> None:  # noqa: ANN401  (ctypes' arrays have no type of their own)
    """Prepare a worker: it ignores SIGINT, since the run ends its workers itself, and it dies with the run.

    A terminal sends Ctrl-C to the workers too.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # more threads would only be in the other workers' way
    pl.Config.reload_env_vars()
    gc.freeze()  # modules stay: no collection needs to look at them
    steps.share_with(cells)
    run = parent_process()
    assert run is not None
    Thread(target=_follow, args=(run.sentinel,), daemon=True).start()


def _follow(sentinel: int) -> None:
    """End this worker when the run's process is gone; otherwise it would wait for work for ever."""
    wait([sentinel])
    os._exit(1)

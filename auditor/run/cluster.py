"""A run's workers on a Dask cluster: the crew that submits batches to a scheduler.

The scheduler gives batches to idle workers, and gives a batch again when its worker is gone. The run takes results in
the order of the batches, so the dataset is the one of a single machine. on_worker.py is what the workers do.
"""

from __future__ import annotations

import json
import logging
import os
import pickle
import secrets
import time
import warnings
import zlib
from collections import deque
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from auditor.dataset.manifest import STAGED
from auditor.dataset.objects import Bucket
from auditor.dataset.writing import write_text
from auditor.run import on_worker
from auditor.run.crew import WorkerError
from auditor.run.on_worker import Job, RefusedError, UnseenError
from auditor.sources.places import Local

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from auditor.audit.audit_batch import Options
    from auditor.base.steps import Board
    from auditor.dataset.store import Out
    from auditor.run.run_batches import Done
    from auditor.run.unchanged import Task
    from auditor.sources.remote import Remote

SLOTS = 4096
"""The most batches that may be under way at once."""
CONNECT = 15
"""Seconds to wait for a scheduler."""
TICK = 0.25
"""Seconds between two looks at whether the run is ending."""
COUNTED = 5.0
"""Seconds between two counts of the workers."""
_TLS = (
    "TLS needs certificates: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__CLIENT__CERT and …__CLIENT__KEY, "
    "or the same in Dask's configuration"
)
_INSTALL = "--cluster needs the library distributed: pip install 'riichi-log-auditor[cluster]'"


class Cluster:
    """A connection to a Dask scheduler.

    Parameters
    ----------
    address
        ``tcp://HOST:PORT``, ``tls://HOST:PORT``, or the path of a scheduler file. Dask's own configuration names the
        certificates of TLS

    Raises
    ------
    WorkerError
        when there is no such scheduler, or its workers have another auditor, Python or Polars

    """

    slots = SLOTS

    def __init__(self, address: str) -> None:
        try:
            import dask  # noqa: PLC0415  (only a run on a cluster needs them, and they take a second)
            import distributed  # noqa: PLC0415
        except ImportError as error:
            raise WorkerError(_INSTALL) from error
        for name in ("distributed", *(each for each in logging.root.manager.loggerDict if "distributed." in each)):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # the run itself says what happened
        self.address = address
        self.say: Callable[[str], None] = _silent
        there = _address(address)
        try:
            connect: Any = distributed.Client  # untyped
            make: Any = distributed.Security
            security = make()
            if there.startswith("tls://") and not security.get_connection_args("client").get("ssl_context"):
                raise WorkerError(f"{address}: {_TLS}")  # noqa: TRY301  (the certificates may be unreadable too)
            # What was sent is not kept for a look at it: the memory of a run would grow with the number of batches.
            with dask.config.set({"distributed.admin.low-level-log-length": 1}):
                self.client = connect(there, timeout=CONNECT, set_as_default=False, security=security)
        except WorkerError:
            raise
        except Exception as error:
            raise WorkerError(f"{address}: no scheduler can be reached there ({_line(error)})") from error
        self._refuse_others()

    def _refuse_others(self) -> None:
        """Raise WorkerError if a worker that is there now differs from this process."""
        own, found = on_worker.facts(), self.client.run(on_worker.facts, on_error="return")
        for worker, theirs in sorted(found.items()):
            if isinstance(theirs, BaseException):
                self.close()
                raise WorkerError(_unusable(worker, theirs))
            if theirs != own:
                self.close()
                raise WorkerError(_differs(f"the worker {worker} has {theirs}; the run has {own}"))

    def crew(self, out: Out, options: Options, board: Board) -> Hands:
        """Return the workers as those who do a run's batches."""
        token = secrets.token_hex(8)
        if isinstance(out, Bucket):
            return Hands(self, Job(out, None, token, f"auditor-{token}", options), board)
        folder = Path(os.path.abspath(out))  # noqa: PTH100  (a worker's path has the same links)
        seen = folder / STAGED / f"seen-{token}"
        write_text(token, seen)
        return Hands(self, Job(folder, seen, token, f"auditor-{token}", options), board)

    def close(self) -> None:
        """Leave the cluster; it drops what it has of this run."""
        with suppress(Exception):
            self.client.close(timeout=2)


def _address(text: str) -> str:
    """Return the address that a text is, or that the scheduler file of this name has."""
    if "://" in text:
        return text
    try:
        return str(json.loads(Path(text).read_bytes())["address"])
    except OSError as error:
        raise WorkerError(
            f"{text}: no such scheduler file ({error.strerror}); give tcp://HOST:PORT, tls://HOST:PORT or a file"
        ) from error
    except (ValueError, TypeError, KeyError) as error:
        raise WorkerError(f"{text}: is no scheduler file; dask scheduler --scheduler-file writes one") from error


def _silent(_: str) -> None:
    """Say nothing."""


@dataclass
class _Given:
    """A batch given to the cluster: its number, its cell of the board, its tasks, and Dask's future of the result.

    ``begun`` says whether a worker has reported that it began the batch, since it was given for the last time.
    """

    number: int
    slot: int
    tasks: list[Task]
    future: Any
    begun: bool = False
    tries: int = 0
    careful: bool = False
    unseen: bool = False
    woken: Event = field(default_factory=Event)


@dataclass
class Hands:
    """The workers of a cluster, as the crew of one run."""

    cluster: Cluster
    job: Job
    board: Board
    _waiting: deque[_Given] = field(default_factory=deque)
    _known: dict[int, _Given] = field(default_factory=dict)
    _number: int = 0
    _workers: int = 0
    _counted: float = 0.0
    _ending: bool = False

    def __post_init__(self) -> None:
        """Listen to reports of progress."""
        self.cluster.client.subscribe_topic(self.job.topic, self._told)

    @property
    def ahead(self) -> int:
        """Two batches a worker: one under way, and one that waits for it."""
        now = time.monotonic()
        if now - self._counted > COUNTED:
            self._counted = now
            with suppress(Exception):  # a scheduler that is gone is reported when a result is taken
                self._count(self.cluster.client.nthreads())
        return min(2 * max(1, self._workers), SLOTS - 1)

    def _count(self, threads: Mapping[str, int]) -> None:
        if not threads:
            self.cluster.say(f"{self.cluster.address}: no worker is there; the run waits for one")
        elif not self._workers and max(threads.values()) > 1:
            self.cluster.say("a worker with several threads does one batch at a time: start more, with --nthreads 1")
        self._workers = len(threads)

    def submit(self, slot: int, batch: list[Task]) -> None:
        """Give a batch to the scheduler."""
        self._number += 1
        given = _Given(self._number, slot, [_portable(task) for task in batch], None)
        self._known[given.number] = given
        self._waiting.append(given)
        self._send(given)

    def _send(self, given: _Given) -> None:
        given.tries, given.begun = given.tries + 1, False
        # The scheduler keeps the last thousand messages, so they must be small.
        payload = zlib.compress(pickle.dumps((self.job, given.tasks, given.unseen)), 1)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Dask warns of large arguments; members of archives can be large
            try:
                given.future = self.cluster.client.submit(
                    on_worker.batch, on_worker.facts(), payload, given.number, careful=given.careful, pure=False,
                    key=f"{self.job.topic}-{given.number}-{given.tries}",
                )  # fmt: skip
                given.woken = woken = Event()
                given.future.add_done_callback(lambda _: woken.set())
            except Exception as error:
                raise self._gone(error) from error

    def take(self) -> Done | None:
        """Wait for the first result."""
        given = self._waiting[0]
        while True:
            while not given.future.done():
                self._look()
                given.woken.wait(TICK)
            try:
                done: Done = given.future.result()
            except CancelledError as error:
                if self._ending:
                    return None
                raise self._gone(error) from error
            except Exception as error:  # noqa: BLE001  (raised again if it is no reason to try again)
                self._again(given, error)
            else:
                self._waiting.popleft()
                del self._known[given.number]
                given.future.release()
                return done

    def _again(self, given: _Given, error: Exception) -> None:
        """Give a batch again after an error, in another way; raise if there is none."""
        from distributed import KilledWorker  # noqa: PLC0415

        match error:
            case KilledWorker() if not given.begun and given.tries == 1:
                pass  # it only waited for a worker that another batch has killed
            case KilledWorker() if not given.careful:
                given.careful = True
                self.cluster.say(f"workers died of a batch of {len(given.tasks):,} files; looking for the file")
            case KilledWorker():
                raise WorkerError(
                    "workers die of a batch, but of no file of it alone: give them more memory, with "
                    "dask worker --memory-limit; finished batches are kept"
                ) from error
            case UnseenError() if not given.unseen:
                _raise_if_seen(*error.args)
                given.unseen = True
            case RefusedError():
                raise WorkerError(_differs(str(error))) from error
            case ImportError() | AttributeError():
                raise WorkerError(_unusable("a worker", error)) from error
            case _:
                raise error
        self._send(given)

    def _look(self) -> None:
        """When the run is ending, drop the batches that no worker has begun."""
        if self.board.closed and not self._ending:
            self._ending = True
            self.cluster.client.cancel([given.future for given in self._waiting if not given.begun])
        _ = self.ahead  # counts the workers

    def _told(self, event: tuple[float, tuple[int, float]]) -> None:
        """Note how much of a batch is done. Called in another thread."""
        number, share = event[1]
        if given := self._known.get(number):
            given.begun = True
            self.board.cells[given.slot] = share

    def _gone(self, error: BaseException) -> WorkerError:
        return WorkerError(
            f"{self.cluster.address}: the scheduler has gone ({_line(error)}); finished batches are kept: start it "
            "again, and run the same command again"
        )

    def end(self) -> None:
        """Drop what was not taken, and leave the cluster."""
        with suppress(Exception):
            self.cluster.client.cancel([given.future for given in self._waiting])
        self.cluster.close()
        if self.job.seen:
            self.job.seen.unlink(missing_ok=True)


def _raise_if_seen(path: str, worker: str) -> None:
    """Raise WorkerError if a file that a worker cannot read can be read here."""
    with suppress(OSError), Path(path).open("rb") as file:
        file.read(1)
        raise WorkerError(
            f"{worker} cannot read {path}, which this machine can: logs must be in a folder that all machines have "
            "under the same path, or on an object store (s3://…)"
        )


def _portable(task: Task) -> Task:
    """Return a task for another machine: with an absolute path, under the name of this one; without bytes of a file."""
    piece = task.piece
    if isinstance(piece.place, Local):
        path = os.path.abspath(piece.place.path)  # noqa: PTH100  (links stay)
        there: Local | Remote = replace(piece.place, path=Path(path))
    else:
        there = piece.place.unread
    return task._replace(piece=piece._replace(place=there, path=piece.path or piece.place.name))


def _differs(text: str) -> str:
    return f"{text}: install the same versions on all machines"


def _unusable(worker: str, error: BaseException) -> str:
    return f"{worker} cannot run the auditor ({_line(error)}): install this version of it there, with the extra cluster"


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__

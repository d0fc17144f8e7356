"""What a worker of a cluster does: it reads, audits and stages a batch that the run sends, and returns the counts.

A Dask worker imports this module to find the function that it is asked to call. So the module imports nothing heavy
before :func:`settle` has set what Polars reads when it is loaded.

A batch whose workers died again and again is audited :func:`apart`: processes of their own find the files that kill,
and these become unreadable sources.
"""

from __future__ import annotations

import gc
import os
import pickle
import platform
import secrets
import signal
import subprocess
import sys
import zlib
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    import polars as pl

    from auditor.audit.audit_batch import Options
    from auditor.dataset.store import Out
    from auditor.run.run_batches import Done
    from auditor.run.unchanged import Task
    from auditor.sources.log_files import Source

EVERY = 1.0
"""Seconds between two reports of a batch's progress."""
_ONE = Lock()
"""A process does one batch at a time, even if it has several threads: archives stay open, and progress has one cell."""


class RefusedError(Exception):
    """A worker cannot do the batch as the run's own process would."""


class UnseenError(Exception):
    """A file of the run's machine cannot be read here: its path, and this worker's name."""


class Facts(NamedTuple):
    """What must be the same everywhere, so that any worker writes the same bytes; ``code`` is the auditor's digest."""

    code: str
    python: str
    polars: str
    numpy: str
    distributed: str

    def __str__(self) -> str:
        """Return the facts as words."""
        return (
            f"auditor {self.code[:12]}, Python {self.python}, Polars {self.polars}, NumPy {self.numpy}, "
            f"distributed {self.distributed}"
        )


@dataclass(frozen=True)
class Job:
    """What all batches of a run share.

    ``token`` is the content of the file ``seen`` in the dataset's folder: a worker that reads it there stages its parts
    in that folder. For a dataset on an object store it is None: every worker writes there. ``topic`` is that of reports
    of progress.
    """

    out: Out
    seen: Path | None
    token: str
    topic: str
    options: Options


@cache
def settle() -> None:
    """Prepare this process as a worker of a run on one machine is prepared."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:5000")
    os.environ.setdefault("POLARS_MAX_THREADS", "1")  # more threads would only be in the other workers' way
    _keep_memory()
    import polars as pl  # noqa: PLC0415  (reads the variables)

    from auditor.run import run_batches  # noqa: F401, PLC0415

    pl.Config.reload_env_vars()
    gc.freeze()  # modules stay: no collection needs to look at them


def _keep_memory() -> None:
    """Let the C library keep freed memory for the next array, as it does on its own.

    Dask starts workers with MALLOC_TRIM_THRESHOLD_, so that it gives all back at once: a third more processor time.
    """
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415

        with suppress(OSError, AttributeError):  # another C library
            mallopt = ctypes.CDLL(None).mallopt
            mallopt(-3, 32 << 20)  # M_MMAP_THRESHOLD, the most to which it would grow by itself
            mallopt(-1, 64 << 20)  # M_TRIM_THRESHOLD, twice as much


@cache
def facts() -> Facts:
    """Return the facts of this process."""
    settle()
    from auditor.audit import code_digest  # noqa: PLC0415

    return Facts(
        code_digest.digest(), f"{sys.version_info[0]}.{sys.version_info[1]}", *map(_version, Facts._fields[2:])
    )


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "none"


def batch(wanted: Facts, payload: bytes, number: int, *, careful: bool = False) -> Done:
    """Do a batch on this worker.

    Parameters
    ----------
    wanted
        the facts of the run's own process
    payload
        the compressed, pickled job and tasks; they are not unpickled if the facts differ
    number
        the batch, for reports of its progress
    careful
        whether workers died of the batch before

    Raises
    ------
    RefusedError
        when this worker's facts are others
    UnseenError
        when a file of the run's machine cannot be read here
    UnreachableError
        when the server of a remote file cannot be reached

    """
    if facts() != wanted:
        raise RefusedError(f"{_here()} has {facts()}; the run has {wanted}")
    job, tasks, unseen = pickle.loads(zlib.decompress(payload))  # noqa: S301  (from this worker's scheduler, as the call itself)
    with _ONE, _reporting(job.topic, number):
        return _done(job, tasks, unseen, killers(payload, range(len(tasks))) if careful else {})


def _done(job: Job, tasks: Sequence[Task], unseen: bool, killing: dict[int, str]) -> Done:  # noqa: FBT001
    from auditor.run.run_batches import audited  # noqa: PLC0415

    done, tables = audited(tasks, fetched(tasks, unseen, killing), job.options)
    if done.part is not None:
        _keep(tables, job, done)
    return done


def fetched(tasks: Sequence[Task], unseen: bool, killing: dict[int, str]) -> Iterator[Source]:  # noqa: FBT001
    """Yield the source of each task; a file on a server is requested in advance.

    ``killing`` has reasons for tasks, by their place, that must not be audited. Unless ``unseen``, a local file that
    cannot be read here raises :class:`UnseenError`.
    """
    from auditor.sources import archives, remote  # noqa: PLC0415
    from auditor.sources.places import Local  # noqa: PLC0415

    asked = (task.piece.place if _is_whole(task) else None for task in tasks)
    for at, (task, place) in enumerate(zip(tasks, remote.read_ahead(asked), strict=True)):
        piece = task.piece if place is None else task.piece._replace(place=place)
        if at in killing:
            found = archives.fetch(piece._replace(archive=True))  # its names, and no byte of it
            yield found._replace(
                archive=False, reason=killing[at], size=piece.stamp.size if piece.stamp else piece.size
            )
            continue
        found = archives.fetch(piece)
        known = unseen or piece.archive or piece.reason or piece.missing or not isinstance(piece.place, Local)
        if not known and not found.sha256 and not found.size:
            raise UnseenError(str(piece.place.path), _here())
        yield found


def _is_whole(task: Task) -> bool:
    return task.piece.member is None and not task.piece.archive


def _keep(tables: dict[str, pl.DataFrame], job: Job, done: Done) -> None:
    """Stage a part where the dataset is, if this worker can; otherwise the result carries the part's files."""
    from auditor.dataset import encoding, store  # noqa: PLC0415
    from auditor.dataset.writing import OutputError  # noqa: PLC0415

    assert done.part is not None
    files: dict[str, pl.DataFrame | bytes] = {
        name: bytes(encoding.encoded(each, name)) for name, each in tables.items()
    }
    if _sees(job):
        # A worker that the scheduler has given up may still write, so each try has a folder of its own.
        with suppress(OutputError):
            done.by = store.stage(files, job.out, done.part, f"worker{secrets.token_hex(6)}")
            return
    done.files = {name: each for name, each in files.items() if isinstance(each, bytes)}


def _sees(job: Job) -> bool:
    try:
        return job.seen is None or job.seen.read_text("ascii") == job.token
    except (OSError, ValueError):
        return False


def _here() -> str:
    from distributed import get_worker  # noqa: PLC0415

    try:
        return f"the worker {get_worker().address}"
    except ValueError:
        return f"a process of {platform.node()}"


@contextmanager
def _reporting(topic: str, number: int) -> Iterator[None]:
    """Report the share of a batch that is done to its run, at once and then every second, while the context lasts."""
    from auditor.base import steps  # noqa: PLC0415

    cells, tell, over = [0.0, 0.0], _teller(topic), Event()

    def watch() -> None:
        while not over.wait(EVERY):
            tell([number, cells[0]])

    steps.share_with(cells)
    with steps.batch(0):
        tell([number, cells[0]])
        thread = Thread(target=watch, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _teller(topic: str) -> Callable[[Any], None]:
    from distributed import get_worker  # noqa: PLC0415

    try:
        worker = get_worker()
    except ValueError:
        return lambda _: None
    return lambda message: worker.log_event(topic, message)


def killers(payload: bytes, places: Sequence[int]) -> dict[int, str]:
    """Return, of some tasks of a payload, those whose audit kills its process, by their place, with the reason."""
    code = _trial(payload, places)
    if code >= 0:
        return {}
    if len(places) == 1:
        by = signal.Signals(-code).name
        return {places[0]: f"the process that audits it dies ({by}), perhaps for lack of memory"}
    middle = len(places) // 2
    return killers(payload, places[:middle]) | killers(payload, places[middle:])


def _trial(payload: bytes, places: Sequence[int]) -> int:
    """Audit some tasks in a process of their own, and drop the result; return the exit code, as subprocess does."""
    given = pickle.dumps((payload, list(places)))
    words = [sys.executable, "-c", "from auditor.run import on_worker; on_worker.trial()"]
    return subprocess.run(words, input=given, stdout=subprocess.DEVNULL, check=False).returncode  # noqa: S603


def trial() -> None:
    """Audit tasks from standard input; the process dies of it, or ends."""
    settle()
    from auditor.run.run_batches import audited  # noqa: PLC0415

    payload, places = pickle.load(sys.stdin.buffer)  # noqa: S301  (from the process that started this one)
    job, tasks, _ = pickle.loads(zlib.decompress(payload))  # noqa: S301
    some = [tasks[place] for place in places]
    audited(some, fetched(some, unseen=True, killing={}), job.options)

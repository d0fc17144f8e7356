"""A Dask cluster of real processes on this machine, and nowhere else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120
"""Seconds after which a test gives up."""

# Every Python process of a worker reads this first. SLOW: seconds that a batch takes longer. A file whose name ends
# with .kills.mjlog kills the process that audits it. BLIND: the worker does not have the dataset's folder. OTHER: it
# has another version of Polars.
ODD = """
import os, signal, time
from auditor.run import on_worker

fetched, facts, sees = on_worker.fetched, on_worker.facts, on_worker._sees

def odd(tasks, unseen, killing):
    time.sleep(float(os.environ.get("SLOW", 0)))
    for at, task in enumerate(tasks):
        if task.piece.place.name.endswith(".kills.mjlog") and at not in killing:
            time.sleep(0.2)  # so that the report that the batch has begun arrives
            os.kill(os.getpid(), signal.SIGKILL)
    return fetched(tasks, unseen, killing)

on_worker.fetched = odd
on_worker._sees = lambda job: not os.environ.get("BLIND") and sees(job)
if os.environ.get("OTHER"):
    on_worker.facts = lambda: facts()._replace(polars="0.0.1")
"""


class Grid:
    """A scheduler and workers; ``close`` ends them all."""

    def __init__(self, folder, *, security=None, port=0, odd=True, **environment):
        (folder / "odd").mkdir(parents=True, exist_ok=True)
        if odd:
            (folder / "odd" / "sitecustomize.py").write_text(ODD)
        self.folder, self.processes = folder, []
        self.environment = os.environ | (security or {}) | {"PYTHONPATH": str(ROOT)} | environment
        self.file = folder / "scheduler.json"
        self.words = ["--host", "127.0.0.1", "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        more = ["--protocol", "tls"] if security else []
        self.scheduler = self._start("scheduler", "--port", str(port), "--scheduler-file", str(self.file), *more)
        wait_for(self.file.is_file)

    def _start(self, *words, **environment):
        log = (self.folder / f"{words[0]}-{len(self.processes)}.log").open("wb")
        command = [sys.executable, "-m", "dask", *words, *self.words]
        started = subprocess.Popen(command, env=self.environment | environment, stdout=log, stderr=log)
        log.close()
        self.processes.append(started)
        return started

    @property
    def address(self):
        """Give the scheduler's address."""
        import json

        return json.loads(self.file.read_text())["address"]

    def worker(self, **environment):
        """Start a worker with one thread, and the process that starts it again if it dies."""
        path = os.pathsep.join([str(self.folder / "odd"), str(ROOT)])
        scratch = str(self.folder / "scratch")
        words = ("worker", "--scheduler-file", str(self.file), "--nthreads", "1", "--local-directory", scratch)
        return self._start(*words, PYTHONPATH=path, **environment)

    def listening(self):
        """Give the addresses on which a process of the cluster listens."""
        for each in self.everyone():
            for connection in each.net_connections("inet"):
                if connection.status == psutil.CONN_LISTEN:
                    yield connection.laddr.ip

    def everyone(self):
        """Give all processes."""
        alive = [psutil.Process(each.pid) for each in self.processes if each.poll() is None]
        return [*alive, *(child for each in alive for child in each.children(recursive=True))]

    def close(self):
        """End all processes."""
        for each in self.everyone():
            try:
                each.kill()
            except psutil.NoSuchProcess:
                continue
        for each in self.processes:
            each.wait()


def kill(process, *, again):
    """Kill a worker; its nanny starts it ``again``, or is killed first."""
    own = psutil.Process(process.pid)
    children = [each for each in own.children() if "spawn_main" in " ".join(each.cmdline())]
    if not again:
        own.kill()
    for each in children:
        each.send_signal(signal.SIGKILL)
    assert children


def wait_for(condition, seconds=PATIENCE):
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)

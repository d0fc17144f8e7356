"""Compare a run on a Dask cluster of this machine with a run of as many worker processes.

    python -m scripts.bench_cluster LOGS [--rounds N] [--workers N]

Both take turns, so that what else the machine does slows both. Figures: seconds, processor seconds of all processes,
and the greatest memory of the run's own process. Scheduler and workers listen on 127.0.0.1 only.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil

from tests.kit.grid import Grid


def main(argv: list[str] | None = None) -> None:
    """Measure from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("logs", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        grid = Grid(folder / "grid", odd=False)
        try:
            for _ in range(options.workers):
                grid.worker()
            ways = {"jobs": ("--jobs", str(options.workers)), "cluster": ("--cluster", str(grid.file))}
            measure(options.logs, folder / "out", grid, ways, 0)  # workers import what they need
            compare(options.logs, folder / "out", grid, ways, options.rounds)
        finally:
            grid.close()


def compare(logs: Path, out: Path, grid: Grid, ways: dict[str, tuple[str, ...]], rounds: int) -> None:
    """Print the figures of each round, and their ratios."""
    ratios = []
    for number in range(1, rounds + 1):
        found = measure(logs, out, grid, ways, number)
        ratios.append([found["jobs"][at] / found["cluster"][at] for at in (0, 1)])
        for way, (seconds, used, memory) in found.items():
            print(f"{number} {way:<8} {seconds:8.1f} s  {used:8.1f} s of processors  {memory / 1e6:6.0f} MB")
    for name, values in zip(("speed", "processors"), zip(*ratios, strict=True), strict=True):
        print(f"{name}: the cluster reaches {statistics.median(values):.2f} of worker processes (median)")


def measure(
    logs: Path, out: Path, grid: Grid, ways: dict[str, tuple[str, ...]], number: int
) -> dict[str, tuple[float, float, float]]:
    """Return seconds, processor seconds and the run's memory for each way; their order changes with the number."""
    found = {}
    for way in sorted(ways, reverse=bool(number % 2)):
        shutil.rmtree(out, ignore_errors=True)
        before, start = used(grid), time.perf_counter()
        words = [
            sys.executable,
            "-c",
            "from auditor.cli.main import main; main()",
            "run",
            str(logs),
            "--out",
            str(out),
            *ways[way],
            "--progress",
            "none",
        ]
        run = subprocess.Popen(words, stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": str(Path.cwd())})
        peak = [0.0]
        watcher = threading.Thread(target=watch, args=(psutil.Process(run.pid), peak))
        watcher.start()
        if run.wait() > 1:
            raise SystemExit(f"the run with {' '.join(ways[way])} failed")
        watcher.join()
        seconds = time.perf_counter() - start
        found[way] = seconds, used(grid) - before, peak[0]
    return found


def watch(process: psutil.Process, peak: list[float]) -> None:
    """Note the greatest memory of a process until it ends."""
    while True:
        try:
            if process.status() == psutil.STATUS_ZOMBIE:
                return
            peak[0] = max(peak[0], process.memory_info().rss)
        except psutil.Error:
            return
        time.sleep(0.05)


def used(grid: Grid) -> float:
    """Return the processor seconds of the cluster's processes and of all processes that have ended."""
    own = resource.getrusage(resource.RUSAGE_CHILDREN)
    alive = [each.cpu_times() for each in grid.everyone()]
    return own.ru_utime + own.ru_stime + sum(each.user + each.system for each in alive)


if __name__ == "__main__":
    main()

"""Measure the auditor, and a plain Python loop that does a part of the same job.

    python -m scripts.bench [--games N] [--archive FOLDER]

The tool makes an archive of games (make_archive.py), audits it on one core, times every stage, and runs a plain loop
over a sample of the same files: ElementTree, shanten after every draw, and a score for every win with PyPI
``mahjong`` (the extra ``oracles``). It prints games a second, the ratio of the two, nanoseconds a hand for shanten by
batch size, and peak memory.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("POLARS_MAX_THREADS", "1")  # before Polars is imported, because the figures are for one core

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from auditor.audit import audit_batch, rule_trials
from auditor.audit.frames import Frames
from auditor.cli.rule_option import load
from auditor.dataset import store
from auditor.readers import mjlog
from auditor.run import run_batches
from auditor.run.unchanged import Task
from auditor.sources import archives, log_files
from engine.shapes.shanten import shanten
from engine.tiles.hands import Hands


def stages(files: list[log_files.Place], out: Path) -> dict[str, float]:
    """Return the seconds of each stage of the audit, summed over the batches."""
    options = audit_batch.Options(load("tenhou"))
    spent: dict[str, float] = {}

    def lap(name: str, since: float) -> float:
        now = time.perf_counter()
        spent[name] = spent.get(name, 0.0) + now - since
        return now

    for tasks in run_batches.batches(Task(piece) for piece in archives.pieces(files)):
        at = time.perf_counter()
        batch = [archives.fetch(task.piece) for task in tasks]
        at = lap("open", at)
        log = mjlog.READER.read(batch, options.rules)
        at = lap("read", at)
        frames = Frames(log, audit_batch.status(batch, log, readable=True))
        _ = frames.played, frames.holdings
        at = lap("replay", at)
        _ = frames.turns
        at = lap("shanten", at)
        _ = frames.wins
        at = lap("scoring", at)
        found, _ = rule_trials.run(frames, options.checks)
        at = lap("checks", at)
        tables = audit_batch.tables(frames, found, mjlog.READER.name, options)
        at = lap("tables", at)
        part = run_batches.part_name(batch, options)
        out.mkdir(exist_ok=True)
        store.stage(tables, out, part, os.getpid())
        store.commit(out, part, {})
        lap("write", at)
    return spent


def whole(files: list[log_files.Place], out: Path) -> float:
    """Return the seconds of a whole run."""
    begun = time.perf_counter()
    run_batches.run(files, out, audit_batch.Options(load("tenhou")), run_batches.How())
    return time.perf_counter() - begun


def shanten_ns(sizes: tuple[int, ...] = (1, 100, 1_000, 10_000, 100_000, 1_000_000)) -> dict[int, float]:
    """Return nanoseconds a hand of 14 random tiles, by batch size."""
    chance = np.random.default_rng(1)
    deck = np.repeat(np.arange(34), 4)
    counts = np.zeros((max(sizes), 34), dtype=np.int64)
    for start in range(0, len(counts), 50_000):
        rows = counts[start : start + 50_000]
        dealt = deck[chance.random((len(rows), 136)).argpartition(14, axis=1)[:, :14]]
        np.add.at(rows, (np.arange(len(rows))[:, None], dealt), 1)
    keys = Hands.from_counts(counts).keys
    figures = {}
    for size in sizes:
        times = []
        for _ in range(5):
            begun = time.perf_counter()
            shanten(keys[:size], np.zeros(size, dtype=np.uint8))
            times.append(time.perf_counter() - begun)
        figures[size] = min(times) / size * 1e9
    return figures


def main() -> None:
    """Run all measurements and print them."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--sample", type=int, default=60, help="games for the plain loop")
    parser.add_argument("--archive", type=Path, help="audit these files instead of making some")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        archive = options.archive or Path(folder) / "archive"
        if not options.archive:
            subprocess.run(
                [sys.executable, "-m", "scripts.make_archive", str(options.games), str(archive)],
                check=True,
                stdout=subprocess.DEVNULL,
            )
        measure(sorted(log_files.find([archive])), options.sample, Path(folder) / "out")


def measure(files: list[log_files.Place], sample: int, out: Path) -> None:
    """Print the figures for these files."""
    whole(files[:50], out)  # a first audit, so that tables are loaded and files are cached
    shutil.rmtree(out)
    spent = stages(files, out)
    shutil.rmtree(out)
    seconds = whole(files, out)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    games = len(files)
    print(f"{games} games, {sum(file.stamp.size for file in files) / 1e6:.0f} MB")
    for name, stage in spent.items():
        print(f"  {name:8} {stage / games * 1e6:7.0f} us a game   {games / stage:9,.0f} games/s")
    print(f"  whole    {seconds / games * 1e6:7.0f} us a game   {games / seconds:9,.0f} games/s   peak {peak:,.0f} MB")
    try:
        from scripts.oracles.plain_loop import plain_loop  # noqa: PLC0415
    except ImportError as error:
        print(f"no plain loop: {error} (pip install .[oracles])")
    else:
        chosen = [Path(file.path) for file in files][:: max(1, games // sample)][:sample]
        plain = plain_loop(chosen) / len(chosen)
        print(
            f"  plain    {plain * 1e6:7.0f} us a game   {1 / plain:9,.0f} games/s   ratio {plain / seconds * games:.1f}"
        )
    print("shanten, ns a hand by batch size:")
    for size, figure in shanten_ns().items():
        print(f"  {size:>9,} {figure:10,.0f}")


if __name__ == "__main__":
    main()

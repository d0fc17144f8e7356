"""Measures the stages of the auditor that is first on the import path, for ``bench.py``; prints the figures as JSON.

    python _stages.py ARCHIVE OUT

The file is run by its path, so that one version of it measures any checkout. All times are processor seconds of this
process. A stage has a cost for a batch, which one game alone shows, and a cost for each further game.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import shutil
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.audit import audit_batch, rule_trials
from auditor.audit.frames import Frames
from auditor.cli.rule_option import load
from auditor.dataset import store
from auditor.run import run_batches
from auditor.run.unchanged import Task
from auditor.sources import archives, log_files

if TYPE_CHECKING:
    from collections.abc import Sequence

ALONE = 15
"""How many times one game is audited alone; the fastest counts."""
WHOLE = 3
"""How many times the whole archive is audited; the fastest counts."""


def stages(tasks: Sequence[Task], out: Path, options: audit_batch.Options) -> Counter[str]:
    """Return the seconds of each stage of the audit of one batch."""
    spent: Counter[str] = Counter()
    since = time.process_time()

    def lap(name: str) -> None:
        nonlocal since
        now = time.process_time()
        spent[name] += now - since
        since = now

    files = [archives.fetch(task.piece) for task in tasks]
    lap("fetch")
    batches, _ = audit_batch.read(files, options.rules)
    lap("read")
    for batch in batches:
        frames = Frames(batch.log, audit_batch.status(batch.sources, batch.log, readable=True))
        _ = frames.played, frames.holdings, frames.last_states
        lap("replay")
        _ = frames.turns
        lap("shanten")
        _ = frames.wins
        lap("scoring")
        found, _ = rule_trials.run(frames, options.checks)
        lap("checks")
        tables = audit_batch.tables(frames, found, batch.format, options)
        lap("tables")
        part = run_batches.part_name(batch.sources, options)
        out.mkdir(exist_ok=True)
        store.stage(tables, out, part, os.getpid())
        store.commit(out, part, {})
        lap("write")
    return spent


def whole(files: Sequence[log_files.Place], out: Path, options: audit_batch.Options) -> float:
    """Return the seconds of a whole run in this process: all stages, the listing and the summary."""
    begun = time.process_time()
    run_batches.run(files, out, options, run_batches.How())
    spent = time.process_time() - begun
    shutil.rmtree(out)
    return spent


def measure(archive: Path, out: Path) -> dict[str, object]:
    """Return all figures of an archive; times are seconds, ``peak`` MB."""
    options = audit_batch.Options(load("tenhou"))
    files = sorted(log_files.find([archive]))
    batches = list(run_batches.batches(Task(piece) for piece in archives.pieces(files)))
    every = min(whole(files, out, options) for _ in range(WHOLE))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    alone = [stages(batches[0][:1], out, options) for _ in range(ALONE)]
    fixed = {name: min(spent[name] for spent in alone) for name in alone[0]}
    spent = Counter[str]()
    for batch in batches:
        spent += stages(batch, out, options)
    shutil.rmtree(out)
    return {
        "games": len(files),
        "batches": len(batches),
        "bytes": sum(file.stamp.size for file in files),
        "batch": fixed,
        "game": {name: (spent[name] - len(batches) * fixed[name]) / len(files) for name in fixed},
        "whole": every / len(files),
        "every": whole(files, out, audit_batch.Options(load("tenhou"), select=("ALL",))) / len(files),
        "peak": peak,
    }


if __name__ == "__main__":
    gc.freeze()  # as a run does once its modules are loaded
    print(json.dumps(measure(Path(sys.argv[1]), Path(sys.argv[2]))))

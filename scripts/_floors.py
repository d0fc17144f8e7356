"""Measures the least that each stage of the auditor can take with its libraries, for ``bench.py``; prints JSON.

    python _floors.py ARCHIVE

A floor is a part of the stage's job that no program with these libraries can leave out, done on arrays that are ready,
with nothing around it. All times are processor seconds of this process.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from auditor.audit import audit_batch, rule_trials
from auditor.audit.frames import Frames
from auditor.cli.rule_option import load
from auditor.replay.running_sums import UNITS
from auditor.replay.turns import TURNS
from auditor.run import run_batches
from auditor.run.unchanged import Task
from auditor.sources import archives, log_files
from engine.scoring.score import score
from engine.shapes.shanten import shanten

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt
    import polars as pl

    from auditor.audit.findings import Tally
    from auditor.replay.running_sums import Replay

TIMES = 5
"""How many times each floor of a batch is measured; the fastest counts."""
WORDS = {
    "fetch": "open, read, unpack and close each file; SHA-256",
    "read": "find the tags, take four bytes of each",
    "replay": "three running sums over all events",
    "shanten": "the engine's shanten of ready keys",
    "scoring": "the engine's scores of ready wins",
    "checks": "one comparison for each row that a check looks at",
    "tables": "four columns looked up for each row",
    "write": "Polars' write_parquet, to memory",
}
"""What each floor is."""


def fetch(files: Sequence[str]) -> None:
    """Read and unpack files, and digest their bytes."""
    for file in files:
        descriptor = os.open(file, os.O_RDONLY)
        raw = os.read(descriptor, os.fstat(descriptor).st_size)
        os.close(descriptor)
        hashlib.sha256(raw).hexdigest()
        if raw[:2] == b"\x1f\x8b":
            gzip.decompress(raw)


def read(text: npt.NDArray[np.uint8]) -> None:
    """Find the tags, and take four bytes of each: a letter and three digits."""
    tags = np.flatnonzero(text == ord("<"))
    for place in range(1, 5):
        text.take(tags + place, mode="clip")


def replay(played: Replay) -> None:
    """Add up two pairs of suit keys, and the counters, over all events."""
    for column in (*UNITS.view(np.int64).T, UNITS[:, 0].astype(np.int64)):
        np.cumsum(column.take(played.tile_id))


def checks(tallies: Sequence[Tally]) -> None:
    """Compare as many pairs of numbers as the checks look at rows."""
    recorded = np.zeros(max(tally.looked for tally in tallies), dtype=np.int32)
    expected = recorded.copy()
    for tally in tallies:
        np.count_nonzero(recorded[: tally.looked] != expected[: tally.looked])


def tables(rows: npt.NDArray[np.int32]) -> None:
    """Look up four columns: three texts of a row's game as numbers, and the number of its round."""
    for _ in range(4):
        rows.take(rows)


def write(made: dict[str, pl.DataFrame]) -> None:
    """Write tables as the dataset does, but to memory."""
    for name, table in made.items():
        bounds = name != "turns"
        table.write_parquet(io.BytesIO(), statistics={"min": bounds, "max": bounds, "null_count": True})


def floors(tasks: Sequence[Task], options: audit_batch.Options) -> Counter[str]:
    """Return the seconds of each stage's floor for one batch."""
    files = [archives.fetch(task.piece) for task in tasks]
    (batch,) = audit_batch.read(files, options.rules)[0]
    frames = Frames(batch.log, audit_batch.status(batch.sources, batch.log, readable=True))
    found, tallies = rule_trials.run(frames, options.checks)
    made = audit_batch.tables(frames, found, batch.format, options)
    text = np.frombuffer(b"".join(file.data for file in files), dtype=np.uint8)
    turns = frames.played.rows(*TURNS)
    keys, melds = frames.played.keys.take(turns, axis=0), frames.played.melds.take(turns)
    rows = np.arange(sum(map(len, made.values())), dtype=np.int32)
    work: dict[str, Callable[[], object]] = {
        "fetch": lambda: fetch([task.piece.place.file for task in tasks]),
        "read": lambda: read(text),
        "replay": lambda: replay(frames.played),
        "shanten": lambda: shanten(keys, melds),
        "scoring": lambda: score(frames.win_contexts.wins, frames.rules.table),
        "checks": lambda: checks(tallies),
        "tables": lambda: tables(rows),
        "write": lambda: write(made),
    }
    return Counter({name: min(_seconds(each) for _ in range(TIMES)) for name, each in work.items()})


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def measure(archive: Path) -> dict[str, tuple[float, str]]:
    """Return the seconds a game of each stage's floor over an archive of mjlog files, and what it is."""
    options = audit_batch.Options(load("tenhou"))
    files = sorted(log_files.find([archive]))
    spent = Counter[str]()
    for batch in run_batches.batches(Task(piece) for piece in archives.pieces(files)):
        spent += floors(batch, options)
    return {name: (seconds / len(files), WORDS[name]) for name, seconds in spent.items()}


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]))))

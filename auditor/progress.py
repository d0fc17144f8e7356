"""What a run shows while it goes on: a bar on a terminal, else a line now and then, as text or as JSON."""

from __future__ import annotations

import json
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tqdm import tqdm

from auditor.choices import Show
from auditor.plain import lines
from auditor.run import SILENT, Progress
from auditor.totals import Totals

if TYPE_CHECKING:
    from collections.abc import Iterator

EVERY = 30.0
"""Seconds between two lines."""


@contextmanager
def shown(how: Show, *, as_json: bool) -> Iterator[Progress]:
    """Give what shows a run's progress on standard error, in this way."""
    if how is Show.auto:
        how = Show.log if as_json or not sys.stderr.isatty() else Show.bar
    if how is Show.none:
        yield SILENT
    elif how is Show.log:
        yield _lines(as_json=as_json)
    else:
        with tqdm(unit="file", smoothing=0.1, dynamic_ncols=True, total=0) as bar:
            yield _bar(bar)


def _bar(bar: tqdm[None]) -> Progress:
    """Show files done of those known of, games a second and findings."""
    total = Totals()

    def listed(files: int) -> None:
        bar.total += files

    def done(counts: Totals) -> None:
        total.add(counts)
        bar.total = max(bar.total, total.files)  # members of an archive are counted as they come
        bar.set_postfix(games=total.games, findings=total.findings.total(), refresh=False)
        bar.update(counts.files)

    return Progress(listed, done, lambda _: None)


def _lines(*, as_json: bool) -> Progress:
    """Print a line now and then, and one at the end."""
    total = Totals()
    begun = last = time.monotonic()

    def done(counts: Totals) -> None:
        nonlocal last
        total.add(counts)
        now = time.monotonic()
        if now - last >= EVERY:
            last = now
            event("progress", as_json=as_json, seconds=round(now - begun, 1), **_counted(total))

    def ended(stopped: str | None) -> None:
        by = {"stopped": stopped} if stopped else {}
        event("end", as_json=as_json, seconds=round(time.monotonic() - begun, 1), **by, **_counted(total))

    return Progress(lambda _: None, done, ended)


def _counted(total: Totals) -> dict[str, int]:
    """Return the counts that tell how far a run is."""
    return {
        "files": total.files,
        "unchanged": total.unchanged,
        "unreadable": total.unreadable,
        "games": total.games,
        "findings": total.findings.total(),
    }


def event(name: str, *, as_json: bool, **told: float | str) -> None:
    """Print one thing that happened to standard error, with the time."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    if as_json:
        line = json.dumps({"time": now, "event": name, **told}, ensure_ascii=False)
    else:
        line = f"{now} {name}: " + ", ".join(
            f"{value:,} {key}" if isinstance(value, (int, float)) else f"{key} {value}" for key, value in told.items()
        )
    print(lines(line), file=sys.stderr, flush=True)  # noqa: T201

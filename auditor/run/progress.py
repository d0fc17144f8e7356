"""The progress of a run: a bar on a terminal, otherwise a line at intervals, as text or as JSON.

Progress is measured in bytes of unpacked logs. The unpacked size of a compressed file is estimated as a multiple of its
size until the file is read. A batch under way counts by the share of it that is done.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Event, RLock, Thread
from typing import TYPE_CHECKING

from auditor.base.choices import Show
from auditor.base.printing import lines
from auditor.run.listener import Listener
from auditor.run.totals import Totals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from auditor.base.steps import Board

EVERY = 30.0
"""Seconds between two lines."""
TICK = 0.25
"""Seconds between two readings of the board."""
NARROW = 80
"""Columns to assume for a terminal whose width is unknown."""
HARDER = "Ctrl-C again (or a second signal) stops at once, and nothing begun is kept"


class Meter(Listener):
    """The state of a run's progress; it prints messages for the user, but no progress.

    Parameters
    ----------
    board
        memory with the share done of each batch under way
    as_json
        whether messages are printed as JSON
    clock
        a function that returns seconds; only differences matter

    """

    def __init__(self, board: Board, *, as_json: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self.board, self.as_json, self.clock = board, as_json, clock
        self.total = Totals()
        self.known = self.past = 0
        self.under_way: dict[int, int] = {}
        self.started = clock()
        self.lock = RLock()

    @property
    def reached(self) -> int:
        """Bytes done; a batch under way counts by its share."""
        return self.past + sum(int(size * self.board.share(slot)) for slot, size in self.under_way.items())

    def listed(self, files: int, size: int) -> None:
        """Add to the bytes to do."""
        del files
        with self.lock:
            self.known += size

    def begun(self, slot: int, size: int, expected: int) -> None:
        """Note a batch under way; replace the estimate of its bytes by their number."""
        with self.lock:
            self.known += size - expected
            self.under_way[slot] = size

    def done(self, slot: int | None, counts: Totals) -> None:
        """Count a finished batch, or files that needed no audit."""
        with self.lock:
            if slot is not None:
                self.past += self.under_way.pop(slot)
            self.total.add(counts)
            self.tick()

    def say(self, text: str) -> None:
        """Print a message for the user."""
        with self.lock:
            if self.as_json:
                event("note", as_json=True, message=text)
            else:
                self.write(f"auditor: {text}")

    def stopping(self, by: str) -> None:
        """Let no further batch begin; say what is being finished, and how to stop at once."""
        self.board.close()
        begun = sum(self.board.share(slot) > 0 for slot in tuple(self.under_way))
        batches = f"{begun} batch{'' if begun == 1 else 'es'} begun" if begun else "what is begun"
        self.say(f"{by}: finishing {batches}; {HARDER}")

    def halted(self, by: str) -> None:
        """Say that the process ends at once."""
        self.say(f"{by}: stopped at once; what was finished before is kept, and the same command goes on from there")

    def write(self, line: str) -> None:
        """Print a line to standard error without breaking the progress display."""
        print(line, file=sys.stderr, flush=True)  # noqa: T201

    def tick(self) -> None:
        """Show the progress, if it is time to."""

    @property
    def counted(self) -> dict[str, int]:
        """The counts shown with the progress, by name."""
        return {
            "files": self.total.files,
            "unchanged": self.total.unchanged,
            "unreadable": self.total.unreadable,
            "games": self.total.games,
            "findings": self.total.findings.total(),
        }


class Bar(Meter):
    """Progress as a bar: bytes done of the bytes known, and the counts of files, games and findings."""

    def __init__(self, board: Board, clock: Callable[[], float] = time.monotonic) -> None:
        from tqdm import tqdm  # noqa: PLC0415  (only a terminal needs it)

        super().__init__(board, clock=clock)
        self.bar = tqdm(
            unit="B", unit_scale=True, unit_divisor=1024, smoothing=0.1, total=0, mininterval=0,
            **({"dynamic_ncols": True} if _width() else {"ncols": NARROW}),
        )  # fmt: skip

    def tick(self) -> None:
        """Redraw the bar."""
        with self.lock:
            self.bar.total = self.known
            self.bar.n = min(self.reached, self.known)
            shown = {name: f"{count:,}" for name, count in self.counted.items() if count or name != "unreadable"}
            self.bar.set_postfix(shown, refresh=False)
            self.bar.refresh()

    def write(self, line: str) -> None:
        """Print a line above the bar."""
        self.bar.write(line, file=sys.stderr)

    def ended(self, stopped: str | None) -> None:
        """Draw the bar a last time."""
        del stopped
        self.tick()


def _width() -> int:
    """Return the columns of standard error; 0 if they are unknown."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):  # standard error is no terminal, or has no file descriptor
        return 0


class Lines(Meter):
    """Progress as lines: one every ``EVERY`` seconds, and one at the end."""

    def __init__(self, board: Board, *, as_json: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(board, as_json=as_json, clock=clock)
        self.last = self.started

    def tick(self) -> None:
        """Print a line if it is time."""
        with self.lock:
            now = self.clock()
            if now - self.last >= EVERY:
                self.last = now
                self._line("progress", done_bytes=self.reached, known_bytes=self.known)

    def ended(self, stopped: str | None) -> None:
        """Print the last line."""
        self._line("end", **({"stopped": stopped} if stopped else {}))

    def _line(self, name: str, **more: float | str) -> None:
        seconds = round(self.clock() - self.started, 1)
        event(name, as_json=self.as_json, seconds=seconds, **more, **self.counted)


@contextmanager
def shown(how: Show, board: Board, *, as_json: bool) -> Iterator[Meter]:
    """Yield the meter that shows a run's progress on standard error; it reads the board every ``TICK`` seconds."""
    if how is Show.auto:
        how = Show.log if as_json or not sys.stderr.isatty() else Show.bar
    if how is Show.none:
        yield Meter(board, as_json=as_json)
        return
    meter = Lines(board, as_json=as_json) if how is Show.log else Bar(board)
    over = Event()

    def watch() -> None:
        while not over.wait(TICK):
            meter.tick()

    watcher = Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield meter
    finally:
        over.set()
        watcher.join()
        if isinstance(meter, Bar):
            meter.bar.close()


def event(name: str, *, as_json: bool, **fields: float | str) -> None:
    """Print an event to standard error: the time, its name and its fields."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    if as_json:
        line = json.dumps({"time": now, "event": name, **fields}, ensure_ascii=False)
    else:
        line = f"{now} {name}: " + ", ".join(
            f"{value:,} {key.replace('_', ' ')}" if isinstance(value, (int, float)) else f"{key} {value}"
            for key, value in fields.items()
        )
    print(lines(line), file=sys.stderr, flush=True)  # noqa: T201

"""What a run shows while it goes on: a bar on a terminal, else a line now and then, as text or as JSON.

It is counted in bytes of unpacked logs. How many there are is known for plain files; of packed ones it is taken for
some times their size until they are read. A batch under way counts by the share of it that is done.
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

from tqdm import tqdm

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
"""Seconds between two looks at how far the batches are."""
NARROW = 80
"""Columns of a terminal that does not tell how wide it is."""
HARDER = "Ctrl-C again (or a second signal) stops at once, and nothing begun is kept"


class Meter(Listener):
    """How far a run is, and what it has found; it tells what a person must know, and shows nothing else.

    Parameters
    ----------
    board
        where the shares of the batches under way stand
    as_json
        whether what is told is JSON
    clock
        seconds, from wherever

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
        """Bytes done, those of batches under way by their share."""
        return self.past + sum(int(size * self.board.share(slot)) for slot, size in self.under_way.items())

    def listed(self, files: int, size: int) -> None:
        """Know of more."""
        del files
        with self.lock:
            self.known += size

    def begun(self, slot: int, size: int, expected: int) -> None:
        """Have a batch under way."""
        with self.lock:
            self.known += size - expected
            self.under_way[slot] = size

    def done(self, slot: int | None, counts: Totals) -> None:
        """Count a batch, or files that needed none."""
        with self.lock:
            if slot is not None:
                self.past += self.under_way.pop(slot)
            self.total.add(counts)
            self.tick()

    def say(self, text: str) -> None:
        """Print what a person must know."""
        with self.lock:
            if self.as_json:
                event("note", as_json=True, message=text)
            else:
                self.write(f"auditor: {text}")

    def stopping(self, by: str) -> None:
        """Let no further batch begin; say what goes on, and how to end it at once."""
        self.board.close()
        begun = sum(self.board.share(slot) > 0 for slot in tuple(self.under_way))
        batches = f"{begun} batch{'' if begun == 1 else 'es'} begun" if begun else "what is begun"
        self.say(f"{by}: finishing {batches}; {HARDER}")

    def halted(self, by: str) -> None:
        """Say that the process ends here."""
        self.say(f"{by}: stopped at once; what was finished before is kept, and the same command goes on from there")

    def write(self, line: str) -> None:
        """Print a line beside whatever is shown."""
        print(line, file=sys.stderr, flush=True)  # noqa: T201

    def tick(self) -> None:
        """Look how far it is, and show it if it is time."""

    @property
    def counted(self) -> dict[str, int]:
        """Counts that tell how far a run is."""
        return {
            "files": self.total.files,
            "unchanged": self.total.unchanged,
            "unreadable": self.total.unreadable,
            "games": self.total.games,
            "findings": self.total.findings.total(),
        }


class Bar(Meter):
    """A bar: bytes done of those known of, files, games, findings."""

    def __init__(self, board: Board, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(board, clock=clock)
        self.bar = tqdm(
            unit="B", unit_scale=True, unit_divisor=1024, smoothing=0.1, total=0, mininterval=0,
            **({"dynamic_ncols": True} if _width() else {"ncols": NARROW}),
        )  # fmt: skip

    def tick(self) -> None:
        """Draw it anew."""
        with self.lock:
            self.bar.total = self.known
            self.bar.n = min(self.reached, self.known)
            shown = {name: f"{count:,}" for name, count in self.counted.items() if count or name != "unreadable"}
            self.bar.set_postfix(shown, refresh=False)
            self.bar.refresh()

    def write(self, line: str) -> None:
        """Print a line above it."""
        self.bar.write(line, file=sys.stderr)

    def ended(self, stopped: str | None) -> None:
        """Leave it as it is at the end."""
        del stopped
        self.tick()


def _width() -> int:
    """Return how wide standard error is; 0 if it does not tell."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):  # no terminal, or no file at all
        return 0


class Lines(Meter):
    """A line now and then, whether or not a batch has come to its end, and one when all is done."""

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
    """Give what shows a run's progress on standard error, in this way, looking at the board now and then."""
    if how is Show.auto:
        how = Show.log if as_json or not sys.stderr.isatty() else Show.bar
    if how is Show.none:
        yield Meter(board, as_json=as_json)
        return
    meter = Lines(board, as_json=as_json) if how is Show.log else Bar(board)
    over = Event()

    def look() -> None:
        while not over.wait(TICK):
            meter.tick()

    looking = Thread(target=look, daemon=True)
    looking.start()
    try:
        yield meter
    finally:
        over.set()
        looking.join()
        if isinstance(meter, Bar):
            meter.bar.close()


def event(name: str, *, as_json: bool, **told: float | str) -> None:
    """Print one thing that happened to standard error, with the time."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    if as_json:
        line = json.dumps({"time": now, "event": name, **told}, ensure_ascii=False)
    else:
        line = f"{now} {name}: " + ", ".join(
            f"{value:,} {key.replace('_', ' ')}" if isinstance(value, (int, float)) else f"{key} {value}"
            for key, value in told.items()
        )
    print(lines(line), file=sys.stderr, flush=True)  # noqa: T201

"""How a run is stopped: by the first signal in good order, by the second where it is, as if it were killed.

A handler in Python waits until the main thread comes back from native code, which may take seconds. So a thread of
its own hears of signals through a socket, which the system's own handler writes to, and answers at once.
"""

from __future__ import annotations

import os
import signal
import socket
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def code(by: str) -> int:
    """Return the exit code of what a signal has ended, as shells have it."""
    return 128 + signal.Signals[by]


@dataclass
class Stop:
    """Whether and by which signal a run is asked to end: it finishes the batches that are begun.

    ``heard`` is called at once, in another thread, with the signal's name; ``halted`` before the process ends at a
    second signal.
    """

    by: str | None = None
    heard: Callable[[str], None] = field(default=lambda _: None)
    halted: Callable[[str], None] = field(default=lambda _: None)
    _count: int = 0

    @contextmanager
    def on_signals(self) -> Iterator[Stop]:
        """Listen to SIGINT and SIGTERM; a second one ends the process where it is, as if killed."""
        ear, mouth = socket.socketpair()
        mouth.setblocking(False)  # noqa: FBT003  (the standard library takes it so)
        before = {each: signal.signal(each, self._ask) for each in SIGNALS}
        woken = signal.set_wakeup_fd(mouth.fileno(), warn_on_full_buffer=False)
        listener = Thread(target=self._listen, args=(ear,), daemon=True)
        listener.start()
        try:
            yield self
        finally:
            signal.set_wakeup_fd(woken)
            for each, handler in before.items():
                signal.signal(each, handler)
            mouth.close()
            listener.join()
            ear.close()

    def _listen(self, ear: socket.socket) -> None:
        """Answer the first signal, end the process at the second; the end of the socket ends this thread."""
        count = 0
        while told := ear.recv(1):
            if told[0] not in map(int, SIGNALS):
                continue
            count += 1
            by = signal.Signals(told[0]).name
            self.by = self.by or by
            (self.heard if count == 1 else self.halted)(by)
            if count > 1:
                os._exit(code(by))

    def _ask(self, number: int, _frame: FrameType | None) -> None:
        """Note a signal; at the third the other thread has had its chance."""
        self.by = self.by or signal.Signals(number).name
        self._count += 1
        if self._count > 2:
            os._exit(128 + number)

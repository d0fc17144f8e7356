"""How signals stop a run: the first ends it in good order, the second ends the process at once.

A signal handler in Python runs only when the main thread returns from native code, which can take seconds. Python's C
handler, however, writes each signal's number to a socket at once; a separate thread reads the socket and reacts.
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
    """Return the exit code for a process that a signal, named ``by``, has ended, as shells report it."""
    return 128 + signal.Signals[by]


@dataclass
class Stop:
    """Whether a signal has asked the run to end, and which: ``by`` is its name, None without one.

    ``heard`` is called with the signal's name, at once and in another thread. ``halted`` is called before a second
    signal ends the process.
    """

    by: str | None = None
    heard: Callable[[str], None] = field(default=lambda _: None)
    halted: Callable[[str], None] = field(default=lambda _: None)
    _count: int = 0

    @contextmanager
    def on_signals(self) -> Iterator[Stop]:
        """Listen to SIGINT and SIGTERM while the context lasts; a second one ends the process at once."""
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
        """React to the first signal, end the process at the second; this thread ends when the socket closes."""
        count = 0
        while number := ear.recv(1):
            if number[0] not in map(int, SIGNALS):
                continue
            count += 1
            by = signal.Signals(number[0]).name
            self.by = self.by or by
            (self.heard if count == 1 else self.halted)(by)
            if count > 1:
                os._exit(code(by))

    def _ask(self, number: int, _frame: FrameType | None) -> None:
        """Note a signal; at the third, end the process, since the listening thread has not done so."""
        self.by = self.by or signal.Signals(number).name
        self._count += 1
        if self._count > 2:
            os._exit(128 + number)

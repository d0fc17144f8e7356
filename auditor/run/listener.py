"""The events that a run reports while it goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.run.totals import Totals


class Listener:
    """A receiver of a run's events; this one ignores them all."""

    def listed(self, files: int, size: int) -> None:
        """Receive the number of files just listed, and the estimated bytes that they unpack to and must be audited."""

    def begun(self, slot: int, size: int, expected: int) -> None:
        """Receive that a batch begins: its slot, its bytes, and the bytes that were estimated for it when listed."""

    def done(self, slot: int | None, counts: Totals) -> None:
        """Receive the counts of a finished batch (slot None: counts of files that needed no audit)."""

    def say(self, text: str) -> None:
        """Receive a message for the user."""

    def stopping(self, by: str) -> None:
        """Receive that a signal, named ``by``, asks the run to end."""

    def ended(self, stopped: str | None) -> None:
        """Receive that the run is over, and the name of the signal that ended it early (None: it was complete)."""

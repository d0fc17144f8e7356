"""What a run tells whoever shows its progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from auditor.run.totals import Totals


class Listener:
    """What a run tells while it goes on; this one shows nothing."""

    def listed(self, files: int, size: int) -> None:
        """Know of so many further files, and of about so many bytes to unpack and audit."""

    def begun(self, slot: int, size: int, expected: int) -> None:
        """Have a batch under way: its bytes, and how many of those known of they were taken for."""

    def done(self, slot: int | None, counts: Totals) -> None:
        """Have a batch done (None: files that needed none)."""

    def say(self, text: str) -> None:
        """Say something that a person must know."""

    def stopping(self, by: str) -> None:
        """Say that a signal ends the run, and how to end it harder."""

    def ended(self, stopped: str | None) -> None:
        """Have come to the end, by a signal or not."""

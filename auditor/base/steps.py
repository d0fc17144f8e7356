"""The progress of a batch: code that works on one reports here, in the run's process or in a worker."""

from __future__ import annotations

from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


BEGUN = 1e-9
"""The share of a batch that has only just begun."""


class Board:
    """Memory that a run shares with its workers, without locks: a worker may die at any moment.

    Each batch that can be under way has a cell with the share of it that is done, 0 to 1. One more cell is 1 when no
    further batch may begin. Each cell is written by one process at a time.
    """

    def __init__(self, cells: Any) -> None:  # noqa: ANN401  (ctypes' arrays have no type of their own)
        self.cells = cells

    @classmethod
    def of(cls, slots: int) -> Board:
        """Make a board for ``slots`` batches at once."""
        return cls(get_context("spawn").RawArray("d", slots + 1))

    @property
    def closed(self) -> bool:
        """Whether no further batch may begin."""
        return bool(self.cells[-1])

    def close(self) -> None:
        """Let no further batch begin."""
        self.cells[-1] = 1.0

    def share(self, slot: int) -> float:
        """Return the share of a batch that is done, 0 to 1."""
        return float(self.cells[slot])

    def clear(self, slot: int) -> None:
        """Free a slot for another batch."""
        self.cells[slot] = 0.0


class _Here:
    """The state of this process: the cell of its batch, and the span of the batch that reports fill now."""

    board: Board | None = None
    slot = 0
    low, high = 0.0, 1.0


def share_with(cells: Any) -> None:  # noqa: ANN401  (as above)
    """Set the memory that this process, a worker, shares with the run."""
    _Here.board = Board(cells)


def closed() -> bool:
    """Say whether this process must begin no further batch."""
    return _Here.board is not None and _Here.board.closed


@contextmanager
def batch(slot: int, board: Board | None = None) -> Iterator[None]:
    """Report one batch in a slot while the context lasts; on ``board``, or on the worker's board."""
    _Here.board, _Here.slot, _Here.low, _Here.high = board or _Here.board, slot, 0.0, 1.0
    reached(BEGUN)
    yield


def reached(share: float) -> None:
    """Report the share of the present span that is done, 0 to 1; progress never goes back."""
    if _Here.board is not None:
        cells, at = _Here.board.cells, _Here.slot
        cells[at] = max(cells[at], _Here.low + share * (_Here.high - _Here.low))


@contextmanager
def span(low: float, high: float) -> Iterator[None]:
    """Let reports within the context fill this part of the present span."""
    before = _Here.low, _Here.high
    wide = _Here.high - _Here.low
    _Here.low, _Here.high = _Here.low + low * wide, _Here.low + high * wide
    try:
        yield
        reached(1.0)
    finally:
        _Here.low, _Here.high = before

"""How far a batch is: any code that works on one says so here, in the run's process or in a worker."""

from __future__ import annotations

from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


BEGUN = 1e-9
"""The share of a batch of which nothing is done but that it is begun."""


class Board:
    """Memory that a run shares with its workers, without locks: a worker may die at any moment.

    A cell for each batch that can be under way at once has the share of it that is done, 0 to 1; one more says that
    no batch is to be begun any more. A cell is written by one process at a time.
    """

    def __init__(self, cells: Any) -> None:  # noqa: ANN401  (ctypes' arrays have no type of their own)
        self.cells = cells

    @classmethod
    def of(cls, slots: int) -> Board:
        """Make one for so many batches at once."""
        return cls(get_context("spawn").RawArray("d", slots + 1))

    @property
    def closed(self) -> bool:
        """Whether no batch is to be begun any more."""
        return bool(self.cells[-1])

    def close(self) -> None:
        """Let no batch be begun any more."""
        self.cells[-1] = 1.0

    def share(self, slot: int) -> float:
        """Return how much of a batch is done."""
        return float(self.cells[slot])

    def clear(self, slot: int) -> None:
        """Make a slot free for another batch."""
        self.cells[slot] = 0.0


class _Here:
    """Where this process stands in the batch it works on: the cell, and the span of it that what is told now fills."""

    board: Board | None = None
    slot = 0
    low, high = 0.0, 1.0


def share_with(cells: Any) -> None:  # noqa: ANN401  (as above)
    """Tell this process, a worker, which memory the run reads."""
    _Here.board = Board(cells)


def closed() -> bool:
    """Say whether this process is to begin no batch any more."""
    return _Here.board is not None and _Here.board.closed


@contextmanager
def batch(slot: int, board: Board | None = None) -> Iterator[None]:
    """Tell of one batch here; on a ``board``, or on that of the worker."""
    _Here.board, _Here.slot, _Here.low, _Here.high = board or _Here.board, slot, 0.0, 1.0
    reached(BEGUN)
    yield


def reached(share: float) -> None:
    """Tell how much of the present span is done, 0 to 1; what was told before is never taken back."""
    if _Here.board is not None:
        cells, at = _Here.board.cells, _Here.slot
        cells[at] = max(cells[at], _Here.low + share * (_Here.high - _Here.low))


@contextmanager
def span(low: float, high: float) -> Iterator[None]:
    """Let what is told within fill this part of the present span."""
    before = _Here.low, _Here.high
    wide = _Here.high - _Here.low
    _Here.low, _Here.high = _Here.low + low * wide, _Here.low + high * wide
    try:
        yield
        reached(1.0)
    finally:
        _Here.low, _Here.high = before

"""Lists of numbers as arrays: one list, or none, for each of n tags."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl
import pyarrow as pa

from auditor.log.arrays import arrow, bits, from_arrow
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.columns import Range


@dataclass(frozen=True)
class Lists:
    """One list of numbers for each of n tags.

    ``flat`` int[m] has the numbers of all lists of the batch. A tag's list begins at ``start`` int64[n] and has
    ``count`` int64[n] numbers; the count is -1 if the tag has no list.
    """

    flat: npt.NDArray[np.int32] | npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    count: npt.NDArray[np.int64]

    @property
    def owner(self) -> npt.NDArray[np.int64]:
        """The tag of each number, int64[m], if the lists follow each other in ``flat``, as those of ``every`` do."""
        return np.repeat(np.arange(len(self.count)), np.maximum(self.count, 0))

    @property
    def known(self) -> npt.NDArray[np.bool_]:
        """bool[n]: which tags have a list."""
        return self.count >= 0

    def __getitem__(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> Lists:
        """Return the lists of some tags."""
        return Lists(self.flat, self.start[chosen], self.count[chosen])

    def where(self, kept: npt.NDArray[np.bool_]) -> Lists:
        """Return the lists of all tags, but none where ``kept`` is false."""
        return replace(self, count=np.where(kept, self.count, -1))

    def number(self, place: int = 0) -> npt.NDArray[np.int32]:
        """Return the number at a place of each list, int32[n]; -1 if there is none."""
        found = self.flat.take(self.start + place, mode="clip")
        return np.where(self.count > place, found, np.int32(-1))

    def first(self, width: int) -> npt.NDArray[np.int32]:
        """Return the first numbers of each list, int32[n, width]; zeros if there is no list.

        Each list must have at least ``width`` numbers.
        """
        found = np.zeros((len(self.start), width), dtype=np.int32)
        known = np.flatnonzero(self.known)
        if len(known):
            found[known] = np.lib.stride_tricks.sliding_window_view(self.flat, width)[self.start[known]]
        return found

    def points(self, players: npt.NDArray[np.int8]) -> pl.Series:
        """Return scores in hundreds as :data:`auditor.log.tables.Points`; null if there is no list.

        ``players`` int8[n] is the number of players of each list's game.
        """
        return by_seat(self.first(SEATS) * 100, players, self.known)

    def every(self, step: int, place: int) -> Lists:
        """Return the lists of every second (third …) number, from a place on. Their lengths are multiples of ``step``.

        The numbers of the new lists follow each other in ``flat``.
        """
        count = np.maximum(self.count, 0) // step
        start = np.cumsum(count) - count
        flat = self.flat[np.arange(count.sum()) * step + np.repeat(self.start + place - start * step, count)]
        return Lists(flat, start, np.where(self.known, count, -1))

    def column(self, dtype: type[np.generic], step: int = 1, place: int = 0) -> pl.Series:
        """Return these lists, or those of ``every``, as a column of this type of numbers; null if there is no list."""
        packed = self.every(step, place)
        flat, ends = arrow(packed.flat.astype(dtype)), np.append(packed.start, len(packed.flat))
        buffers = [bits(self.known), pa.py_buffer(ends)]
        return from_arrow(pa.Array.from_buffers(pa.large_list(flat.type), len(self.known), buffers, children=[flat]))


def arrays(numbers: npt.NDArray[np.generic], known: npt.NDArray[np.bool_]) -> pl.Series:
    """Return numbers, [n, width], as a column of arrays; null where ``known``, bool[n], is false."""
    flat = arrow(numbers.ravel())
    of_rows = pa.list_(flat.type, numbers.shape[1])
    return from_arrow(pa.Array.from_buffers(of_rows, len(known), [bits(known)], children=[flat]))


def decimals(texts: pl.Series, width: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return the first numbers of texts with commas between numbers, and how many parts each text has.

    The numbers, float64[n, width], are NaN where there is none. A null is like an empty text.
    """
    filled = [text or "" for text in texts.to_list()]
    flat = pl.Series(",".join(filled).split(","), dtype=pl.String).cast(pl.Float64, strict=False).to_numpy()
    count = np.array([text.count(",") + 1 for text in filled], dtype=np.int64)
    places = (np.cumsum(count) - count)[:, None] + np.arange(width)
    return np.append(flat, np.nan)[np.where(np.arange(width) < count[:, None], places, len(flat))], count


def fits(numbers: npt.NDArray[np.float64], bounds: Range) -> npt.NDArray[np.bool_]:
    """Return bool[n]: in which rows of float64[n, width] all numbers are within these bounds; NaN is not."""
    within = (numbers >= bounds.low) & (numbers <= bounds.high)
    if bounds.whole:
        within &= numbers == np.floor(numbers)
    every: npt.NDArray[np.bool_] = np.logical_and.reduce(within, axis=1)
    return every

"""Seats: how many there are is a property of each game, and all arithmetic with seats is here.

Tables and arrays have room for :data:`~auditor.log.columns.SEATS` seats. In a game of three players seat 3 does not
exist: it has no event but an empty deal, and null in every column of points by seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from auditor.log.arrays import arrow, bits, from_arrow
from auditor.log.columns import SEATS

if TYPE_CHECKING:
    import numpy.typing as npt
    import polars as pl


def steps_on(
    seat: npt.NDArray[np.int8], before: npt.NDArray[np.int8], players: npt.NDArray[np.int8], game: npt.NDArray[np.int64]
) -> npt.NDArray[np.int8]:
    """Return how many seats the turn moves on from each seat ``before`` to each ``seat``, int8[n]: 0 to 3.

    ``players`` has the number of players in each game (or round), and ``game`` int64[n] says which of them each row is.
    """
    found = (seat - before) & (SEATS - 1)
    for count in np.unique(players[players != SEATS]):  # a bit mask takes a tenth of the time of a remainder
        rows = np.flatnonzero((players == count)[game])
        found[rows] = (seat[rows] - before[rows]) % count
    return found


def by_seat(
    values: npt.NDArray[np.generic], players: npt.NDArray[np.integer], known: npt.NDArray[np.bool_] | None = None
) -> pl.Series:
    """Return numbers by seat, [n, SEATS], as a column of arrays, in which seats that do not exist are null.

    ``players`` int[n] is the number of players of each row. Where ``known``, bool[n], is false, the row is null.
    """
    exists = np.arange(SEATS) < players[:, None]
    flat = arrow(values.ravel(), None if exists.all() else exists.ravel())
    valid = None if known is None else bits(known)
    return from_arrow(pa.Array.from_buffers(pa.list_(flat.type, SEATS), len(values), [valid], children=[flat]))

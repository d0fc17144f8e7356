"""Between columns and arrays: points by seat, numbers of hands, and arrays as columns that may be null."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.tables import SEATS

if TYPE_CHECKING:
    import numpy.typing as npt


def points_by_seat(column: pl.Series) -> npt.NDArray[np.int32]:
    """Return a column of points by seat as int32[n, 4]; zeros where it is null."""
    zero = pl.Series([[0] * SEATS], dtype=column.dtype)
    return column.fill_null(zero).to_numpy().reshape(-1, SEATS)


def hand_numbers(rows: pl.DataFrame, seat: str = "seat") -> npt.NDArray[np.int64]:
    """Return the number of each row's hand, ``round * SEATS + seat``, int64[n].

    ``rows`` has a column ``round`` and one that names the seat, neither of them null.
    """
    hand: npt.NDArray[np.int64] = rows["round"].to_numpy().astype(np.int64, copy=False) * SEATS + rows[seat].to_numpy()
    return hand


def where_known(values: npt.NDArray[np.generic] | pl.Series, known: npt.NDArray[np.bool_]) -> pl.Series:
    """Return values as a column, null where they are not ``known``; both have n entries."""
    return pl.select(pl.when(pl.Series(known)).then(pl.Series(values))).to_series()

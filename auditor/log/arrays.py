"""Conversions between columns and arrays: points by seat, numbers of hands and tiles, masks, nullable columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.log.tables import SEATS
from auditor.log.tile_ids import TILE_IDS

if TYPE_CHECKING:
    import numpy.typing as npt


def points_by_seat(column: pl.Series) -> npt.NDArray[np.int32]:
    """Return a column of points by seat as int32[n, 4]; a null row becomes zeros."""
    if column.null_count():
        column = column.fill_null(pl.Series([[0] * SEATS], dtype=column.dtype))
    return column.to_numpy().reshape(-1, SEATS)


def filled(column: pl.Series, value: int) -> npt.NDArray[Any]:
    """Return a column as an array with a value in place of null; the type is the column's."""
    # Most columns have no null, and fill_null plans a query even then.
    return (column.fill_null(value) if column.null_count() else column).to_numpy()


def hand_numbers(rows: pl.DataFrame, seat: str = "seat") -> npt.NDArray[np.int64]:
    """Return the number of each row's hand, ``round * SEATS + seat``, int64[n].

    ``rows`` must have the columns ``round`` and ``seat`` (or another name for it), both without nulls.
    """
    hand: npt.NDArray[np.int64] = rows["round"].to_numpy().astype(np.int64, copy=False) * SEATS + rows[seat].to_numpy()
    return hand


def tile_numbers(rows: pl.DataFrame) -> npt.NDArray[np.int64]:
    """Return for each row ``round * TILE_IDS + tile_id``, a number for each tile id of each round, int64[n]."""
    number: npt.NDArray[np.int64] = rows["round"].to_numpy().astype(np.int64) * TILE_IDS + rows["tile_id"].to_numpy()
    return number


def rows_where(frame: pl.DataFrame, chosen: npt.NDArray[np.bool_]) -> pl.DataFrame:
    """Return the rows of a frame that a mask, bool[n], chooses."""
    # Column by column, because DataFrame.filter plans a query, which takes fifty times as long for a small frame.
    if not chosen.any():
        return frame.clear()
    mask = pl.Series(chosen)
    return pl.DataFrame([column.filter(mask) for column in frame.iter_columns()])


def where_known(values: npt.NDArray[np.generic] | pl.Series, known: npt.NDArray[np.bool_]) -> pl.Series:
    """Return n values as a column that is null where ``known``, bool[n], is false."""
    column = pl.Series(values)
    # A Series method, not an expression: frames call this dozens of times a batch, and an expression takes longer.
    return column.zip_with(pl.Series(known), pl.Series([None], dtype=column.dtype))

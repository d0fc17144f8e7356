"""Conversions between columns and arrays: points by seat, numbers of hands and tiles, masks, nullable columns."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pyarrow as pa

from auditor.log.columns import SEATS

if TYPE_CHECKING:
    import numpy.typing as npt


def points_by_seat(column: pl.Series) -> npt.NDArray[Any]:
    """Return a column of numbers by seat as an array, [n, SEATS]; null, of a row or of a seat, becomes zero."""
    known = is_known(column)
    some = column.filter(pl.Series(known)) if column.null_count() else column
    numbers = filled(from_arrow(some.to_arrow().values), 0).reshape(-1, SEATS)
    if len(some) == len(column):
        return numbers
    points = np.zeros((len(column), SEATS), dtype=numbers.dtype)
    points[known] = numbers
    return points


def hand_numbers(rows: pl.DataFrame, seat: str = "seat") -> npt.NDArray[np.int64]:
    """Return the number of each row's hand, ``round * SEATS + seat``, int64[n].

    ``rows`` must have the columns ``round`` and ``seat`` (or another name for it), both without nulls.
    """
    hand: npt.NDArray[np.int64] = rows["round"].to_numpy().astype(np.int64, copy=False) * SEATS + rows[seat].to_numpy()
    return hand


def rows_where(frame: pl.DataFrame, chosen: npt.NDArray[np.bool_] | pl.Series) -> pl.DataFrame:
    """Return the rows of a frame that a mask, bool[n], chooses; null in a column of truth values chooses none."""
    # Column by column, because DataFrame.filter plans a query, which takes fifty times as long for a small frame.
    if not chosen.any():
        return frame.clear()
    mask = pl.Series(chosen)
    # In one chunk, because Polars 2.1 panics at some expressions over columns whose first chunk is empty.
    return pl.DataFrame([column.filter(mask).rechunk() for column in frame.iter_columns()])


def stacked(*frames: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of several frames; columns that one lacks are null. A frame without rows counts for nothing."""
    some = [frame for frame in frames if len(frame)]
    return pl.concat(some, how="diagonal_relaxed") if len(some) > 1 else (some or frames)[0]


def where_known(values: npt.NDArray[np.generic] | pl.Series, known: npt.NDArray[np.bool_]) -> pl.Series:
    """Return n values as a column that is null where ``known``, bool[n], is false. It shares an array's memory."""
    if isinstance(values, np.ndarray):
        return from_arrow(arrow(values, known))
    return values.zip_with(pl.Series(known), pl.Series([None], dtype=values.dtype))


def is_known(column: pl.Series) -> npt.NDArray[np.bool_]:
    """Return where a column is not null, bool[n]."""
    # Arrow's bits take 10 microseconds; a Series method that plans a query takes 40.
    nulls = column.null_count()
    if nulls in {0, len(column)}:
        return np.full(len(column), nulls == 0)
    values = column.to_arrow()
    known = np.unpackbits(np.frombuffer(values.buffers()[0], dtype=np.uint8), bitorder="little")
    return known[values.offset : values.offset + len(column)].view(np.bool_)


def filled(column: pl.Series, value: bool | int) -> npt.NDArray[Any]:  # noqa: FBT001 - the value of a boolean column
    """Return a column of numbers or booleans as an array of its type, [n], with this value in place of null."""
    if column.null_count():
        column = column.zip_with(pl.Series(is_known(column)), pl.Series([value], dtype=column.dtype))
    return column.to_numpy()


def arrow(values: npt.NDArray[np.generic], known: npt.NDArray[np.bool_] | None = None) -> pa.Array:
    """Return an array, [n], as an Arrow array, null where ``known``, bool[n], is false."""
    # ``pyarrow.array`` would import pandas wherever it is installed.
    data = bits(values) if values.dtype == np.bool_ else pa.py_buffer(np.ascontiguousarray(values))
    valid = None if known is None else bits(known)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [valid, data])


def bits(truth: npt.NDArray[np.generic]) -> pa.Buffer:
    """Return truth values, bool[n], as Arrow keeps them: eight to a byte."""
    return pa.py_buffer(np.packbits(truth.view(np.uint8), bitorder="little"))


def from_arrow(values: pa.Array) -> pl.Series:
    """Return an Arrow array as a column, through C's interface: given it directly, Polars imports Arrow's kernels."""
    return pl.Series(SimpleNamespace(__arrow_c_array__=values.__arrow_c_array__))


def lists(
    values: npt.NDArray[np.generic] | pa.Array | Mapping[str, npt.NDArray[np.generic]], lengths: npt.NDArray[np.integer]
) -> pl.Series:
    """Return a column of n lists: ``lengths`` int[n] says how many of the ``values``, in their order, each one gets.

    If ``values`` maps names to arrays, the lists are of structs with these fields.
    """
    # Arrow takes the lists as they lie in memory; grouping the values by row takes a hundred times as long.
    offsets = np.append(0, np.cumsum(lengths, dtype=np.int64))
    items = arrow(values) if isinstance(values, np.ndarray) else values
    if isinstance(values, Mapping):
        items = pa.StructArray.from_arrays(list(map(arrow, values.values())), names=list(values))
    return from_arrow(pa.LargeListArray.from_arrays(arrow(offsets), items))


def entries(column: pl.Series, field: str | None = None) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any]]:
    """Return row and value (of structs: a field) of each entry of a column of lists, [m] each; null has no entries."""
    of_lists = column.to_arrow()
    start = from_arrow(of_lists.offsets).to_numpy()
    row, entry = expanded(start[:-1], np.diff(start) * is_known(column))
    values = of_lists.values if field is None else of_lists.values.field(field)
    return row, from_arrow(values).to_numpy()[entry]


def gathered(column: pl.Series, rows: npt.NDArray[np.integer], known: npt.NDArray[np.bool_] | None = None) -> pl.Series:
    """Return the values of a column at n rows, int[n]; null where ``known``, bool[n], is false."""
    # Indexing with the type that Polars uses for rows takes a tenth of the time of Series.gather, which plans a query.
    index = rows.astype(np.uint32)
    return column[pl.Series(index) if known is None else where_known(index, known)]


def expanded(
    start: npt.NDArray[np.integer], length: npt.NDArray[np.integer]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the numbers of n ranges, one range after the other: the place of the range, and the number, [m] each."""
    place = np.repeat(np.arange(len(start)), length)
    before = np.cumsum(length, dtype=np.int64) - length
    return place, np.arange(len(place)) + np.repeat(start - before, length)


def repeated(value: Any, kind: pl.DataType | type[pl.DataType], count: int) -> pl.Series:  # noqa: ANN401 - of any column
    """Return a column that has one value ``count`` times; it plans no query, as ``pl.repeat`` does."""
    return pl.Series([value], dtype=kind).new_from_index(0, count)

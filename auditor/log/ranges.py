"""Numbers beyond their bounds become null and a problem.

``columns.py`` states the bounds. A reader states none of its own: it takes them from there, or hands its frames to
:func:`bounded`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from auditor.log.columns import RANGES
from auditor.log.tables import PROBLEMS, problem_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from auditor.log.columns import Range


_SHOWN = 80
"""Characters of a value that a message shows."""


def bounded(
    frame: pl.DataFrame, table: str, names: Mapping[str, str] | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Make null what is beyond its column's range, and say so.

    So nothing overflows in :func:`auditor.log.tables.conform`.

    Parameters
    ----------
    frame
        columns of one canonical table, in numeric types as wide as the log's numbers need (Int64, Int128, Float64, and
        lists or arrays of them), beside any other columns. Columns of other types are left as they are.
    table
        the table's name, such as ``claims``
    names
        what the format calls a column, for messages: ``{"points": "hule defen"}``

    Returns
    -------
    tuple
        The frame, a value beyond its range null (a list that holds one: the whole list), and the rows of the canonical
        table ``problems`` (L003) that say which, with the frame's columns ``game``, ``round``, ``event``, ``pos`` where
        it has them.

    """
    beyond = {
        name: _beyond(frame.schema[name], pl.col(name), RANGES[table][name])
        for name in frame.columns
        if name in RANGES[table] and _inner(frame.schema[name]).is_numeric()
    }
    wrong = frame.select(**beyond) if beyond else pl.DataFrame()
    place = [name for name in ("game", "round", "event", "pos") if name in frame.columns]
    found = [
        frame.filter(wrong[name]).select(
            *place,
            code=pl.lit("L003"),
            recorded=pl.format("{} {}", pl.lit((names or {}).get(name, name)), _text(frame.schema[name], pl.col(name))),
            expected=pl.lit(_expected(frame.schema[name], RANGES[table][name])),
        )
        for name in beyond
        if wrong[name].any()
    ]
    if not found:
        return frame, pl.DataFrame(schema=PROBLEMS)
    kept = frame.with_columns(pl.when(~wrong[name]).then(name).alias(name) for name in beyond if wrong[name].any())
    return kept, pl.concat(map(problem_rows, found))


def _inner(kind: pl.DataType) -> pl.DataType:
    """Return the type of a column's numbers: of a list or array, of what is in it."""
    return kind.inner if isinstance(kind, pl.List | pl.Array) else kind  # type: ignore[return-value]


def _beyond(kind: pl.DataType, value: pl.Expr, bounds: Range) -> pl.Expr:
    """Return whether a value, or one of a list's, is beyond its range; what is null is not."""
    if isinstance(kind, pl.Array):
        kind, value = pl.List(kind.inner), value.arr.to_list()
    if isinstance(kind, pl.List):
        return value.list.eval(_outside(_inner(kind), pl.element(), bounds)).list.any().fill_null(value=False)
    return _outside(kind, value, bounds).fill_null(value=False)


def _outside(kind: pl.DataType, value: pl.Expr, bounds: Range) -> pl.Expr:
    outside = ~value.is_between(bounds.low, bounds.high)
    if kind.is_float():
        outside |= value.is_nan()
        if bounds.whole:
            outside |= value != value.floor()
    return outside


def _text(kind: pl.DataType, value: pl.Expr) -> pl.Expr:
    """Return a value as text, a list's numbers with commas between."""
    if isinstance(kind, pl.Array):
        value = value.arr.to_list()
    if isinstance(kind, pl.List | pl.Array):
        value = value.list.eval(pl.element().cast(pl.String).fill_null("null")).list.join(",")
    return value.cast(pl.String).str.slice(0, _SHOWN)


def _expected(kind: pl.DataType, bounds: Range) -> str:
    listed = isinstance(kind, pl.List | pl.Array)
    return f"each {bounds}" if listed else str(bounds)

"""Replace numbers that are out of bounds by null, and report each as a problem.

``columns.py`` defines the bounds. Readers define none of their own: they use those, or pass their frames to
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
"""How many characters of a value a message shows at most."""


def bounded(
    frame: pl.DataFrame, table: str, names: Mapping[str, str] | None = None
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Replace numbers that are out of their column's range by null, and report them.

    Afterwards, no number overflows in :func:`auditor.log.tables.conform`.

    Parameters
    ----------
    frame
        columns of one canonical table, and any others. Numeric columns, or lists or arrays of numbers, have a type
        that holds every number of the log (Int64, Int128, Float64). Columns of other types stay as they are.
    table
        the table's name, for example ``claims``
    names
        the format's own names of columns, for messages: ``{"points": "hule defen"}``

    Returns
    -------
    tuple
        First, the frame, with null for each value out of range, or for a whole list that contains one. Second, one
        row of the canonical table ``problems`` (L003) for each of these, with ``game``, ``round``, ``event`` and
        ``pos`` if the frame has these columns.

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
    """Return the type of a column's numbers; for a list or array, the type of its elements."""
    return kind.inner if isinstance(kind, pl.List | pl.Array) else kind  # type: ignore[return-value]


def _beyond(kind: pl.DataType, value: pl.Expr, bounds: Range) -> pl.Expr:
    """Return whether a value, or any element of a list, is out of range; null is not."""
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
    """Return a value as text; commas separate the numbers of a list."""
    if isinstance(kind, pl.Array):
        value = value.arr.to_list()
    if isinstance(kind, pl.List | pl.Array):
        value = value.list.eval(pl.element().cast(pl.String).fill_null("null")).list.join(",")
    return value.cast(pl.String).str.slice(0, _SHOWN)


def _expected(kind: pl.DataType, bounds: Range) -> str:
    listed = isinstance(kind, pl.List | pl.Array)
    return f"each {bounds}" if listed else str(bounds)

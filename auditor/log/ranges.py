"""What the numbers of the canonical tables may be, stated once for all readers, and what becomes of others.

The bounds are wide: they keep out what no game can hold and no column can store, not what is merely wrong, which
checks name. A reader states nothing of its own: it takes bounds from here, or hands its frames to :func:`bounded`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from auditor.log.tables import PROBLEMS, SEATS, conform
from auditor.log.tile_ids import TILE_IDS

if TYPE_CHECKING:
    from collections.abc import Mapping


class Range(NamedTuple):
    """The lowest and the highest value of a number, both included; ``whole`` if it has no fraction."""

    low: int
    high: int
    whole: bool = True

    def __str__(self) -> str:
        """Say what is expected, for a message."""
        return f"{'a whole number' if self.whole else 'a number'} in {self.low}..{self.high}"


SEAT = Range(0, SEATS - 1)
TILE_ID = Range(0, TILE_IDS - 1)
COUNTERS = Range(0, 99)
"""Honba, and riichi sticks on the table."""
SCORE = Range(-10_000_000, 10_000_000)
YAKU = Range(0, 255)
"""Tenhou's ids are 0 to 54; a reader may give a yaku that it does not know a higher one."""

RANGES: dict[str, dict[str, Range]] = {
    "games": {
        "players": Range(3, SEATS),
        "ratings": Range(-100_000, 100_000, whole=False),
        "final_scores": SCORE,
        "final_points": Range(-100_000, 100_000, whole=False),
        "places": Range(1, SEATS),
    },
    "rounds": {
        "wind": Range(0, 3),
        "dealer": SEAT,
        "honba": COUNTERS,
        "sticks": COUNTERS,
        "start": SCORE,
        "dora": TILE_ID,
        "dice": Range(0, 5),
    },
    "events": {"seat": SEAT, "tile_id": TILE_ID},
    "melds": {"source": SEAT, "p1": TILE_ID, "p2": TILE_ID, "p3": TILE_ID},
    "deals": {"seat": SEAT, "tile_id": TILE_ID},
    "deposits": {"seat": SEAT, "scores": SCORE},
    "claims": {
        "winner": SEAT,
        "payer": SEAT,
        "liable": SEAT,
        "honba": COUNTERS,
        "sticks": COUNTERS,
        "win_tile_id": TILE_ID,
        "fu": Range(0, 1_000),
        "points": Range(0, SCORE.high),
        "limit": Range(0, 99),  # that there is none beyond 5 is for a check to say (W107)
        "yaku": YAKU,
        "han": Range(0, 99),
        "yakuman": YAKU,
        "units": Range(0, 9),
        "total_han": Range(0, 999),
        "total_units": Range(0, 99),
        "dora": TILE_ID,
        "ura": TILE_ID,
        "before": SCORE,
        "deltas": SCORE,
    },
    "shows": {"seat": SEAT, "tile_ids": TILE_ID},
    "problems": {"seat": SEAT},
}
"""By table and column; of an array or a list, each of its numbers. Every numeric column is here but those of
:data:`COUNTED`."""

COUNTED = frozenset(
    ("game", "round", "row", "claim", "nth", "rules", "event", "pos", "last_event", "last_pos", "melds")
)
"""Columns that a reader numbers itself, or makes of tiles (``claims.melds``): no log states them."""

_SHOWN = 80
"""Characters of a value that a message shows."""


def bounded(
    frame: pl.DataFrame, table: str, told: Mapping[str, str] | None = None
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
    told
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
            recorded=pl.format("{} {}", pl.lit((told or {}).get(name, name)), _text(frame.schema[name], pl.col(name))),
            expected=pl.lit(_expected(frame.schema[name], RANGES[table][name])),
        )
        for name in beyond
        if wrong[name].any()
    ]
    if not found:
        return frame, pl.DataFrame(schema=PROBLEMS)
    kept = frame.with_columns(pl.when(~wrong[name]).then(name).alias(name) for name in beyond if wrong[name].any())
    return kept, pl.concat(conform(each, PROBLEMS) for each in found)


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

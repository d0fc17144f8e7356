"""One batch of games as canonical tables: the record that readers make and that replay and checks read.

``columns.py`` states the tables and their columns, ``invariants.py`` what holds between rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.columns import CALLS, KINDS, SCHEMAS, SEATS, WINS_ONLY, Kind, Points, Schema, TileIds

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy.typing as npt

    from engine.rules.rule_sets import RuleSet

__all__ = (
    "CALLS",
    "CLAIMS",
    "DEALS",
    "DEPOSITS",
    "EVENTS",
    "GAMES",
    "KINDS",
    "MELDS",
    "PROBLEMS",
    "ROUNDS",
    "SEATS",
    "SHOWS",
    "WINS_ONLY",
    "ColumnError",
    "Kind",
    "Log",
    "Points",
    "TileIds",
    "conform",
    "meld_signature",
    "problem_rows",
)  # fmt: skip

GAMES = SCHEMAS["games"]
ROUNDS = SCHEMAS["rounds"]
EVENTS = SCHEMAS["events"]
MELDS = SCHEMAS["melds"]
DEALS = SCHEMAS["deals"]
DEPOSITS = SCHEMAS["deposits"]
CLAIMS = SCHEMAS["claims"]
SHOWS = SCHEMAS["shows"]
PROBLEMS = SCHEMAS["problems"]


class ColumnError(ValueError):
    """A table has not the columns, or not the types, that ``columns.py`` states."""


@dataclass(frozen=True)
class Log:
    """A batch of games as canonical tables, sorted by game, round, event.

    Each table must have exactly the columns of its schema, in their order and types.

    Raises
    ------
    ColumnError
        where a table is otherwise

    """

    games: pl.DataFrame
    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    deposits: pl.DataFrame
    claims: pl.DataFrame
    shows: pl.DataFrame
    problems: pl.DataFrame
    rules: list[RuleSet] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Look at the columns of all tables: a few microseconds each, whatever their length."""
        for table, schema in SCHEMAS.items():
            _check_columns(table, getattr(self, table).schema, schema)

    @cached_property
    def deposits_inferred(self) -> npt.NDArray[np.bool_]:
        """Rounds of games whose format does not say that a riichi's stick is paid, so that the reader infers it."""
        return self.games["deposits_inferred"].gather(self.rounds["game"]).to_numpy()


def meld_signature(kind: npt.NDArray[np.uint8], tile_ids: npt.NDArray[np.int16]) -> npt.NDArray[np.int64]:
    """Return one number a meld, equal for equal melds: its kind and its tiles in ascending order.

    ``kind`` uint8[n] counts in :data:`KINDS`; ``tile_ids`` int16[n, 4] are padded with
    :data:`auditor.log.tile_ids.NONE`.
    """
    signature = kind.astype(np.int64)
    for tile_id in np.sort(tile_ids, axis=1).T:
        signature = signature << 8 | tile_id
    return signature


def conform(frame: pl.DataFrame, schema: Schema, absent: Collection[str] = ()) -> pl.DataFrame:
    """Return the schema's columns of a frame, in order and type.

    Parameters
    ----------
    frame
        has each column of the schema but the ``absent`` ones; it may have others, which are left out
    schema
        such as :data:`CLAIMS`
    absent
        columns that nobody states here; they are null in every row

    Raises
    ------
    ColumnError
        where the frame lacks a column that is not ``absent``, or has one that is
    polars.exceptions.InvalidOperationError
        where a value cannot be cast to its column's type

    """
    wrong = [f"no such column: {name}" for name in absent if name not in schema]
    wrong += [f"stated to be absent, but there: {name}" for name in absent if name in frame.columns]
    missing = [name for name in schema if name not in frame.columns and name not in absent]
    if missing:
        others = [name for name in frame.columns if name not in schema]
        wrong.append(f"missing: {', '.join(missing)} (other columns there: {', '.join(others) or 'none'})")
    if wrong:
        raise ColumnError("; ".join(wrong))
    return frame.select(
        pl.lit(None, dtype=kind).alias(name) if name in absent else pl.col(name).cast(kind)
        for name, kind in schema.items()
    )


_OPTIONAL = ("game", "round", "event", "pos", "seat", "play", "rest")
"""Columns of ``problems`` that a problem need not have."""


def problem_rows(frame: pl.DataFrame) -> pl.DataFrame:
    """Return rows of the table ``problems``: ``frame`` has code, recorded, expected, and of the others what is known.

    Raises
    ------
    ColumnError
        where one of the three is missing

    """
    return conform(frame, PROBLEMS, [name for name in _OPTIONAL if name not in frame.columns])


def _check_columns(table: str, found: pl.Schema, stated: Schema) -> None:
    """Raise ColumnError unless a table has the columns stated."""
    if found == stated:
        return
    wrong = [f"no column {name}" for name in stated if name not in found]
    wrong += [f"an unknown column {name}" for name in found if name not in stated]
    wrong += [
        f"{name} is {found[name]}, not {kind}" for name, kind in stated.items() if name in found and found[name] != kind
    ]
    raise ColumnError(f"table {table}: {'; '.join(wrong) or 'columns in another order'}")

"""Conditions of ``auditor stats --where``: SQL over the columns of games and of their seats."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from auditor.base.choices import By
from auditor.dataset.opened import QueryError, refuse

SPLITS = [each.value for each in By if each not in {By.player, By.seat, By.dealer}]
"""The columns of a game that rows are split by."""
OF_GAME: dict[str, pl.DataType | type[pl.DataType]] = {
    **dict.fromkeys(SPLITS, pl.String), By.players: pl.UInt8, "table": pl.String, "rounds": pl.UInt32,
    "start_time": pl.Datetime("us"), "findings": pl.UInt32,
}  # fmt: skip
"""Columns of a game that a condition may name: those that statistics are split by, and some of the table ``games``."""
OF_SEAT: dict[str, pl.DataType | type[pl.DataType]] = {
    "player": pl.String, "seat": pl.Int8, "rank": pl.String, "rating": pl.Float64,
}  # fmt: skip
"""Columns of a seat of a game."""

_EVERY = pl.lit(value=True)


class ConditionError(Exception):
    """The condition is wrong, or names a column that does not exist."""


@dataclass(frozen=True)
class Condition:
    """A condition: an expression over games, or one over seats; the other one is always true."""

    of_games: pl.Expr = _EVERY
    of_seats: pl.Expr = _EVERY
    names_seats: bool = False


def parsed(text: str) -> Condition:
    """Return a condition in SQL, such as ``players = 3 AND platform = 'tenhou'``.

    Raises
    ------
    ConditionError
        when it is no condition in Polars' SQL, or names a column that is neither of games nor of seats

    """
    example = "give one such as \"players = 3 AND platform = 'tenhou'\""
    columns = OF_GAME | OF_SEAT
    try:
        refuse(f"SELECT {text}")
        expression = pl.sql_expr(text)
        names = expression.meta.root_names()
        if unknown := [name for name in names if name not in columns]:
            raise ConditionError(f"--where {text}: there is no column {unknown[0]}; there are {', '.join(columns)}")
        one = pl.DataFrame({column: [None] for column in columns}, schema=columns)
        kind = one.lazy().select(expression.alias("kind")).collect()["kind"].dtype
    except (QueryError, pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = " ".join(str(error).split("\n\n", maxsplit=1)[0].split())
        raise ConditionError(f"--where {text}: no condition ({reason}); {example}") from None
    if kind != pl.Boolean or not names:
        raise ConditionError(f"--where {text}: no condition on a column; {example}")
    if any(name in OF_SEAT for name in names):
        return Condition(of_seats=expression, names_seats=True)
    return Condition(of_games=expression)

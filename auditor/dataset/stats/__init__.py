"""Named statistics over a dataset, each with its numerators and denominators: :data:`STATISTICS`.

All have the same columns: ``players`` if the dataset has games of three and of four players, which no figure mixes; the
splits; the statistic's own key (a turn, a yaku …) if it has one, ``measure``,
``numerator``, ``denominator``, ``value`` (numerator / denominator), ``low`` and ``high`` (Wilson's 95 % interval, only
for rates that could be otherwise), ``se`` (standard error, only for means), and ``games`` (the number of games of the
group that the statistic counts). The table ``players`` has the values of many statistics side by side (players.py).
"""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

import polars as pl

from auditor.base.choices import By
from auditor.dataset.stats import players as table_of_players
from auditor.dataset.stats.base import Base
from auditor.dataset.stats.conditions import ConditionError, parsed
from auditor.dataset.stats.measures import measured, with_values
from auditor.dataset.stats.named import STATISTICS
from auditor.dataset.stats.statistic import LIST_SAYS, OF_GAMES, Statistic

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from auditor.dataset.stats.conditions import Condition

__all__ = ("LIST_SAYS", "OF_GAMES", "STATISTICS", "TITLES", "StatError", "computed", "described")

TITLES = {table_of_players.NAME: table_of_players.TITLE, **{each.name: each.title for each in STATISTICS.values()}}
"""The names of all statistics, with their titles."""


class StatError(Exception):
    """There is no such statistic, or it has no such split, condition or column."""


def described() -> str:
    """Return the descriptions of all statistics, after a text about them all."""
    return "\n\n".join([LIST_SAYS, table_of_players.doc(), *(each.doc for each in STATISTICS.values())])


def computed(  # noqa: PLR0917
    tables: dict[str, pl.LazyFrame],
    name: str,
    by: By | Sequence[By] | None = None,
    min_games: int = 0,
    players: int | None = None,
    where: str | None = None,
    sort: str | None = None,
) -> pl.DataFrame:
    """Return a statistic over a dataset's tables.

    Parameters
    ----------
    tables
        lazy, as auditor.dataset.opened returns them
    name
        one of :data:`TITLES`
    by
        the splits, in the order of their columns
    min_games
        groups with fewer games are left out
    players
        count only games with so many players; None: all games, split by the number of players if it differs
    where
        count only games, or seats of games, that fulfil this condition (conditions.py)
    sort
        column of the answer to sort by, with - before it from the greatest; rows without a value come last

    Raises
    ------
    StatError
        when there is no statistic of this name, or it does not allow this split, condition or column

    """
    splits = [by] if isinstance(by, By) else list(dict.fromkeys(by or ()))
    if name not in TITLES:
        near = get_close_matches(name.lower(), TITLES, n=1)
        hint = f"the nearest is {near[0]}" if near else f"there are {', '.join(TITLES)}"
        raise StatError(f"no statistic {name}; {hint} (auditor stats --list)")
    try:
        condition = None if where is None else parsed(where)
    except ConditionError as error:
        raise StatError(error) from None
    base = Base(tables, players, condition, splits)
    if name == table_of_players.NAME:
        return _sorted(_of_players(base, splits, min_games, condition), sort)
    return _sorted(_figures(base, STATISTICS[name], splits, min_games, condition).collect(), sort)


def _group(base: Base, splits: Collection[By]) -> list[str]:
    group = [By.players.value] if base.mixed or By.players in splits else []
    return group + [by.value for by in splits if by is not By.players]


def _figures(
    base: Base, statistic: Statistic, splits: Collection[By], min_games: int, condition: Condition | None
) -> pl.LazyFrame:
    """Return the rows of a statistic."""
    for by in splits:
        if by not in statistic.splits:
            raise StatError(f"{statistic.name} cannot be split by {by}; give --by {'|'.join(statistic.splits)}")
    if condition and condition.names_seats and By.seat not in statistic.splits:
        raise StatError(f"{statistic.name} counts whole games and rounds, so --where cannot choose among their seats")
    group = _group(base, splits)
    key = [statistic.key] if statistic.key else []
    if statistic.whole is None:
        figures = measured(statistic.rows(base), [*group, *key], statistic.measures)
    else:
        parts = [replace(each, denominator=pl.lit(0)) for each in statistic.measures]
        wholes = [replace(each, numerator=pl.lit(0)) for each in statistic.measures]
        whole = measured(statistic.whole(base), group, wholes).select(*group, "measure", "denominator", "units")
        figures = measured(statistic.rows(base), [*group, *key], parts).drop("denominator", "units")
        figures = figures.join(whole, on=[*group, "measure"], nulls_equal=True)
    games = base.games_by(group, statistic.counted)
    figures = figures.join(games, on=group, nulls_equal=True) if group else figures.join(games, how="cross")
    shown = with_values(figures.filter(pl.col("games") >= min_games))
    order = [*group, *key, "at"]
    columns = [*group, *key, "measure", "numerator", "denominator", "value", "low", "high", "se", "games"]
    return shown.sort(order).select(columns)


def _of_players(base: Base, splits: Sequence[By], min_games: int, condition: Condition | None) -> pl.DataFrame:
    """Return the table of players: those with most games first."""
    splits = [By.player, *(by for by in splits if by is not By.player)]
    group = _group(base, splits)
    names = dict.fromkeys(name for name, _ in table_of_players.COLUMNS.values())
    figures = {}
    for name in names:
        if unfit := [by for by in splits if by not in STATISTICS[name].splits]:
            raise StatError(f"players cannot be split by {unfit[0]}: {name} has no such split")
        shown = [each for each in STATISTICS[name].measures if (name, each.name) in table_of_players.COLUMNS.values()]
        some = replace(STATISTICS[name], measures=tuple(shown))
        # One after the other: together they would take twice the memory.
        figures[name] = _figures(base, some, splits, 0, condition).collect()
    rates = figures["rates"].filter((pl.col("measure") == "win") & (pl.col("games") >= min_games))
    answer = rates.select(*group, "games", rounds="denominator")
    for column, (name, measure) in table_of_players.COLUMNS.items():
        values = figures[name].filter(pl.col("measure") == measure).select(*group, pl.col("value").alias(column))
        answer = answer.join(values, on=group, how="left", nulls_equal=True, maintain_order="left")
    return answer.sort("games", *group, descending=[True, *(False for _ in group)])


def _sorted(answer: pl.DataFrame, sort: str | None) -> pl.DataFrame:
    """Return the rows in the order that ``--sort`` names; equal ones stay in their order."""
    if sort is None:
        return answer
    column = sort.removeprefix("-")
    if column not in answer.columns:
        raise StatError(f"--sort {sort}: there is no column {column}; there are {', '.join(answer.columns)}")
    return answer.sort(column, descending=sort.startswith("-"), nulls_last=True, maintain_order=True)

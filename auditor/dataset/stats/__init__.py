"""Named statistics over a dataset, each with its numerators and denominators: :data:`STATISTICS`.

All have the same columns: ``players`` if the dataset has games of three and of four players, which no figure mixes; the
split; the statistic's own key (a turn, a yaku …) if it has one, ``measure``,
``numerator``, ``denominator``, ``value`` (numerator / denominator), ``low`` and ``high`` (Wilson's 95 % interval, only
for rates that could be otherwise), and ``games`` (the number of games of the group that the statistic counts).
"""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

import polars as pl

from auditor.base.choices import By
from auditor.dataset.stats.base import Base
from auditor.dataset.stats.measures import measured, with_values
from auditor.dataset.stats.named import LIST_SAYS, OF_GAMES, STATISTICS

__all__ = ("LIST_SAYS", "OF_GAMES", "STATISTICS", "StatError", "computed")


class StatError(Exception):
    """There is no statistic of this name, or it has no split of this name."""


def computed(
    tables: dict[str, pl.LazyFrame], name: str, by: By | None = None, min_games: int = 0, players: int | None = None
) -> pl.DataFrame:
    """Return a statistic over a dataset's tables.

    Parameters
    ----------
    tables
        lazy, as auditor.dataset.opened returns them
    name
        a key of :data:`STATISTICS`
    by
        the split
    min_games
        groups with fewer games are left out
    players
        count only games with so many players; None: all games, split by the number of players if it differs

    Raises
    ------
    StatError
        when there is no statistic of this name, or it does not allow this split

    """
    if name not in STATISTICS:
        near = get_close_matches(name.lower(), STATISTICS, n=1)
        hint = f"the nearest is {near[0]}" if near else f"there are {', '.join(STATISTICS)}"
        raise StatError(f"no statistic {name}; {hint} (auditor stats --list)")
    statistic = STATISTICS[name]
    if by and by not in statistic.splits:
        raise StatError(f"{name} cannot be split by {by}; give --by {'|'.join(statistic.splits)}")
    base = Base(tables, players)
    group = [By.players.value] if base.mixed or by is By.players else []
    group += [by.value] if by and by is not By.players else []
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
    columns = [*group, *key, "measure", "numerator", "denominator", "value", "low", "high", "games"]
    return shown.sort(order).select(columns).collect()

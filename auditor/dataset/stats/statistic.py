"""What a named statistic is: its rows, its figures, its key, and the columns that it can be split by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.base.choices import By
from auditor.dataset.stats.base import Counted
from auditor.dataset.stats.conditions import SPLITS

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from auditor.dataset.stats.base import Base
    from auditor.dataset.stats.measures import Measure

LIST_SAYS = (
    "Each figure is a numerator / a denominator. A game that is in a dataset more than once counts once, as its first "
    "copy; files that cannot be read have no game. Rates have Wilson's 95 % interval, which assumes independent rows "
    "(the seats of a round are not quite independent); means have their standard error (se), which assumes the same. A "
    "figure that cannot be otherwise has neither. If a dataset has games of three and of four players, the column "
    "players splits every statistic; --players counts only one of them."
)
"""The text before the list of statistics."""

OF_SEATS = tuple(each for each in By if each != By.dealer)
OF_HANDS = tuple(By)
OF_GAMES = tuple(map(By, SPLITS))


@dataclass(frozen=True)
class Statistic:
    """A statistic: figures over rows, grouped by the split and by a key of its own.

    Parameters
    ----------
    name, title
        its name, and a description
    rows
        the rows that numerators count
    measures
        its figures
    key
        column to group by, besides the split
    whole
        the rows that denominators count, whatever the key; ``rows`` has each of them at most once per key. None:
        denominators count ``rows`` too
    counted
        which games it counts
    splits
        the splits that it allows

    """

    name: str
    title: str
    rows: Callable[[Base], pl.LazyFrame]
    measures: tuple[Measure, ...]
    key: str | None = None
    whole: Callable[[Base], pl.LazyFrame] | None = None
    counted: Counted = Counted.played
    splits: tuple[By, ...] = OF_SEATS

    @property
    def doc(self) -> str:
        """Its description: a line of its own, a line for each measure, the games it counts, and its splits."""
        key = f" by {self.key}" if self.key else ""
        lines = [f"{self.name}: {self.title}{key}"]
        lines += [f"  {measure.name:<16} {measure.says}" for measure in self.measures]
        lines.append(f"  games counted    {self.counted}")
        lines.append("  players          games of three and of four are never in one figure")
        lines.append(f"  --by {'|'.join(self.splits)}")
        return "\n".join(lines)

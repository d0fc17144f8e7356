"""The rules as yaku and fu read them: values by name, for each rule set of a batch and for each reading.

The rules import the yaku (the rule ``local_yaku`` names them), so the yaku cannot import the rules. They use the
interface `RuleColumns` instead, which `engine.rules.rule_table.RuleTable` provides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy.typing as npt

    from engine.tiles.arrays import Bools, Ints


class RuleColumns(Protocol):
    """The rules of a batch as arrays with one row for each different rule set."""

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        """Give a parameter by its name; [rule sets]."""

    def has_local(self, name: str) -> Bools:
        """Flag the rule sets that play a local yaku; [rule sets]."""


@dataclass(frozen=True, slots=True)
class RulesByReading:
    """The rules of each reading: ``rules.renhou`` is that parameter of the rules, one value a reading.

    Attributes
    ----------
    columns
        The rules of the batch.
    row
        Row of each reading's rule set in them; [readings].
    """

    columns: RuleColumns
    row: Ints

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        """Give a parameter of the rules; [readings].

        Raises
        ------
        AttributeError
            If no rule has that name.
        """
        column: npt.NDArray[Any] = getattr(self.columns, name)[self.row]
        return column

    def on(self, name: str) -> Bools:
        """Flag the readings where a parameter is true, one whose values are true and false; bool [readings]."""
        column: Bools = getattr(self.columns, name)[self.row]
        return column

    def plays(self, name: str) -> Bools:
        """Flag the readings whose rules play a local yaku; bool [readings]."""
        return self.columns.has_local(name)[self.row]

    def plays_anywhere(self, name: str) -> bool:
        """Return whether any rule set of the batch plays a local yaku."""
        return bool(self.columns.has_local(name).any())

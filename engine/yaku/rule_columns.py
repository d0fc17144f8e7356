"""What yaku and fu ask of the rules: values by name, for each rule set of a batch and for each reading.

Rules name yaku (``local_yaku``), so the rules stand above the yaku and the yaku cannot import them. Here is what a yaku
needs to know of them; `engine.rules.rule_table.RuleTable` provides it.
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
        """Tell which rule sets play a local yaku; [rule sets]."""


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
        """Tell where a parameter is true; its values must be true and false; bool [readings]."""
        column: Bools = getattr(self.columns, name)[self.row]
        return column

    def plays(self, name: str) -> Bools:
        """Tell which readings have a local yaku in their rules; bool [readings]."""
        return self.columns.has_local(name)[self.row]

    def plays_anywhere(self, name: str) -> bool:
        """Tell whether any rule set of the batch has a local yaku."""
        return bool(self.columns.has_local(name).any())

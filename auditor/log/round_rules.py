"""The value of a rule for each round, claim or event.

A log often leaves some rules of its games open; its :class:`~engine.rules.rule_sets.RuleSet` has None for these. This
module alone decides what an unknown rule means: :meth:`RulesByRow.values` gives null, :meth:`RulesByRow.holds` gives
false, and :meth:`RulesByRow.assumed` gives Tenhou's value. The last one is safe for one reason only: a check that
depends on an assumed value names the rule in its ``tried_rules`` (:class:`auditor.audit.check.Check`). The audit
then tries every value of the unknown rule and reports only what is wrong under all of them
(``auditor/audit/unknown_rules.py``). The engine treats unknown rules in the same way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.log.arrays import gathered

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from engine.rules.rule_table import RuleTable

    Bools = npt.NDArray[np.bool_]

_TYPES: dict[str, pl.DataType | type[pl.DataType]] = {
    "fifth_tile_wait": pl.String,
    "max_simultaneous_ron": pl.Int64,
    "renchan_mode": pl.Int64,
    "riichi_min_points": pl.Int64,
    "temporary_furiten_end": pl.String,
}
"""Column types of the rules that :meth:`RulesByRow.values` returns, except Boolean ones."""


@dataclass(frozen=True)
class RulesByRow:
    """The rules of n rows: the rounds of a log (:func:`round_rules`), or claims, events or hands (:meth:`of`).

    ``table`` has the different rule sets, as the engine takes them. ``row`` int16[n] is the row of that table for each
    of the n rows.
    """

    table: RuleTable
    row: npt.NDArray[np.int16]

    def of(self, rows: npt.NDArray[np.integer]) -> RulesByRow:
        """Return the rules of m other rows; ``rows`` int64[m] is, for each, the row here whose rules it has."""
        return RulesByRow(self.table, self.row[rows])

    def values(self, name: str) -> pl.Series:
        """Return a rule's value in each row, as a column of n rows; null where it is unknown."""
        values = [getattr(rules, name) for rules in self.table.rule_sets]
        return gathered(pl.Series(name, values, dtype=_TYPES.get(name, pl.Boolean)), self.row)

    def unknown(self, name: str) -> Bools:
        """Return the rows in which a rule is unknown, bool[n]."""
        return np.array([getattr(rules, name) is None for rules in self.table.rule_sets], dtype=bool)[self.row]

    def holds(self, name: str, value: object = True) -> Bools:  # noqa: FBT002 - most rules are true or false
        """Return the rows in which a rule is known to have this value, bool[n]."""
        return np.array([getattr(rules, name) == value for rules in self.table.rule_sets], dtype=bool)[self.row]

    def assumed(self, name: str) -> npt.NDArray[Any]:
        """Return a rule's value in each row, as an array [n, ...], with Tenhou's value where it is unknown.

        Use it only if the checks that depend on it try the rule, or if :meth:`unknown` rows are excluded: see the
        module's docstring.

        Raises
        ------
        AttributeError
            if no rule has that name
        ValueError
            if neither a rule set nor Tenhou's rules have a value

        """
        values: npt.NDArray[Any] = getattr(self.table, name)[self.row]
        return values

    def assumes(self, name: str, value: object) -> Bools:
        """Return the rows in which :meth:`assumed` gives this value, bool[n]."""
        # The table is compared, not its rows: comparing texts row by row takes long.
        same: Bools = (getattr(self.table, name) == value)[self.row]
        return same

    def may_have_red_fives(self) -> Bools:
        """Return the rows whose tile set has red fives, or may have them because the rule is unknown: bool[n]."""
        reds = [rules.red_fives is None or any(rules.red_fives) for rules in self.table.rule_sets]
        return np.array(reds, dtype=bool)[self.row]


def round_rules(log: Log, table: RuleTable) -> RulesByRow:
    """Return the rules of each round of a log; ``table`` must have a row for every rule set of ``log.rules``."""
    return RulesByRow(table, table.row_of[log.games["rules"].to_numpy()[log.rounds["game"].to_numpy()]])

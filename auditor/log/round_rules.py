"""The rules of rounds: how replay and scoring get a rule's value for rounds, claims or events.

A log often does not say every rule of its games: a :class:`~engine.rules.rule_sets.RuleSet` has None for these. This
is the one place that decides what then happens. :meth:`RulesByRow.values` gives null, :meth:`RulesByRow.holds` counts
an unknown rule as "does not hold", and :meth:`RulesByRow.assumed` gives what Tenhou plays. The last one is safe for
one reason only: a check that depends on such a value names the rule in
:attr:`auditor.audit.check.Check.tried_rules`. A mismatch is then tried under every value that the unknown rule can have
before it is reported (``auditor/audit/unknown_rules.py``). The engine works in the same way, and for the same reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from engine.rules.rule_table import RuleTable

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_TYPES: dict[str, pl.DataType | type[pl.DataType]] = {
    "fifth_tile_wait": pl.String,
    "max_simultaneous_ron": pl.Int64,
    "noten_payment": pl.List(pl.Int64),
    "renchan_mode": pl.Int64,
    "riichi_min_points": pl.Int64,
    "temporary_furiten_end": pl.String,
}
"""The column types of the rules that are asked for by :meth:`RulesByRow.values` and are not true or false."""


@dataclass(frozen=True)
class RulesByRow:
    """The rules of some rows: of the rounds of a log (:func:`round_rules`), or of other rows (:meth:`of`).

    ``table`` has the different rule sets, as the engine takes them; ``row`` int16[n] is the row of the table of each
    round, claim or event.
    """

    table: RuleTable
    row: npt.NDArray[np.int16]

    def of(self, rows: npt.NDArray[np.integer]) -> RulesByRow:
        """Return the rules of other rows: int64[m] says which of these rows each of them belongs to."""
        return RulesByRow(self.table, self.row[rows])

    def values(self, name: str) -> pl.Series:
        """Return a rule as a column of n rows; null where it is unknown."""
        values = [getattr(rules, name) for rules in self.table.rule_sets]
        return pl.Series(name, values, dtype=_TYPES.get(name, pl.Boolean)).gather(self.row)

    def unknown(self, name: str) -> Bools:
        """Return in which rows a rule is unknown, bool[n]."""
        return np.array([getattr(rules, name) is None for rules in self.table.rule_sets], dtype=bool)[self.row]

    def holds(self, name: str, value: object = True) -> Bools:  # noqa: FBT002 - most rules are true or false
        """Return in which rows a rule is known to have a value, bool[n]."""
        return np.array([getattr(rules, name) == value for rules in self.table.rule_sets], dtype=bool)[self.row]

    def assumed(self, name: str) -> npt.NDArray[Any]:
        """Return a rule as an array [n, ...], with Tenhou's value where it is unknown.

        Only for what checks obey, or where :meth:`unknown` rows are set aside: see the module's docstring.

        Raises
        ------
        AttributeError
            if no rule has that name
        ValueError
            if a rule set and Tenhou's rules both do not say

        """
        values: npt.NDArray[Any] = getattr(self.table, name)[self.row]
        return values

    def may_have_red_fives(self) -> Bools:
        """Return in which rows the set has red fives, or may have them because the rule is unknown; bool[n]."""
        reds = [rules.red_fives is None or any(rules.red_fives) for rules in self.table.rule_sets]
        return np.array(reds, dtype=bool)[self.row]


def round_rules(log: Log, table: RuleTable) -> RulesByRow:
    """Return the rules of each round of a log; ``table`` has a row for every rule set of ``log.rules``."""
    return RulesByRow(table, table.row_of[log.games["rules"].gather(log.rounds["game"]).to_numpy()])

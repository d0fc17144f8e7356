"""`RuleTable`: the rules of a batch as arrays, one row for each different rule set.

A rule set can have unknown parameters, and arrays have no null. So there are two ways to read a parameter:

- ``table.<name>`` is an array for scoring and legality, which need some value. Where a rule set does not know the
  parameter, the array has Tenhou's value: that of the preset ``"tenhou"``, or ``"tenhou_sanma"`` with three players.
- `RuleTable.stated` and `RuleTable.known` never replace an unknown value. Use them wherever known and unknown values
  must be distinguished.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Self, get_args, get_origin

import numpy as np

from engine.rules.parameters import PARAMETERS, RULE_NAMES, RuleSet, nearest
from engine.rules.rule_sets import stand_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from engine.tiles.arrays import I16, Bools


@dataclass(frozen=True)
class RuleTable:
    """The different rule sets of a batch, and each parameter as a column over them.

    ``table.<name>`` is the parameter ``<name>`` of `RuleSet` as an array:

    - bool, int64, float64 or text [rows];
    - with several entries [rows, entries], such as ``red_fives``, int64 [rows, 3];
    - a list of names as one column for each possible name, such as ``pao_yakuman``, bool [rows, 3] in the order of
      ``PAO_YAKUMAN``.

    Where a rule set does not know the parameter, the array has Tenhou's value. `known` and
    `stated` show whether the rule set has a value of its own.

    Attributes
    ----------
    rule_sets
        The different rule sets, one for each row.
    row_of
        Row of each rule set that `from_rules` was given; int16.
    """

    rule_sets: tuple[RuleSet, ...]
    row_of: I16
    _columns: dict[str, npt.NDArray[Any]] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.rule_sets)

    @classmethod
    def from_rules(cls, rules: Sequence[RuleSet]) -> Self:
        """Build the table of some rule sets, such as one for each game; equal ones share a row."""
        different: dict[RuleSet, int] = {}
        row_of = [different.setdefault(rule, len(different)) for rule in rules]
        return cls(tuple(different), np.array(row_of, dtype=np.int16))

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        """Give a parameter as an array [rows, ...], with Tenhou's value where a rule set does not know it.

        Raises
        ------
        AttributeError
            If no rule has that name.
        ValueError
            If neither a rule set nor Tenhou's preset knows the value, or if an array cannot hold the values.
        """
        _refuse_unknown_name(name)
        if name not in self._columns:
            self._columns[name] = self._column(name)
        return self._columns[name]

    def known(self, name: str) -> Bools:
        """Flag the rule sets that know a parameter; [rows]. Where it is false, ``table.<name>`` has Tenhou's value.

        Raises
        ------
        AttributeError
            If no rule has that name.
        """
        return np.array([value is not None for value in self.stated(name)], dtype=np.bool_)

    def stated(self, name: str) -> tuple[Any, ...]:
        """Give a parameter of each rule set as that rule set states it, None where it does not know it.

        Parameters
        ----------
        name
            One of ``RULE_NAMES``.

        Returns
        -------
        tuple
            One value for each row, of the type that `RuleSet` declares.

        Raises
        ------
        AttributeError
            If no rule has that name.
        """
        _refuse_unknown_name(name)
        return tuple(getattr(rules, name) for rules in self.rule_sets)

    def has_local(self, name: str) -> Bools:
        """Flag the rule sets that play a local yaku, by the name that the rule ``local_yaku`` gives it; [rows].

        A rule set that does not know ``local_yaku`` plays those of Tenhou: none.
        """
        has: Bools = self.local_yaku[:, PARAMETERS["local_yaku"].choices.index(name)]
        return has

    def value(self, row: int, name: str) -> Any:  # noqa: ANN401 - each parameter has its own type
        """Give a parameter of one rule set, Tenhou's where the rule set does not know it.

        Raises
        ------
        ValueError
            If Tenhou's preset does not know it either.
        """
        own = getattr(self.rule_sets[row], name)
        found = stand_in(self.rule_sets[row], name) if own is None else own
        if found is None:
            raise ValueError(f"rule {name} is unknown, and Tenhou's preset has no value to stand in")
        return found

    def _column(self, name: str) -> npt.NDArray[Any]:
        parameter = PARAMETERS[name]
        values = [self.value(row, name) for row in range(len(self))]
        if parameter.choices:
            chosen = [[each in value for each in parameter.choices] for value in values]
            return np.array(chosen, dtype=np.bool_).reshape(-1, len(parameter.choices))
        kinds = _scalars(parameter.hint)
        if kinds == {bool}:
            return np.array(values, dtype=np.bool_)
        if str in kinds:
            return np.array(list(map(str, values)), dtype=np.str_)
        return np.array(values, dtype=np.float64 if float in kinds else np.int64)


def _refuse_unknown_name(name: str) -> None:
    if name not in PARAMETERS:
        raise AttributeError(f"no rule is called {name!r}; the nearest name is {nearest(name, RULE_NAMES)!r}")


@cache
def _scalars(hint: Any) -> set[type]:  # noqa: ANN401 - a type as annotations write it
    """Give the types of the single values that a parameter is made of: ``tuple[int, int]`` is made of int."""
    if get_origin(hint) is Literal:
        return {type(value) for value in get_args(hint)}
    inner = [each for each in get_args(hint) if each is not Ellipsis]
    return set().union(*map(_scalars, inner)) if inner else {hint}

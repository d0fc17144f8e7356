"""Rule sets by name, their differences, and the table of the rule sets of a batch.

`RuleSet` itself is in parameters.py, 電脳麻将's own rule object in majiang_rules.py; both are given on here, so that
rules have one address. Presets are files of ``presets/``: a parameter that a file leaves out is unknown, because no
source states it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, Self, get_args, get_origin

import numpy as np

from engine.rules.majiang import in_that_engine, translated
from engine.rules.parameters import PAO_YAKUMAN, PARAMETERS, RULE_NAMES, RuleSet, contradictions, nearest
from engine.rules.preset_files import PRESETS, preset_names, sources

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    import numpy.typing as npt

    from engine.tiles.arrays import I16, Bools

__all__ = [
    "PAO_YAKUMAN",
    "PARAMETERS",
    "PRESETS",
    "RULE_NAMES",
    "RuleSet",
    "RuleTable",
    "based_on",
    "contradictions",
    "dated_values",
    "differences",
    "era",
    "from_majiang",
    "known_values",
    "preset",
    "preset_names",
    "source",
]

BASE = "tenhou"
"""Preset whose values stand in where scoring needs one that is unknown."""


@cache
def preset(name: str, on: date | None = None) -> RuleSet:
    """Give a named rule set; each is a file of ``presets/``: rules, or a rule object in its table ``majiang``.

    Parameters
    ----------
    name
        One of `preset_names`.
    on
        The day of the game, where rules changed over the years; today's rules without it.

    Raises
    ------
    ValueError
        If there is none of that name.
    """
    values = {key: value for key, value in _file(name).items() if key != "dated"}
    if "majiang" in values:
        return from_majiang(values["majiang"])
    if on is not None:
        values |= dated_values(name, on)
    return RuleSet.from_mapping(values)


def dated_values(name: str, on: date | None) -> dict[str, Any]:
    """Give the parameters of a preset that changed over the years, with their values on a day.

    Parameters
    ----------
    name
        One of `preset_names`.
    on
        The day; None for one that nobody knows.

    Returns
    -------
    dict
        Empty where nothing changed. A value is None where it is not known: between the last game seen under the
        old rule and the first under the new one, and for an unknown day.
    """
    file = _file(name)
    values: dict[str, Any] = {}
    for change in file.get("dated", ()):
        rule = change["rule"]
        values.setdefault(rule, None if on is None else file.get(rule))
        if on is not None and _holds(change, on):
            values[rule] = change.get("value")
    stated = RuleSet.from_mapping({rule: value for rule, value in values.items() if value is not None})
    return {rule: getattr(stated, rule) for rule in values}


def _holds(change: Mapping[str, Any], on: date) -> bool:
    """Tell whether an entry of ``[[dated]]`` is of a day."""
    first, end = change.get("from"), change.get("until")
    return (first is None or first <= on) and (end is None or on < end)


def source(name: str, rule: str, on: date | None = None) -> str:
    """Say where the value of a rule is from that a preset has on a day, as its file says it; empty if it does not.

    Parameters
    ----------
    name, on
        As for `preset`.
    rule
        One of `RULE_NAMES`.

    Returns
    -------
    str
        Sections of RULES.md and keys of section 0, or a text; of an unknown value, why it is unknown.
    """
    file, told = _file(name), sources(name)
    if "majiang" in file:
        key = PARAMETERS[rule].majiang
        return told.of[key] if key in told.of else source("majiang", rule)
    entries = zip(file.get("dated", ()), told.dated, strict=True)
    dated = [text for change, text in entries if on and change["rule"] == rule and _holds(change, on)]
    return dated[-1] if dated else told.of.get(rule, "")


def era(rules: RuleSet, on: date | None) -> dict[str, Any]:
    """Give what was otherwise on a day under a rule set that is a preset, or one with some rules changed.

    The preset is the one that differs least. What the rule set has otherwise than the preset stands on every day.

    Parameters
    ----------
    rules
        The rule set as it is today.
    on
        The day; None for one that nobody knows.
    """
    name = based_on(rules)
    today = preset(name)
    values = dated_values(name, on)
    return {rule: value for rule, value in values.items() if getattr(rules, rule) == getattr(today, rule)}


@cache
def based_on(rules: RuleSet) -> str:
    """Name the preset that a rule set is, or differs least from."""
    return min(preset_names(), key=lambda name: len(differences(preset(name), rules)))


@cache
def _file(name: str) -> dict[str, Any]:
    if name not in preset_names():
        near = nearest(name, preset_names())
        raise ValueError(f"no preset is called {name!r}; there are {', '.join(preset_names())}. Nearest: {near}")
    return tomllib.loads((PRESETS / f"{name}.toml").read_text("utf-8"))


def differences(left: RuleSet, right: RuleSet) -> dict[str, tuple[Any, Any]]:
    """Give the parameters in which two rule sets differ, with both values; None is unknown."""
    pairs = {name: (getattr(left, name), getattr(right, name)) for name in RULE_NAMES}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@cache
def known_values(name: str) -> tuple[Any, ...]:
    """List the values of a parameter: all that its type lists, else those of presets and other known tables."""
    parameter = PARAMETERS[name]
    stated = (getattr(preset(each), name) for each in preset_names())
    found = (*parameter.listed, *(value for value in stated if value is not None), *parameter.elsewhere)
    return tuple(dict.fromkeys(found))


def from_majiang(values: Mapping[str, Any]) -> RuleSet:
    """Read a rule object of 電脳麻将 (RULES.md 1): keys that are left out have that library's default.

    What has no effect there (kan ura dora without ura dora, and the like) is off in the rule set.

    Raises
    ------
    ValueError
        If a key is unknown or its value none that the library knows.
    """
    default = preset("majiang")
    stated = {name: getattr(default, name) for name in RULE_NAMES} | translated(values)
    return RuleSet.from_mapping(in_that_engine(stated))


@dataclass(frozen=True)
class RuleTable:
    """What scoring and legality ask of the rules: one row for each different rule set of a batch.

    ``table.kuikae_level`` is that parameter of `RuleSet` as an array [rows]: bool, int64 or text; a parameter with
    several entries has further columns (``red_fives`` int64 [rows, 3]), a list of names one bool column a choice
    (``pao_yakuman`` as ``PAO_YAKUMAN``). Unknown values are those of the preset ``"tenhou"``; whoever needs to know
    asks ``rule_sets[row].unknown``.

    Attributes
    ----------
    rule_sets
        The different rule sets, by row.
    row_of
        Row of each rule set that was given; int16.
    """

    rule_sets: tuple[RuleSet, ...]
    row_of: I16
    _columns: dict[str, npt.NDArray[Any]] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        """Count the rows."""
        return len(self.rule_sets)

    @classmethod
    def from_rules(cls, rules: Sequence[RuleSet]) -> Self:
        """Build the table of some rule sets, equal ones sharing a row."""
        different = {rule: row for row, rule in enumerate(dict.fromkeys(rules))}
        return cls(tuple(different), np.array([different[rule] for rule in rules], dtype=np.int16))

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        """Give a parameter as an array; [rows, ...].

        Raises
        ------
        AttributeError
            If no rule has that name.
        ValueError
            If neither a rule set nor the preset ``"tenhou"`` knows its value, or an array cannot hold it.
        """
        if name not in PARAMETERS:
            raise AttributeError(f"no rule is called {name!r}; the nearest name is {nearest(name, RULE_NAMES)!r}")
        if name not in self._columns:
            self._columns[name] = self._column(name)
        return self._columns[name]

    def has_local(self, name: str) -> Bools:
        """Tell which rule sets have a local yaku; [rows]."""
        has: Bools = self.local_yaku[:, PARAMETERS["local_yaku"].choices.index(name)]
        return has

    def value(self, row: int, name: str) -> Any:  # noqa: ANN401 - each parameter has its own type
        """Give a parameter of one rule set, that of the preset ``"tenhou"`` where it is unknown.

        Raises
        ------
        ValueError
            If neither knows it.
        """
        stated = getattr(self.rule_sets[row], name)
        found = getattr(preset(BASE), name) if stated is None else stated
        if found is None:
            raise ValueError(f"rule {name} is unknown, and the preset {BASE} has no value to stand in")
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


def _scalars(hint: Any) -> set[type]:  # noqa: ANN401 - a type as annotations write it
    """Give the types of the numbers, truths and texts that a parameter is made of."""
    if get_origin(hint) is Literal:
        return {type(value) for value in get_args(hint)}
    inner = [each for each in get_args(hint) if each is not Ellipsis]
    return set().union(*map(_scalars, inner)) if inner else {hint}

"""Rule sets by name: the presets, their changes over the years, the sources of their values, and differences.

A preset is a file of ``presets/``. A parameter that the file leaves out is unknown, because no source states it.

`RuleSet` itself is in `engine.rules.parameters`. It and what belongs to it can be imported from here too, so that most
callers need one module.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from engine.rules.consistency import contradictions
from engine.rules.majiang import effective_in_majiang, translate
from engine.rules.parameters import PAO_YAKUMAN, PARAMETERS, RULE_NAMES, RuleSet, nearest
from engine.rules.preset_files import PRESETS, preset_names, sources

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

__all__ = [
    "PAO_YAKUMAN",
    "PARAMETERS",
    "PRESETS",
    "RULE_NAMES",
    "SANMA_STAND_IN",
    "STAND_IN",
    "RuleSet",
    "based_on",
    "contradictions",
    "dated_values",
    "differences",
    "era",
    "for_players",
    "from_majiang",
    "known_values",
    "preset",
    "preset_names",
    "source",
    "stand_in",
    "stand_in_name",
]

THREE, FOUR = 3, 4
SANMA = "_sanma"
"""The end of the names of presets for three players."""

BY_SEATS = frozenset(
    [
        *("players", "starting_points", "return_points", "target_points", "uma", "floating_uma", "noten_payment"),
        *("abortive_four_winds", "abortive_four_riichi", "abortive_triple_ron", "abortive_triple_ron_on_kan"),
    ]
)
"""Rules whose value for one number of players says nothing about another number."""

STAND_IN = "tenhou"
"""The preset whose values replace unknown ones where a computation needs a value."""

SANMA_STAND_IN = "tenhou_sanma"
"""The same for rule sets of three players, and for the rules that only matter with three players."""


@cache
def preset(name: str, on: date | None = None) -> RuleSet:
    """Give the rule set of a preset.

    Its file holds parameters, or a rule object of 電脳麻将 in the table ``[majiang]``.

    Parameters
    ----------
    name
        One of `preset_names`.
    on
        The day of the game, for presets whose rules changed over the years. Without it, the rules of today.

    Raises
    ------
    ValueError
        If no preset has that name.
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
        The day; None if it is unknown.

    Returns
    -------
    dict
        Empty if nothing changed over the years. A value is None if it is unknown: on a day between the last game seen
        under the old rule and the first one under the new rule, and on an unknown day.
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
    """Return whether an entry of ``[[dated]]`` holds on a day."""
    first, end = change.get("from"), change.get("until")
    return (first is None or first <= on) and (end is None or on < end)


def source(name: str, rule: str, on: date | None = None) -> str:
    """Give the source of the value that a preset has for a rule on a day, as its file states it; empty without one.

    Parameters
    ----------
    name, on
        As for `preset`.
    rule
        One of `RULE_NAMES`.

    Returns
    -------
    str
        Sections of RULES.md and keys of its section 0, or a text. For an unknown value: why it is unknown.
    """
    file, comments = _file(name), sources(name)
    if "majiang" in file:
        key = PARAMETERS[rule].majiang
        return comments.of[key] if key in comments.of else source("majiang", rule)
    entries = zip(file.get("dated", ()), comments.dated, strict=True)
    dated = [text for change, text in entries if on and change["rule"] == rule and _holds(change, on)]
    return dated[-1] if dated else comments.of.get(rule, "")


def era(rules: RuleSet, on: date | None) -> dict[str, Any]:
    """Give the parameters of a rule set that had other values on a day, with these values.

    The rule set is assumed to be the preset from which it differs least (`based_on`), with some rules changed. The
    changed rules hold on every day; the other rules have the values that the preset had on that day.

    Parameters
    ----------
    rules
        The rule set as it is today.
    on
        The day; None if it is unknown.

    Returns
    -------
    dict
        As `dated_values`.
    """
    name = based_on(rules)
    today = preset(name)
    values = dated_values(name, on)
    return {rule: value for rule, value in values.items() if getattr(rules, rule) == getattr(today, rule)}


@cache
def based_on(rules: RuleSet) -> str:
    """Name the preset that a rule set is, or from which it differs in the fewest parameters.

    A preset for another number of players is named only if there is none for that of the rule set.
    """
    names = preset_names()
    same = [name for name in names if preset(name).players == (rules.players or FOUR)]
    return min(same or names, key=lambda name: len(differences(preset(name), rules)))


def stand_in_name(rules: RuleSet) -> str:
    """Name the preset of Tenhou for the number of players of a rule set; four if it is unknown."""
    return SANMA_STAND_IN if rules.players == THREE else STAND_IN


def stand_in(rules: RuleSet, name: str) -> Any:  # noqa: ANN401 - each parameter has its own type
    """Give Tenhou's value of a parameter, for the number of players of a rule set; None if it is unknown."""
    return getattr(preset(SANMA_STAND_IN if PARAMETERS[name].sanma else stand_in_name(rules)), name)


@cache
def for_players(rules: RuleSet, players: int) -> RuleSet:
    """Give a rule set as another number of players plays it.

    A preset of three players has the name of that of four with ``_sanma`` behind it. If the rule set is based on one of
    such a pair, the result is the other one, with the same parameters changed; changes of `BY_SEATS` are left out. If
    there is no such pair, the rules that depend on the number of players are unknown in the result.

    Parameters
    ----------
    rules
        The rule set. One that does not know the number of players fits any.
    players
        3 or 4.
    """
    if rules.players in (None, players):
        return rules
    base = based_on(rules)
    other = base + SANMA if players == THREE else base.removesuffix(SANMA)
    changed = {name: value for name, (_, value) in differences(preset(base), rules).items() if name not in BY_SEATS}
    if other in preset_names():
        return replace(preset(other), **changed)
    left_out = BY_SEATS.union(name for name, parameter in PARAMETERS.items() if parameter.sanma)
    kept = {name: getattr(rules, name) for name in RULE_NAMES if name not in left_out}
    return RuleSet(**kept | changed | {"players": players})


@cache
def _file(name: str) -> dict[str, Any]:
    if name not in preset_names():
        near = nearest(name, preset_names())
        raise ValueError(f"no preset is called {name!r}; there are {', '.join(preset_names())}. Nearest: {near}")
    return tomllib.loads((PRESETS / f"{name}.toml").read_text("utf-8"))


def differences(left: RuleSet, right: RuleSet) -> dict[str, tuple[Any, Any]]:
    """Give the parameters in which two rule sets differ, with both values; None is an unknown value."""
    pairs = {name: (getattr(left, name), getattr(right, name)) for name in RULE_NAMES}
    return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}


@cache
def one_line(name: str, rules: RuleSet) -> str:
    """Return a rule set as ``--rules`` takes it: a preset's name, the rules that differ from it, and those unknown."""
    base = preset(name)
    changed = [f"; {rule}={own}" for rule, (_, own) in differences(base, rules).items() if own is not None]
    unknown = sorted(rules.unknown - base.unknown)
    return "".join([name, *changed, *([f"; unknown: {', '.join(unknown)}"] if unknown else [])])


@cache
def known_values(name: str, players: int = FOUR) -> tuple[Any, ...]:
    """List the known values of a parameter: those of its type, of the presets, and those declared as ``elsewhere``.

    Parameters
    ----------
    name
        One of ``RULE_NAMES``.
    players
        3 or 4. Presets for another number are left out, and so are values that contradict this number.
    """
    parameter = PARAMETERS[name]
    presets = map(preset, preset_names())
    stated = (getattr(each, name) for each in presets if each.players == players)
    found = (*parameter.listed, *(value for value in stated if value is not None), *parameter.elsewhere)
    fitting = (value for value in found if not contradictions(RuleSet(**{"players": players, name: value})))
    return tuple(dict.fromkeys(fitting))


def from_majiang(values: Mapping[str, Any]) -> RuleSet:
    """Read a rule object of 電脳麻将 (RULES.md 1); keys that are left out have the library's default.

    A key without effect there, such as kan ura dora without ura dora, is off in the rule set.

    Raises
    ------
    ValueError
        If a key is unknown, or the library does not know its value.
    """
    default = preset("majiang")
    stated = {name: getattr(default, name) for name in RULE_NAMES} | translate(values)
    return RuleSet.from_mapping(effective_in_majiang(stated))

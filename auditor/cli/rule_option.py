"""The rule set that ``--rules`` names: a preset, a TOML file (a preset and other values), or 電脳麻将's rule object."""

from __future__ import annotations

import ast
import json
import re
import textwrap
import tomllib
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.rules.declaration import format_value as written
from engine.rules.parameters import PARAMETERS, nearest
from engine.rules.rule_sets import RULE_NAMES, differences, from_majiang, preset, preset_names, source

if TYPE_CHECKING:
    from engine.rules.rule_sets import RuleSet

DEFAULT = "tenhou"
UNKNOWN_KEY = "unknown"
"""The key of a rule file that lists unknown rules, though the preset knows them."""


def load(name: str, on: date | None = None) -> RuleSet:
    """Return a rule set by preset name or from a file, as it was on a day; without a day, as it is today.

    A text such as ``tenhou; kiriage_mangan=true; unknown: renhou`` names a base, rules that differ, and unknown rules;
    the tables of a dataset state rules in this form.

    In a TOML file, the key ``preset`` names the base (default ``tenhou``); the file's own values hold on every day; the
    key ``unknown`` lists unknown rules. A JSON file has a rule object of 電脳麻将; a day does not change it.

    Raises
    ------
    ValueError
        for a name that is neither a preset nor a file, a file that is neither TOML nor JSON, an unknown key, or a value
        that is not allowed
    OSError
        when the file cannot be read

    """
    path = Path(name)
    if name in preset_names():
        return preset(name, on)
    if is_written(name):
        return _written(name, on)
    if not path.is_file():
        if path.suffix:
            raise ValueError("there is no such file; give a file, or the name of a preset (auditor rules list)")
        near = nearest(path.name, preset_names())  # a configuration has put its own folder before it
        raise ValueError(f"neither a preset nor a file; the nearest preset is {near!r} (auditor rules list)")
    text = path.read_text("utf-8")
    if text.lstrip().startswith("{"):
        return from_majiang(json.loads(text))
    values = tomllib.loads(text)
    base = preset(str(values.pop("preset", DEFAULT)), on)
    unknown = values.pop(UNKNOWN_KEY, [])
    if not isinstance(unknown, list) or not all(isinstance(each, str) for each in unknown):
        raise ValueError(f"{UNKNOWN_KEY} must be a list of rules' names, not {written(unknown)}")
    for rule in values.keys() & set(unknown):
        raise ValueError(f"rule {rule} has a value, and is {UNKNOWN_KEY}: remove one of the two")
    return base.changed(**values, **dict.fromkeys(unknown))


def _base(name: str) -> str:
    """Return the preset that a name of :func:`load` starts from."""
    if name in preset_names():
        return name
    if is_written(name):
        return _base(name.partition(";")[0].strip())
    text = Path(name).read_text("utf-8")
    return "majiang" if text.lstrip().startswith("{") else str(tomllib.loads(text).get("preset", DEFAULT))


def is_written(name: str) -> bool:
    """Say whether a text states rules itself, instead of naming a preset or a file."""
    return ";" in name


UNKNOWN = "unknown:"


def _written(text: str, on: date | None) -> RuleSet:
    base, *parts = (part.strip() for part in text.split(";"))
    values: dict[str, Any] = {}
    for part in filter(None, parts):
        name, mark, value = (each.strip() for each in part.partition("="))
        if part.startswith(UNKNOWN):
            values |= dict.fromkeys(re.split(r"[\s,]+", part.removeprefix(UNKNOWN).strip()))
        elif not mark:
            raise ValueError(f"{part!r} states no rule; write NAME=VALUE, or {UNKNOWN} NAME, NAME")
        else:
            values[name] = _value_of(value)
    return load(base, on).changed(**values)


def _value_of(text: str) -> Any:  # noqa: ANN401  (each rule has its own type)
    """Return a value as Python or a rule file writes it; a word without quotes is a text."""
    words = {"true": True, "false": False}
    try:
        return words[text] if text in words else ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


class RulesError(ValueError):
    """The value of ``--rules`` names no rule set."""


def named(name: str, day: str | None = None) -> RuleSet:
    """Return the rule set that the option ``--rules`` names, as it was on the day of ``--date``.

    Raises
    ------
    RulesError
        for everything that :func:`load` refuses, and for a wrong day; the message has the option

    """
    try:
        on = None if day is None else date.fromisoformat(day)
    except ValueError as error:
        raise RulesError(f"--date {day}: write a day as year, month and day, such as 2022-03-29 ({error})") from error
    try:
        return load(name, on)
    except (ValueError, OSError) as error:
        raise RulesError(f"--rules {name}: {error}") from error


def shown(name: str, day: str | None = None) -> str:
    """Return a rule set as a rule file (TOML): every value with its meaning, the values allowed, and its source.

    Unknown rules are comments. If the preset knows such a rule, the key ``unknown`` lists it, so that reading the text
    gives the same rules again.

    Raises
    ------
    RulesError
        as :func:`named`

    """
    found = _named(name, day)
    unknown = [rule for rule in RULE_NAMES if rule in found.rules.unknown - preset(found.base).unknown]
    head = [
        *_comment(f"The rules {_key(name)}{f' on {day}' if day else ''}; what a file states holds on every day."),
        *_comment("Numbers are sections of engine/RULES.md, letters behind them keys of its section 0."),
        f"preset = {written(found.base)}",
        *([f"{UNKNOWN_KEY} = {written(unknown)}"] if unknown else []),
    ]
    return "\n\n".join(["\n".join(head), *("\n".join([*_meaning(rule), found.line(rule)]) for rule in RULE_NAMES)])


def differing(one: str, other: str) -> str:
    """Return the rules in which two rule sets differ as TOML: a table each, with both values and their sources.

    Raises
    ------
    RulesError
        as :func:`named`

    """
    left, right = _named(one), _named(other)
    return "\n\n".join(
        "\n".join([*_meaning(rule), f"[{rule}]", left.line(rule, _key(one)), right.line(rule, _key(other))])
        for rule in differences(left.rules, right.rules)
    )


@dataclass(frozen=True)
class _Named:
    """A rule set: the name that somebody gave, its values, the preset that it starts from, and the day."""

    name: str
    rules: RuleSet
    base: str
    on: date | None

    def line(self, rule: str, key: str | None = None) -> str:
        """Return a line of TOML with key, value and source; of an unknown rule it is a comment."""
        value, stated = getattr(self.rules, rule), getattr(preset(self.base, self.on), rule)
        origin = _placed(source(self.base, rule, self.on)) if value == stated else f"stated by {_key(self.name)}"
        if value is None:
            reason = origin.removeprefix("unknown: ")  # comments of presets often say so themselves
            return f"# {key or rule} is unknown{f': {reason}' if reason else ''}"
        return f"{key or rule} = {written(value)}{f'  # {origin}' if origin else ''}"


def _named(name: str, day: str | None = None) -> _Named:
    rules = named(name, day)
    return _Named(name, rules, _base(name), None if day is None else date.fromisoformat(day))


def _meaning(rule: str) -> list[str]:
    """Return comments on a rule: its meaning, the values allowed with units, and where it is described."""
    parameter = PARAMETERS[rule]
    return [
        *_comment(parameter.meaning),
        *_comment(f"Value: {parameter.values}"),
        f"# Described in {_placed(parameter.source)}",
    ]


def _placed(text: str) -> str:
    """Return a source; section numbers get the name of their file."""
    return f"engine/RULES.md {text}" if text[:1].isdigit() else text


def _comment(text: str) -> list[str]:
    return textwrap.wrap(
        text, 110, initial_indent="# ", subsequent_indent="# ", break_long_words=False, break_on_hyphens=False
    )


def _key(name: str) -> str:
    """Return a name as a key of TOML, in quotes where it needs them."""
    return name if re.fullmatch("[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)

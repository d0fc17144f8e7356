"""What ``--rules`` names: a preset of the engine, a TOML file (a preset and what differs), 電脳麻将's rule object."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.parameters import nearest
from engine.rules import RULE_NAMES, from_majiang, preset, preset_names

if TYPE_CHECKING:
    from engine.rules import RuleSet


def load(name: str, on: date | None = None) -> RuleSet:
    """Return a rule set by preset name or from a file, as it was on a day; without one, as it is today.

    A text such as ``tenhou; kiriage_mangan=true; unknown: renhou`` names a base, what differs, and what is unknown, as
    the tables of a dataset tell rules.

    A TOML file's key ``preset`` is its base (default ``tenhou``), and what it states itself holds on every day; a JSON
    file is a rule object of 電脳麻将, which knows no days.

    Raises
    ------
    ValueError
        for a name that is neither, a file that is neither TOML nor JSON, an unknown key or a value that is not allowed
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
            raise ValueError("no such file; give one, or the name of a preset (auditor rules list)")
        near = nearest(path.name, preset_names())  # a configuration has put its own folder before it
        raise ValueError(f"neither a preset nor a file; the nearest preset is {near!r} (auditor rules list)")
    text = path.read_text("utf-8")
    if text.lstrip().startswith("{"):
        return from_majiang(json.loads(text))
    values = tomllib.loads(text)
    return preset(str(values.pop("preset", "tenhou")), on).changed(**values)


def is_written(name: str) -> bool:
    """Say whether a text is rules themselves, not the name of a preset or a file."""
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
            raise ValueError(f"{part!r} is no rule; write NAME=VALUE, or {UNKNOWN} NAME, NAME")
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
    """What ``--rules`` names is no rule set."""


def named(name: str, day: str | None = None) -> RuleSet:
    """Return the rule set that the option ``--rules`` names, as it was on the day of ``--date``.

    Raises
    ------
    RulesError
        for whatever :func:`load` refuses, and for a day that is none; the message says what the option was

    """
    try:
        on = None if day is None else date.fromisoformat(day)
    except ValueError as error:
        raise RulesError(f"--date {day}: no day such as 2022-03-29 (year, month, day): {error}") from error
    try:
        return load(name, on)
    except (ValueError, OSError) as error:
        raise RulesError(f"--rules {name}: {error}") from error


def shown(rules: RuleSet) -> str:
    """Return every parameter of a rule set, a line each."""
    return "\n".join(f"{name} = {_value(rules, name)}" for name in RULE_NAMES)


def differing(one: RuleSet, other: RuleSet) -> str:
    """Return the parameters in which two rule sets differ, a line each: name, one value, other value."""
    return "\n".join(
        f"{name}: {_value(one, name)} | {_value(other, name)}"
        for name in RULE_NAMES
        if getattr(one, name) != getattr(other, name)
    )


def _value(rules: RuleSet, name: str) -> str:
    value = getattr(rules, name)
    return "unknown" if value is None else repr(value)

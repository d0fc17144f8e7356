"""What ``--rules`` names: a preset of the engine, a TOML file (a preset and what differs), 電脳麻将's rule object."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

from engine.parameters import nearest
from engine.rules import RULE_NAMES, from_majiang, preset, preset_names

if TYPE_CHECKING:
    from engine.rules import RuleSet


def load(name: str) -> RuleSet:
    """Return a rule set by preset name or from a file.

    A TOML file's key ``preset`` is its base (default ``tenhou``); a JSON file is a rule object of 電脳麻将.

    Raises
    ------
    ValueError
        for a name that is neither, a file that is neither TOML nor JSON, an unknown key or a value that is not allowed
    OSError
        when the file cannot be read

    """
    path = Path(name)
    if name in preset_names():
        return preset(name)
    if not path.is_file():
        if path.suffix:
            raise ValueError("no such file; give one, or the name of a preset (auditor rules list)")
        near = nearest(path.name, preset_names())  # a configuration has put its own folder before it
        raise ValueError(f"neither a preset nor a file; the nearest preset is {near!r} (auditor rules list)")
    text = path.read_text("utf-8")
    if text.lstrip().startswith("{"):
        return from_majiang(json.loads(text))
    values = tomllib.loads(text)
    return preset(str(values.pop("preset", "tenhou"))).changed(**values)


class RulesError(ValueError):
    """What ``--rules`` names is no rule set."""


def named(name: str) -> RuleSet:
    """Return the rule set that the option ``--rules`` names.

    Raises
    ------
    RulesError
        for whatever :func:`load` refuses; the message says what the option was

    """
    try:
        return load(name)
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

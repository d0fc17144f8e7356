"""How a parameter of the rules is declared, which values it can have, and how people write them.

`rule` is the right-hand side of a field of `engine.rules.parameters.RuleSet`. Everything that is known about a
parameter is in that one declaration; `declared` reads it back as a `Parameter`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, Union, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Sequence


def rule(
    meaning: str,
    source: str,
    *,
    unit: str = "",
    majiang: str = "",
    sanma: bool = False,
    choices: Sequence[str] = (),
    elsewhere: Sequence[object] = (),
) -> Any:  # noqa: ANN401 - a dataclass field takes the type of its annotation
    """Declare a parameter. Its default is None: unknown.

    Parameters
    ----------
    meaning
        The question that the parameter decides, and the meaning of its values.
    source
        Sections of RULES.md about it, separated by commas.
    unit
        Unit of numbers, such as points.
    majiang
        Key of the rule object of 電脳麻将 that states it, if there is one.
    sanma
        Whether it only matters with three players.
    choices
        The names that a list of names can hold.
    elsewhere
        Values that somebody plays and no preset has. Only for types that do not list all values.
    """
    details = {"meaning": meaning, "source": source, "unit": unit, "majiang": majiang, "sanma": sanma}
    return field(default=None, metadata={**details, "choices": tuple(choices), "elsewhere": tuple(elsewhere)})


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of `RuleSet` as declared.

    Attributes
    ----------
    name
        Its name in `RuleSet` and in rule files.
    hint
        Its type as annotated, without None.
    meaning, source, unit, majiang, sanma, choices, elsewhere
        As in `rule`.
    """

    name: str
    hint: Any
    meaning: str
    source: str
    unit: str
    majiang: str
    sanma: bool
    choices: tuple[str, ...]
    elsewhere: tuple[object, ...]

    @property
    def listed(self) -> tuple[object, ...]:
        """Its values if the type lists them: those of a ``Literal``, or false and true; nothing for numbers."""
        return _listed_by(self.hint)

    @property
    def values(self) -> str:
        """Its possible values in words: ``one of 0, 1, 2``, ``a whole number from 0 (points)``."""
        words = f"a list of {_and(self.choices)}" if self.choices else in_words(self.hint)
        return f"{words} ({self.unit})" if self.unit else words

    def refusal(self, value: object) -> str:
        """Say why the parameter cannot have a value; an empty text if it can."""
        allowed = fits(self.hint, value) and not (self.choices and set(_listed(value)) - set(self.choices))
        return "" if allowed else f"rule {self.name} is {self.values}, not {format_value(value)}"


def declared(record: type) -> dict[str, Parameter]:
    """Give the parameters of a record by name, in the order of its fields."""
    hints = get_type_hints(record)
    return {
        entry.name: Parameter(entry.name, _without_none(hints[entry.name]), **entry.metadata)
        for entry in fields(record)
    }


def fits(hint: Any, value: object) -> bool:  # noqa: ANN401 - a type as annotations write it
    """Return whether a value is of a type. True is not a number; 25000.0 and -1 are not whole numbers from 0."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(fits(each, value) for each in args)
    if origin is Literal:
        return any(type(value) is type(each) and value == each for each in args)
    if origin is tuple:
        if not isinstance(value, tuple):
            return False
        kinds = args[:1] * len(value) if args[-1] is Ellipsis else args
        return len(kinds) == len(value) and all(map(fits, kinds, value))
    if hint is int:
        return type(value) is int and value >= 0
    return type(value) in ((float, int) if hint is float else (hint,))


def _listed_by(hint: Any) -> tuple[object, ...]:  # noqa: ANN401 - a type as annotations write it
    if hint is bool:
        return (False, True)
    args = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return tuple(value for each in args for value in _listed_by(each))
    return args if get_origin(hint) is Literal else ()


_NAMES: dict[Any, tuple[str, str]] = {
    bool: ("true or false", "booleans"),
    int: ("a whole number from 0", "whole numbers"),
    float: ("a number", "numbers"),
    str: ("a text", "texts"),
}


def in_words(hint: Any) -> str:  # noqa: ANN401 - a type as annotations write it
    """Describe a type in words for people who write rule files."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return ", or ".join(map(in_words, args))
    if origin is Literal:
        return f"one of {_and(map(format_value, args))}"
    if origin is tuple:
        many = "lists" if get_origin(args[0]) is tuple else _NAMES[args[0]][1]
        return f"a list of {many}" if args[-1] is Ellipsis else f"a list of {len(args)} {many}"
    return _NAMES[hint][0]


def _without_none(hint: Any) -> Any:  # noqa: ANN401 - a type as annotations write it
    kept = [each for each in get_args(hint) if each is not type(None)]
    return kept[0] if len(kept) == 1 else Union[tuple(kept)]  # noqa: UP007 - made at run time


def _listed(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _and(words: Any) -> str:  # noqa: ANN401 - any iterable of words
    return ", ".join(words)


def format_value(value: object) -> str:
    """Write a value as a rule file (TOML) does."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(format_value, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)

"""Reads the values of a faulty game one at a time, and notes each that is missing, repeated or of the wrong type."""

from __future__ import annotations

from typing import Any, NamedTuple

from auditor.readers.json_text import WHOLE_DIGITS, Number, Repeated, printable, shown
from auditor.readers.majiang.fields import ANY, YAKU, Field, JsonKind

LOST: Any = object()
"""Replaces a value that cannot be read; a note says why."""


class Note(NamedTuple):
    """One fault of a game.

    ``nth`` and ``event`` are the numbers of round and event within the game, from 0; None if the fault is in neither.
    The other fields are those of the canonical table ``problems``.
    """

    nth: int | None
    event: int | None
    recorded: str
    expected: str
    play: bool = False
    rest: bool = False


class _WrongError(Exception):
    """A value is of the wrong type; ``noted`` says that there is a note about it already."""

    def __init__(self, *, noted: bool = False) -> None:
        self.noted = noted


class ValueReader:
    """Reads values of one game and notes their faults.

    ``nth`` and ``event`` are the round and the event that are being read: the place of the next note.
    """

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self.nth: int | None = None
        self.event: int | None = None

    def say(self, recorded: str, expected: str, *, play: bool = False, rest: bool = False) -> None:
        """Note a fault at the current place."""
        self.notes.append(Note(self.nth, self.event, printable(recorded), expected, play, rest))

    def repeated_within(self, of: str, value: object) -> bool:
        """Note the repeated keys at any depth of a value; return whether the values of one of them differ."""
        if isinstance(value, list):
            return any([self.repeated_within(of, each) for each in value])  # noqa: C419  (each call notes faults)
        if not isinstance(value, dict):
            return False
        own = [self.repeated(of, value, key) for key in value]
        return any(own + [self.repeated_within(key, each) for key, each in value.items()])

    def repeated(self, of: str, holder: dict[str, Any], key: str, **costs: bool) -> bool:
        """Note a repeated key of an object; return whether its values differ. ``costs`` are those of ``say``."""
        if not isinstance(holder, Repeated) or key not in holder.again:
            return False
        differs = holder.again[key]
        if not differs:
            self.say(f"{_path(of, key)} told twice", "it once")
        else:
            self.say(f"{_path(of, key)} told twice, differently", "it once", **costs)
        return differs

    def unknown(self, of: str, holder: dict[str, Any], keys: dict[str, Field]) -> None:
        """Note the unknown keys of an object."""
        for key in holder:
            if key not in keys:
                self.say(_path(of, key), f"{of} with {', '.join(keys)}")

    def read(self, of: str, holder: dict[str, Any], name: str, key: Field) -> Any:  # noqa: ANN401  (JSON is anything)
        """Return the value of a key; note a fault and return LOST if it is missing or of the wrong type."""
        costs = {"play": key.vital or (of, name) == _DISCARD, "rest": key.rest}
        if self.repeated(of, holder, name, **costs):
            return LOST
        value = holder.get(name)
        if value is None and (key.optional or (key.nullable and name in holder)):
            return None
        if name not in holder:
            self.say(f"{of} without {name}" if of else f"no {name}", key.expected, **costs)
            return LOST
        try:
            return self.all_of(value, key)
        except _WrongError as error:
            if not error.noted:
                self.say(f"{_path(of, name)} {shown(value)}", key.expected, **costs)
            return LOST

    def all_of(self, value: Any, key: Field) -> Any:  # noqa: ANN401  (JSON is anything)
        """Return a value or a list of values; raise _WrongError if one is of the wrong type."""
        if not key.entries:
            return self.single(value, key.kind)
        if not isinstance(value, list) or key.entries not in (len(value), ANY):
            raise _WrongError
        return [self.single(each, key.kind) for each in value]

    def single(self, value: Any, kind: JsonKind) -> Any:  # noqa: ANN401  (JSON is anything)
        """Return a value as the decoder needs it; raise _WrongError if it is of another kind."""
        if kind is not JsonKind.YAKU:
            return _SINGLE[kind](value)
        if not isinstance(value, dict):
            raise _WrongError
        found = {key: self.read("hupai", value, key, YAKU[key]) for key in YAKU}
        self.unknown("hupai", value, YAKU)
        if LOST in found.values():
            raise _WrongError(noted=True)
        return found


_DISCARD = ("dapai", "p")
"""An event and its key without which play is unclear: the text of a discard says whether riichi is declared."""


def _path(of: str, name: str) -> str:
    return f"{of} {name}".strip()


def without_lost(found: dict[str, Any]) -> dict[str, Any]:
    """Return an object with null in place of LOST."""
    return {key: None if value is LOST else value for key, value in found.items()}


def _text(value: object) -> str:
    if type(value) is not str:
        raise _WrongError
    try:
        value.encode()
    except UnicodeEncodeError:  # a lone surrogate
        raise _WrongError from None
    return value


def _whole(value: object) -> int:
    if isinstance(value, Number) and float(value).is_integer():
        value = int(float(value))
    if type(value) is not int or abs(value) >= 10**WHOLE_DIGITS:
        raise _WrongError
    return value


def _han(value: object) -> str:
    return value if type(value) is str and value and not value.strip("*") else str(_whole(value))


def _number(value: object) -> str:
    return str(value) if isinstance(value, Number) or type(value) is int else _text(value)


_SINGLE = {JsonKind.TEXT: _text, JsonKind.WHOLE: _whole, JsonKind.HAN: _han, JsonKind.NUMBER: _number}

"""A game whose text is not plain: what in it is of the wrong JSON type, missing or told twice is named and left out.

Each fault costs the least that can be: a value becomes null, an event that is none or lacks a vital value an empty
object, a round that is none an empty list; so events and rounds keep their numbers. A key told twice counts if it says
the same; else nobody knows what it says. This is one game at a time, and for few of them, so loops are fine here.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from auditor.readers.majiang.keys import ANY, END, EVENTS, HEAD, RESULTS, WHOLE_DIGITS, WORTH, YAKU, Key, Kind
from auditor.readers.majiang.loose import DECODER, DEEPEST, Number, Repeated, printable, shallow, shown

LOG, RULE, PAIPU = "log", "rule", "paipu"
UNREADABLE_RULE = ""
"""In place of a rule object of which nobody knows what it says; that is among the notes then."""
_OWN = (*HEAD, LOG, *END)
_LEAST_KEYS = 2
"""Keys of a game that an object without a log needs to count as one."""
_LOST: Any = object()
"""In place of a value that cannot be read; that is among the notes then."""


class Note(NamedTuple):
    """A fault: round and event within the game, from 0, None if it is the game's; what stands there, what is expected.

    ``play`` and ``rest`` as in ``log.PROBLEMS``.
    """

    nth: int | None
    event: int | None
    recorded: str
    expected: str
    play: bool = False
    rest: bool = False


class Game(NamedTuple):
    """A game as plain JSON for the decoder, its rule object as JSON (None: it has none), whether it has an end."""

    paipu: str
    rule: str | None
    ended: bool
    notes: list[Note]


class NoGameError(ValueError):
    """A text that is no game at all; ``cut`` if it begins as one."""

    def __init__(self, reason: str, *, cut: bool = False) -> None:
        """Keep the reason."""
        super().__init__(reason)
        self.cut = cut


class _WrongError(Exception):
    """A value is of the wrong type; ``said`` if that is among the notes already."""

    def __init__(self, *, said: bool = False) -> None:
        self.said = said


def sift(text: str) -> Game:
    """Read one game.

    Raises
    ------
    NoGameError
        where the text is no JSON, or JSON of something else

    """
    try:
        return _Sieve().game(_decoded(text))
    except RecursionError:
        game = _Sieve().game(_decoded(shallow(text)))
        deep = Note(None, None, f"brackets nested deeper than {DEEPEST}", "a game, which needs eight levels")
        return game if game.notes else game._replace(notes=[deep])


def _decoded(text: str) -> Any:  # noqa: ANN401  (JSON is anything)
    try:
        return DECODER.decode(text)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at character {error.pos}"
        if text.startswith("{"):
            raise NoGameError(reason, cut=True) from error
        raise NoGameError(f"no JSON ({reason}): {shown(text)}") from error


class _Sieve:
    """Looks through one game and notes its faults, each at the round and event where it stands then."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self.nth: int | None = None
        self.event: int | None = None

    def say(self, recorded: str, expected: str, *, play: bool = False, rest: bool = False) -> None:
        self.notes.append(Note(self.nth, self.event, printable(recorded), expected, play, rest))

    def game(self, value: Any) -> Game:  # noqa: ANN401  (JSON is anything)
        """Return the game that a document holds."""
        inner = value.get(PAIPU, value) if isinstance(value, dict) else None
        if not isinstance(inner, dict) or not (LOG in inner or sum(key in inner for key in _OWN) >= _LEAST_KEYS):
            raise NoGameError(f"{shown(value)}: no object with the keys of a game")
        if inner is not value:
            for key in value:
                if key != RULE and self.repeated("", value, key) and key == PAIPU:
                    raise NoGameError("paipu told twice, differently")
        for key in inner:
            if key not in (RULE, *_OWN):
                self.repeated("", inner, key)
        rule = self.rule(value if RULE in value else inner)
        told = {key: self.read("", inner, key, HEAD[key]) for key in HEAD}
        told[LOG] = self.rounds(inner)
        self.nth = self.event = None
        ended = any(inner.get(key) is not None for key in END)
        told |= {key: self.read("", inner, key, END[key]) if ended else None for key in END}
        return Game(json.dumps(_kept(told), ensure_ascii=False), rule, ended, self.notes)

    def rule(self, told: dict[str, Any]) -> str | None:
        """Return the rule object as JSON."""
        rule = told.get(RULE)
        differs = self.repeated("", told, RULE)
        if self.repeated_within(RULE, rule) or differs:
            return UNREADABLE_RULE
        return None if rule is None else json.dumps(rule)

    def repeated_within(self, of: str, value: object) -> bool:
        """Say which keys within a value are told twice; return whether one of them says something else then."""
        if isinstance(value, list):
            return any([self.repeated_within(of, each) for each in value])  # noqa: C419  (each says what it finds)
        if not isinstance(value, dict):
            return False
        own = [self.repeated(of, value, key) for key in value]
        return any(own + [self.repeated_within(key, each) for key, each in value.items()])

    def repeated(self, of: str, told: dict[str, Any], key: str, **costs: bool) -> bool:
        """Say so if a key is told twice; return whether it says something else then."""
        if not isinstance(told, Repeated) or key not in told.again:
            return False
        differs = told.again[key]
        if not differs:
            self.say(f"{_path(of, key)} told twice", "it once")
        else:
            self.say(f"{_path(of, key)} told twice, differently", "it once", **costs)
        return differs

    def rounds(self, game: dict[str, Any]) -> list[list[Any]]:
        """Return the rounds of a game."""
        told = game.get(LOG)
        if not isinstance(told, list):
            self.say(f"log {shown(told)}" if LOG in game else "no log", "a list of rounds", rest=True)
            return []
        if self.repeated("", game, LOG, rest=True):
            return []
        number, found = 0, []
        for nth, events in enumerate(told):
            self.nth, self.event = nth, None
            listed = events if isinstance(events, list) else []
            if not listed:
                recorded = "a round without events" if events == [] else f"a round {shown(events)}"
                self.say(recorded, "a deal and its play", rest=True)
            found.append(self.round(listed, number))
            number += len(listed)
        return found

    def round(self, events: list[Any], number: int) -> list[Any]:
        """Return the events of a round, the first of which has this number within the game."""
        found, lost = [], None
        for event, told in enumerate(events, number):
            self.event = event
            kept = self.one(told)
            found.append(kept)
            lost = lost if kept else len(self.notes) - 1
        names = {name for event in found for name in event}
        if lost is not None and not ("qipai" in names and names & {*RESULTS}):  # it may have been what is not there
            self.notes[lost] = self.notes[lost]._replace(rest=True)
        return found

    def one(self, event: Any) -> dict[str, Any]:  # noqa: ANN401  (JSON is anything)
        """Return an event, an empty object if it is lost."""
        names = [name for name in EVENTS if name in event] if isinstance(event, dict) else []
        if len(names) != 1:
            what = "an event of several keys" if names else "an event without a known key"
            self.say(f"{what}, {shown(event)}", f"one of {', '.join(EVENTS)}", play=True)
            return {}
        (name,) = names
        told = event[name]
        if self.repeated("", event, name, play=True):
            return {}
        if not isinstance(told, dict):
            self.say(f"{name} {shown(told)}", f"an object of {', '.join(EVENTS[name])}", play=True)
            return {}
        for key in event:
            if key != name:
                self.say(f"{key} beside {name}", "an event of one key")
        return self.content(name, told)

    def content(self, name: str, told: dict[str, Any]) -> dict[str, Any]:
        """Return an event of known name."""
        keys = EVENTS[name]
        found = {key: self.read(name, told, key, keys[key]) for key in keys}
        self.unknown(name, told, keys)
        if any(found[key] is _LOST and keys[key].vital for key in keys):
            return {}
        if name == "hule":
            if found["baojia"] is _LOST:  # null would be a tsumo: then nobody knows who wins what
                found["l"] = None
            self.worth(found)
        return {name: _kept(found)}

    def unknown(self, of: str, told: dict[str, Any], keys: dict[str, Key]) -> None:
        """Say which keys an object has beside those that it can have."""
        for key in told:
            if key not in keys:
                self.say(_path(of, key), f"{of} with {', '.join(keys)}")

    def worth(self, hule: dict[str, Any]) -> None:
        """Say what is missing of fu, han and yakuman."""
        ordinary, yakuman = WORTH
        if any(hule[key] is not None for key in yakuman):
            return
        missing = [key for key in ordinary if hule[key] is None]
        listed = hule["hupai"] if isinstance(hule["hupai"], list) else []
        if len(missing) == len(ordinary) and any("*" in each["fanshu"] for each in listed):
            missing = list(yakuman)
        if missing:
            self.say(f"hule without {' and '.join(missing)}", "fu and fanshu, or damanguan")

    def read(self, of: str, told: dict[str, Any], name: str, key: Key) -> Any:  # noqa: ANN401  (JSON is anything)
        """Return what a key says; _LOST where that is nothing of its type."""
        costs = {"play": key.vital or (of, name) == _DISCARD, "rest": key.rest}
        if self.repeated(of, told, name, **costs):
            return _LOST
        value = told.get(name)
        if value is None and (key.optional or (key.nullable and name in told)):
            return None
        if name not in told:
            self.say(f"{of} without {name}" if of else f"no {name}", key.expected, **costs)
            return _LOST
        try:
            return self.all_of(value, key)
        except _WrongError as error:
            if not error.said:
                self.say(f"{_path(of, name)} {shown(value)}", key.expected, **costs)
            return _LOST

    def all_of(self, value: Any, key: Key) -> Any:  # noqa: ANN401  (JSON is anything)
        """Return a value or a list of them; raise _WrongError for one of another type."""
        if not key.entries:
            return self.single(value, key.kind)
        if not isinstance(value, list) or key.entries not in (len(value), ANY):
            raise _WrongError
        return [self.single(each, key.kind) for each in value]

    def single(self, value: Any, kind: Kind) -> Any:  # noqa: ANN401  (JSON is anything)
        """Return a value, as it is decoded; raise _WrongError for one of another kind."""
        if kind is not Kind.YAKU:
            return _SINGLE[kind](value)
        if not isinstance(value, dict):
            raise _WrongError
        found = {key: self.read("hupai", value, key, YAKU[key]) for key in YAKU}
        self.unknown("hupai", value, YAKU)
        if _LOST in found.values():
            raise _WrongError(said=True)
        return found


_DISCARD = ("dapai", "p")
"""With a discard's text goes whether it declares riichi."""


def _path(of: str, name: str) -> str:
    return f"{of} {name}".strip()


def _kept(found: dict[str, Any]) -> dict[str, Any]:
    return {key: None if value is _LOST else value for key, value in found.items()}


def _text(value: object) -> str:
    if type(value) is not str:
        raise _WrongError
    try:
        value.encode()
    except UnicodeEncodeError:  # half a character
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


_SINGLE = {Kind.TEXT: _text, Kind.WHOLE: _whole, Kind.HAN: _han, Kind.NUMBER: _number}

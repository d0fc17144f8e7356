"""Reads a game whose text does not fit the grammar: notes each fault, and leaves out the faulty part.

Each fault costs as little as possible. An unreadable value becomes null. An unreadable event, or one that lacks a value
without which it means nothing, becomes an empty object; an unreadable round becomes an empty list. So events and rounds
keep their numbers. A repeated key counts if its values are equal; otherwise its value is unknown. Few games come here,
one at a time, so loops are fast enough.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from auditor.log.tables import SEATS
from auditor.readers.json_text import DECODER, DEEPEST, shallow, shown
from auditor.readers.majiang.faulty_values import LOST, Note, ValueReader, without_lost
from auditor.readers.majiang.fields import END, EVENTS, HEAD, RESULTS, WORTH

LOG, RULE, PAIPU = "log", "rule", "paipu"
UNREADABLE_RULE = ""
"""Replaces a rule object that cannot be read; a note says why."""
_OWN = (*HEAD, LOG, *END)
_LEAST_KEYS = 2
"""The number of a game's keys that an object without ``log`` must have to count as a game."""


class Game(NamedTuple):
    """A game that the decoder can read.

    ``paipu`` is its JSON text, ``rule`` that of its rule object (None if it has none). ``ended`` says whether the game
    is over. ``notes`` are its faults.
    """

    paipu: str
    rule: str | None
    ended: bool
    notes: list[Note]


class NoGameError(ValueError):
    """A text is no game that can be read; ``code`` is that of the check which reports it."""

    def __init__(self, reason: str, code: str = "L001") -> None:
        """Store the reason."""
        super().__init__(reason)
        self.code = code

    @property
    def begun(self) -> bool:
        """Whether the text at least begins as a game: it breaks off (L002), or is one of three players (L007)."""
        return self.code != "L001"


def read_faulty(text: str) -> Game:
    """Read one game.

    Raises
    ------
    NoGameError
        if the text is no JSON, or its JSON is no game or one of three players

    """
    try:
        return _GameReader().game(_decoded(text))
    except RecursionError:
        game = _GameReader().game(_decoded(shallow(text)))
        deep = Note(None, None, f"brackets nested deeper than {DEEPEST}", "a game, which needs eight levels")
        return game if game.notes else game._replace(notes=[deep])


def _decoded(text: str) -> Any:  # noqa: ANN401  (JSON is anything)
    try:
        return DECODER.decode(text)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at character {error.pos}"
        if text.startswith("{"):
            raise NoGameError(reason, "L002") from error
        raise NoGameError(f"no JSON ({reason}): {shown(text)}") from error


class _GameReader(ValueReader):
    """Reads one game, round by round and event by event."""

    def game(self, value: Any) -> Game:  # noqa: ANN401  (JSON is anything)
        """Return the game in a JSON value; raise NoGameError if it is none."""
        inner = value.get(PAIPU, value) if isinstance(value, dict) else None
        if not isinstance(inner, dict) or not (LOG in inner or sum(key in inner for key in _OWN) >= _LEAST_KEYS):
            raise NoGameError(f"{shown(value)}: no object with the keys of a game")
        if inner is not value:
            for key in value:
                if key != RULE and self.repeated("", value, key) and key == PAIPU:
                    raise NoGameError("paipu told twice, differently")
        if _is_of_three(inner):
            raise NoGameError("three players", "L007")
        for key in inner:
            if key not in (RULE, *_OWN):
                self.repeated("", inner, key)
        rule = self.rule(value if RULE in value else inner)
        read = {key: self.read("", inner, key, HEAD[key]) for key in HEAD}
        read[LOG] = self.rounds(inner)
        self.nth = self.event = None
        ended = any(inner.get(key) is not None for key in END)
        read |= {key: self.read("", inner, key, END[key]) if ended else None for key in END}
        return Game(json.dumps(without_lost(read), ensure_ascii=False), rule, ended, self.notes)

    def rule(self, holder: dict[str, Any]) -> str | None:
        """Return the rule object of ``holder`` as JSON: None if it has none, UNREADABLE_RULE if repetitions differ."""
        rule = holder.get(RULE)
        differs = self.repeated("", holder, RULE)
        if self.repeated_within(RULE, rule) or differs:
            return UNREADABLE_RULE
        return None if rule is None else json.dumps(rule)

    def rounds(self, game: dict[str, Any]) -> list[list[Any]]:
        """Return the rounds of a game."""
        rounds = game.get(LOG)
        if not isinstance(rounds, list):
            self.say(f"log {shown(rounds)}" if LOG in game else "no log", "a list of rounds", rest=True)
            return []
        if self.repeated("", game, LOG, rest=True):
            return []
        number, found = 0, []
        for nth, events in enumerate(rounds):
            self.nth, self.event = nth, None
            listed = events if isinstance(events, list) else []
            if not listed:
                recorded = "a round without events" if events == [] else f"a round {shown(events)}"
                self.say(recorded, "a deal and its play", rest=True)
            found.append(self.round(listed, number))
            number += len(listed)
        return found

    def round(self, events: list[Any], number: int) -> list[Any]:
        """Return the events of a round; ``number`` is the first one's number within the game."""
        found, lost = [], None
        for event, value in enumerate(events, number):
            self.event = event
            content = self.one(value)
            found.append(content)
            lost = lost if content else len(self.notes) - 1
        names = {name for event in found for name in event}
        if lost is not None and not ("qipai" in names and names & {*RESULTS}):  # the lost event may be the missing one
            self.notes[lost] = self.notes[lost]._replace(rest=True)
        return found

    def one(self, event: Any) -> dict[str, Any]:  # noqa: ANN401  (JSON is anything)
        """Return an event; an empty object if it cannot be read."""
        names = [name for name in EVENTS if name in event] if isinstance(event, dict) else []
        if len(names) != 1:
            what = "an event of several keys" if names else "an event without a known key"
            self.say(f"{what}, {shown(event)}", f"one of {', '.join(EVENTS)}", play=True)
            return {}
        (name,) = names
        content = event[name]
        if self.repeated("", event, name, play=True):
            return {}
        if not isinstance(content, dict):
            self.say(f"{name} {shown(content)}", f"an object of {', '.join(EVENTS[name])}", play=True)
            return {}
        for key in event:
            if key != name:
                self.say(f"{key} beside {name}", "an event of one key")
        return self.content(name, content)

    def content(self, name: str, values: dict[str, Any]) -> dict[str, Any]:
        """Return an event of this name with these values; an empty object if a vital value cannot be read."""
        keys = EVENTS[name]
        found = {key: self.read(name, values, key, keys[key]) for key in keys}
        self.unknown(name, values, keys)
        if any(found[key] is LOST and keys[key].vital for key in keys):
            return {}
        if name == "hule":
            if found["baojia"] is LOST:  # null would mean a tsumo, so the winner becomes unknown instead
                found["l"] = None
            self.worth(found)
        return {name: without_lost(found)}

    def worth(self, hule: dict[str, Any]) -> None:
        """Note which of fu, han and the number of yakuman a win lacks."""
        ordinary, yakuman = WORTH
        if any(hule[key] is not None for key in yakuman):
            return
        missing = [key for key in ordinary if hule[key] is None]
        listed = hule["hupai"] if isinstance(hule["hupai"], list) else []
        if len(missing) == len(ordinary) and any("*" in each["fanshu"] for each in listed):
            missing = list(yakuman)
        if missing:
            self.say(f"hule without {' and '.join(missing)}", "fu and fanshu, or damanguan")


def _is_of_three(game: dict[str, Any]) -> bool:
    """Return whether a game has three names, and three hands in each deal."""
    log, names = game.get(LOG), game.get("player")
    rounds = [round_ for round_ in log if isinstance(round_, list)] if isinstance(log, list) else []
    deals = [event["qipai"] for round_ in rounds for event in round_ if isinstance(event, dict) and "qipai" in event]
    hands = [deal.get("shoupai") for deal in deals if isinstance(deal, dict)]
    return bool(hands) and all(isinstance(each, list) and len(each) == SEATS - 1 for each in (names, *hands))

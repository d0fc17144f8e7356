"""Files → the games in them (auditor/readers/tenhou_json/FORMAT.md 1).

A game is an object with the key ``log``. It may stand in an array, or within another object, or in an address.
Rounds of one game that stand by themselves, one after another, become one game again.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from auditor.readers.json_text import PLAIN_DECODER, Repeated, printable, shown
from auditor.readers.tenhou_json.texts import LOG, decoded, in_address, texts
from auditor.sources.log_files import content_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from auditor.readers.tenhou_json.texts import Text
    from auditor.sources.log_files import Source

_ROUND = re.compile(r"\[\s*\[\s*\d+\s*,\s*\d+\s*,\s*\d+\s*\]\s*,\s*\[")
"""The beginning of a round: its counters and scores."""
_TAIL = re.compile(r"\s*\]\s*,?")
"""What stands between the last round and the key behind the list of rounds."""
_SHOWN = 60
_DEEPEST = 5
"""How many levels of other values are searched for games."""
_SAME = ("title", "name", "rule", "ref")
"""The keys that all rounds of a game have in common."""


class Fault(NamedTuple):
    """What is wrong with a game as a whole: the check that reports it, and what it says."""

    code: str
    recorded: str
    expected: str


@dataclass
class Game:
    """One game, or a text that should be one.

    ``file`` is its place in the batch, ``within`` its line or entry in the file (None if it is alone there). ``head``
    has the keys beside the rounds, ``rules`` the rule object beside the game, ``rounds`` what should be its rounds: a
    text stands for one that cannot be decoded.
    """

    file: int
    within: str | None
    text: str
    head: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] | None = None
    rounds: list[Any] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    @property
    def game_id(self) -> str:
        """The identity of the game, from its text."""
        return content_id(self.text.encode("utf-8", "surrogatepass"))


def games(sources: Sequence[Source]) -> list[Game]:
    """Return the games of these files, in their order; a text that should be a game is a game with a fault."""
    return [game for file, source in enumerate(sources) for game in _joined(_of_file(file, source.data.decode()))]


class _Found(NamedTuple):
    """A game within a JSON value, by the attributes of Game."""

    head: dict[str, Any]
    rules: dict[str, Any] | None
    rounds: list[Any]
    faults: list[Fault]


def _of_file(file: int, text: str) -> Iterator[Game]:
    """Yield the games of a file as they stand there, some of them perhaps rounds of one game."""
    for each in texts(text):
        if each.value is None:
            yield _damaged(file, each)
            continue
        found = list(_games(each.value))
        alone = len(found) == 1
        for number, game in enumerate(found, 1):
            own = each.text if alone else json.dumps([game.head, game.rounds], sort_keys=True)
            yield Game(file, each.within or (None if alone else str(number)), own, *game)


def _games(value: Any, depth: int = _DEEPEST) -> Iterator[_Found]:  # noqa: ANN401 - whatever JSON holds
    """Yield the games within a JSON value, and a fault in place of one for each other value."""
    if isinstance(value, list) and any(isinstance(each, dict | list | str) for each in value) and depth:
        for each in value:
            yield from _games(each, depth - 1)
        return
    if isinstance(value, str):
        addressed = in_address(value)
        value = addressed.value if addressed else value
    wrapped = isinstance(value, dict) and isinstance(value.get("tenhou"), dict)
    game, rules = (value["tenhou"], value.get("rule")) if wrapped else (value, None)
    if isinstance(game, dict) and isinstance(game.get("log"), list):
        head = {key: kept for key, kept in game.items() if key != "log"}
        faults = list(_repeated(value, game, game.get("rule")))
        faults += [] if game["log"] else [Fault("L002", "the beginning of the game", "its rounds")]
        yield _Found(head, rules if isinstance(rules, dict) else None, game["log"], faults)
        return
    inner = value.values() if isinstance(value, dict) and depth else ()
    found = [game for each in inner if isinstance(each, dict | list) for game in _games(each, depth - 1) if game.rounds]
    if found:
        yield from found
    else:
        yield _Found({}, None, [], [Fault("L001", f"no game of Tenhou's JSON: {shown(value)}", "a whole game")])


def _repeated(*objects: object) -> Iterator[Fault]:
    """Yield a fault for the keys that one of these objects tells more than once."""
    told = [key for each in objects if isinstance(each, Repeated) for key in each.again]
    if told:
        yield Fault("L003", f"told twice: {printable(', '.join(dict.fromkeys(told)))[:_SHOWN]}", "each key once")


def _joined(found: Iterable[Game]) -> Iterator[Game]:
    """Yield games, but one game for neighbours that are single rounds of the same game."""
    last: Game | None = None
    for game in found:
        if last is not None and _goes_on(last, game):
            last.rounds += game.rounds
            last.text += game.text
            last.faults += game.faults
            continue
        if last is not None:
            yield last
        last = game
    if last is not None:
        yield last


def _goes_on(last: Game, game: Game) -> bool:
    """Return whether a game is a single round, the next one of the game before it: same head, later round or honba."""
    if len(game.rounds) != 1 or last.within is None or not last.rounds:
        return False
    same = all(last.head.get(key) == game.head.get(key) for key in _SAME)
    try:
        return same and bool(last.rounds[-1][0][:2] < game.rounds[0][0][:2])
    except (TypeError, IndexError, KeyError):
        return False


def _damaged(file: int, text: Text) -> Game:
    """Return a game whose text is no JSON, with all rounds that can be read."""
    game = Game(file, text.within, text.text)
    begin = LOG.search(text.text)
    if begin is None:
        recorded = printable(f"no game of Tenhou's JSON: {text.text[:_SHOWN]}")
        game.faults.append(Fault("L001", recorded, "a whole game"))
        return game
    before = decoded(text.text[: begin.start()].rstrip(" \t\r\n,") + "}")
    end = begin.end()
    for found in _ROUND.finditer(text.text, begin.end()):
        if found.start() < end:
            continue  # it is within the one before
        try:
            value, end = PLAIN_DECODER.raw_decode(text.text, found.start())
        except (ValueError, RecursionError):
            value, end = text.text[found.start() : found.start() + _SHOWN], found.end()
        game.rounds.append(value)
    tail = _TAIL.match(text.text, end)
    behind = decoded("{" + text.text[tail.end() :]) if tail else None
    for known in (before, behind):
        game.head.update(known if isinstance(known, dict) else {})
    if not isinstance(behind, dict):
        # The last round, if it cannot be decoded, is lost with the rest.
        if game.rounds and isinstance(game.rounds[-1], str):
            game.rounds.pop()
        recorded = f"JSON that breaks off or is damaged at character {end}"
        game.faults.append(Fault("L002", recorded, "the rest of the game"))
    elif not any(isinstance(each, str) for each in game.rounds):
        game.faults.append(Fault("L003", "JSON that is damaged outside of the rounds", "a whole game"))
    return game

"""Files → the games in them, however people wrap Tenhou's JSON (auditor/readers/tenhou_json/FORMAT.md 1).

A file is one game, an array of games, or lines, each of which is a game, a round, or an address of Tenhou's viewer with
a round in it. Rounds of the same game that stand by themselves become one game again. Lines without JSON are text
around the games.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from auditor.sources.log_files import content_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from auditor.sources.log_files import Source

_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*')
_LOG = re.compile(r'"log"\s*:\s*\[\s*')
_ADDRESS = "#json="
_SHOWN = 60
_HEAD = ("title", "name", "rule", "ref")


@dataclass
class Game:
    """One game, or a text that should be one.

    ``file`` is its place in the batch, ``within`` its line or entry in the file (None if it is alone there). ``head``
    has the keys beside the rounds, ``rules`` the rule object beside the game, ``rounds`` what should be its rounds.
    ``fault`` says what is wrong with the text, ``code`` which check reports it.
    """

    file: int
    within: str | None
    text: str
    head: dict[str, Any] = field(default_factory=dict)
    rules: dict[str, Any] | None = None
    rounds: list[Any] = field(default_factory=list)
    code: str | None = None
    fault: str = ""

    @property
    def game_id(self) -> str:
        """The identity of the game, from its text."""
        return content_id(self.text.encode("utf-8", "surrogatepass"))


def games(sources: Sequence[Source]) -> list[Game]:
    """Return the games of these files, in their order; a file without a game gives one that has only a fault."""
    return [game for file, source in enumerate(sources) for game in _joined(_of_file(file, source.data.decode()))]


def _of_file(file: int, text: str) -> Iterator[Game]:
    """Yield the games of a file as they stand there, some of them perhaps rounds of one game."""
    text = text.strip(" \t\r\n\ufeff")
    value = _decoded(text)
    if value is None and "//" in text:
        value = _decoded(_COMMENT.sub(lambda found: "" if found[0].startswith("//") else found[0], text))
    if value is not None:
        found = list(_games(value))
        for number, (head, rules, rounds) in enumerate(found, 1):
            within = str(number) if len(found) > 1 else None
            own = text if len(found) == 1 else json.dumps([head, rounds], sort_keys=True)
            yield Game(file, within, own, head, rules, rounds)
        if not found:
            yield Game(file, None, text, code="L001", fault=f"JSON without a game: {text[:_SHOWN]}")
        return
    lines = list(_lines(file, text))
    yield from lines if any(line.code is None for line in lines) else [_cut(file, text)]


def _lines(file: int, text: str) -> Iterator[Game]:
    """Yield the games of lines, and lines that begin like a game but are none."""
    for number, line in enumerate(text.split("\n"), 1):
        begun = _within(line)
        if begun is None:
            continue
        found = list(_games(_decoded(begun)))
        for head, rules, rounds in found:
            yield Game(file, str(number), begun, head, rules, rounds)
        if not found:
            yield Game(file, str(number), begun, code="L001", fault=f"no game of Tenhou's JSON: {begun[:_SHOWN]}")


def _within(line: str) -> str | None:
    """Return the JSON of a line: the line itself, or what an address has behind ``#json=``; None for other lines."""
    line = line.strip(" \t\r\n\ufeff,")
    address = line.find(_ADDRESS)
    if address >= 0:
        found = line[address + len(_ADDRESS) :]
        return unquote(found) if found[:3].upper() in {"%7B", "%5B"} else found
    return line if line.startswith("{") and _LOG.search(line) else None


def _decoded(text: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """Return the value of a JSON text; None if it is none, or if something stands behind it."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _games(value: Any) -> Iterator[tuple[dict[str, Any], dict[str, Any] | None, list[Any]]]:  # noqa: ANN401
    """Yield head, rule object beside the game, and rounds of each game within a JSON value."""
    if isinstance(value, list):
        if value and all(isinstance(each, list) for each in value):
            yield {}, None, value  # rounds without a head
        else:
            for each in value:
                yield from _games(each)
    elif isinstance(value, dict):
        if isinstance(value.get("log"), list):
            yield {key: kept for key, kept in value.items() if key != "log"}, None, value["log"]
        elif isinstance(value.get("tenhou"), dict) and isinstance(value["tenhou"].get("log"), list):
            inner, rules = value["tenhou"], value.get("rule")
            head = {key: kept for key, kept in inner.items() if key != "log"}
            yield head, rules if isinstance(rules, dict) else None, inner["log"]
        elif isinstance(value.get("split_logs"), list):
            yield from _games(value["split_logs"])


def _joined(found: Iterable[Game]) -> Iterator[Game]:
    """Yield games, but one game for neighbours that are single rounds with the same head."""
    last: Game | None = None
    for game in found:
        if last is not None and _goes_on(last, game):
            last.rounds += game.rounds
            last.text += game.text
            continue
        if last is not None:
            yield last
        last = game
    if last is not None:
        yield last


def _goes_on(last: Game, game: Game) -> bool:
    """Return whether a single round is the next one of the game before it: same head, later round or honba."""
    if last.code or game.code or len(game.rounds) != 1 or last.within is None:
        return False
    same = all(last.head.get(key) == game.head.get(key) for key in _HEAD)
    try:
        return same and bool(last.rounds[-1][0][:2] < game.rounds[0][0][:2])
    except (TypeError, IndexError, KeyError):
        return False


def _cut(file: int, text: str) -> Game:
    """Return a game whose text breaks off or is damaged, with the rounds that can be read before that place."""
    begin = _LOG.search(text)
    head = _decoded(text[: begin.start()].rstrip(" \t\r\n,") + "}") if begin else None
    if begin is None or not isinstance(head, dict | None):
        return Game(file, None, text, code="L001", fault=f"no game of Tenhou's JSON: {text[:_SHOWN]}")
    decoder, rounds, at = json.JSONDecoder(strict=False), [], begin.end()
    while text[at : at + 1] == "[":
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        rounds.append(value)
        at = end + len(text[end:]) - len(text[end:].lstrip(" \t\r\n,"))
    return Game(file, None, text, head or {}, None, rounds, "L002", f"JSON that breaks off or is damaged at character {at}")

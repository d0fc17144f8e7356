"""The rules of a game in Tenhou's JSON (auditor/readers/tenhou_json/FORMAT.md 7).

They come from the rule object beside the game, or from its reference, the name of its room and its red fives.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from auditor.log import links
from auditor.readers import rooms, tenhou_rules
from auditor.readers.json_text import shown
from auditor.readers.rooms import Room
from auditor.readers.tenhou_ids import log_id, start_time
from auditor.readers.tenhou_json.documents import Fault
from auditor.readers.tenhou_json.heads import rule_object
from engine.rules.rule_sets import STAND_IN, RuleSet, for_players, from_majiang, preset

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime

    from auditor.readers.tenhou_json.documents import Game

    _Reds = tuple[int, int, int] | None

_MAHJONG_SOUL_ID = re.compile(r"\d{6}-[0-9a-f]{8}-[0-9a-f-]+")
_ROOMS = ("銅の間", "銀の間", "金の間", "玉の間", "王座の間", "Room")
_PRIVATE = ("友人戦", "大会戦", "Friendly", "Tournament")
"""Rooms of Mahjong Soul whose owners choose the rules."""
_MAJIANG = "電脳麻将"
_SUITS = 3


class Origin(NamedTuple):
    """Where a game was played, when, under which of the batch's rule sets, in which room, and where it is replayed."""

    platform: str
    start: datetime | None
    rules: int
    room: Room = Room()
    link: str | None = None


class RuleSets:
    """The different rule sets of a batch, in the order of their first games; ``base`` holds where a log states none.

    A rule set is made once from the same reasons: to make or to hash one takes longer than to read a short game.
    """

    def __init__(self, base: RuleSet) -> None:
        self.base = base
        self._place: dict[RuleSet, int] = {}
        self._made: dict[tuple[object, ...], int] = {}

    def listed(self) -> list[RuleSet]:
        """Return the rule sets."""
        return list(self._place)

    def place(self, make: Callable[..., RuleSet], *reasons: Any) -> int:  # noqa: ANN401 - whatever rules depend on
        """Return the place of the rules that ``make`` makes from the base and these reasons."""
        key = (make, *reasons)
        if key not in self._made:
            self._made[key] = self._place.setdefault(make(self.base, *reasons), len(self._place))
        return self._made[key]


def origin(game: Game, seats: int, sets: RuleSets) -> Origin:
    """Return the origin of a game; ``sets`` gets its rules."""
    if game.rules is not None:
        rules = json.dumps(game.rules)
        wrong = _ruled(rules)
        if isinstance(wrong, str):
            game.faults.append(Fault("L003", f"rule object: {wrong}", "rules of 電脳麻将"))
        return Origin("majiang", None, sets.place(_of_object, rules))
    reference, rule = game.head.get("ref"), rule_object(game)
    room = str(rule.get("disp", ""))
    if reference is not None and not isinstance(reference, str):
        game.faults.append(Fault("L003", f"ref {shown(reference)}", "a text"))
    reference = reference if isinstance(reference, str) else ""
    server, reds = log_id(reference), _red_fives(rule, seats)
    if server and server.text == reference:
        start = start_time(reference)
        day = start and start.date()
        place = sets.place(_of_tenhou, seats, server.kind, int(server.lobby), day, reds)
        return Origin("tenhou", start, place, rooms.tenhou(server.kind, server.lobby), server.link)
    private = any(word in room for word in _PRIVATE)
    if private or _MAHJONG_SOUL_ID.fullmatch(reference) or any(word in room for word in _ROOMS):
        link = links.game_link(links.MAHJONG_SOUL, reference)
        place = sets.place(_of_mahjong_soul, seats, room, private, reds)
        return Origin("mahjong_soul", None, place, rooms.named(room), link)
    platform = "majiang" if room == _MAJIANG else "unknown"
    return Origin(platform, None, sets.place(_of_any, seats, room, reds), rooms.named(room))


def _of_object(_: RuleSet, rules: str) -> RuleSet:
    """Return the rules of a rule object; all are unknown if it is wrong."""
    ruled = _ruled(rules)
    return ruled if isinstance(ruled, RuleSet) else RuleSet()


def _of_tenhou(  # noqa: PLR0917
    base: RuleSet, seats: int, table: int, lobby: int, day: date | None, reds: _Reds
) -> RuleSet:
    """Return the rules of a game on Tenhou's server."""
    return _with_reds(tenhou_rules.rules(base, seats, table, str(lobby), None, day), reds)


def _of_mahjong_soul(base: RuleSet, seats: int, room: str, private: bool, reds: _Reds) -> RuleSet:  # noqa: FBT001
    """Return the rules of a game of Mahjong Soul; the owner of a ``private`` room chooses them."""
    own = for_players(preset("mahjong_soul") if base == preset(STAND_IN) else base, seats)
    chosen = dict.fromkeys(tenhou_rules.CUSTOMISABLE) if private else {}
    return _with_reds(replace(own, **chosen | _length(room)), reds)


def _of_any(base: RuleSet, seats: int, room: str, reds: _Reds) -> RuleSet:
    """Return the rules of any other game."""
    return _with_reds(replace(for_players(base, seats), **_length(room)), reds)


@lru_cache(maxsize=1 << 12)
def _ruled(rules: str) -> RuleSet | str:
    """Return the rules of a rule object of 電脳麻将, given as JSON, or what is wrong with it."""
    try:
        return from_majiang(json.loads(rules))
    except ValueError as error:
        return str(error)


def _length(room: str) -> dict[str, Any]:
    """Return the rule ``game_length`` as the name of the room says it; unknown if it does not."""
    east, south = ("東" in room or "East" in room), ("南" in room or "South" in room)
    return {"game_length": (1 if east else 2) if east != south else None}


@lru_cache(maxsize=1 << 12)
def _with_reds(rules: RuleSet, reds: _Reds) -> RuleSet:
    """Return rules with these red fives; None changes nothing."""
    return rules if reds is None else replace(rules, red_fives=reds)


def _red_fives(rule: dict[str, Any], seats: int) -> _Reds:
    """Return the rule ``red_fives`` if a rule object states it: one number for all suits, or a number for each."""
    stated: list[Any] = [rule.get(f"aka5{suit}") for suit in range(1, 1 + _SUITS)]
    if not all(type(number) is int and 0 <= number <= 4 for number in stated):
        if type(rule.get("aka")) is not int:
            return None
        stated = [min(max(rule["aka"], 0), 1)] * _SUITS
    return (0 if seats == 3 else stated[0], stated[1], stated[2])

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
    from datetime import datetime

    from auditor.readers.tenhou_json.documents import Game

_TENHOU_ID = re.compile(r"\d{10}gm-([0-9a-f]{4})-(\d+)-[0-9a-fx]+")
_MAHJONG_SOUL_ID = re.compile(r"\d{6}-[0-9a-f]{8}-[0-9a-f-]+")
_ROOMS = ("銅の間", "銀の間", "金の間", "玉の間", "王座の間", "Room")
_PRIVATE = ("友人戦", "大会戦", "Friendly", "Tournament")
"""Rooms of Mahjong Soul whose owners choose the rules."""
_MAJIANG = "電脳麻将"
_SUITS = 3


class Origin(NamedTuple):
    """Where a game was played, when, under which rules, in which room, and where it is replayed."""

    platform: str
    start: datetime | None
    rules: RuleSet
    room: Room = Room()
    link: str | None = None


def origin(game: Game, seats: int, base: RuleSet) -> Origin:
    """Return the origin of a game; ``base`` has the rules that hold where the log states none."""
    if game.rules is not None:
        ruled = _ruled(json.dumps(game.rules))
        if isinstance(ruled, RuleSet):
            return Origin("majiang", None, ruled)
        game.faults.append(Fault("L003", f"rule object: {ruled}", "rules of 電脳麻将"))
        return Origin("majiang", None, RuleSet())
    reference, room = game.head.get("ref"), str(rule_object(game).get("disp", ""))
    if reference is not None and not isinstance(reference, str):
        game.faults.append(Fault("L003", f"ref {shown(reference)}", "a text"))
    reference = reference if isinstance(reference, str) else ""
    server = _TENHOU_ID.fullmatch(reference)
    if server:
        start = start_time(reference)
        day = start and start.date()
        ruled = tenhou_rules.rules(base, seats, int(server[1], 16), str(int(server[2])), None, day)
        named = log_id(reference)
        found = rooms.tenhou(int(server[1], 16), server[2])
        return Origin("tenhou", start, replace(ruled, **_red_fives(game, seats)), found, named and named.link)
    private = any(word in room for word in _PRIVATE)
    if private or _MAHJONG_SOUL_ID.fullmatch(reference) or any(word in room for word in _ROOMS):
        own = for_players(preset("mahjong_soul") if base == preset(STAND_IN) else base, seats)
        chosen = dict.fromkeys(tenhou_rules.CUSTOMISABLE) if private else {}
        link = links.game_link(links.MAHJONG_SOUL, reference)
        return Origin("mahjong_soul", None, _shown(game, seats, replace(own, **chosen), room), rooms.named(room), link)
    platform = "majiang" if room == _MAJIANG else "unknown"
    return Origin(platform, None, _shown(game, seats, for_players(base, seats), room), rooms.named(room))


@lru_cache(maxsize=1 << 12)
def _ruled(rules: str) -> RuleSet | str:
    """Return the rules of a rule object of 電脳麻将, given as JSON, or what is wrong with it."""
    try:
        return from_majiang(json.loads(rules))
    except ValueError as error:
        return str(error)


def _shown(game: Game, seats: int, rules: RuleSet, room: str) -> RuleSet:
    """Return a rule set with the length and the red fives that the game shows; a length that it does not is unknown."""
    east, south = ("東" in room or "East" in room), ("南" in room or "South" in room)
    length = {"game_length": (1 if east else 2) if east != south else None}
    return replace(rules, **length, **_red_fives(game, seats))  # type: ignore[arg-type]


def _red_fives(game: Game, seats: int) -> dict[str, Any]:
    """Return the rule ``red_fives`` if the game states it: one number for all suits, or a number for each."""
    rule = rule_object(game)
    stated = [rule.get(f"aka5{suit}") for suit in range(1, 1 + _SUITS)]
    if not all(type(number) is int and 0 <= number <= 4 for number in stated):
        if type(rule.get("aka")) is not int:
            return {}
        stated = [min(max(rule["aka"], 0), 1)] * _SUITS
    return {"red_fives": (0 if seats == 3 else stated[0], *stated[1:])}

"""The rules of a game in Tenhou's JSON, from its reference, its room and its number of red fives (FORMAT.md 1)."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from auditor.readers.mjlog import rules as tenhou
from auditor.readers.mjlog.file_name import start_time
from engine.rules.rule_sets import STAND_IN, RuleSet, for_players, from_majiang, preset

if TYPE_CHECKING:
    from datetime import datetime

    from auditor.readers.tenhou_json.documents import Game

_TENHOU_ID = re.compile(r"\d{10}gm-([0-9a-f]{4})-(\d+)-[0-9a-fx]+")
_MAHJONG_SOUL_ID = re.compile(r"\d{6}-[0-9a-f]{8}-[0-9a-f-]+")
_ROOMS = ("銅の間", "銀の間", "金の間", "玉の間", "王座の間", "友人戦", "大会戦", "Room")
_PRIVATE = ("友人戦", "大会戦")
_MAJIANG = "電脳麻将"


class Origin(NamedTuple):
    """Where a game was played, when, and under which rules; ``fault`` says what is wrong with its rule object."""

    platform: str
    start: datetime | None
    rules: RuleSet
    fault: str | None


def origin(game: Game, seats: int, base: RuleSet) -> Origin:
    """Return the origin of a game; ``base`` has the rules that hold where the log states none."""
    reference = game.head.get("ref")
    reference = reference if isinstance(reference, str) else ""
    disp = str(_rule_object(game).get("disp", ""))
    server = _TENHOU_ID.fullmatch(reference)
    if game.rules is not None:
        return _ruled(json.dumps(game.rules))
    if server:
        start = start_time(reference)
        ruled = tenhou.rules(base, seats, int(server[1], 16), str(int(server[2])), None, start and start.date())
        return Origin("tenhou", start, replace(ruled, **_red_fives(game, seats)), None)
    if _MAHJONG_SOUL_ID.fullmatch(reference) or any(room in disp for room in _ROOMS):
        own = preset("mahjong_soul") if base == preset(STAND_IN) else base
        unknown = dict.fromkeys(tenhou.CUSTOMISABLE) if any(room in disp for room in _PRIVATE) else {}
        return Origin("mahjong_soul", None, _shown(game, seats, replace(for_players(own, seats), **unknown), disp), None)
    platform = "majiang" if disp == _MAJIANG else "unknown"
    return Origin(platform, None, _shown(game, seats, for_players(base, seats), disp), None)


@lru_cache(maxsize=1 << 12)
def _ruled(rules: str) -> Origin:
    """Return the origin of a game with a rule object of 電脳麻将 beside it, given as JSON."""
    try:
        return Origin("majiang", None, from_majiang(json.loads(rules)), None)
    except ValueError as error:
        return Origin("majiang", None, RuleSet(), str(error))


def _rule_object(game: Game) -> dict[str, Any]:
    rule = game.head.get("rule")
    return rule if isinstance(rule, dict) else {}


def _shown(game: Game, seats: int, rules: RuleSet, disp: str) -> RuleSet:
    """Return a rule set with the length and the red fives that the game shows."""
    east, south = ("東" in disp or "East" in disp), ("南" in disp or "South" in disp)
    length: dict[str, Any] = {"game_length": 1 if east else 2} if east != south else {"game_length": None}
    return replace(rules, **length, **_red_fives(game, seats))


def _red_fives(game: Game, seats: int) -> dict[str, Any]:
    """Return the rule ``red_fives`` if the game states it: one number for all suits, or a number for each."""
    rule = _rule_object(game)
    each = [rule.get(f"aka5{suit}") for suit in (1, 2, 3)]
    if not all(type(number) is int and 0 <= number <= 4 for number in each):  # noqa: PLR2004
        if type(rule.get("aka")) is not int:
            return {}
        each = [min(rule["aka"], 1)] * 3
    return {"red_fives": (0 if seats == 3 else each[0], *each[1:])}  # noqa: PLR2004

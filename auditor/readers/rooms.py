"""Rooms and modes of platforms: their numbers and names, as words that the columns ``room`` and ``mode`` have.

A room is where strangers of one class meet (``phoenix``, ``jade``), or who invited them (``friendly``, ``tournament``,
``lobby 1234``). A mode is how many winds are played, and how this differs from open tanyao with the usual red fives.

Sources: RULES.md 4.1 and auditor/readers/mjlog/FORMAT.md 3 (Tenhou), auditor/readers/mahjong_soul/FORMAT.md 6.
"""

from __future__ import annotations

from typing import NamedTuple

from auditor.readers import tenhou_rules

_ONE_ROUND = "one round"
_LENGTHS = {0: _ONE_ROUND, 1: "East", 2: "South"}
_TENHOU_ROOMS = {0: "general", 0x80: "upper", 0x20: "expert", 0xA0: "phoenix"}
"""Tenhou's rooms by two bits of the table type: 般, 上, 特上, 鳳凰."""
_ROOM_BITS = 0xA0
_WITH_PEOPLE, _FAST = 0x1, 0x40
_OTHER_ROOMS = tenhou_rules.CHIPS | tenhou_rules.PARLOUR | tenhou_rules.SKILL_MATCH
_TENHOU_NAMES = {"般": "general", "上": "upper", "特": "expert", "鳳": "phoenix"}

RANKED_ROOMS = {
    "bronze": (2, 3, 17, 18), "silver": (5, 6, 19, 20), "gold": (8, 9, 21, 22), "jade": (11, 12, 23, 24),
    "throne": (15, 16, 25, 26),
}  # fmt: skip
"""Mahjong Soul's rooms of ranked games: their mode ids for four players, East and South, and for three."""
_OF_MODE_ID = {number: room for room, numbers in RANKED_ROOMS.items() for number in numbers}
FRIENDLY, TOURNAMENT = "friendly", "tournament"
CATEGORIES = {FRIENDLY: 1, TOURNAMENT: 4}
RANKED = 2
"""Mahjong Soul's categories of games by number."""
_SOUL_NAMES = {
    "銅の間": "bronze", "銀の間": "silver", "金の間": "gold", "玉の間": "jade", "王座の間": "throne",
    "友人戦": FRIENDLY, "大会戦": TOURNAMENT, "Bronze Room": "bronze", "Silver Room": "silver", "Gold Room": "gold",
    "Jade Room": "jade", "Throne Room": "throne", "Friendly": FRIENDLY, "Tournament": TOURNAMENT,
}  # fmt: skip
"""The names that converters give to Mahjong Soul's rooms."""


class Room(NamedTuple):
    """The room and the mode of a game; None for what its log does not say."""

    room: str | None = None
    mode: str | None = None


def tenhou(kind: int | None, lobby: str | None) -> Room:
    """Return the room of a table type and a lobby."""
    if kind is None:
        return Room()
    own = lobby is not None and lobby.isdecimal() and int(lobby) != 0
    ordinary = kind & _WITH_PEOPLE and not kind & _OTHER_ROOMS
    room = f"lobby {int(lobby or 0)}" if own else _TENHOU_ROOMS[kind & _ROOM_BITS] if ordinary else None
    return Room(
        room,
        _mode(
            2 if kind & tenhou_rules.EAST_AND_SOUTH else 1,
            open_tanyao=not kind & tenhou_rules.NO_OPEN_TANYAO,
            red_fives=not kind & tenhou_rules.NO_RED_FIVES,
            fast=bool(kind & _FAST),
        ),
    )


def named(name: str) -> Room:
    """Return the room of a name in Tenhou's JSON: ``鳳南喰赤`` of Tenhou, ``玉の間南喰赤`` of Mahjong Soul."""
    east, south = ("東" in name or "East" in name), ("南" in name or "South" in name)
    length = (1 if east else 2) if east != south else None
    soul = next((room for words, room in _SOUL_NAMES.items() if words in name), None)
    if soul is not None:
        return Room(soul, _LENGTHS[length] if length is not None and soul in RANKED_ROOMS else None)
    room = _TENHOU_NAMES.get(name.removeprefix("三")[:1])
    if room is None or length is None:
        return Room()
    return Room(room, _mode(length, open_tanyao="喰" in name, red_fives="赤" in name, fast="速" in name))


def mahjong_soul(category: int, mode: int | None, mode_id: int, stated: dict[str, int]) -> Room:
    """Return the room of a record of Mahjong Soul.

    Parameters
    ----------
    category
        1 friends, 2 ranked, 4 tournament; 0 if the record does not say
    mode
        its last digit is the length; None if the record does not say
    mode_id
        the room of a ranked game; 0 if there is none
    stated
        the fields of the rule object that are not zero

    """
    length = None if mode is None else {1: 1, 2: 2, 0: 0, 4: 0}.get(mode % 10)
    if category == RANKED:
        return Room(_OF_MODE_ID.get(mode_id), None if length is None else _LENGTHS[length])
    room = next((name for name, number in CATEGORIES.items() if number == category), None)
    if length is None or not stated:
        return Room(room)
    return Room(
        room,
        _mode(
            length,
            open_tanyao=bool(stated.get("shiduan")),
            red_fives=bool(stated.get("dora_count")),
            more="four red fives" if stated.get("dora_count") == 4 else None,
        ),
    )


def ranked(room: str | None, length: int | None, *, three: bool) -> int | None:
    """Return the mode id of one of Mahjong Soul's rooms, for 1 wind or 2; None if it is none."""
    if room not in RANKED_ROOMS or length not in (1, 2):
        return None
    return RANKED_ROOMS[room][2 * three + length - 1]


def mode_id(number: object) -> Room:
    """Return the room of a mode id of Mahjong Soul."""
    room = _OF_MODE_ID.get(number) if isinstance(number, int) else None
    return Room() if room is None else Room(room, _LENGTHS[1 + RANKED_ROOMS[room].index(int(str(number))) % 2])


def _mode(length: int, *, open_tanyao: bool, red_fives: bool, fast: bool = False, more: str | None = None) -> str:
    differs = {"no open tanyao": not open_tanyao, "no red fives": not red_fives, more: more is not None, "fast": fast}
    return ", ".join([_LENGTHS[length], *(words for words, there in differs.items() if there and words)])

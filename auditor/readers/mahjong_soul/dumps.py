"""Dumps of MajsoulPaipuAnalyzer → heads and records, as JSON has them (FORMAT.md section 10).

A dump is another program's summary of a record: actions are short texts, and much is left out. What it does not say is
left out of the records too.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from auditor.log.tables import SEATS
from auditor.readers import rooms
from auditor.readers.mahjong_soul.schema import MESSAGES
from engine.yaku.all_yaku import BY_ID

if TYPE_CHECKING:
    from collections.abc import Iterator

Content = dict[str, Any]

GAME, ROUNDS = "gamedata", "record"
"""The two keys of a dump."""
_TILES = re.compile(r"(?:[0-9][mps]|[1-7]z)*")
_TILE = r"[0-9][mps]|[1-7]z"
_DRAW = re.compile(rf"B([0-3])({_TILE})((?:{_TILE})*)")
_DISCARD = re.compile(rf"A([0-3])({_TILE})([01])([012])((?:{_TILE})*)")
_CALL = re.compile(rf"C([0-3])({_TILE})([0-3])((?:{_TILE}){{2,3}})")
_KAN = re.compile(rf"D([0-3])({_TILE})([01])")
_DRAWN = re.compile(r"YN([01]{3,4})")
_AFTER = re.compile(r"Z(-?\d{1,7}(?:\|-?\d{1,7}){2,3})")
_NUMBER = re.compile(r"[0-9]{1,3}")
_ABORTS = {"Y9": 1, "YF": 2, "YK": 3, "YR": 4}
_LENGTHS = {4: 1, 8: 2}
"""Scheduled winds by the rounds of a game."""
_ROOMS = dict(enumerate(rooms.RANKED_ROOMS, 1))
_RIICHI = (1, 21)
_WIN_PARTS = 12
_STICK = 1000
_DEALT = {3: 40, 4: 53}
"""How many tiles are dealt, the dealer's fourteenth with them: the wall repeats them before its own tiles."""


class Dump(NamedTuple):
    """A game: its head, its records, and what could not be read, with the number of the record before it."""

    head: Content
    records: list[tuple[str, Content]]
    unread: list[tuple[int, str, str]]


def is_dump(value: object) -> bool:
    """Return whether a JSON value is a game of a dump."""
    return isinstance(value, dict) and isinstance(value.get(GAME), dict) and isinstance(value.get(ROUNDS), list)


def read(value: Content) -> Dump:
    """Return the game of a value for which ``is_dump`` is true."""
    records: list[tuple[str, Content]] = []
    unread: list[tuple[int, str, str]] = []
    for each in value[ROUNDS]:
        if isinstance(each, dict) and isinstance(each.get("action"), list):
            _Round(each, records, unread).read()
        else:
            unread.append((len(records), str(each)[:60], "a round with a list of actions"))
    return Dump(_head(value[GAME]), records, unread)


def _number(value: object) -> int:
    """Return a whole number; 0 for anything else."""
    return value if type(value) is int else 0


def _list(value: object) -> list[Any]:
    """Return a list; an empty one for anything else."""
    return value if isinstance(value, list) else []


def _head(data: Content) -> Content:
    """Return the head: ranked games name their room, others their rules."""
    table = data["roomdata"] if isinstance(data.get("roomdata"), dict) else {}
    players = [each for each in _list(data.get("playerdata")) if isinstance(each, dict)]
    three = table.get("player") == 3
    length = _LENGTHS.get(_number(table.get("round")))
    room = _ROOMS.get(_number(table.get("room")))
    ranked = rooms.ranked(room, length, three=three)
    rules = {name: value for name, value in table.items() if name in MESSAGES["GameDetailRule"]}
    config: Content = {"category": rooms.RANKED if room else rooms.CATEGORIES[rooms.FRIENDLY]}
    config["mode"] = {} if length is None else {"mode": 10 * three + length}
    config |= {"meta": {"mode_id": ranked}} if ranked else {}
    config["mode"] |= {} if room else {"detail_rule": rules}
    scores = [each.get("finalpoint") for each in players]
    order = sorted(range(len(players)), key=lambda seat: -_number(scores[seat]))
    return {
        "uuid": data.get("uuid"), "start_time": data.get("starttime"), "end_time": data.get("endtime"),
        "accounts": [{"seat": seat, "nickname": each.get("name")} for seat, each in enumerate(players)],
        "result": {"players": [{"seat": seat, "part_point_1": scores[seat]} for seat in order]},
        **({"config": config} if table else {}),
    }  # fmt: skip


class _Round:
    """Reads one round. ``value`` is its object; records and what cannot be read are added to the two lists."""

    def __init__(self, value: Content, records: list[tuple[str, Content]], unread: list[tuple[int, str, str]]) -> None:
        self.value, self.records, self.unread = value, records, unread
        self.scores = [_number(each) for each in _list(value.get("point"))]
        self.dealer = _number(value.get("east"))
        self.doras = [str(value.get("dora") or "")]
        self.declared: int | None = None
        self.result: Content | None = None

    def read(self) -> None:
        """Add the records of the round."""
        self._start()
        for action in self.value["action"]:
            if not isinstance(action, str) or not self._action(action):
                self.unread.append((len(self.records), f"action {str(action)[:60]!r}", "an action that is known"))

    def _start(self) -> None:
        value = self.value
        hands = [_tiles(each) for each in _list(value.get("hand"))][:SEATS]
        wall = value.get("yama")
        known = isinstance(wall, str) and len(hands) in _DEALT and bool(_TILES.fullmatch(wall))
        number = _number(value.get("round"))
        self._add("NewRound", {
            "chang": number // 4, "ju": self.dealer, "ben": value.get("honba"), "liqibang": value.get("kyoutaku"),
            "scores": value.get("point"), "doras": self.doras, "left_tile_count": value.get("remain"),
            **{f"tiles{seat}": hand for seat, hand in enumerate(hands)},
            **({"paishan": str(wall)[2 * _DEALT[len(hands)] :]} if known and wall else {}),
        })  # fmt: skip

    def _add(self, name: str, content: Content) -> None:
        self.records.append((name, content))

    def _action(self, text: str) -> bool:
        """Add the record of an action, or return that it is none."""
        if match := _DRAW.fullmatch(text):
            self._robbed_or_late(_tiles(match[3])[:-1])
            self._add("DealTile", {"seat": int(match[1]), "tile": match[2], **self._turned(match[3]), **self._paid()})
        elif match := _DISCARD.fullmatch(text):
            seat, riichi = int(match[1]), match[4] != "0"
            self._add("DiscardTile", {
                "seat": seat, "tile": match[2], "moqie": match[3] == "1", "is_liqi": riichi,
                "is_wliqi": match[4] == "2", **self._turned(match[5]),
            })  # fmt: skip
            self.declared = seat if riichi else None
        elif match := _CALL.fullmatch(text):
            self._call(int(match[1]), match[2], int(match[3]), _tiles(match[4]))
        elif match := _KAN.fullmatch(text):
            self._add("AnGangAddGang", {"seat": int(match[1]), "type": 2 + int(match[3]), "tiles": match[2]})
        elif text in _ABORTS:
            drawn = (content["seat"] for name, content in reversed(self.records) if name == "DealTile")
            seat = next(drawn, self.dealer)
            self._add("LiuJu", {"type": _ABORTS[text], **({"seat": seat} if text == "Y9" else {}), **self._paid()})
        elif match := _DRAWN.fullmatch(text):
            self.result = {"players": [{"tingpai": each == "1"} for each in match[1]]}
            self._add("NoTile", self.result)
        elif match := _AFTER.fullmatch(text):
            self._scores([int(each) for each in match[1].split("|")])
        else:
            return text.startswith("X,") and self._win(text.split(","))
        return True

    def _turned(self, listed: str) -> Content:
        """Return the indicators, which an action lists if a new one may have been turned."""
        if not listed:
            return {}
        self.doras = _tiles(listed)
        return {"doras": self.doras}

    def _robbed_or_late(self, listed: list[str]) -> None:
        """Let a kan turn the indicators of earlier kans: it lists none, but what follows does.

        That is the win that robs it, or its replacement draw, whose last indicator is the kan's own.
        """
        name, content = self.records[-1]
        if name == "AnGangAddGang" and len(listed) > len(self.doras):
            self.doras = content["doras"] = listed

    def _paid(self) -> Content:
        """Return the stick of a riichi that was not won on."""
        seat, self.declared = self.declared, None
        if seat is None:
            return {}
        if seat < len(self.scores):
            self.scores[seat] -= _STICK
        return {"liqi": {"seat": seat}}

    def _call(self, source: int, tile: str, seat: int, own: list[str]) -> None:
        same = len({_kind(each) for each in [tile, *own]}) == 1
        kind = (2 if len(own) == 3 else 1) if same else 0
        self._add("ChiPengGang", {
            "seat": seat, "type": kind, "tiles": [*own, tile], "froms": [seat] * len(own) + [source], **self._paid(),
        })  # fmt: skip

    def _win(self, parts: list[str]) -> bool:
        """Add a win to the record of this round's wins; it is the first one if there is none."""
        if len(parts) != _WIN_PARTS or not all(_NUMBER.fullmatch(each) for each in (parts[1], parts[8])):
            return False
        _, seat, hand, called, closed, tile, dora, ura, fu, yaku, source, liable = parts
        numbers = [int(each) if _NUMBER.fullmatch(each) else -1 for each in yaku.split("|")]
        listed = list(zip(numbers[::2], numbers[1::2], strict=False))
        units = [(number, han) for number, han in listed if number in BY_ID and BY_ID[number].yakuman]
        # A yakuman is listed alone, so that only its indicators say that the winner was in riichi.
        riichi = bool(ura) or any(number in _RIICHI for number, _ in listed)
        melds = [_meld(each) for each in called.split("|") if each] + [f"angang({_commas(each)})" for each in
                                                                       closed.split("|") if each]  # fmt: skip
        win: Content = {
            "seat": int(seat), "hand": _tiles(hand), "ming": melds, "hu_tile": tile, "zimo": source == "-1",
            "qinjia": int(seat) == self.dealer, "liqi": riichi, "doras": _tiles(dora),
            "li_doras": _tiles(ura), "yiman": bool(units), "fu": int(fu),
            "fans": [{"id": BY_ID[number].mahjong_soul, "val": han} if number in BY_ID else {"name": str(number)}
                     for number, han in units or listed],
            **({"baopai_seats": [int(liable)]} if _NUMBER.fullmatch(liable) else {}),
        }  # fmt: skip
        self._robbed_or_late(win["doras"])
        if self.result is None or self.records[-1][0] != "Hule":
            self.result = {"hules": []}
            self._add("Hule", self.result)
        self.result["hules"].append(win)
        return True

    def _scores(self, after: list[int]) -> None:
        """Give the last result the changes that lead to these scores."""
        if self.result is None or len(after) != len(self.scores):
            return
        changes = [new - old for new, old in zip(after, self.scores, strict=True)]
        scores = {"old_scores": self.scores, "delta_scores": changes if any(changes) else []}
        if "hules" in self.result:
            self.result |= {**scores, "scores": after}
        else:
            self.result["scores"] = [scores]


def _tiles(text: object) -> list[str]:
    """Return the tiles of a text."""
    return [a + b for a, b in pairwise(text)][::2] if isinstance(text, str) else []


def _commas(tiles: str) -> str:
    return ",".join(_tiles(tiles))


def _kind(tile: str) -> str:
    return tile.replace("0", "5")


def _meld(tiles: str) -> str:
    """Return an open meld in words, as a record has it."""
    kinds = Counter(map(_kind, _tiles(tiles)))
    word = "shunzi" if len(kinds) > 1 else "minggang" if len(tiles) > 6 else "kezi"
    return f"{word}({_commas(tiles)})"


def records(dump: Dump) -> Iterator[Content]:
    """Yield the records as entries of a list: name and data."""
    for name, content in dump.records:
        yield {"name": name, "data": content}

"""Violations of stricter rules of the flow of a game: counted by a plain loop over every round, and found by an audit.

Each game is audited as if another rule held: head bump, no aborts, aborts, riichi only with draws and points left, no
nagashi mangan or one, no noten payments, tenpai hands always open, furiten until the next own draw, fifth tiles of
melds. Every round is played event by event, with waits by trying all tiles; nothing is shared with auditor or engine.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from auditor.audit.audit_batch import Options, audit
from auditor.sources import log_files
from engine.rules.rule_sets import from_majiang
from tests.kit.mutate.mjlog import is_complete

if TYPE_CHECKING:
    from collections.abc import Iterator

LIVE, SEATS, NEXT_DRAW, STICK = 70, range(4), 4, 1000
ORPHANS = {0, 8, 9, 17, 18, 26, *range(27, 34)}
WINDS = range(27, 31)
WALL_ENDS = ("荒牌平局", "流し満貫")
ABORTS = {
    "九種九牌": "abortive_kyuushu",
    "四風連打": "abortive_four_winds",
    "四家立直": "abortive_four_riichi",
    "四開槓": "abortive_four_kans",
    "三家和": "abortive_triple_ron",
}
AUTOMATIC = {name: True for name in ABORTS.values() if name not in ("abortive_kyuushu", "abortive_triple_ron")}

STRICTER: dict[str, dict[str, Any]] = {
    "one winner": {"max_simultaneous_ron": 1},
    "three calls abort": {
        "max_simultaneous_ron": 2, "abortive_triple_ron": True, "abortive_triple_ron_on_kan": True,
    },
    "no aborts": dict.fromkeys([*ABORTS.values(), "abortive_triple_ron_on_kan"], False),
    "aborts": AUTOMATIC,
    "a draw after riichi": {"riichi_without_next_draw": False},
    "points for riichi": {"riichi_min_points": STICK},
    "no nagashi": {"nagashi_mangan": False},
    "nagashi": {"nagashi_mangan": True},
    "no noten payments": {"noten_payment": (0, 0, 0)},
    "tenpai open": {"tenpai_declaration_optional": False},
    "furiten until a draw": {"temporary_furiten_end": "own_draw"},
    "fifth tiles of melds": {"fifth_tile_wait": "whole_hand"},
}  # fmt: skip
CODES = {
    "one winner": ("W110",), "three calls abort": ("W110",), "no aborts": ("X104",), "aborts": ("X106",),
    "a draw after riichi": ("R105",), "points for riichi": ("R104",), "no nagashi": ("X107",), "nagashi": ("X107",),
    "no noten payments": ("P106",), "tenpai open": ("X103",), "furiten until a draw": ("W103",),
    "fifth tiles of melds": ("R102", "X102"),
}  # fmt: skip

TOGETHER = (
    ("one winner", "no aborts", "a draw after riichi", "points for riichi", "no nagashi", "no noten payments",
     "furiten until a draw"),
    ("three calls abort", "aborts", "nagashi", "tenpai open"),
    ("fifth tiles of melds",),
)  # fmt: skip
"""Groups of rules with separate codes: one audit for each group."""

Place = tuple[int, str, int | None]
"""An event's number in its game, a code, and the seat (of the round's winds) or None."""


def kind_of(tile: str) -> int:
    """Give the kind of "m0", "p3_", "z7*"."""
    return "mpsz".index(tile[0]) * 9 + (int(tile[1]) or 5) - 1


def kinds_of(text: str) -> list[int]:
    """List the kinds of "m055p19", without marks."""
    found, suit = [], ""
    for letter in text:
        if letter in "mpsz":
            suit = letter
        elif letter.isdigit():
            found.append(kind_of(suit + letter))
    return found


@cache
def waits(hand: tuple[int, ...]) -> frozenset[int]:
    """List the waits by trying every tile of which the hand does not hold four."""
    counts = Counter(hand)
    return frozenset(kind for kind in range(34) if counts[kind] < 4 and is_complete(4 * each for each in (*hand, kind)))


@dataclass
class Round:
    """A round that is played event by event. Seats are those of its winds, 0 the dealer."""

    rule: dict[str, Any]
    head: dict[str, Any]
    hands: list[list[int]] = field(default_factory=list)
    melded: list[list[int]] = field(default_factory=lambda: [[] for _ in SEATS])
    rivers: list[list[int]] = field(default_factory=lambda: [[] for _ in SEATS])
    called_away: set[int] = field(default_factory=set)
    riichi: set[int] = field(default_factory=set)
    passed: list[list[tuple[tuple[int, ...], int]]] = field(default_factory=lambda: [[] for _ in SEATS])
    draws: int = 0
    calls: int = 0
    kans: list[int] = field(default_factory=list)
    fourth_kan_open: bool = False
    offered: tuple[int, int] | None = None
    due: bool = False
    overrun: bool = False
    winners: int = 0

    def waits(self, seat: int) -> frozenset[int]:
        """Give the waits of a hand between turns."""
        return waits(tuple(sorted(self.hands[seat])))

    def play(self, name: str, fields: dict[str, Any]) -> Iterator[tuple[str, str, int | None]]:
        """Play one event and yield (rule, code, seat) of each violation."""
        seat = fields.get("l")
        ends = name == "hule" or (name == "pingju" and fields["name"] in ABORTS)
        if self.due and name != "kaigang":
            if not ends and not self.overrun:
                self.overrun = True
                yield "aborts", "X106", seat
            self.due = False
        if self.offered and name not in ("hule", "kaigang"):
            source, kind = self.offered
            self.offered = None
            for other in set(SEATS) - {source}:
                self.passed[other].append((tuple(sorted(self.hands[other])), kind))
        if name != "kaigang":
            yield from getattr(self, f"_{name}")(fields)

    def _zimo(self, fields: dict[str, Any]) -> Iterator[tuple[str, str, int | None]]:
        self.draws += 1
        self.hands[fields["l"]].append(kind_of(fields["p"]))
        if fields["l"] not in self.riichi:
            self.passed[fields["l"]].clear()
        yield from ()

    _gangzimo = _zimo

    def _dapai(self, fields: dict[str, Any]) -> Iterator[tuple[str, str, int | None]]:
        seat, kind = fields["l"], kind_of(fields["p"])
        self.hands[seat].remove(kind)
        self.rivers[seat].append(kind)
        self.offered = (seat, kind)
        firsts = [tile for river in self.rivers for tile in river]
        same_wind = not self.calls and len(firsts) == 4 and len(set(firsts)) == 1 and kind in WINDS
        four_riichi = False
        if "*" in fields["p"]:
            self.riichi.add(seat)
            four_riichi = len(self.riichi) == 4
            if LIVE - self.draws < NEXT_DRAW:
                yield "a draw after riichi", "R105", seat
            if self.head["defen"][seat] < STICK:
                yield "points for riichi", "R104", seat
            if not self._own_waits(seat):
                yield "fifth tiles of melds", "R102", seat
        self.due = same_wind or four_riichi or (self.fourth_kan_open and len(set(self.kans[:4])) > 1)
        self.fourth_kan_open = False

    def _own_waits(self, seat: int) -> set[int]:
        """Give the waits of which the whole hand does not hold four."""
        whole = Counter(self.hands[seat] + self.melded[seat])
        return {kind for kind in self.waits(seat) if whole[kind] < 4}

    def _fulou(self, fields: dict[str, Any]) -> Iterator[tuple[str, str, int | None]]:
        seat, meld = fields["l"], fields["m"]
        self.calls += 1
        mark = next(place for place, letter in enumerate(meld) if letter in "+=-")
        called = meld[mark - 1]
        own = meld[0] + meld[1 : mark - 1] + meld[mark + 1 :]
        for kind in kinds_of(own):
            self.hands[seat].remove(kind)
        self.melded[seat] += [*kinds_of(own), kind_of(meld[0] + called)]
        self.called_away.add((seat + {"+": 1, "=": 2, "-": 3}[meld[mark]]) % 4)
        self._kan(seat, len(kinds_of(meld)))
        yield from ()

    def _kan(self, seat: int, size: int) -> None:
        if size == 4:
            self.kans.append(seat)
            self.fourth_kan_open = len(self.kans) == 4

    def _gang(self, fields: dict[str, Any]) -> Iterator[tuple[str, str, int | None]]:
        seat, meld = fields["l"], fields["m"]
        self.calls += 1
        added = any(mark in meld for mark in "+=-")
        kinds = kinds_of(meld)
        for kind in kinds[:1] if added else kinds:
            self.hands[seat].remove(kind)
        self.melded[seat] += kinds[:1] if added else kinds
        if added:
            self.offered = (seat, kinds[0])
        self._kan(seat, len(kinds))
        yield from ()

    def _hule(self, fields: dict[str, Any]) -> Iterator[tuple[str, str, int | None]]:
        self.winners += 1
        seat = fields["l"]
        if fields["baojia"] is None:
            return
        if self.winners == 2:
            yield "one winner", "W110", seat
        if self.winners == 3:
            yield "three calls abort", "W110", seat
        barred = any(kind in waits(hand) for hand, kind in self.passed[seat])
        if barred or set(self.rivers[seat]) & self.waits(seat):
            yield "furiten until a draw", "W103", seat

    def _pingju(self, fields: dict[str, Any]) -> Iterator[tuple[str, str, int | None]]:
        name = fields["name"]
        if name in ABORTS:
            yield "no aborts", "X104", None
        if name not in WALL_ENDS:
            return
        nagashi = any(set(river) <= ORPHANS and seat not in self.called_away for seat, river in enumerate(self.rivers))
        if name == "流し満貫":
            yield "no nagashi", "X107", None
        elif nagashi:
            yield "nagashi", "X107", None
        if name == "荒牌平局" and any(fields["fenpei"]):
            yield "no noten payments", "P106", None
        for seat, shown in enumerate(fields["shoupai"]):
            matters = self.rule["ノーテン罰あり"] or (seat == 0 and self.rule["連荘方式"] == 2)
            if shown and not self._own_waits(seat):
                yield "fifth tiles of melds", "X102", seat
            if not shown and matters and self.waits(seat):
                yield "tenpai open", "X103", seat


def counted(games: list[dict[str, Any]]) -> dict[str, set[tuple[int, Place]]]:
    """Play all games; give the violations of every stricter rule by game and event."""
    found: dict[str, set[tuple[int, Place]]] = defaultdict(set)
    for number, game in enumerate(games):
        event = 0
        for events in game["paipu"]["log"]:
            head = events[0]["qipai"]
            round_ = Round(game["rule"], head, [kinds_of(hand) for hand in head["shoupai"]])
            for each in events:
                ((name, fields),) = each.items()
                for rule, code, seat in round_.play(name, fields) if name != "qipai" else ():
                    turned = None if seat is None else (seat + head["jushu"]) % 4
                    found[rule].add((number, (event, code, turned)))
                event += 1
    return found


def audited(games: list[dict[str, Any]]) -> dict[str, set[tuple[int, Place]]]:
    """Audit the games under every stricter rule; give the findings of its codes by game and event."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, game in enumerate(games):
        groups[json.dumps(game["rule"])].append(number)
    found: dict[str, set[tuple[int, Place]]] = defaultdict(set)
    for text, numbers in groups.items():
        lines = [json.dumps(games[number]["paipu"], ensure_ascii=False) for number in numbers]
        data = "\n".join(lines).encode()
        source = log_files.unpack(log_files.Source("games.jsonl", len(data), hashlib.sha256(data).hexdigest()), data)
        for names in TOGETHER:
            changes = {rule: value for name in names for rule, value in STRICTER[name].items()}
            name_of = {code: name for name in names for code in CODES[name]}
            options = Options(from_majiang(json.loads(text)).changed(**changes), tuple(name_of))
            table = audit([source], options).tables["findings"]
            for within, event, code, seat in table.select("within", "event", "code", "seat").iter_rows():
                who = None if code in ("X107", "P106", "X104") else seat
                found[name_of[code]].add((numbers[int(within or 1) - 1], (event, code, who)))
    return found

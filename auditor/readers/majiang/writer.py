"""Writes games as paipu of 電脳麻将 (auditor/readers/majiang/FORMAT.md). The format has four players."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from auditor.log.tables import SEATS
from auditor.readers.contract import Writer
from auditor.readers.written.game import Hands, UnwritableError, is_tsumogiri, total_han, with_indicators
from engine.rules.majiang import rule_object
from engine.rules.rule_sets import PARAMETERS, RULE_NAMES, from_majiang
from engine.tiles import kinds
from engine.yaku.all_yaku import BY_ID

if TYPE_CHECKING:
    from collections.abc import Iterable

    from auditor.readers.written.game import Event, Game, Result, Round, Row

_TILES = [
    *(f"{suit}{digit}" for suit in "mps" for digit in range(1, 10)),
    *(f"z{digit}" for digit in range(1, 8)),
    "m0",
    "p0",
    "s0",
]
"""The names of the engine's 37 tiles."""
_HIDDEN = "_"
_MARKS = {1: "+", 2: "=", 3: "-"}
_DRAWS = {
    "exhaustive": "荒牌平局", "nagashi": "流し満貫", "kyuushu": "九種九牌", "four_winds": "四風連打",
    "four_riichi": "四家立直", "four_kans": "四開槓", "triple_ron": "三家和",
}  # fmt: skip
_WINDS = "東南西北"
_DORAS = (52, 53, 54)


def write(game: Game) -> tuple[str, list[str]]:
    """Return a game as text, and what it lacks because the log or the format cannot tell it.

    Raises
    ------
    UnwritableError
        if three play

    """
    if game.players != SEATS:
        raise UnwritableError("three players: a paipu of 電脳麻将 has four")
    writer = _Writer(with_indicators(game, "after_draw"))
    rules = {name: getattr(game.rules, name) for name in RULE_NAMES}
    stated = rule_object(rules)
    read_back = from_majiang(stated)
    writer.lacks += [
        f"the rule {name}, which no rule object of 電脳麻将 says so"
        for name, value in rules.items()
        if value is not None and getattr(read_back, name) != value and not PARAMETERS[name].sanma
    ]  # fmt: skip
    text = json.dumps({"rule": stated, "paipu": writer.game_object()}, ensure_ascii=False, separators=(",", ":"))
    return text, writer.lacks


class _Writer:
    """Follows a game and turns its events into those of a paipu."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.lacks = list(game.lacks)

    def game_object(self) -> Row:
        """Return the whole game."""
        row = self.game.row
        found: Row = {"title": row["source"], "player": row["names"] or [""] * SEATS, "qijia": 0}
        found["log"] = [_Round(self, each).events() for each in self.game.rounds]
        if not row["final_scores"]:
            self.lacks.append("final scores")
            return found
        points = row["final_points"]
        if points is None:
            self.lacks.append("final points")
        order = sorted(range(SEATS), key=lambda seat: (-row["final_scores"][seat], seat))
        ranks = row["places"] or [order.index(seat) + 1 for seat in range(SEATS)]
        return found | {
            "defen": row["final_scores"],
            "rank": ranks,
            "point": [f"{each:.1f}" if each % 1 else f"{each:.0f}" for each in points or [0.0] * SEATS],
        }


class _Round:
    """Writes one round, in which seats count from the dealer."""

    def __init__(self, writer: _Writer, played: Round) -> None:
        self.game, self.lacks, self.played = writer.game, writer.lacks, played
        self.where = f"round {played.row['nth']}"
        self.dealer = played.row["dealer"] or 0
        self.hands = Hands(played)
        self.melds: dict[int, list[str]] = {seat: [] for seat in range(SEATS)}
        self.drawn: tuple[int, int | None] | None = None
        self.riichi: set[int] = set()
        self.replaced = False
        self.last: Event | None = None

    def events(self) -> list[Row]:
        """Return all events of the round."""
        found, results = [self._deal()], iter(self.played.results)
        for each in self.played.events:
            if each.kind == "result":
                found.append(self._result(next(results)))
            else:
                found += self._event(each)
        if not self.played.results:
            self.lacks.append(f"{self.where}: its result")
        return found

    def _place(self, seat: int | None) -> int:
        return ((seat or 0) - self.dealer) % SEATS

    def _by_place(self, values: list[Any]) -> list[Any]:
        return [values[(place + self.dealer) % SEATS] for place in range(SEATS)]

    def _tile(self, tile_id: int | None) -> str:
        return _HIDDEN if tile_id is None else _TILES[self.game.tile(tile_id)]

    def _hand(self, tile_ids: Iterable[int]) -> str:
        """Return concealed tiles: by suit, a red five before plain fives."""
        tiles = sorted((self.game.tile(each) for each in tile_ids), key=lambda each: (_kind(each), each < kinds.KINDS))
        found, suit = "", ""
        for name in (_TILES[each] for each in tiles):
            found += name[1] if name[0] == suit else name
            suit = name[0]
        return found

    def _deal(self) -> Row:
        row = self.played.row
        self.lacks += [
            f"{self.where}: {name}"
            for name in ("wind", "dealer", "honba", "sticks", "start", "dora")
            if row[name] is None
        ]
        return {"qipai": {
            "zhuangfeng": row["wind"] or 0, "jushu": self.dealer, "changbang": row["honba"] or 0,
            "lizhibang": row["sticks"] or 0, "defen": self._by_place(row["start"] or [0] * SEATS),
            "baopai": self._tile(row["dora"]),
            "shoupai": [self._hand(each) for each in self._by_place(self.played.dealt)],
        }}  # fmt: skip

    def _event(self, event: Event) -> list[Row]:
        """Return an event of play; a riichi is a mark of the discard, and its payment is not written."""
        place = self._place(event.seat)
        match event.kind:
            case "draw":
                name = "gangzimo" if self.replaced else "zimo"
                found: Row = {name: {"l": place, "p": self._tile(event.tile)}}
                self.drawn, self.replaced = (event.seat or 0, event.tile), False
            case "discard":
                own = self.drawn[1] if self.drawn and self.drawn[0] == event.seat else None
                marks = "_" * is_tsumogiri(event, own) + "*" * (event.seat in self.riichi)
                found = {"dapai": {"l": place, "p": self._tile(event.tile) + marks}}
                self.riichi.discard(event.seat or 0)
                self.drawn = None
            case "dora":
                return [{"kaigang": {"baopai": self._tile(event.tile)}}]
            case "riichi":
                self.riichi.add(event.seat or 0)
                return []
            case "deposit":
                return []
            case "leave" | "return":
                self.lacks.append(f"{self.where}: that seat {event.seat} {event.kind}s")
                return []
            case _:
                own_kan = event.kind in {"ankan", "kakan"}
                found = {"gang" if own_kan else "fulou": {"l": place, "m": self._meld(event)}}
                self.replaced, self.drawn = own_kan or event.kind == "daiminkan", None
        self.hands.follow(event)
        self.last = event
        return [found]

    def _meld(self, event: Event) -> str:
        """Return the text of a meld, and keep it for the winner's hand."""
        seat = event.seat or 0
        called, *others = (self._tile(each) for each in event.tiles or (event.tile,))
        suit = called[0]
        mark = "" if event.source is None else _MARKS.get((event.source - seat) % SEATS, "")
        if event.kind == "chi":
            digits = sorted([called, *others], key=lambda name: int(name[1]) or 5)
            at = digits.index(called)
            text = suit + "".join(name[1] + (mark if number == at else "") for number, name in enumerate(digits))
        elif event.kind == "kakan":
            pon = next(
                (
                    each
                    for each in self.melds[seat]
                    if each[0] == suit and _five(each[1]) == _five(called[1]) and each[-1] in "+=-"
                ),
                None,
            )
            if pon is None:
                raise UnwritableError(f"{self.where}: a kakan of seat {seat} without its pon")
            self.melds[seat].remove(pon)
            text = pon + called[1]
        else:
            text = suit + "".join(sorted(name[1] for name in others)) + called[1] + mark
            if event.kind == "ankan":
                text = suit + "".join(sorted(text[1:]))
        self.melds[seat].append(text)
        return text

    def _result(self, result: Result) -> Row:
        claim = result.claim
        moved = self._by_place([each or 0 for each in claim["deltas"] or [0] * SEATS])
        if claim["deltas"] is None:
            self.lacks.append(f"{self.where}: changes of score")
        if claim["reason"] == "win":
            return {"hule": self._win(result) | {"fenpei": moved}}
        if claim["reason"] is None:
            self.lacks.append(f"{self.where}: why it is drawn")
        shown = [self._shown(result, seat) if seat in result.shown else "" for seat in range(SEATS)]
        return {
            "pingju": {
                "name": _DRAWS.get(claim["reason"] or "", "流局"),
                "shoupai": self._by_place(shown),
                "fenpei": moved,
            }
        }

    def _shown(self, result: Result, seat: int) -> str:
        return ",".join([self._hand(result.shown[seat] or self.hands.of[seat]), *self.melds[seat]])

    def _win(self, result: Result) -> Row:
        """Return the fields of a win but the changes of score."""
        claim = result.claim
        winner, payer = claim["winner"] or 0, claim["payer"]
        won = self.last.tile if self.last else claim["win_tile_id"]
        hand = list(self.hands.of[winner])
        if winner == payer and won in hand:
            hand.remove(won)
        riichi = any(each.kind == "riichi" and each.seat == winner for each in self.played.events)
        text = self._hand(hand) + self._tile(won) + "*" * riichi
        found: Row = {
            "l": self._place(winner),
            "shoupai": ",".join([text, *self.melds[winner]]),
            "baojia": None if payer == winner else self._place(payer),
            "fubaopai": [self._tile(each) for each in claim["ura"]] if claim["ura"] else None,
        }
        if claim["yakuman"]:
            units = claim["units"] or [1] * len(claim["yakuman"])
            found["damanguan"] = claim["total_units"] if claim["total_units"] is not None else sum(units)
        else:
            found |= {"fu": claim["fu"] or 0, "fanshu": total_han(claim)}
            if claim["fu"] is None:
                self.lacks.append(f"{self.where}: fu")
        if claim["points"] is None:
            self.lacks.append(f"{self.where}: points")
        return found | {"defen": claim["points"] or 0, "hupai": self._yaku(claim, winner)}

    def _yaku(self, claim: Row, winner: int) -> list[Row]:
        """Return the list of yaku; dora are listed only if they are worth something."""
        pairs = zip(claim["yaku"] or (), claim["han"] or (), strict=True)
        found: list[Row] = [
            {"name": _name(number), "fanshu": han} for number, han in pairs if han or number not in _DORAS
        ]
        units = claim["units"] or [1] * len(claim["yakuman"] or ())
        for number, each in zip(claim["yakuman"] or (), units, strict=True):
            entry: Row = {"name": _name(number), "fanshu": "*" * each}
            if claim["liable"] is not None:
                entry["baojia"] = _MARKS.get((claim["liable"] - winner) % SEATS)
            found.append(entry)
        return found


def _kind(tile: int) -> int:
    """Return the kind of one of the 37 tiles."""
    return tile if tile < kinds.KINDS else 9 * (tile - kinds.KINDS) + 4


def _five(digit: str) -> str:
    """Return the digit of a tile, a red five as a five."""
    return "5" if digit == "0" else digit


def _name(number: int) -> str:
    """Return a yaku as 電脳麻将 names it."""
    if 10 <= number < 18:
        return f"{'自風' if number < 14 else '場風'} {_WINDS[(number - 10) % 4]}"
    return (BY_ID[number].majiang or BY_ID[number].kanji) if number in BY_ID else "?"


WRITER = Writer(".json", write, frozenset({"yaku", "fu", "points", "final_points", "tenpai"}))

"""Writes games in mjai, in its oldest and fullest dialect, that of gimite's server (auditor/readers/mjai/FORMAT.md)."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from auditor.log.event_kinds import PLAYS
from auditor.log.tables import SEATS
from auditor.readers.contract import Writer
from auditor.readers.mjai.yaku_names import (
    DRAGONS,
    GIMITE,
    OF_DRAGONS,
    OF_ROUND,
    OF_SEAT,
    ONE_NAME,
    ROUND_WIND,
    SEAT_WIND,
    YAKUMAN_HAN,
)  # fmt: skip
from auditor.readers.written.game import Hands, is_tsumogiri, with_indicators
from engine.tiles import kinds

if TYPE_CHECKING:
    from auditor.readers.written.game import Event, Game, Result, Round, Row

HIDDEN = "?"
_NAMES = [
    *(f"{digit}{suit}" for suit in "mps" for digit in range(1, 10)), *"ESWNPFC", *(f"5{suit}r" for suit in "mps"),
]  # fmt: skip
"""The names of the engine's 37 tiles."""
REASONS = {
    "exhaustive": "fanpai", "nagashi": "nagashimangan", "kyuushu": "kyushukyuhai", "four_winds": "sufonrenta",
    "four_riichi": "suchareach", "four_kans": "sukaikan", "triple_ron": "sanchaho",
}  # fmt: skip
_UNKNOWN = "unknown"
_NAME_OF = {number: name for name, number in GIMITE.items()}
_NAME_OF |= dict.fromkeys(range(SEAT_WIND, SEAT_WIND + 4), _NAME_OF[OF_SEAT])
_NAME_OF |= dict.fromkeys(range(ROUND_WIND, ROUND_WIND + 4), _NAME_OF[OF_ROUND])
_NAME_OF |= dict.fromkeys(DRAGONS, _NAME_OF[OF_DRAGONS])
"""The name of each yaku on gimite's server."""
_STICK = 1000


def write(game: Game) -> tuple[str, list[str]]:
    """Return a game as text, and what it lacks because the log or the format cannot tell it."""
    writer = _Writer(with_indicators(game, "before_draw"))
    return "".join(
        json.dumps(each, ensure_ascii=False, separators=(",", ":")) + "\n" for each in writer.events()
    ), writer.lacks


class _Writer:
    """Follows a game and turns its events into those of mjai."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.lacks = list(game.lacks)
        self.scores: list[int] = []

    def events(self) -> list[Row]:
        """Return all events of the game."""
        row = self.game.row
        names = row["names"] or [""] * self.game.players
        length = {1: "tonpu", 2: "tonnan"}.get(self.game.rules.game_length or 0)
        start: Row = {"type": "start_game", "names": names, "uri": row["source"]}
        if self.game.rules.red_fives is not None:
            start["aka_flag"] = any(self.game.rules.red_fives)
        if length:
            start["gametype"] = length
        found = [start]
        for each in self.game.rounds:
            found += self._round(each)
        if row["final_scores"]:
            found.append({"type": "end_game", "scores": self._seated(row["final_scores"])})
        else:
            self.lacks.append("final scores")
            found += [{"type": "end_game"}] if row["ended"] else []
        if row["final_points"]:
            self.lacks.append("final points")
        return found

    def _seated(self, values: list[Any]) -> list[Any]:
        return values[: self.game.players]

    def _tile(self, tile_id: int | None) -> str:
        return HIDDEN if tile_id is None else _NAMES[self.game.tile(tile_id)]

    def _tiles(self, tile_ids: list[int]) -> list[str]:
        order = [self.game.tile(each) for each in tile_ids]
        return [_NAMES[each] for each in sorted(order, key=lambda each: (_kind(each), each < kinds.KINDS))]

    def _round(self, played: Round) -> list[Row]:
        """Return the events of one round."""
        row, where = played.row, f"round {played.row['nth']}"
        self.lacks += [
            f"{where}: {name}" for name in ("wind", "dealer", "honba", "sticks", "start", "dora") if row[name] is None
        ]
        self.scores = [each or 0 for each in row["start"] or [0] * SEATS]
        hands = Hands(played)
        start: Row = {
            "type": "start_kyoku",
            "bakaze": "ESWN"[row["wind"] or 0],
            "kyoku": (row["dealer"] or 0) + 1,
            "honba": row["honba"] or 0,
            "kyotaku": row["sticks"] or 0,
            "oya": row["dealer"] or 0,
            "dora_marker": self._tile(row["dora"]),
            "tehais": [self._tiles(each) or [HIDDEN] * 13 for each in self._seated(played.dealt)],
        }
        if row["start"]:
            start["scores"] = self._seated(self.scores)
        found, last = [start], None
        drawn: dict[int | None, int | None] = {}
        results = iter(played.results)
        for each in played.events:
            if each.kind == "result":
                found.append(self._result(next(results), hands, last, where))
                continue
            found += self._event(each, drawn.get(each.seat), where)
            hands.follow(each)
            if each.kind in PLAYS:
                drawn = {each.seat: each.tile} if each.kind == "draw" else {}
            last = each if each.kind in {"draw", "discard", "kakan", "kita", "ankan"} else last
        if not played.results:
            self.lacks.append(f"{where}: its result")
        return [*found, {"type": "end_kyoku"}]

    def _event(self, event: Event, drawn: int | None, where: str) -> list[Row]:
        """Return an event of play."""
        actor, tile = event.seat, self._tile(event.tile)
        others = [self._tile(each) for each in event.tiles[1:]]
        found: Row = {"type": event.kind, "actor": actor}
        match event.kind:
            case "draw":
                found |= {"type": "tsumo", "pai": tile}
            case "discard":
                found |= {"type": "dahai", "pai": tile, "tsumogiri": is_tsumogiri(event, drawn)}
            case "chi" | "pon" | "daiminkan":
                found |= {"target": event.source, "pai": tile, "consumed": others}
            case "kakan":
                found |= {"pai": tile, "consumed": others}
            case "ankan":
                found |= {"consumed": [tile, *others]}
            case "kita":
                found |= {"type": "nukidora", "pai": tile}
            case "riichi":
                found["type"] = "reach"
            case "deposit":
                found = self._deposit(actor or 0)
            case "dora":
                found = {"type": "dora", "dora_marker": tile}
            case _:
                self.lacks.append(f"{where}: that seat {actor} {event.kind}s")
                return []
        return [found]

    def _deposit(self, seat: int) -> Row:
        stick = self.game.rules.riichi_stick_value
        paid = _STICK if stick is None else stick
        deltas = [-paid if each == seat else 0 for each in range(self.game.players)]
        self.scores[seat] -= paid
        return {"type": "reach_accepted", "actor": seat, "deltas": deltas, "scores": self._seated(self.scores)}

    def _result(self, result: Result, hands: Hands, last: Event | None, where: str) -> Row:
        """Return a win or a draw."""
        claim = result.claim
        found = self._win(result, hands, last) if claim["reason"] == "win" else self._draw(result, hands, where)
        if claim["deltas"] is None:
            self.lacks.append(f"{where}: changes of score")
            return found
        moved = [each or 0 for each in claim["deltas"]]
        before = [each or 0 for each in claim["before"] or self.scores]
        self.scores = [score + change for score, change in zip(before, moved, strict=True)]
        return {**found, "deltas": self._seated(moved), "scores": self._seated([each or 0 for each in self.scores])}

    def _win(self, result: Result, hands: Hands, last: Event | None) -> Row:
        claim = result.claim
        winner, payer = claim["winner"], claim["payer"]
        won = claim["win_tile_id"] if claim["win_tile_id"] is not None else last.tile if last else None
        found: Row = {"type": "hora", "actor": winner, "target": payer, "pai": self._tile(won)}
        if claim["ura"]:
            found["uradora_markers"] = [self._tile(each) for each in claim["ura"]]
        hand = list(result.shown.get(winner) or hands.of[winner if winner is not None else 0])
        if won in hand and (winner == payer or winner in result.shown):
            hand.remove(won)
        found["hora_tehais"] = [*self._tiles(hand), *([self._tile(won)] if winner == payer else [])]
        if claim["yaku"] is not None or claim["yakuman"] is not None:
            found["yakus"] = _yaku(claim)
        stated = {"fu": claim["fu"], "fan": claim["total_han"], "hora_points": claim["points"], "pao": claim["liable"]}
        return found | {name: value for name, value in stated.items() if value is not None}

    def _draw(self, result: Result, played: Hands, where: str) -> Row:
        reason = result.claim["reason"]
        if reason is None:
            self.lacks.append(f"{where}: why it is drawn")
        shown = [seat in result.shown for seat in range(self.game.players)]
        hands = [
            self._tiles(result.shown[seat] or played.of[seat]) if is_shown else []
            for seat, is_shown in enumerate(shown)
        ]
        found: Row = {"type": "ryukyoku", "reason": REASONS.get(reason or "", "unknown"), "tenpais": shown}
        return found | {"tehais": [hand or [HIDDEN] * 13 for hand in hands]}


def _yaku(claim: Row) -> list[list[Any]]:
    """Return pairs of name and han; all sets of dragons are one yaku, and a yakuman has a hundred han."""
    han: Counter[str] = Counter()
    for number, worth in zip(claim["yaku"] or (), claim["han"] or (), strict=True):
        if worth:
            han[_NAME_OF.get(number, _UNKNOWN)] += worth
    for number in claim["yakuman"] or ():
        han[_NAME_OF.get(ONE_NAME.get(number, number), _UNKNOWN)] += YAKUMAN_HAN
    return [[name, worth] for name, worth in han.items()]


def _kind(tile: int) -> int:
    """Return the kind of one of the 37 tiles."""
    return tile if tile < kinds.KINDS else 9 * (tile - kinds.KINDS) + 4


WRITER = Writer(".mjson", write, frozenset({"tenpai"}))

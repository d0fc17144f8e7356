"""Writes games in Tenhou's JSON (auditor/readers/tenhou_json/FORMAT.md).

The format has no order of turns between seats, no time of indicators, no winner's hand and no disconnections.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from auditor.log.tables import SEATS
from auditor.readers.contract import Writer
from auditor.readers.tenhou_ids import log_id
from auditor.readers.written.game import UnwritableError, is_tsumogiri, limit_of, other_rules, total_han
from engine.yaku.all_yaku import BY_ID

if TYPE_CHECKING:
    from auditor.readers.written.game import Event, Game, Result, Round

_SUITS = 3
_DRAWS = {
    "exhaustive": "流局", "nagashi": "流し満貫", "kyuushu": "九種九牌", "four_winds": "四風連打",
    "four_riichi": "四家立直", "four_kans": "四槓散了", "triple_ron": "三家和了",
}  # fmt: skip
_ALL, _NOBODY = "全員聴牌", "全員不聴"
_LIMITS = {1: "満貫", 2: "跳満", 3: "倍満", 4: "三倍満", 5: "役満"}
_WIND = "東南西北"
_SEAT_WINDS, _ROUND_WINDS = range(10, 14), range(14, 18)
_NAMES = {47: "国士無双", 48: "国士無双１３面", 52: "ドラ", 53: "裏ドラ", 54: "赤ドラ"}
_LETTERS = {"chi": ("c", {3: 0}), "pon": ("p", {3: 0, 2: 1, 1: 2}), "daiminkan": ("m", {3: 0, 2: 1, 1: 3})}
"""The letter of a call, and before which of the other tiles it stands, by the feeder's seat relative to the caller."""
_URA = 53
_SAID_BY_RULE = frozenset({"red_fives", "open_tanyao", "game_length", "players"})


def write(game: Game) -> tuple[str, list[str]]:
    """Return a game as text, and what it lacks because the log or the format cannot tell it."""
    lacks = list(game.lacks)
    row = game.row
    named = log_id(row["source"])
    if not named:
        lacks += [f"the rule {name}, which Tenhou's JSON cannot say" for name in other_rules(game, _SAID_BY_RULE)]
    head: dict[str, Any] = {"ver": 2.3, "ref": named.text if named else row["game_id"]} if row["final_scores"] else {}
    head["log"] = [_round(game, each, lacks) for each in game.rounds]
    head["name"] = [*(row["names"] or [""] * game.players), *[""] * (SEATS - game.players)]
    head["rule"] = _rule(game)
    if row["ranks"]:
        head["dan"] = [*row["ranks"], *[""] * (SEATS - game.players)]
    if row["ratings"]:
        head["rate"] = [*row["ratings"], *[0] * (SEATS - game.players)]
    if row["final_scores"]:
        points = row["final_points"] or [0] * SEATS
        head["sc"] = [each or 0 for pair in zip(row["final_scores"], points, strict=True) for each in pair]
        if row["final_points"] is None:
            lacks.append("final points")
    return json.dumps(head, ensure_ascii=False, separators=(",", ":")), lacks


def _rule(game: Game) -> dict[str, Any]:
    length = {1: "東", 2: "南"}.get(game.rules.game_length or 0, "")
    three = "三" if game.players < SEATS else ""
    disp = f"{three}{length}{'喰' if game.rules.open_tanyao else ''}{'赤' if game.has_red_fives else ''}"
    if game.rules.red_fives is None:
        return {"disp": disp}
    return {"disp": disp, **{f"aka5{suit}": number for suit, number in enumerate(game.rules.red_fives, 1)}}


def _number(game: Game, tile_id: int | None) -> int:
    """Return the number of a tile."""
    if tile_id is None:
        raise UnwritableError("a tile that the log does not name")
    tile = game.tile(tile_id)
    return 51 + tile - 34 if tile >= 34 else tile // 9 * 10 + tile % 9 + 11


def _round(game: Game, played: Round, lacks: list[str]) -> list[Any]:
    """Return a round as its list of seventeen."""
    row = played.row
    where = f"round {row['nth']}"
    indicators = [row["dora"], *(each.tile for each in played.events if each.kind == "dora")]
    ura: list[int] = next((each.claim["ura"] for each in played.results if each.claim["ura"]), [])
    lists: list[list[Any]] = [[] for _ in range(3 * SEATS)]
    for seat, dealt in enumerate(played.dealt):
        if not dealt and seat < game.players:
            raise UnwritableError(f"{where}: a hand that the log does not show")
        lists[3 * seat] = [_number(game, tile) for tile in sorted(dealt)]
    _turns(game, played, lists)
    if row["wind"] is None or row["dealer"] is None:
        lacks.append(f"{where}: wind and dealer")
    counters = [SEATS * (row["wind"] or 0) + (row["dealer"] or 0), row["honba"] or 0, row["sticks"] or 0]
    scores = [each or 0 for each in row["start"] or [0] * SEATS]
    lacks += [
        f"{where}: {what}" for what, value in (("scores", row["start"]), ("honba", row["honba"])) if value is None
    ]
    lacks += [
        f"{where}: that seat {each.seat} {each.kind}s" for each in played.events if each.kind in {"leave", "return"}
    ]
    shown = [_number(game, tile) for tile in indicators if tile is not None]
    return [counters, scores, shown, [_number(game, tile) for tile in ura], *lists, _result(game, played, lacks, where)]


def _turns(game: Game, played: Round, lists: list[list[Any]]) -> None:
    """Fill the lists of takes and discards of each seat."""
    drawn: dict[int, int | None] = {}
    riichi: set[int] = set()
    for each in played.events:
        if each.seat is None or each.kind in {"deposit", "leave", "return"}:
            continue
        takes, discards = lists[3 * each.seat + 1], lists[3 * each.seat + 2]
        if each.kind == "riichi":
            riichi.add(each.seat)
        elif each.kind == "draw":
            takes.append(_number(game, each.tile))
            drawn[each.seat] = each.tile
        elif each.kind == "discard":
            own = drawn.pop(each.seat, None)
            thrown = 60 if is_tsumogiri(each, own) else _number(game, each.tile)
            discards.append(f"r{thrown}" if each.seat in riichi else thrown)
            riichi.discard(each.seat)
        elif each.kind in _LETTERS:
            takes.append(_call(game, each))
            drawn.pop(each.seat, None)
            if each.kind == "daiminkan":
                discards.append(0)
        else:
            discards.append(_kan(game, each, played))
            drawn.pop(each.seat, None)


def _call(game: Game, event: Event) -> str:
    """Return a call as text: the letter before the called tile, at the place that names the feeder."""
    letter, places = _LETTERS[event.kind]
    called, *others = (f"{_number(game, tile)}" for tile in event.tiles)
    seat, source = event.seat or 0, event.source
    place = places.get((source - seat) % SEATS, 0) if source is not None else 0
    others.insert(place, letter + called)
    return "".join(others)


def _kan(game: Game, event: Event, played: Round) -> str:
    """Return a kakan, an ankan or a kita as text."""
    tiles = [f"{_number(game, tile)}" for tile in event.tiles] or [f"{_number(game, event.tile)}"]
    if event.kind == "kita":
        return f"f{tiles[0]}"
    if event.kind == "ankan":
        added, *others = tiles
        return f"{''.join(others)}a{added}"
    # A kakan repeats the text of its pon, with the added tile before the called one.
    pon = next(
        (each for each in played.events if each.kind == "pon" and each.seat == event.seat and _same(game, each, event)),
        None,
    )
    if pon is None or pon.source is None:
        return "k" + "".join(tiles)
    called, *others = (f"{_number(game, tile)}" for tile in pon.tiles)
    place = _LETTERS["pon"][1].get((pon.source - (event.seat or 0)) % SEATS, 0)
    others.insert(place, f"k{tiles[0]}{called}")
    return "".join(others)


def _same(game: Game, one: Event, other: Event) -> bool:
    """Return whether two melds are of the same kind of tile."""
    kinds = [game.tile(each.tiles[0] if each.tiles else each.tile or 0) for each in (one, other)]
    fives = [tile if tile < 34 else 9 * (tile - 34) + 4 for tile in kinds]
    return fives[0] == fives[1]


def _result(game: Game, played: Round, lacks: list[str], where: str) -> list[Any]:
    """Return the result of a round; an empty list if it has none."""
    if not played.results:
        lacks.append(f"{where}: its result")
        return []
    first = played.results[0].claim
    if first["reason"] != "win":
        return _draw(game, played.results[0], lacks, where)
    found: list[Any] = ["和了"]
    for each in played.results:
        found += [_moved(each, lacks, where), _detail(game, played, each, lacks, where)]
    return found


def _moved(result: Result, lacks: list[str], where: str) -> list[int]:
    if result.claim["deltas"] is None:
        lacks.append(f"{where}: changes of score")
    return [each or 0 for each in result.claim["deltas"] or [0] * SEATS]


def _draw(game: Game, result: Result, lacks: list[str], where: str) -> list[Any]:
    reason = result.claim["reason"]
    if reason is None:
        lacks.append(f"{where}: why it is drawn")
        return ["流局", _moved(result, lacks, where)]
    unpaid = result.claim["deltas"] is not None and not any(result.claim["deltas"])
    if reason == "exhaustive" and unpaid and not result.untold:
        if len(result.shown) == game.players:
            return [_ALL]
        if not result.shown:
            return [_NOBODY]
    return [_DRAWS[reason], _moved(result, lacks, where)] if reason in {"exhaustive", "nagashi"} else [_DRAWS[reason]]


def _detail(game: Game, played: Round, result: Result, lacks: list[str], where: str) -> list[Any]:
    claim = result.claim
    winner, payer = claim["winner"], claim["payer"]
    if winner is None or payer is None:
        lacks.append(f"{where}: who wins")
        winner, payer = winner or 0, payer or 0
    found = [winner, payer, winner if claim["liable"] is None else claim["liable"]]
    text = _points(game, played, claim)
    if text is None:
        lacks.append(f"{where}: what the hand is worth")
        return found[:2] if claim["yaku"] is None and claim["yakuman"] is None else found
    names = [_yaku(number, f"{han}飜") for number, han in zip(claim["yaku"] or (), claim["han"] or (), strict=True)
             if han or number != _URA]  # fmt: skip
    return [*found, text, *names, *(_yaku(number, "役満") for number in claim["yakuman"] or ())]


def _yaku(number: int, worth: str) -> str:
    """Return a yaku as Tenhou names it, with its worth."""
    if number in _SEAT_WINDS:
        name = f"自風 {_WIND[number - _SEAT_WINDS.start]}"
    elif number in _ROUND_WINDS:
        name = f"場風 {_WIND[number - _ROUND_WINDS.start]}"
    else:
        name = _NAMES.get(number) or (BY_ID[number].kanji if number in BY_ID else "?")
    return f"{name}({worth})"


def _points(game: Game, played: Round, claim: dict[str, Any]) -> str | None:
    """Return the text of the points; None if the log does not state them."""
    points, limit, fu = claim["points"], claim["limit"], claim["fu"]
    if points is None:
        return None
    total = total_han(claim)
    if limit is None:
        limit = 5 if claim["yakuman"] else limit_of(game, fu, total)
    worth = _LIMITS.get(limit, "") if limit or fu is None else f"{fu}符{total}飜"
    if claim["winner"] != claim["payer"]:
        return f"{worth}{points}点"
    others = game.players - 1
    if claim["winner"] == played.row["dealer"]:
        return f"{worth}{points // others}点∀"
    # The dealer pays twice as much as the others, less at most 100, because each payment is rounded up to hundreds.
    low = -(-points // (100 * (others + 1))) * 100
    return f"{worth}{low}-{points - low * (others - 1)}点"


WRITER = Writer(".json", write, frozenset({"yaku", "fu", "points", "final_points"}))

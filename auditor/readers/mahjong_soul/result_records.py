"""Results of rounds, as records state them: wins, exhaustive draws, aborts (FORMAT.md section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from auditor.log.tables import KINDS
from auditor.log.tile_ids import KIND, NONE, ORDER
from auditor.readers.mahjong_soul.yaku import KITA
from auditor.readers.written.game import limit_of, total_han
from engine.yaku.all_yaku import BY_ID
from engine.yaku.declaration import DORA

if TYPE_CHECKING:
    from auditor.readers.mahjong_soul.writer import RoundRecords
    from auditor.readers.written.game import Event, Game, Result, Row

    Content = dict[str, Any]

_DORA_FAN = 31
_ABORTS = {"kyuushu": 1, "four_winds": 2, "four_kans": 3, "four_riichi": 4, "triple_ron": 5}
_WORDS = {"chi": "shunzi", "pon": "kezi", "daiminkan": "minggang", "kakan": "minggang", "ankan": "angang"}
_COUNTED = 11
_UNITS = 4
"""How far the title of a yakuman is above its units."""
_YAKUMAN = 5


def hule(written: RoundRecords, result: Result) -> Content:
    """Return one win."""
    claim, played, game = result.claim, written.played, written.game
    winner, payer = claim["winner"], claim["payer"]
    dealer, tsumo = played.row["dealer"] == winner, winner == payer
    _name_payer(written, claim)
    won = claim["win_tile_id"] if claim["win_tile_id"] is not None else written.last.tile if written.last else None
    hand = list(result.shown.get(winner) or written.hands.of[winner])
    if won is not None and (result.shown.get(winner) or tsumo):
        _take(written, hand, won)
    beside, number = written.beside, claim["event"]
    riichi = bool(beside.of_win(number, winner, "riichi", winner in written.declared or claim["ura"]))
    yakuman, units = claim["yakuman"] or [], _units(written, claim)
    count = (claim["total_units"] or sum(units)) if yakuman else total_han(claim)
    limit = claim["limit"]
    if limit is None:
        limit = _YAKUMAN if yakuman else limit_of(game, claim["fu"], count)
    found: Content = {
        "hand": written.tiles(hand), "ming": _melds(written, claim), "hu_tile": written.tile(won), "seat": winner,
        "zimo": tsumo, "qinjia": dealer, "liqi": riichi,
        "doras": written.indicators() if claim["dora"] is None else written.tiles(claim["dora"]),
        "li_doras": written.tiles(claim["ura"] or []), "yiman": bool(yakuman), "count": count,
        "fans": _fans(written, claim, units), "fu": claim["fu"],
        "title_id": _UNITS + count if yakuman else _COUNTED if limit == _YAKUMAN else limit,
    }  # fmt: skip
    if yakuman:
        found["title_id"] = min(found["title_id"], _COUNTED)
    if claim["points"] is None:
        written.lacks.append(f"{written.where}: what the hand is worth")
    else:
        worth = {"dadian": beside.of_win(number, winner, "worth", claim["points"])}
        worth["point_sum"] = beside.of_win(number, winner, "won", None)
        found |= {**worth, **_paid(claim["points"], game.players, dealer=dealer, tsumo=tsumo)}
    liable = _liable(game, claim)
    if liable is not None:
        found |= {"baopai": liable + 1, "baopai_seats": [liable]}
    return found


def _liable(game: Game, claim: Row) -> int | None:
    """Return the seat that is liable: as the log says, or, where no win says so, by who pays."""
    stated: int | None = claim["liable"]
    if stated is not None or game.row["liable_stated"] or claim["deltas"] is None:
        return stated
    paying = [seat for seat, change in enumerate(claim["deltas"]) if change and change < 0]
    if claim["winner"] == claim["payer"]:
        return paying[0] if len(paying) == 1 else None
    return next((seat for seat in paying if seat != claim["payer"]), None) if len(paying) == 2 else None


def _name_payer(written: RoundRecords, claim: Row) -> None:
    """Name a payer that the record does not tell: it is who acted last."""
    last = written.last.seat if written.last else None
    if claim["payer"] is None or claim["payer"] not in {claim["winner"], last}:
        written.lacks.append(f"{written.where}: who deals in")


def _take(written: RoundRecords, hand: list[int], won: int) -> None:
    """Take the winning tile out of a hand, where it is the last: the same tile id, or the same tile."""
    tile = written.game.tile
    same = [at for at, each in enumerate(hand) if each == won] or [
        at for at, each in enumerate(hand) if tile(each) == tile(won)
    ]
    if same:
        del hand[same[-1]]


def _paid(points: int, players: int, *, dealer: bool, tsumo: bool) -> Content:
    """Return who pays how much of a hand's worth, without honba."""
    if not tsumo:
        return {"point_rong": points}
    others = players - 1
    if dealer:
        return {"point_zimo_xian": points // others}
    # The dealer pays twice as much as the others, less at most 100, because each payment is rounded up to hundreds.
    low = -(-points // (100 * (others + 1))) * 100
    return {"point_zimo_qin": points - low * (others - 1), "point_zimo_xian": low}


def _units(written: RoundRecords, claim: Row) -> list[int]:
    """Return the units of each yakuman: those stated, or, if they are not, those of the rules."""
    yakuman, rules = claim["yakuman"] or [], written.game.rules
    if claim["units"] and len(claim["units"]) == len(yakuman):
        return list(claim["units"])
    doubled = [number in BY_ID and BY_ID[number].double for number in yakuman]
    if any(doubled) and claim["total_units"] is None and rules.double_yakuman is None:
        written.lacks.append(f"{written.where}: whether a yakuman is a double one")
    twice = claim["total_units"] > len(yakuman) if claim["total_units"] else bool(rules.double_yakuman)
    return [2 if twice and each else 1 for each in doubled]


def _fans(written: RoundRecords, claim: Row, units: list[int]) -> list[Content]:
    """Return the list of yaku; norths set aside are apart from dora."""
    found: list[Content] = []
    norths = _norths(written, claim)
    for number, han in zip(claim["yaku"] or (), claim["han"] or (), strict=True):
        if number == DORA and norths:
            found += [{"id": _DORA_FAN, "val": han - norths}] if han > norths else []
            found.append({"id": KITA, "val": min(norths, han)})
            norths = 0
        else:
            found.append(_fan(written, number, han))
    found += [_fan(written, number, worth) for number, worth in zip(claim["yakuman"] or (), units, strict=True)]
    return [{name: value for name, value in each.items() if value} for each in found]


def _fan(written: RoundRecords, number: int, worth: int) -> Content:
    fan = BY_ID[number].mahjong_soul if number in BY_ID else 0
    if not fan:
        name = BY_ID[number].kanji if number in BY_ID else "?"
        written.lacks.append(f"{written.where}: the yaku {name}, which Mahjong Soul does not have")
        return {"name": name, "val": worth}
    return {"id": fan, "val": worth}


def _norths(written: RoundRecords, claim: Row) -> int:
    """Return how many norths the winner has set aside."""
    if claim["melds"] is not None:
        return sum(KINDS[signature >> 32] == "kita" for signature in claim["melds"])
    return sum(each.kind == "kita" and each.seat == claim["winner"] for each in written.played.events)


def _melds(written: RoundRecords, claim: Row) -> list[str]:
    """Return the winner's melds in words: those that the win lists, or those of the play."""
    if claim["melds"] is not None:
        listed = [(KINDS[signature >> 32], [tile for tile in signature.to_bytes(8, "big")[4:] if tile < NONE])
                  for signature in claim["melds"]]  # fmt: skip
    else:
        listed = _made([each for each in written.played.events if each.seat == claim["winner"] and each.tiles])
    return [
        f"{_WORDS[kind]}({','.join(written.tiles(sorted(tiles, key=lambda tile: ORDER[tile])))})"
        for kind, tiles in listed
        if kind in _WORDS
    ]


def _made(events: list[Event]) -> list[tuple[str, list[int]]]:
    """Return the melds that a seat's events make; a kakan takes the place of its pon."""
    found: list[tuple[str, list[int]]] = []
    for each in events:
        if each.kind == "kakan":
            found = [one for one in found if one[0] != "pon" or KIND[one[1][0]] != KIND[each.tiles[0]]]
        found.append((each.kind, list(each.tiles)))
    return found


def drawn(written: RoundRecords, result: Result) -> tuple[str, Content]:
    """Return name and content of the record of a draw; an empty name if the log does not say why it is one."""
    claim, reason = result.claim, result.claim["reason"]
    if reason is None:
        written.lacks.append(f"{written.where}: why it is drawn")
        return "", {}
    moved = [each or 0 for each in (claim["deltas"] or [])[: written.game.players]]
    if claim["deltas"] is None:
        written.lacks.append(f"{written.where}: changes of score")
    if reason in _ABORTS:
        if any(moved):
            written.lacks.append(f"{written.where}: changes of score of an abort")
        return "LiuJu", _abort(written, result)
    before = written.seated(claim["before"]) or written.seated(written.scores)
    scores: Content = {"old_scores": before, "delta_scores": moved if any(moved) else []}
    number = claim["event"]
    players = []
    for seat in range(written.game.players):
        hand = _tenpai(written, result, seat)
        waits = written.beside.waits(number, seat)
        players.append(
            {} if hand is None
            else {"tingpai": True, "hand": written.tiles(hand), **({"tings": waits} if waits else {})}
        )  # fmt: skip
    kept = {name: value for name, value in scores.items() if value}
    return "NoTile", {"liujumanguan": reason == "nagashi", "players": players, "scores": [kept]}


def _tenpai(written: RoundRecords, result: Result, seat: int) -> list[int] | None:
    """Return the hand that a seat shows; None if it shows none.

    Where a format shows no hands, the seats that are paid are tenpai, and the hands are those of the play.
    """
    claim = result.claim
    if written.game.row["hands_shown"]:
        return (result.shown[seat] or written.hands.of[seat]) if seat in result.shown else None
    paid = [(change or 0) > 0 for change in claim["deltas"] or []]
    told = any(paid) and claim["reason"] == "exhaustive"
    every = claim["tenpai"] == written.game.players
    if not told and claim["tenpai"] is None and seat == 0:
        written.lacks.append(f"{written.where}: which hands are tenpai")
    return written.hands.of[seat] if every or (told and paid[seat]) else None


def _abort(written: RoundRecords, result: Result) -> Content:
    found: Content = {"type": _ABORTS[result.claim["reason"]], "liqi": written.paid()}
    if result.claim["reason"] == "kyuushu":
        seat = next(iter(result.shown), written.last.seat if written.last else 0) or 0
        found |= {"seat": seat, "tiles": written.tiles(result.shown.get(seat) or written.hands.of[seat])}
    return found

"""One hand explained: shanten, waits, useful tiles; and if it is won, readings, yaku, fu, points and payments.

``describe`` gives all of it as plain values (what ``auditor hand --json`` prints), ``told`` as text for a person.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.features import features
from engine.fu import itemised
from engine.hands import hands_of
from engine.limits import LIMIT_NAMES
from engine.notation import reading_lists
from engine.parts import SEVEN_PAIRS, STANDARD
from engine.rules import RuleTable
from engine.score import score
from engine.shanten import seven_pairs, shanten, standard, thirteen_orphans
from engine.splits import split_texts, splits
from engine.tiles import KIND, KINDS, kinds_in, tile_name
from engine.useful import NOT_HELD, after_discards, left, useful
from engine.waits import waits_of
from engine.wins import Wins
from engine.written import read_hand, read_tile
from engine.yaku import BY_ID

if TYPE_CHECKING:
    from engine.hands import Hands
    from engine.rules import RuleSet
    from engine.written import Written

WINDS = ("East", "South", "West", "North")
SEATS = 4


@dataclass(frozen=True)
class Situation:
    """How the hand stands: what the hand's own text does not say.

    ``win`` is the winning tile in writing, with the mark of the seat that gave it (``8s=``); without it, a hand
    of 14 tiles was won with its last one, drawn. ``seat`` and ``round`` are winds, 0 East; ``dora`` and ``ura``
    are indicators in writing.
    """

    win: str | None = None
    riichi: int = 0
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last_tile: bool = False
    first_turn: bool = False
    seat: int = 1
    round: int = 0
    dora: str = ""
    ura: str = ""
    honba: int = 0
    sticks: int = 0
    visible: str = ""
    rules: list[RuleSet] = field(default_factory=list)


def describe(text: str, at: Situation) -> dict[str, Any]:
    """Return everything about one hand.

    Raises
    ------
    ValueError
        if the hand or a tile cannot be read (the message shows the character), or the hand has a number of tiles
        that no hand has

    """
    written = read_hand(text)
    feeder, win_tile = 0, None
    if at.win:
        win_tile, feeder = read_tile(at.win)
        if len(written.tiles) % 3 == 1:
            written = written._replace(tiles=(*written.tiles, win_tile))
    elif len(written.tiles) % 3 == 2:
        win_tile = written.tiles[-1]
    hand = hands_of(written)
    size = len(written.tiles) + 3 * len(written.melds)
    found: dict[str, Any] = {"hand": text, "tiles": size, "shanten": _shanten(hand, size)}
    if size == 14 and win_tile is not None and found["shanten"]["exact"] == -1:
        return found | _won(hand, written, int(win_tile), feeder, at)
    if size % 3 == 1:
        found |= {"waits": _waits(hand), "useful": _left(useful(hand.keys, hand.n_melds), hand, at)}
    elif size % 3 == 2:
        found["discards"] = _discards(hand, at)
    return found


def _shanten(hand: Hands, size: int) -> dict[str, int]:
    """Return shanten by every definition that fits the number of tiles."""
    melds = hand.n_melds
    found = {"block": int(shanten(hand.keys, melds, "block")[0])}
    if size in (13, 14):
        found |= {"exact": int(shanten(hand.keys, melds)[0]), "standard": int(standard(hand.keys, melds)[0])}
        if not melds[0]:
            found |= {
                "seven pairs": int(seven_pairs(hand.keys)[0]),
                "thirteen orphans": int(thirteen_orphans(hand.keys)[0]),
            }
    return found


def _waits(hand: Hands) -> dict[str, Any]:
    return {
        "tiles": [tile_name(kind) for kind in kinds_in(int(waits_of(hand)[0]))],
        "splits": split_texts(splits(hand), 1)[0],
    }


def _left(kinds: Any, hand: Hands, at: Situation) -> dict[str, int]:  # noqa: ANN401  (an int64 array of one)
    """Return useful tiles with how many of each are unseen."""
    seen = hand.all_counts().astype(np.int64)
    for tile in (*read_hand(at.visible).tiles, *read_hand(at.dora).tiles):
        seen[0, KIND[tile]] += 1
    unseen = left(kinds, seen)[0]
    return {tile_name(kind): int(unseen[kind]) for kind in kinds_in(int(kinds[0]))}


def _discards(hand: Hands, at: Situation) -> list[dict[str, Any]]:
    """Return what each discard leaves, the best first."""
    after = after_discards(hand.keys, hand.n_melds)
    rows = []
    for kind in range(KINDS):
        if after.shanten[0, kind] != NOT_HELD:
            tiles = _left(after.useful[:, kind], hand, at)
            rows.append(
                {
                    "discard": tile_name(kind),
                    "shanten": int(after.shanten[0, kind]),
                    "useful": tiles,
                    "left": sum(tiles.values()),
                }
            )
    return sorted(rows, key=lambda row: (row["shanten"], -row["left"]))


def _won(hand: Hands, written: Written, tile: int, feeder: int, at: Situation) -> dict[str, Any]:
    """Return readings and value of a won hand."""
    kind = KIND[[tile]]
    dealer = (SEATS - at.seat) % SEATS  # the winner sits at 0
    wins = Wins.of(
        hand, kind, tsumo=feeder == 0, winner=0, payer=feeder, dealer=dealer, riichi=at.riichi, ippatsu=at.ippatsu,
        rinshan=at.rinshan, chankan=at.chankan, last_tile=at.last_tile, first_turn=at.first_turn, round_wind=at.round,
        dora=_kinds(at.dora), ura=_kinds(at.ura), honba=at.honba, sticks=at.sticks,
    )  # fmt: skip
    table = RuleTable.from_rules(at.rules)
    scored = score(wins, table)
    best = scored.readings[scored.best]
    items = itemised(features(wins, best, table))
    standard_form = best.form[0] == STANDARD
    return {
        "readings": reading_lists(hand, kind, np.array([feeder]), melds=[written.melds])[0],
        "yaku": _yaku(scored.yaku[0], scored.yakuman[0]),
        "fu": int(scored.fu[0]),
        "fu items": {name: int(value[0]) for name, value in items.items() if value[0]}
        if standard_form
        else {"seven pairs" if best.form[0] == SEVEN_PAIRS else "thirteen orphans": int(scored.fu[0])},
        "han": int(scored.han[0]),
        "yakuman": int(scored.units[0]),
        "limit": LIMIT_NAMES[int(scored.limit[0])],
        "points": int(scored.points[0]),
        "payments": {
            WINDS[(seat - dealer) % SEATS]: int(change) for seat, change in enumerate(scored.deltas[0]) if change
        },
        "liable": None if scored.pao[0] < 0 else WINDS[(int(scored.pao[0]) - dealer) % SEATS],
    }


def _kinds(text: str) -> list[int]:
    return [int(KIND[tile]) for tile in read_hand(text).tiles]


def _yaku(han: Any, yakuman: Any) -> list[dict[str, Any]]:  # noqa: ANN401  (rows of arrays)
    """Return yaku by name; a yakuman's han are null."""
    return [
        {"name": BY_ID[number].romaji, "kanji": BY_ID[number].kanji, "english": BY_ID[number].english,
         "han": None if yakuman[number] else int(han[number])}
        for number in np.flatnonzero((han > 0) | yakuman).tolist()
    ]  # fmt: skip


def told(found: dict[str, Any]) -> str:
    """Return a description as text."""
    lines = [f"{found['hand']}   {found['tiles']} tiles", "", *_told_shanten(found["shanten"])]
    if "waits" in found:
        tiles = found["waits"]["tiles"]
        lines += [f"waits      {' '.join(tiles) or 'none'}"]
        lines += [f"           {split}" for split in found["waits"]["splits"]]
        lines += [f"useful     {_told_left(found['useful'])}"]
    for row in found.get("discards", []):
        lines.append(f"discard {row['discard']:3} {row['shanten']}-shanten, useful {_told_left(row['useful'])}")
    if "points" in found:
        lines += _told_win(found)
    return "\n".join(lines)


def _told_shanten(shanten: dict[str, int]) -> list[str]:
    """Say shanten in words, and both definitions where they differ."""
    words = {-1: "a winning hand", 0: "tenpai"}
    exact = shanten.get("exact", shanten["block"])
    lines = [f"shanten    {exact}{f' ({words[exact]})' if exact in words else ''}"]
    if exact != shanten["block"]:
        lines.append(f"           {shanten['block']} by the block formula: the missing block would need a fifth copy")
    forms = [f"{name} {shanten[name]}" for name in ("standard", "seven pairs", "thirteen orphans") if name in shanten]
    return [*lines, *([f"           {', '.join(forms)}"] if len(forms) > 1 else [])]


def _told_left(tiles: dict[str, int]) -> str:
    """Say useful tiles and their number: ``3m×4 6m×3 = 7``."""
    return f"{' '.join(f'{tile}×{count}' for tile, count in tiles.items()) or 'none'} = {sum(tiles.values())} left"


def _told_win(found: dict[str, Any]) -> list[str]:
    lines = [f"reading    {' '.join(reading)}" for reading in found["readings"]]
    if not found["yaku"] or not found["points"]:
        return [*lines, "no yaku: this hand cannot win"]
    for row in found["yaku"]:
        worth = "yakuman" if row["han"] is None else f"{row['han']} han"
        lines.append(f"yaku       {row['name']} ({row['english']}): {worth}")
    lines += [f"fu         {name} {value}" for name, value in found["fu items"].items()]
    size = f"{found['yakuman']} yakuman" if found["yakuman"] else f"{found['han']} han {found['fu']} fu"
    lines.append(f"value      {size}{', ' + found['limit'] if found['limit'] else ''}: {found['points']} points")
    if found["liable"]:
        lines.append(f"liable     {found['liable']}")
    return [*lines, *(f"{seat:10} {change:+}" for seat, change in found["payments"].items())]

"""One hand explained: shanten, waits, useful tiles; and if it is won, readings, yaku, fu, points and payments.

``describe`` gives all of it as plain values (what ``auditor hand --json`` prints); `auditor.hands.text` writes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.hands.contradictions import contradictions, is_won, out_of_range
from auditor.hands.parsing import FLAGS, NUMBERS, WHOLE, by_kind, in_range, parse_hands
from auditor.hands.unknown_rules import describe_dependence, outcomes
from engine.rules.rule_sets import for_players
from engine.rules.rule_table import RuleTable
from engine.scoring.fu import itemised
from engine.scoring.limits import LIMIT_NAMES
from engine.scoring.score import score, score_readings
from engine.shapes.reading_notation import reading_lists
from engine.shapes.readings import SEVEN_PAIRS, STANDARD, THIRTEEN_ORPHANS
from engine.shapes.shanten import seven_pairs, shanten, standard, thirteen_orphans
from engine.shapes.splits import split_texts, splits
from engine.shapes.useful import NOT_HELD, after_discards, left, useful
from engine.shapes.waits import waits_of
from engine.tiles.kinds import KINDS, kinds_in, tile_name
from engine.tiles.notation import read_hand, read_tile, read_tiles
from engine.yaku.all_yaku import BY_ID
from engine.yaku.features import features

if TYPE_CHECKING:
    from auditor.hands.parsing import ParsedHands
    from engine.rules.rule_sets import RuleSet
    from engine.shapes.readings import Readings
    from engine.tiles.hands import Hands
    from engine.tiles.notation import WrittenHand
    from engine.yaku.wins import Wins

WINDS = ("East", "South", "West", "North")


@dataclass(frozen=True)
class Situation:
    """The situation of a hand, apart from the hand's own text.

    ``win`` is the winning tile as text, with the mark of the seat that discarded it (``8s=``). Without ``win``, a
    hand of 14 tiles was won by drawing its last tile. If ``riichi`` is None, a ``*`` in the hand means riichi.
    ``seat`` and ``round`` are winds, 0 East. ``players`` is 3 or 4; if it is None, as many play as the rules say.
    ``kita`` counts the Norths that the winner set aside; ``on_kita`` is a ron on a North that another seat set aside.
    ``dora`` and ``ura`` are indicators as text. ``rules[0]`` has the rules.
    """

    win: str | None = None
    riichi: int | None = None
    ippatsu: bool = False
    rinshan: bool = False
    chankan: bool = False
    last_tile: bool = False
    first_turn: bool = False
    seat: int = 1
    round: int = 0
    players: int | None = None
    kita: int = 0
    on_kita: bool = False
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
        if the hand or a tile cannot be read (the message shows the character), the hand has no tile, or hand, tiles
        and situation contradict each other (the message says how)

    """
    written = read_hand(text)
    if not written.tiles and not written.melds:
        raise ValueError("a hand without tiles: write it as 123m406p789s55z")
    rows = parse_hands(_row(text, at), at.rules[0])
    size = int(rows.size[0])
    won = is_won(rows) | rows.stated
    problem = contradictions(rows, at.rules[0], won=won)[0]
    if problem:
        raise ValueError(problem)
    hand = rows.hands
    players = int(rows.players[0])
    found: dict[str, Any] = {"hand": text, "tiles": size, "players": players, "shanten": _shanten(rows, size)}
    if won[0]:
        return found | _won(rows, written, at)
    if size > WHOLE or size % 3 == 0:
        return found
    # A hand with fewer than 13 tiles counts as one whose other melds are not written.
    found["missing melds"] = (WHOLE - size) // 3
    melds = hand.n_melds + np.uint8(found["missing melds"])
    if size % 3 == 1:
        return found | {"waits": _waits(hand), "useful": _left(useful(hand.keys, melds, sanma=rows.sanma), rows)}
    return found | {"discards": _discards(rows, melds)}


def _row(text: str, at: Situation) -> pl.DataFrame:
    """Return a hand and its situation as a table of one row; raise ValueError for a value that has no place in one."""
    texts = {name: getattr(at, name) or "" for name in ("win", "dora", "ura", "visible")}
    for name, written in texts.items():
        try:
            _ = read_tiles(written) if name != "win" or not written.strip() else read_tile(written)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    for name in NUMBERS:
        value = getattr(at, name) or 0
        if not in_range(name, np.array(value, dtype=object)):
            raise ValueError(out_of_range(name, value))
    values = {name: getattr(at, name) for name in (*FLAGS, *NUMBERS)} | texts
    winds = {"seat": "ESWN"[at.seat], "round": "ESWN"[at.round]}
    types = {**dict.fromkeys(FLAGS, pl.Boolean), **dict.fromkeys((*NUMBERS, "players"), pl.Int64)}
    columns = {"hand": text, **values, **winds, "players": at.players}
    return pl.DataFrame([pl.Series(name, [value], dtype=types.get(name, pl.String)) for name, value in columns.items()])


def _shanten(rows: ParsedHands, size: int) -> dict[str, int]:
    """Return shanten by every definition that fits the number of tiles; the block formula fits any."""
    hand, melds, sanma = rows.hands, rows.hands.n_melds, rows.sanma
    found = {"block": int(shanten(hand.keys, melds, "block")[0])}
    if size in (WHOLE - 1, WHOLE):
        found |= {
            "exact": int(shanten(hand.keys, melds, sanma=sanma)[0]),
            "standard": int(standard(hand.keys, melds, sanma=sanma)[0]),
        }
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


def _left(kinds: Any, rows: ParsedHands) -> dict[str, int]:  # noqa: ANN401  (an int64 array of one)
    """Return useful tiles with how many of each are unseen."""
    unseen = left(kinds, by_kind(rows))[0]
    return {tile_name(kind): int(unseen[kind]) for kind in kinds_in(int(kinds[0]))}


def _discards(rows: ParsedHands, melds: Any) -> list[dict[str, Any]]:  # noqa: ANN401  (a uint8 array of one)
    """Return shanten and useful tiles after each discard, the best discard first."""
    after = after_discards(rows.hands.keys, melds, sanma=rows.sanma)
    found = []
    for kind in range(KINDS):
        if after.shanten[0, kind] != NOT_HELD:
            tiles = _left(after.useful[:, kind], rows)
            found.append(
                {
                    "discard": tile_name(kind),
                    "shanten": int(after.shanten[0, kind]),
                    "useful": tiles,
                    "left": sum(tiles.values()),
                }
            )
    return sorted(found, key=lambda row: (row["shanten"], -row["left"]))


def _won(rows: ParsedHands, written: WrittenHand, at: Situation) -> dict[str, Any]:
    """Return readings and value of a won hand."""
    wins = rows.wins()
    dealer, players, norths = int(wins.dealer[0]), int(wins.players[0]), int(wins.norths[0])
    rules = for_players(at.rules[0], players)
    table = RuleTable.from_rules([rules])
    scored = score(wins, table)
    lists = reading_lists(wins.hands, wins.win_kind, rows.feeder, melds=[written.melds])[0]
    values = _values(wins, scored.readings, table)
    best = int(scored.best[0])
    return {
        "readings": lists,
        "values": [{**value, "chosen": place == best} for place, value in enumerate(values)],
        **values[best],
        **({"kita": {"norths": norths, "han": norths * int(table.value(0, "kita_han"))}} if norths else {}),
        "depends on": describe_dependence(next(outcomes(wins, rules))),
        "liable": None if scored.pao[0] < 0 else WINDS[(int(scored.pao[0]) - dealer) % players],
        "payments": {
            WINDS[(seat - dealer) % players]: int(change) for seat, change in enumerate(scored.deltas[0]) if change
        },
    }


def _values(wins: Wins, readings: Readings, table: RuleTable) -> list[dict[str, Any]]:
    """Return yaku, fu, han and points of each reading."""
    each = score_readings(wins, readings, table)
    items = itemised(features(wins, readings, table))
    special = {SEVEN_PAIRS: "seven pairs", THIRTEEN_ORPHANS: "thirteen orphans"}
    return [
        {
            "yaku": _yaku(each.yaku[row], each.yakuman[row]),
            "fu": int(each.fu[row]),
            "fu items": {name: int(value[row]) for name, value in items.items() if value[row]}
            if form == STANDARD
            else {special[form]: int(each.fu[row])},
            "han": int(each.han[row]),
            "yakuman": int(each.units[row]),
            "limit": LIMIT_NAMES[int(each.limit[row])],
            "points": int(each.points[row]),
        }
        for row, form in enumerate(readings.form.tolist())
    ]


def _yaku(han: Any, yakuman: Any) -> list[dict[str, Any]]:  # noqa: ANN401  (rows of arrays)
    """Return yaku by name; a yakuman's han are null."""
    return [
        {"name": BY_ID[number].romaji, "kanji": BY_ID[number].kanji, "english": BY_ID[number].english,
         "han": None if yakuman[number] else int(han[number])}
        for number in np.flatnonzero((han > 0) | yakuman).tolist()
    ]  # fmt: skip

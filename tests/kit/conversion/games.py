"""Self-played games of 電脳麻将 (majiang-core) converted into Tenhou mjlog XML.

Real Tenhou logs must not be passed on, so the project ships these games. The tiles, hands, yaku, fu,
points and payments are the other engine's claims, written as Tenhou would write the same game. A game in which
the two rule sets would diverge is refused (`RefusedError`), never changed.

The source lacks some values, which are invented: dice (any value from 0 to 5), which of several equal
copies a player discards (the lowest that was not just drawn), the order of ids within a kind, ranks and
ratings, the date in the file name, and the fu of a yakuman, which 電脳麻将 leaves out and Tenhou records.

Section numbers in brackets refer to the format notes on mjlog: 2 tiles, 3 header, 5 melds, 6 order of
events, 7 wins, 8 draws.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import random
from typing import TYPE_CHECKING, Any

from tests.kit.conversion.rounds import Round, Table
from tests.kit.conversion.tiles import Event, csv_text, hundreds, require, wall_ids

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

# Every value that Tenhou's ranked tables fix; the three freedoms are bits of the GO type.
TENHOU_RULE: dict[str, Any] = {
    "配給原点": 25000,
    "連風牌は2符": False,
    "喰い替え許可レベル": 0,
    "途中流局あり": True,
    "流し満貫あり": True,
    "ノーテン宣言あり": False,
    "ノーテン罰あり": True,
    "最大同時和了数": 2,
    "連荘方式": 2,
    "トビ終了あり": True,
    "オーラス止めあり": True,
    "延長戦方式": 1,
    "一発あり": True,
    "裏ドラあり": True,
    "カンドラあり": True,
    "カン裏あり": True,
    "カンドラ後乗せ": True,
    "ツモ番なしリーチあり": False,
    "リーチ後暗槓許可レベル": 2,
    "役満の複合あり": True,
    "ダブル役満あり": False,
    "数え役満あり": True,
    "役満パオあり": True,
    "切り上げ満貫あり": False,
}
UMA = (20, 10, -10, -20)


def game_type(rule: Event) -> int:
    """Give the GO type of a rule object after checking that it is Tenhou's (section 3)."""
    for key, value in TENHOU_RULE.items():
        require(rule[key] == value, f"rule {key} is {rule[key]}, not {value}")
    require([float(text) for text in rule["順位点"]] == list(UMA), f"rule 順位点 is {rule['順位点']}")
    require(set(rule["赤牌"].values()) in ({0}, {1}), f"rule 赤牌 is {rule['赤牌']}")
    require(rule["場数"] in (1, 2), f"rule 場数 is {rule['場数']}")
    bits = 1 | (0 if rule["赤牌"]["m"] else 2) | (0 if rule["クイタンあり"] else 4)
    return bits | (8 if rule["場数"] == 2 else 0)


def refuse_sudden_death(log: list[list[Event]], scores: list[int], rule: Event) -> None:
    """Refuse games that 電脳麻将 ends in an extra hand although the dealer repeats: Tenhou plays on."""
    deal, result = log[-1][0]["qipai"], log[-1][-1]
    if deal["zhuangfeng"] < rule["場数"] or min(scores) < 0:
        return
    wins = [event["hule"]["l"] for event in log[-1] if "hule" in event]
    repeat = 0 in wins if wins else bool(result["pingju"]["shoupai"][0])
    require(not repeat, "sudden death ended while the dealer repeats")


def percent(name: str) -> str:
    """Percent-encode every byte of a name, as Tenhou does."""
    return "".join(f"%{byte:02X}" for byte in name.encode())


def header(game: Event, kind: int, *, early: bool) -> list[str]:
    """Write the tags before the first round; seat 0 is the first dealer."""
    paipu = game["paipu"]
    names = [paipu["player"][(paipu["qijia"] + seat) % 4] for seat in range(4)]
    people = " ".join(f'n{seat}="{percent(name)}"' for seat, name in enumerate(names))
    rate = csv_text(["1500" if early else "1500.00"] * 4)
    lobby = "" if early else ' lobby="0"'
    return [
        f'<GO type="{kind}"{lobby}/>',
        f'<UN {people} dan="0,0,0,0" rate="{rate}" sx="C,C,C,C"/>',
        '<TAIKYOKU oya="0"/>',
    ]


def final_points(scores: list[int], ranks: list[int]) -> list[int]:
    """Give the exact final points in tenths: 30000 returned, uma, and the oka for the first."""
    points = [(score - 30000) // 100 + 10 * UMA[rank - 1] for score, rank in zip(scores, ranks, strict=True)]
    points[ranks.index(1)] -= sum(points)
    return points


def owari(table: Table, paipu: Event) -> str:
    """Write the final scores and points, checked against the ranks and points that the source claims."""

    def by_seat(key: str) -> list[int]:
        return [int(paipu[key][(paipu["qijia"] + seat) % 4]) for seat in range(4)]

    scores, ranks, claimed = by_seat("defen"), by_seat("rank"), by_seat("point")
    expected = list(table.scores)
    expected[ranks.index(1)] += table.sticks * 1000
    require(scores == expected, f"final scores {scores}, but the last round leaves {expected}")
    tenths = final_points(scores, ranks)
    rounded = [(value + 5) // 10 for value in tenths]
    rounded[ranks.index(1)] -= sum(rounded)
    require(rounded == claimed, f"final points {claimed} instead of {rounded}")
    if table.early:
        halves = any(value % 10 == 5 and value < 0 for value in tenths)
        require(not halves, "a negative half point, which the two sites round apart")
    texts = map(str, rounded) if table.early else (f"{value / 10:.1f}" for value in tenths)
    pairs = zip(hundreds(scores), texts, strict=True)
    return f'owari="{csv_text(value for pair in pairs for value in pair)}"'


def convert(game: Event, *, early: bool = False) -> list[str]:
    """Turn a line of the self-play files into the tags of an mjlog, without the root and SHUFFLE."""
    rule, paipu = game["rule"], game["paipu"]
    kind = game_type(rule)
    tags = header(game, kind, early=early)
    table = Table([rule["配給原点"]] * 4, 0, reds=not kind & 2, early=early, tags=tags)
    require(len(game["walls"]) == len(paipu["log"]), "walls and rounds differ in number")
    for number, (wall, (deal, *events)) in enumerate(zip(game["walls"], paipu["log"], strict=True)):
        rng = random.Random(f"{game['id']}/{number}")
        ids = wall_ids(wall, reds=table.reds, rng=rng)
        current = Round(table, ids, deal["qipai"])
        current.deal(deal["qipai"], (rng.randrange(6), rng.randrange(6)))
        current.play(events)
    refuse_sudden_death(paipu["log"], table.scores, rule)
    table.tags[-1] = f"{table.tags[-1][:-3]} {owari(table, paipu)} />"
    return table.tags


# --- files -----------------------------------------------------------------------------------------------

SHUFFLE = '<SHUFFLE seed="" ref=""/>'
STYLES = ("plain", "gzip", "resaved", "stripped", "early")


def render(tags: list[str], style: str = "plain") -> bytes:
    """Write the file as served, compressed, re-saved with indentation, without SHUFFLE, or as in 2009."""
    tags = tags if style in ("stripped", "early") else [SHUFFLE, *tags]
    if style == "resaved":
        lines = [f"\t{tag[:-2].rstrip()} />" for tag in tags]
        text = "\n".join(("<!-- saved by hand -->", '<mjloggm ver="2.3">', *lines, "</mjloggm>", ""))
    else:
        text = f'<mjloggm ver="2.3">{"".join(tags)}</mjloggm>'
    return gzip.compress(text.encode(), mtime=0) if style == "gzip" else text.encode()


def file_name(game: Event, style: str = "plain") -> str:
    """Name the file as Tenhou does; hour and last part come from a hash of the self-play id."""
    digest = hashlib.sha256(game["id"].encode()).digest()
    day = f"{'2009' if style == 'early' else '2023'}{digest[4] % 12 + 1:02}{digest[5] % 28 + 1:02}"
    suffix = ".gz" if style == "gzip" else ""
    return f"{day}{digest[6] % 24:02}gm-{game_type(game['rule']):04x}-0000-{digest[:4].hex()}.mjlog{suffix}"


def read_games(paths: Iterable[Path]) -> Iterator[Event]:
    """Read the games of self-play files, one a line."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def read_manifest(path: Path) -> dict[str, str]:
    """Read which games to write in which style."""
    with path.open(encoding="utf-8", newline="") as rows:
        return {row["game"]: row["style"] for row in csv.DictReader(rows)}

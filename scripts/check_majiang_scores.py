"""Compare the engine with 電脳麻将: every win, draw and final result of self-played games, under each game's own rules.

    python -m scripts.check_majiang_scores [LOGS...]

The tool reads gzipped JSON Lines as in ../shared/selfplay/majiang (a line: ``{rule, paipu, …}``; records of
auditor/readers/majiang/FORMAT.md) and scores them with `engine` alone, without the auditor. The record does not state
the moment of a win (ippatsu, haitei, …), so that comes from the yaku that it lists. Riichi, hand, melds, indicators,
honba and sticks are the record's own. If values differ, the causes that RULES.md names are tested, one function each.
A difference without a cause fails the run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.rules.rule_sets import RuleSet, from_majiang
from engine.rules.rule_table import RuleTable
from engine.scoring.draws import Draws, exhaustive_draw
from engine.scoring.points import points_of
from engine.scoring.score import Scores, score
from engine.scoring.standings import standings
from engine.tiles.hands import Hands, parse_hand
from engine.yaku.all_yaku import BY_MAJIANG
from engine.yaku.wins import Wins

Event = dict[str, Any]

ORPHANS = {0, 8, 9, 17, 18, 26, *range(27, 34)}
FIRST_TURN = ("天和", "地和")
LAST_TILE = ("海底摸月", "河底撈魚")
DORA_NAMES = ("ドラ", "裏ドラ")


@dataclass
class Round:
    """The state of a round. Seats are those of its winds, 0 the dealer."""

    start: Event
    indicators: list[int]
    sticks: int
    rivers: list[list[int]] = field(default_factory=lambda: [[], [], [], []])
    untouched: list[bool] = field(default_factory=lambda: [True] * 4)
    deposits: list[int] = field(default_factory=lambda: [0] * 4)
    pending: int | None = None
    discarder: int = 0
    wins: int = 0


@dataclass
class Found:
    """Recorded wins, draws and games in the order of reading, with the row of their rules."""

    wins: list[dict[str, Any]] = field(default_factory=list)
    draws: list[dict[str, Any]] = field(default_factory=list)
    games: list[dict[str, Any]] = field(default_factory=list)


def main() -> None:
    """Read the files, compare, and print the figures; exit code 1 if a difference has no cause."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="*", type=Path, help="default: all of ../shared/selfplay/majiang")
    files = parser.parse_args().files or sorted(
        (Path(__file__).resolve().parents[2] / "shared/selfplay/majiang").glob("*.jsonl.gz")
    )
    found, rules = read(files)
    table = RuleTable.from_rules(rules)
    unexplained = [*check_wins(found.wins, table), *check_draws(found.draws, table), *check_games(found.games, table)]
    for text in unexplained[:20]:
        print("UNEXPLAINED", text)
    sys.exit(1 if unexplained else 0)


def read(files: list[Path]) -> tuple[Found, list[RuleSet]]:
    """Read all games; rules by game, in order."""
    found, rules = Found(), []
    for path in files:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                game = json.loads(line)
                read_game(game, len(rules), found)
                rules.append(from_majiang(game["rule"]))
    print(f"{len(rules)} games, {len(set(rules))} rule sets")
    return found, rules


def read_game(game: dict[str, Any], rule: int, found: Found) -> None:
    """Collect the wins, the draws and the end of one game."""
    paipu = game["paipu"]
    scores, sticks = [], 0
    for number, events in enumerate(paipu["log"]):
        start = events[0]["qipai"]
        where = {"rule": rule, "id": f"{game['id']} round {number}"}
        if scores:
            found.games.append(where | {"kind": "carry", "scores": scores, "recorded": by_first_dealer(start, "defen")})
        scores, sticks = read_round(events, where, found)
    if scores:
        player = [(paipu["qijia"] + seat) % 4 for seat in range(4)]
        ends = {name: [paipu[name][each] for each in player] for name in ("defen", "rank", "point")}
        found.games.append({"rule": rule, "id": game["id"], "kind": "end", "scores": scores, "sticks": sticks, **ends})


def by_first_dealer(start: Event, name: str) -> list[int]:
    """Turn a list by this round's winds into one by the game's first seats."""
    return [start[name][(seat - start["jushu"]) % 4] for seat in range(4)]


def read_round(events: list[Event], where: dict[str, Any], found: Found) -> tuple[list[int], int]:
    """Collect the results of one round; give the scores and sticks after it, by the game's first seats."""
    start = events[0]["qipai"]
    now = Round(start, [kind_of(start["baopai"])], start["lizhibang"])
    moved = np.zeros(4, dtype=int)
    for event in events[1:]:
        ((name, what),) = event.items()
        if name != "hule" and now.pending is not None:
            now.deposits[now.pending] = 1
            now.sticks += 1
            now.pending = None
        if name == "dapai":
            now.discarder = what["l"]
            now.rivers[what["l"]].append(kind_of(what["p"]))
            now.pending = what["l"] if what["p"].endswith("*") else None
        elif name == "fulou":
            now.untouched[now.discarder] = False
        elif name == "kaigang":
            now.indicators.append(kind_of(what["baopai"]))
        elif name == "hule":
            found.wins.append(where | win_of(now, what))
            moved += what["fenpei"]
            now.wins += 1
        elif name == "pingju":
            if what["name"] in ("荒牌平局", "流し満貫"):
                found.draws.append(where | draw_of(now, what))
            moved += what["fenpei"]
    after = start["defen"] + moved - 1000 * np.array(now.deposits)
    scores = [int(after[(seat - start["jushu"]) % 4]) for seat in range(4)]
    return scores, 0 if now.wins else now.sticks


def win_of(now: Round, hule: Event) -> dict[str, Any]:
    """Describe a recorded win."""
    names = {each["name"]: each["fanshu"] for each in hule["hupai"]}
    tsumo = hule["baojia"] is None
    return {
        "text": hule["shoupai"],
        "record": hule,
        "names": names,
        "tsumo": tsumo,
        "winner": hule["l"],
        "payer": hule["l"] if tsumo else hule["baojia"],
        "round_wind": now.start["zhuangfeng"],
        "riichi": 2 if "ダブル立直" in names else int("*" in hule["shoupai"]),
        "dora": list(now.indicators),
        "ura": [kind_of(tile) for tile in hule["fubaopai"] or ()],
        "honba": 0 if now.wins else now.start["changbang"],
        "sticks": 0 if now.wins else now.sticks,
    }


def draw_of(now: Round, pingju: Event) -> dict[str, Any]:
    """Describe a recorded exhaustive draw."""
    rivers = zip(now.rivers, now.untouched, strict=True)
    return {
        "tenpai": [bool(hand) for hand in pingju["shoupai"]],
        "nagashi": [untouched and set(river) <= ORPHANS for river, untouched in rivers],
        "recorded": pingju["fenpei"],
        "name": pingju["name"],
    }


def kind_of(tile: str) -> int:
    """Give the kind of "m0", "p3_", "z7*"."""
    return "mpsz".index(tile[0]) * 9 + (int(tile[1]) or 5) - 1


def hand_of(text: str) -> tuple[Hands, int]:
    """Read a hand and the kind of its winning tile, the last of the concealed ones."""
    concealed, *melds = text.replace("*", "").split(",")
    words, suit, last = [], "", ""
    for char in concealed:
        suit, last = (char, last) if char.isalpha() else (suit, suit + char)
        words += [char + suit] if char.isdigit() else []
    melded = [meld[1:] + meld[0] for meld in melds if meld]
    return parse_hand(",".join(["".join(words), *melded])), kind_of(last)


def padded(lists: list[list[int]]) -> np.ndarray:
    """Give lists of indicators as a rectangle."""
    filled = np.full((len(lists), 5), 255, dtype=np.uint8)
    for row, kinds in enumerate(lists):
        filled[row, : len(kinds)] = kinds
    return filled


def wins_of(records: list[dict[str, Any]], table: RuleTable) -> Wins:
    """Make one batch of the recorded wins."""
    hands, kinds = zip(*(hand_of(record["text"]) for record in records), strict=True)
    names = [record["names"] for record in records]

    def named(*some: str) -> np.ndarray:
        return np.array([any(name in each for name in some) for each in names])

    same = ("tsumo", "winner", "payer", "round_wind", "riichi", "honba", "sticks")
    return Wins.of(
        Hands(*(np.concatenate([getattr(hand, name) for hand in hands]) for name in Hands.__slots__)),
        np.array(kinds),
        dora=padded([record["dora"] for record in records]),
        ura=padded([record["ura"] for record in records]),
        ippatsu=named("一発"),
        rinshan=named("嶺上開花"),
        chankan=named("槍槓"),
        last_tile=named(*LAST_TILE),
        first_turn=named(*FIRST_TURN),
        rule=table.row_of[[record["rule"] for record in records]],
        **{name: np.array([record[name] for record in records]) for name in same},
    )


def check_wins(records: list[dict[str, Any]], table: RuleTable) -> list[str]:
    """Compare every win; print agreement by kind and causes; give the differences without a cause."""
    wins = wins_of(records, table)
    scores = score(wins, table)
    agree: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    unexplained = []
    for row, record in enumerate(records):
        wrong = [name for name, (ours, theirs) in compared(scores, row, record["record"]).items() if ours != theirs]
        for name in ("fu", "han", "units", "yaku", "points", "payments"):
            agree[name] += name not in wrong
        if wrong:
            cause = next((name for name, holds in CAUSES.items() if holds(record, wins, scores, row, table)), "")
            causes[cause or "none"] += 1
            unexplained += (
                [] if cause else [f"{record['id']} {record['text']} {compared(scores, row, record['record'])}"]
            )
    print(f"{len(records)} wins: " + ", ".join(f"{name} {count}" for name, count in agree.items()))
    print("  differences by cause:", dict(causes))
    return unexplained


def compared(scores: Scores, row: int, hule: Event) -> dict[str, tuple[Any, Any]]:
    """Give the engine's value and the recorded one, by kind."""
    recorded = {BY_MAJIANG[each["name"]].id: each["fanshu"] for each in hule["hupai"]}
    ours = {int(i): int(scores.yaku[row, i]) for i in np.flatnonzero(scores.yaku[row])}
    limited = hule.get("damanguan") is not None
    if limited:
        # Stars stand for double units; if yakuman do not add up, the record lists them with one star each.
        ours = {int(i): "*" for i in np.flatnonzero(scores.yakuman[row])}
        recorded = dict.fromkeys(recorded, "*")
    return {
        "fu": (None if limited else int(scores.fu[row]), hule.get("fu")),
        "han": (None if limited else int(scores.han[row]), hule.get("fanshu")),
        "units": (int(scores.units[row]), hule.get("damanguan") or 0),
        "yaku": (ours, recorded),
        "points": (int(scores.points[row]), hule["defen"]),
        "payments": (scores.deltas[row].tolist(), hule["fenpei"]),
    }


def two_reds(record: dict[str, Any], wins: Wins, scores: Scores, row: int, table: RuleTable) -> bool:
    """RULES.md 3.5: of several reds in one suit's concealed tiles, or in one meld, only the first counts as the dora 5.

    The record must have exactly the dora that are missing by this rule, and points that follow from its own han.
    """
    missing = dict.fromkeys(DORA_NAMES, 0)
    for name, indicators in zip(DORA_NAMES, ("dora", "ura"), strict=True):
        for group in groups(record["text"]):
            shown = record[indicators].count("mpsz".index(group[0]) * 9 + 3)
            missing[name] += max(group.count("0") - 1, 0) * shown
    number = {name: BY_MAJIANG[name].id for name in DORA_NAMES}
    ours = {name: int(scores.yaku[row, number[name]]) for name in DORA_NAMES}
    theirs = {name: record["names"].get(name, 0) for name in DORA_NAMES}
    if not sum(missing.values()) or any(ours[name] - missing[name] != theirs[name] for name in DORA_NAMES):
        return False
    hule = record["record"]
    stated = (np.array([value]) for value in (hule["fu"], hule["fanshu"], 0))
    _, points = points_of(*stated, wins[row : row + 1], table)
    return points.tolist() == [hule["defen"]]


def groups(text: str) -> list[str]:
    """Split a hand into the groups of that engine: each suit's concealed tiles, the winning tile, and each meld."""
    return re.findall(r"[mpsz][^mpsz,]*", text)


CAUSES = {"several reds of a suit are one dora (RULES.md 3.5)": two_reds}


def check_draws(records: list[dict[str, Any]], table: RuleTable) -> list[str]:
    """Compare the payments of every exhaustive draw."""
    rule = table.row_of[[record["rule"] for record in records]]
    zeros = np.zeros(len(records), dtype=int)
    tenpai, nagashi, recorded = (
        np.array([each[name] for each in records]) for name in ("tenpai", "nagashi", "recorded")
    )
    draws = Draws(tenpai, nagashi, zeros, zeros + 4, zeros, zeros, rule)
    ours = exhaustive_draw(draws, table)
    same = (ours == recorded).all(axis=1)
    paid = nagashi.any(axis=1) & table.nagashi_mangan[rule]
    named = np.array([record["name"] == "流し満貫" for record in records])
    print(f"{len(records)} exhaustive draws: {same.sum()} payments agree; {named.sum()} nagashi, of which "
          f"{(same & named & paid).sum()} agree; {(named != paid).sum()} differ in whether it is one")  # fmt: skip
    wrong = np.flatnonzero(~same | (named != paid))
    return [f"{records[row]['id']} draw {ours[row]} {records[row]}" for row in wrong]


def check_games(records: list[dict[str, Any]], table: RuleTable) -> list[str]:
    """Compare the scores that each round starts with, and the scores, places and points at the end of each game."""
    carried = [record for record in records if record["kind"] == "carry"]
    wrong = [record for record in carried if record["scores"] != record["recorded"]]
    ends = [record for record in records if record["kind"] == "end"]
    found = standings(
        np.array([record["scores"] for record in ends]),
        table,
        sticks=np.array([record["sticks"] for record in ends]),
        players=np.full(len(ends), 4),
        rule=table.row_of[[record["rule"] for record in ends]],
    )
    recorded = {name: np.array([record[name] for record in ends]).astype(float) for name in ("defen", "rank", "point")}
    same = {
        "scores": (found.scores == recorded["defen"]).all(axis=1),
        "places": (found.place == recorded["rank"]).all(axis=1),
        "points": (found.points == recorded["point"]).all(axis=1),
    }
    print(f"{len(carried)} round starts: {len(carried) - len(wrong)} scores follow from the round before")
    print(f"{len(ends)} games: " + ", ".join(f"{name} {each.sum()}" for name, each in same.items()))
    bad = np.flatnonzero(~np.logical_and.reduce(list(same.values())))
    return [f"{record['id']} {record}" for record in wrong] + [
        f"{ends[row]['id']} {ends[row]} {found.points[row]} {found.place[row]}" for row in bad
    ]


if __name__ == "__main__":
    main()

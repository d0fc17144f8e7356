"""Compare the engine with jansou: every win and exhaustive draw of self-played games, under each game's own rules.

    python -m scripts.check_jansou_scores [LOGS...]

The tool reads gzipped JSON Lines as in ../shared/selfplay/jansou (a line: ``{rules, deals, mjai, …}``). Hands, melds,
sticks and indicators come from a plain replay of the mjai events; fu, yaku, liable seat and changes of score from
``deals``. It is the only source with liability for four kans, with honba on either payer, and with Norths that were
set aside under other rules than Tenhou's.

Two differences are known and tested for: if yakuman do not add up, jansou names only the dearest; with
``pao_daiminkan`` it makes nobody liable for a rinshan (one win, fed by a seat that rules of that name make pay).
Any other difference fails the run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.readers.mjai.rules import jansou
from auditor.readers.mjai.yaku_names import JANSOU, OF_SEAT, ONE_NAME
from engine.rules.rule_table import RuleTable
from engine.scoring.draws import Draws, exhaustive_draw
from engine.scoring.score import RINSHAN, Scores, score
from engine.tiles.hands import ANKAN, CHI, DAIMINKAN, KAKAN, PON, Hands
from engine.yaku.all_yaku import BY_ID
from engine.yaku.wins import Wins

if TYPE_CHECKING:
    from engine.rules.parameters import RuleSet

Event = dict[str, Any]

HONOURS = "ESWNPFC"
MELDS = {"chi": CHI, "pon": PON, "daiminkan": DAIMINKAN, "ankan": ANKAN}
YAKU = {name: number for name, number in JANSOU.items() if number < OF_SEAT}


@dataclass
class Seat:
    """The state of one seat; melds are [type, lowest kind, feeder, red fives]."""

    tiles: list[str]
    melds: list[list[int]] = field(default_factory=list)
    last_kan: int = -1
    riichi: bool = False
    norths: int = 0
    after_kita: bool = False


def kind(tile: str) -> int:
    """Give the kind of "5m", "5mr", "E"."""
    return 27 + HONOURS.index(tile) if tile in HONOURS else "mps".index(tile[1]) * 9 + int(tile[0]) - 1


def is_red(tile: str) -> bool:
    """Say whether a tile is a red five."""
    return len(tile) == 3


def main() -> None:
    """Read the files, compare, and print the figures; exit code 1 if a difference has no cause."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("files", nargs="*", type=Path, help="default: all of ../shared/selfplay/jansou")
    files = parser.parse_args().files or sorted(
        (Path(__file__).resolve().parents[2] / "shared/selfplay/jansou").glob("*.jsonl.gz")
    )
    wins, draws, rules = read(files)
    table = RuleTable.from_rules(rules)
    unexplained = [*check_wins(wins, table), *check_draws(draws, table)]
    for text in unexplained[:20]:
        print("UNEXPLAINED", text)
    sys.exit(1 if unexplained else 0)


def read(files: list[Path]) -> tuple[list[Event], list[Event], list[RuleSet]]:
    """Read all games: wins, draws, rules by game."""
    wins: list[Event] = []
    draws: list[Event] = []
    rules: list[RuleSet] = []
    for path in files:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                game = json.loads(line)
                rounds = split(game["mjai"])
                for number, (events, deal) in enumerate(zip(rounds, game["deals"], strict=True)):
                    where = {"rule": len(rules), "id": f"{game['id']} round {number}"}
                    read_round(events, deal, where, (wins, draws))
                rules.append(jansou(game["rules"], game["rules"]["player_count"]))
    print(f"{len(rules)} games, {len(set(rules))} rule sets")
    return wins, draws, rules


def split(events: list[Event]) -> list[list[Event]]:
    """Split a game into rounds."""
    starts = [place for place, event in enumerate(events) if event["type"] == "start_kyoku"]
    return [events[start:end] for start, end in zip(starts, [*starts[1:], len(events)], strict=True)]


def read_round(events: list[Event], deal: Event, where: Event, found: tuple[list[Event], list[Event]]) -> None:
    """Replay one round and collect its results."""
    start = events[0]
    seats = [Seat(list(tiles)) for tiles in start["tehais"] if tiles]
    sticks, indicators, nth = start["kyotaku"], [start["dora_marker"]], 0
    for event in events[1:]:
        name = event["type"]
        if name == "hora":
            win = win_of(event, deal["wins"][nth], seats, start)
            win |= where | {"dora": [kind(each) for each in indicators], "first": nth == 0, "sticks": sticks}
            found[0].append(win | {"changes": deal["score_changes"], "winners": len(deal["wins"])})
            nth += 1
        elif name == "ryukyoku" and deal["draw"]["kind"] == "EXHAUSTIVE":
            draw = {"tenpai": deal["draw"]["ready"], "recorded": event["deltas"], "seats": len(seats)}
            found[1].append(where | draw | {"dealer": start["oya"]})
        elif name == "dora":
            indicators.append(event["dora_marker"])
        elif name == "reach_accepted":
            sticks += 1
        elif "actor" in event:
            act(event, seats[event["actor"]])


def act(event: Event, seat: Seat) -> None:
    """Let a seat draw, discard, call or declare."""
    name, tile = event["type"], event.get("pai", "")
    if name == "tsumo":
        seat.tiles.append(tile)
    elif name in ("dahai", "kita", "kakan"):
        seat.tiles.remove(tile)
        seat.norths += name == "kita"
        if name == "kakan":
            seat.last_kan = next(i for i, meld in enumerate(seat.melds) if meld[:2] == [PON, kind(tile)])
            seat.melds[seat.last_kan][0] = KAKAN
            seat.melds[seat.last_kan][3] += is_red(tile)
    elif name == "reach":
        seat.riichi = True
    elif name in MELDS:
        for each in event["consumed"]:
            seat.tiles.remove(each)
        tiles = [*event["consumed"], *([tile] if tile and name != "ankan" else [])]
        feeder = (event["target"] - event["actor"]) % 4 if "target" in event else 0
        seat.melds.append([MELDS[name], min(map(kind, tiles)), feeder, sum(map(is_red, tiles))])
        if name in ("daiminkan", "ankan"):
            seat.last_kan = len(seat.melds) - 1
    if name in ("kita", "kakan", "ankan", "daiminkan"):
        seat.after_kita = name == "kita"


def win_of(event: Event, record: Event, seats: list[Seat], start: Event) -> Event:
    """Describe a recorded win."""
    seat, tsumo = seats[event["actor"]], event["actor"] == event["target"]
    winds = {
        "YAKUHAI_SEAT": 10 + (event["actor"] - start["oya"]) % len(seats),
        "YAKUHAI_ROUND": 14 + "ESWN".index(start["bakaze"]),
    }
    names = {(YAKU | winds)[name]: han for name, han in record["yaku"]}
    return {
        "tiles": [*seat.tiles, *([] if tsumo else [record["tile"]])],
        "melds": [list(meld) for meld in seat.melds],
        "norths": seat.norths,
        "after_kita": seat.after_kita and 4 in names,
        "names": names,
        "record": record,
        "win_kind": kind(record["tile"]),
        "tsumo": tsumo,
        "winner": event["actor"],
        "payer": event["target"],
        "dealer": start["oya"],
        "players": len(seats),
        "honba": start["honba"],
        "riichi": 2 if 21 in names else int(seat.riichi),
        "ura": [kind(each) for each in record["ura"]],
        "round_wind": winds["YAKUHAI_ROUND"] - 14,
        "last_kan": seat.last_kan,
    }


def batch_of(records: list[Event], table: RuleTable) -> Wins:
    """Make one batch of the recorded wins."""
    n = len(records)
    counts, melds = np.zeros((n, 34), dtype=int), np.zeros((3, n, 4), dtype=int)
    reds = np.zeros(n, dtype=int)
    indicators = {name: np.full((n, 5), 255, dtype=np.uint8) for name in ("dora", "ura")}
    for row, record in enumerate(records):
        for tile in record["tiles"]:
            counts[row, kind(tile)] += 1
        for place, meld in enumerate(record["melds"]):
            melds[:, row, place] = meld[:3]
        reds[row] = sum(map(is_red, record["tiles"])) + sum(meld[3] for meld in record["melds"])
        for name, table_of in indicators.items():
            table_of[row, : len(record[name])] = record[name][:5]

    def named(*numbers: int) -> np.ndarray:
        return np.array([bool(record["names"].keys() & set(numbers)) for record in records])

    same = ("tsumo", "winner", "payer", "dealer", "players", "riichi", "round_wind", "last_kan", "norths", "after_kita")
    first = np.array([record["first"] for record in records])
    return Wins.of(
        Hands.from_counts(counts, *melds, reds=reds),
        np.array([record["win_kind"] for record in records]),
        **indicators,
        ippatsu=named(2),
        chankan=named(3),
        rinshan=named(4),
        last_tile=named(5, 6),
        first_turn=named(37, 38),
        rule=table.row_of[[record["rule"] for record in records]],
        **{name: first * np.array([record[name] for record in records]) for name in ("honba", "sticks")},
        **{name: np.array([record[name] for record in records]) for name in same},
    )


def check_wins(records: list[Event], table: RuleTable) -> list[str]:
    """Compare every win; print agreement and causes; give the differences without a cause."""
    wins = batch_of(records, table)
    scores = score(wins, table)
    causes: Counter[str] = Counter()
    unexplained = []
    for row, record in enumerate(records):
        values = compared(scores, row, record)
        wrong = {name for name, (ours, theirs) in values.items() if ours != theirs}
        if wrong:
            cause = cause_of(wrong, values, table.rule_sets[wins.rule[row]], scores.pao_yakuman[row])
            causes[cause or "none"] += 1
            unexplained += [] if cause else [f"{record['id']} {record['tiles']} {record['melds']} {values}"]
    liable = Counter(
        f"{BY_ID[int(scores.pao_yakuman[row])].romaji} {'tsumo' if record['tsumo'] else 'ron'}"
        for row, record in enumerate(records)
        if record["record"]["liable"] is not None and scores.pao[row] >= 0
    )
    aside = sum(record["norths"] > 0 for record in records)
    print(f"{len(records)} wins ({aside} with a North set aside), differences: {dict(causes)}")
    print(f"  with a liable seat: {dict(liable)}")
    return unexplained


def compared(scores: Scores, row: int, record: Event) -> dict[str, tuple[Any, Any]]:
    """Give the engine's value and the recorded one, by kind. Changes of several winners are recorded as one sum."""
    theirs, seats = record["record"], record["players"]
    liable = (int(scores.pao[row]), -1 if theirs["liable"] is None else theirs["liable"])
    found: dict[str, tuple[Any, Any]] = {"liable": liable}
    if record["winners"] == 1:
        found["changes"] = (scores.deltas[row, :seats].tolist(), record["changes"][0][:seats])
    if theirs["yakuman"]:
        ours = {ONE_NAME.get(int(each), int(each)) for each in np.flatnonzero(scores.yakuman[row])}
        return found | {"yakuman": (ours, set(record["names"]))}
    yaku = {int(each): int(scores.yaku[row, each]) for each in np.flatnonzero(scores.yaku[row, :52])}
    dora = [theirs["dora"][name] for name in ("dora", "ura", "aka")]
    dora[0] += theirs["dora"]["nuki"]
    return found | {
        "fu": (int(scores.fu[row]), theirs["fu"]),
        "yaku": (yaku, record["names"]),
        "dora": (scores.yaku[row, 52:55].tolist(), dora),
    }


def cause_of(wrong: set[str], values: dict[str, tuple[Any, Any]], rules: RuleSet, liable_for: int) -> str:
    """Name a known difference."""
    if wrong == {"yakuman"} and not rules.yakuman_stacking and values["yakuman"][1] < values["yakuman"][0]:
        return "names the dearest yakuman alone"
    if wrong <= {"liable", "changes"} and liable_for == RINSHAN:
        return "nobody is liable for a rinshan after a daiminkan"
    return ""


def check_draws(records: list[Event], table: RuleTable) -> list[str]:
    """Compare the noten payments of every exhaustive draw."""
    zeros = np.zeros(len(records), dtype=int)
    draws = Draws(
        tenpai=np.array([[seat in record["tenpai"] for seat in range(4)] for record in records]),
        nagashi=np.zeros((len(records), 4), dtype=bool),
        dealer=np.array([record["dealer"] for record in records]),
        players=np.array([record["seats"] for record in records]),
        honba=zeros,
        sticks=zeros,
        rule=table.row_of[[record["rule"] for record in records]],
    )
    moved = exhaustive_draw(draws, table)
    wrong = [
        f"{record['id']} draw {moved[row]} {record}"
        for row, record in enumerate(records)
        if moved[row, : record["seats"]].tolist() != record["recorded"][: record["seats"]]
    ]
    print(f"{len(records)} exhaustive draws: {len(records) - len(wrong)} payments agree")
    return wrong


if __name__ == "__main__":
    main()

"""Disputed hands with a machine-readable check (../shared/cases): shanten, waits, fu, yaku, points, pao."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.rules.rule_sets import preset
from engine.rules.rule_table import RuleTable
from engine.scoring.score import score
from engine.scoring.shares import shares_of_points
from engine.shapes.shanten import shanten
from engine.tiles.hands import parse_hand
from engine.yaku.wins import Wins
from tests.kit.batches import scored

SHARED = Path(__file__).resolve().parents[3] / "shared" / "cases"

RULE_NAMES = {
    "double_yakuman": lambda value: {"double_yakuman": value},
    "kuitan": lambda value: {"open_tanyao": value},
    "kazoe": lambda value: {"kazoe_yakuman": value},
    "pao": lambda value: {} if value else {"pao_yakuman": ()},
}
"""Rule options of the cases, as changes of a rule set."""

OTHER_RULES = {"pa-008": "majiang"}
"""Cases with 電脳麻将's payments: the liable seat pays for one yakuman only (RULES.md 5.1)."""


ON_KITA = {"sm-004", "sm-005", "sm-014"}
"""Cases in which the winning tile is a North that another seat set aside; only their texts say so."""


def load_cases(*kinds):
    """Read the cases with a check of one of the kinds; give one empty case if the data is missing."""
    files = [SHARED / name for name in ("cases.jsonl", "sanma-cases.jsonl")]
    cases = [json.loads(line) for path in files if path.is_file() for line in path.read_text("utf-8").splitlines()]
    if not cases:
        return [None]
    return [pytest.param(c, id=c["id"]) for c in cases if c.get("check", {}).get("kind") in kinds]


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("case", load_cases("shanten"))
def test_shanten(case):
    """The exact definition gives the shanten that the case states."""
    check = case["check"]
    hands, sanma = parse_hand(check["hand"]), check.get("players") == 3
    assert shanten(hands.keys, np.array([check["melds"]]), sanma=sanma).tolist() == [check["want"]]


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("case", load_cases("score"))
def test_score(case):
    """All values that the case states agree: win or not, han, fu, payments."""
    check = case["check"] | {"on_kita": case["id"] in ON_KITA}
    rules = preset(OTHER_RULES.get(case["id"], "tenhou_sanma" if check.get("players") == 3 else "tenhou"))
    for name, value in check.get("rules", {}).items():
        rules = rules.changed(**RULE_NAMES[name](value))
    scores = score(win_of(check), RuleTable.from_rules([rules]))
    assert found(scores, check) == check["want"]


def win_of(check):
    """Build the win of a check: unless it states otherwise, a non-dealer's in East, by ron off the seat two before."""
    winner, players = "ESWN".index(check.get("seat", "S")), check.get("players", 4)
    hands = parse_hand(",".join([check["hand"] + check["win"], *map(meld_text, check["melds"])]))
    feeder = "_+=-".index(check.get("from", "="))
    return Wins.of(
        hands,
        tile_kinds(check["win"]),
        tsumo=check["tsumo"],
        winner=winner,
        payer=winner if check["tsumo"] else (winner + feeder) % players,
        players=players,
        norths=check.get("kita", 0),
        on_kita=check.get("on_kita", False),
        rinshan=check.get("rinshan", False),
        after_kita=check.get("kita", 0) > 0,
        round_wind="ESWN".index(check.get("round", "E")),
        riichi=check.get("riichi", 0),
        ippatsu=check.get("ippatsu", False),
        chankan=check.get("chankan", False),
        last_tile=check.get("haitei", False),
        first_turn=check.get("tenhou", False),
        dora=tile_kinds(check.get("dora", "")),
        ura=tile_kinds(check.get("ura", "")),
        honba=check.get("honba", 0),
        sticks=check.get("kyotaku", 0),
    )


def meld_text(meld):
    """Write a meld as `parse_hand` reads it."""
    digits, suit = meld["tiles"][:-1], meld["tiles"][-1]
    mark = meld.get("from") or {"minkan": "-", "kakan": "-"}.get(meld["t"], "")
    mark = mark or ("-" if meld["t"] == "pon" else "")
    place = 3 if meld["t"] == "kakan" else len(digits)
    return digits[:place] + mark + digits[place:] + suit


def tile_kinds(text):
    """Read "1m9p" as kinds."""
    pairs = zip(text[::2], text[1::2], strict=True)
    return np.array(["mpsz".index(suit) * 9 + (int(digit) or 5) - 1 for digit, suit in pairs], dtype=np.uint8)


def found(scores, check):
    """Give the values that the check states; a tsumo is listed as the dealer's payment (or any) and a non-dealer's."""
    dealer_wins = np.array([check.get("seat") == "E"])
    players = check.get("players", 4)
    shares, _ = shares_of_points(scores.points, dealer_wins, np.array([players]))
    values = {
        "win": bool(scores.has_yaku[0]),
        "han": int(scores.han[0]),
        "fu": int(scores.fu[0]),
        "ron": int(scores.points[0]),
        "deltas": scores.deltas[0, :players].tolist(),
        "tsumo": [int((shares.other if dealer_wins else shares.dealer)[0]), int(shares.other[0])],
    }
    return {name: values[name] for name in check["want"]}


RIICHI = {"riichi": 1, "dora": "3z", "ura": "4z"}


def test_points_that_cannot_occur():
    """Case pt-003: one han of 20 or 25 fu, two han of 20 fu by ron: no reading gives them."""
    closed = scored("234m456p678s33z34s 5s")
    tsumo = scored("234m456p678s33z34s 5s", tsumo=True)
    opened = scored("234m456p55s34s 5s 6-78s")
    assert [(int(each.fu[0]), int(each.han[0])) for each in (closed, tsumo, opened)] == [(30, 1), (20, 2), (30, 1)]


def test_a_red_five_that_is_robbed_counts_for_the_winner():
    """Case do-011."""
    assert scored("34m456p678s33z345s 0m", chankan=True).yaku[0, 54] == 1


def test_ura_count_for_the_winner_in_riichi():
    """Case do-012: two winners of one tile, one of them in riichi; the log gives both the same ura indicators."""
    found = [scored("234m456p678s44z34s 5s", **(RIICHI | {"riichi": riichi, "ura": "3z"})) for riichi in (1, 0)]
    assert [int(each.yaku[0, 53]) for each in found] == [2, 0]


def test_the_last_tile_alone_makes_a_hand_win():
    """Case yk-038: an open hand without any other yaku."""
    for tsumo, number in ((True, 5), (False, 6)):
        scores = scored("456p678s99m34s 5s 1-23m", last_tile=True, tsumo=tsumo)
        assert np.flatnonzero(scores.yaku[0]).tolist() == [number]
    assert not scored("456p678s99m34s 5s 1-23m").has_yaku[0]


def test_pairs_beside_a_meld_are_no_seven_pairs():
    """Case dc-016: eleven concealed tiles, all pairs but one."""
    assert not scored("1122334455m6m 6m 777-z").complete[0]


def test_a_winner_collects_its_own_stick():
    """Case de-008: a winner in riichi takes all sticks, its own among them."""
    first = scored("234m456p678s44z34s 5s", riichi=1, payer=0, honba=1, sticks=2)
    assert int(first.deltas[0, 1]) == int(first.points[0]) + 300 + 2000


def test_honba_of_three_players():
    """Case de-012: 200 in all from a discarder, 100 from each of two by tsumo."""
    ron = scored("234p456p678s44z34s 5s", riichi=1, players=3, honba=1, payer=0)
    tsumo = scored("234p456p678s44z34s 5s", riichi=1, players=3, honba=1, tsumo=True)
    assert int(ron.deltas[0, 1]) == int(ron.points[0]) + 200
    assert int(tsumo.deltas[0, 1]) == int(tsumo.points[0]) + 200


def test_samples_of_the_rules_reference():
    """The results of another engine in RULES.md 3.1, 3.4 and 3.5 are the same here."""
    assert scored("456p678s99m45s 3s 2-34m", last_tile=True).fu.tolist() == [30]
    assert scored("456p678s99m45s 3s 2-34m", last_tile=True, tsumo=True).fu.tolist() == [30]
    assert scored("456m99s45s 3s 222-m 1111p", rinshan=True, tsumo=True).fu.tolist() == [60]
    six = scored("111222333444z5z 5z", {"double_yakuman": True}, first_turn=True, tsumo=True, winner=0)
    assert six.units.tolist() == [6]
    assert scored("00567p234m34678s 5s", dora="4p", riichi=1).yaku[0, [52, 54]].tolist() == [3, 2]

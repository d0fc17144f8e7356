"""Disputed hands with a machine-readable check (../shared/cases): shanten, waits, fu, yaku, points, pao."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from engine.hands import parse_hand
from engine.payments import shares_of_points
from engine.rules import RuleTable, preset
from engine.score import score
from engine.shanten import shanten
from engine.wins import Wins

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "cases.jsonl"

RULE_NAMES = {
    "double_yakuman": lambda value: {"double_yakuman": value},
    "kuitan": lambda value: {"open_tanyao": value},
    "kazoe": lambda value: {"kazoe_yakuman": value},
    "pao": lambda value: {} if value else {"pao_yakuman": ()},
}
"""Rule options of the cases, as changes of a rule set."""

OTHER_RULES = {"pa-008": "majiang"}
"""Cases whose payments are those of 電脳麻将: liable for one yakuman only (RULES.md 5, 1)."""


def load_cases(*kinds):
    """Read the cases whose check is of one of the kinds."""
    if not CASES.is_file():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no shared data at {CASES}"))]
    cases = [json.loads(line) for line in CASES.read_text("utf-8").splitlines()]
    return [pytest.param(c, id=c["id"]) for c in cases if c.get("check", {}).get("kind") in kinds]


@pytest.mark.parametrize("case", load_cases("shanten"))
def test_shanten(case):
    """The exact definition gives the value that the case asks for."""
    check = case["check"]
    hands = parse_hand(check["hand"])
    assert shanten(hands.keys, np.array([check["melds"]])).tolist() == [check["want"]]


@pytest.mark.parametrize("case", load_cases("score"))
def test_score(case):
    """Win or not, han, fu, payments: all that the case states."""
    check = case["check"]
    rules = preset(OTHER_RULES.get(case["id"], "tenhou"))
    for name, value in check.get("rules", {}).items():
        rules = rules.changed(**RULE_NAMES[name](value))
    scores = score(win_of(check), RuleTable.from_rules([rules]))
    assert found(scores, check) == check["want"]


def win_of(check):
    """Build the win of a check: a non-dealer's in East unless said, ron off the seat across."""
    winner = "ESWN".index(check.get("seat", "S"))
    hands = parse_hand(" ".join([check["hand"] + check["win"], *map(meld_text, check["melds"])]))
    feeder = "_+=-".index(check.get("from", "="))
    return Wins.of(
        hands,
        tile_kinds(check["win"]),
        tsumo=check["tsumo"],
        winner=winner,
        payer=winner if check["tsumo"] else (winner + feeder) % 4,
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
    place = 3 if meld["t"] == "kakan" else len(digits)
    return digits[:place] + mark + digits[place:] + suit


def tile_kinds(text):
    """Read "1m9p" as kinds."""
    pairs = zip(text[::2], text[1::2], strict=True)
    return np.array(["mpsz".index(suit) * 9 + (int(digit) or 5) - 1 for digit, suit in pairs], dtype=np.uint8)


def found(scores, check):
    """Give what the check asks for; a tsumo is listed as the dealer's payment (or any) and a non-dealer's."""
    dealer_wins = np.array([check.get("seat") == "E"])
    shares, _ = shares_of_points(scores.points, dealer_wins, np.array([4]))
    values = {
        "win": bool(scores.has_yaku[0]),
        "han": int(scores.han[0]),
        "fu": int(scores.fu[0]),
        "ron": int(scores.points[0]),
        "deltas": scores.deltas[0].tolist(),
        "tsumo": [int((shares.other if dealer_wins else shares.dealer)[0]), int(shares.other[0])],
    }
    return {name: values[name] for name in check["want"]}

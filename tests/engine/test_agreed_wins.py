"""Random wins on whose value three engines agree (two with three players): every yaku, and rare combinations.

``agreed_wins.jsonl`` is a selection from 44,000 wins of `tests/kit/random_wins.py`, and from 18,000 wins of three
players with a North set aside or won by one. Each line adds yaku, pairs of yaku, fu, points or rules that no earlier
line has. The fields of a line: ``hand`` (電脳麻将's notation, the winning tile last among the concealed tiles), ``at``
(fields of `engine.yaku.wins.Wins`), ``rules`` (changes of Tenhou's, without liability), ``want`` (the agreed values),
``by`` (the engines that agree).
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from engine.rules.consistency import in_force
from engine.rules.parameters import RULE_NAMES, RuleSet
from engine.rules.rule_sets import preset
from engine.rules.rule_table import RuleTable
from engine.scoring.score import score
from engine.tiles.hands import parse_hand
from engine.yaku.wins import Wins
from tests.kit.batches import concatenated, kinds, scored

FILE = Path(__file__).with_name("agreed_wins.jsonl")
FLAGS = ("tsumo", "ippatsu", "rinshan", "chankan", "last_tile", "first_turn", "on_kita", "after_kita")
NUMBERS = ("riichi", "winner", "dealer", "payer", "round_wind", "honba", "sticks", "players", "norths")


@pytest.fixture(scope="module")
def cases():
    """Read the cases."""
    return [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def rules_of(case):
    """Give the rules of a case."""
    base = preset("tenhou_sanma" if case["at"]["players"] == 3 else "tenhou")
    stated = {name: getattr(base, name) for name in RULE_NAMES} | {"pao_yakuman": ()} | case["rules"]
    return RuleSet.from_mapping(in_force({name: as_rule(value) for name, value in stated.items()}))


def as_rule(value):
    """Turn lists of a JSON file into tuples."""
    return tuple(value) if isinstance(value, list) else value


def indicators(cases, name):
    """Give lists of indicators, written suit first, as one padded array."""
    filled = np.full((len(cases), 5), 255, dtype=np.uint8)
    for row, case in enumerate(cases):
        turned = re.sub(r"([mpsz])(\d)", r"\2\1", case["at"].get(name, ""))
        filled[row, : len(turned) // 2] = kinds(turned)
    return filled


def test_all_values(cases):
    """Yaku, fu, han, yakuman, points and payments agree, in one batch of mixed rules."""
    table = RuleTable.from_rules([rules_of(case) for case in cases])
    won = [re.search(r"([mpsz])\d*(\d)(?:,|$)", case["hand"]) for case in cases]
    wins = Wins.of(
        concatenated([parse_hand(case["hand"]) for case in cases]),
        np.concatenate([kinds(found[2] + found[1]) for found in won]),
        rule=table.row_of,
        **{name: np.array([case["at"].get(name, 0) for case in cases]) for name in FLAGS + NUMBERS},
        **{name: indicators(cases, name) for name in ("dora", "ura")},
    )
    scores = score(wins, table)
    for row, case in enumerate(cases):
        yakuman = np.flatnonzero(scores.yakuman[row]).tolist()
        found = {
            "yaku": {str(number): int(scores.yaku[row, number]) for number in np.flatnonzero(scores.yaku[row])},
            "yakuman": yakuman,
            "fu": 0 if yakuman or not scores.has_yaku[row] else int(scores.fu[row]),
            "han": int(scores.han[row]) * int(scores.has_yaku[row]),
            "units": int(scores.units[row]),
            "points": int(scores.points[row]),
            "deltas": scores.deltas[row].tolist(),
        }
        assert found == case["want"], case


def test_the_cases_are_many_sided(cases):
    """The cases have every yaku that all three engines play, wins without yaku, and every form of hand."""
    seen = {int(number) for case in cases for number in [*case["want"]["yaku"], *case["want"]["yakuman"]]}
    assert seen >= set(range(55)) - {36}
    assert {case["at"]["players"] for case in cases} == {3, 4}
    assert {case["at"].get("norths", 0) for case in cases} == {0, 1, 2, 3, 4}
    assert {"on_kita", "after_kita"} <= {name for case in cases for name in case["at"]}
    assert {"kita_chankan", "kita_rinshan_yaku"} <= {name for case in cases for name in case["rules"]}
    assert any(not case["want"]["points"] for case in cases)


@pytest.mark.parametrize(
    ("text", "rules", "found", "units", "points"),
    [
        # jansou names only suuankou if yakuman do not add up; 電脳麻将 and this engine name all three.
        ("2z 2z 1111p 1111z 3333z 4444z", {"yakuman_stacking": False}, {41, 50, 51}, 1, 32000),
        # PyPI mahjong adds all honours to the seven stars, with or without double yakuman.
        ("113344556677z2z 2z", {"local_yaku": ("daichisei",), "double_yakuman": False}, {122}, 1, 32000),
        ("113344556677z2z 2z", {"local_yaku": ("daichisei",), "double_yakuman": True}, {122}, 2, 64000),
    ],
)
def test_where_others_name_yakuman_otherwise(text, rules, found, units, points):
    """The known differences that scripts/oracles names have this engine's values."""
    scores = scored(text, rules, tsumo=True)
    named = set(np.flatnonzero(scores.yakuman[0]).tolist())
    assert (named, int(scores.units[0]), int(scores.points[0])) == (found, units, points)


def test_every_red_five_is_a_dora_five():
    """Of two red fives in a meld 電脳麻将 counts one (RULES.md 3.5); jansou and this engine count both."""
    scores = scored("666m4p 4p 5500=s 5555p 6666s", {}, dora="4s4p")
    assert scores.yaku[0, 52:55].tolist() == [8, 0, 2]


def test_an_open_wheel_is_a_full_flush():
    """22334455667788 with a chi is daisharin in PyPI mahjong; here daisharin is seven pairs, which have no melds."""
    scores = scored("2234567788p 6p 3-45p", {"local_yaku": ("daisharin",)}, tsumo=True, last_tile=True)
    assert (int(scores.units[0]), int(scores.han[0]), int(scores.fu[0])) == (0, 7, 30)

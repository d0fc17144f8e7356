"""Hands under partly unknown rules: each claim is certain, not checkable, or wrong under every value."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest

from auditor.hands.cells import read_cells
from auditor.hands.read import read
from auditor.hands.table import scored
from auditor.hands.unknown_rules import _TOUCHES, outcomes
from engine.rules.rule_sets import known_values, preset
from engine.rules.rule_table import RuleTable
from engine.scoring.score import score
from tests.kit.command_line import auditor
from tests.kit.random_hands import case

TENHOU = preset("tenhou")
FOUR_HAN = {"hand": "234m234p234s55m67p", "win": "8p-"}
"""4 han 30 fu: 7700, or 8000 where kiriage rounds up."""
THIRTEEN = {"hand": "m22334455667788", "win": "8m=", "dora": "1m1p", "riichi": 1}
"""Riichi, pinfu, tanyao, ryanpeikou, full flush, two dora: 14 han."""


def unknown(*names):
    """Give Tenhou's rules with some rules unknown."""
    return replace(TENHOU, **dict.fromkeys(names))


def judged(rules, **row):
    """Score one row."""
    columns = ("expected_points", "depends_on", "compared", "not_checkable", "mismatch")
    return scored(pl.DataFrame([row]), rules).select(columns).row(0)


def test_a_known_rule_leaves_no_doubt():
    """If the rule is known, or does not affect the hand, the outcome is certain."""
    assert judged(TENHOU, **FOUR_HAN, points=7700) == (7700, None, "points", None, None)
    assert judged(unknown("kazoe_yakuman", "ippatsu", "dora"), **FOUR_HAN, points=7700)[:2] == (7700, None)


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        (8000, (None, "kiriage_mangan", "han", "points: depends on rule kiriage_mangan", None)),
        (7700, (None, "kiriage_mangan", "han", "points: depends on rule kiriage_mangan", None)),
        (5200, (None, "kiriage_mangan", "han, points", None, "points")),
    ],
)
def test_kiriage_unknown(points, expected):
    """A claim that one value makes right is not checkable; one that no value makes right is a mismatch."""
    assert judged(unknown("kiriage_mangan"), **FOUR_HAN, han=4, points=points) == expected


@pytest.mark.parametrize(
    ("rule", "row", "right"),
    [
        ("kazoe_yakuman", THIRTEEN, (24000, 32000)),
        # 20 fu, a concealed triplet of dragons 8, the pair 2 or 4: 30 or 40; one han, the dealer's.
        ("double_wind_pair_fu", {"hand": "123m555z11z67s,4-56p", "win": "8s-", "seat": "E"}, (1500, 2000)),
        # A win that exists under one value only is accepted.
        ("open_tanyao", {"hand": "234m567p34s88s,777-m", "win": "5s-"}, (1000,)),
        ("min_han", FOUR_HAN, (7700,)),
    ],
)
def test_rules_that_touch_a_hand(rule, row, right):
    """Each value of the rule makes one claim right; another claim is wrong."""
    for points in right:
        assert judged(unknown(rule), **row, points=points)[4] is None
    assert judged(unknown(rule), **row, points=100)[4] == "points"
    assert (judged(unknown(rule), **row)[1] == rule) == (len(right) > 1)


def test_trial_of_an_unknown_rule(shared):
    """EMA 2025 pays 8000 and 24000; its preset leaves the rule unknown: no mismatch, exit code 0."""
    path = shared / "trials" / "08_score_unknown_rule.csv"
    for rules in ("ema2025", "wrc"):
        code, out, _ = auditor("score", path, "--rules", rules)
        assert code == 0
        assert "2 not checkable" in out
        assert "0 differ" not in out


def test_a_hand_names_the_unknown_rules_it_depends_on():
    """``hand`` does not print Tenhou's value as certain."""
    code, out, _ = auditor("hand", FOUR_HAN["hand"], "--win", FOUR_HAN["win"], "--rules", "ema2025")
    assert code == 0
    assert "kiriage_mangan=true: 8000 points (4 han 30 fu)" in out
    assert "kiriage_mangan=false: 7700 points (4 han 30 fu)" in out
    assert "kiriage" not in auditor("hand", FOUR_HAN["hand"], "--win", FOUR_HAN["win"])[1]


def random_wins(seed, number, rules):
    """Give random wins without contradictions."""
    rng = random.Random(seed)
    table = pl.DataFrame([case(rng) for _ in range(number)], infer_schema_length=None)
    wins, problem = read(read_cells(table).known, rules)
    rows = problem.is_null().to_numpy()
    return wins[rows]


def worth(scores):
    """Give the value of each hand as rows that can be compared."""
    return np.concatenate(
        [np.stack([scores.fu, scores.han, scores.limit, scores.points, *scores.deltas.T], axis=1),
         scores.yaku, scores.yakuman], axis=1,
    )  # fmt: skip


CHOSEN = [
    ("dora", "kan_dora", "ura_dora", "kan_ura_dora", "kiriage_mangan"),
    ("ippatsu", "open_tanyao", "min_han", "kiriage_mangan", "kazoe_yakuman"),
    ("double_wind_pair_fu", "rinshan_tsumo_fu", "kiriage_mangan", "honba_value", "dora"),
    ("renhou", "double_yakuman", "yakuman_stacking", "kazoe_yakuman", "ryuuiisou_requires_hatsu"),
]


@pytest.mark.parametrize("names", CHOSEN, ids=" ".join)
def test_outcomes_are_those_of_all_combinations(names):
    """The outcome is that of scoring every hand under all combinations, whichever rules are said to affect it."""
    rules = unknown(*names)
    wins = random_wins(5, 1500, rules)
    every = [replace(rules, **dict(zip(names, values, strict=True))) for values in product(*map(known_values, names))]
    tried = [score(replace(wins, rule=np.zeros(len(wins), np.int16)), RuleTable.from_rules([each])) for each in every]
    winning = np.stack([each.complete & each.has_yaku for each in tried])
    values = np.stack([worth(each) for each in tried])
    depends, row = [], 0
    for found in outcomes(wins, rules):
        depends += found.depends
        assert found.start == row
        row = found.stop
    assert row == len(wins) > 100
    for win in np.flatnonzero(winning.any(axis=0)):
        counted = values[winning[:, win], win]
        assert (len(np.unique(counted, axis=0)) > 1) == bool(depends[win]), (win, depends[win])
    assert any(depends)


def test_conditions_are_of_all_rules_that_scoring_asks_for():
    """The module has a condition for every rule that scoring uses: a forgotten one would silently be Tenhou's."""
    table = RuleTable.from_rules([TENHOU])
    wins = random_wins(6, 200, TENHOU)
    score(wins, table)
    assert set(table._columns) <= set(_TOUCHES)


def test_too_many_fillings_decide_nothing(monkeypatch):
    """If there are more combinations than are tried, nothing is expected, and no claim is wrong."""
    monkeypatch.setattr("auditor.hands.unknown_rules.MOST_FILLINGS", 1)
    found = judged(unknown("kiriage_mangan"), **FOUR_HAN, points=100)
    assert found == (None, "kiriage_mangan", None, "points: depends on rule kiriage_mangan", None)
    assert judged(unknown("kazoe_yakuman"), **FOUR_HAN, points=100)[4] == "points"


@pytest.mark.parametrize("rules", ["tenhou", "ema2025"])
def test_a_table_without_rows(tmp_path, rules):
    """Nothing is compared, and the values of an empty table can be written."""
    path, out = tmp_path / "none.csv", tmp_path / "out.parquet"
    path.write_text("hand,points\n")
    assert auditor("score", path, "--rules", rules)[0] == 2
    assert auditor("score", path, "--rules", rules, "--out", out)[:2] == (0, "0 hands, nothing was compared\n")
    assert len(pl.read_parquet(out)) == 0

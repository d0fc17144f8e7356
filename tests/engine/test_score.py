"""Dora, limits, points and the choice among readings."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules.rule_sets import preset
from engine.rules.rule_table import RuleTable
from engine.scoring.points import points_of
from engine.scoring.score import count_dora, score
from engine.tiles.hands import parse_hand
from engine.yaku.wins import Wins
from tests.kit.batches import concatenated, kinds, rules_of, scored, win_of, yaku_names

PINFU = "234m456p678s33z34s 5s"


@pytest.mark.parametrize(
    ("text", "situation", "expected"),
    [
        (PINFU, {"dora": "1m"}, [1, 0, 0]),
        (PINFU, {"dora": "2z"}, [2, 0, 0]),
        (PINFU, {"dora": "2z2z1m"}, [5, 0, 0]),
        (PINFU, {"dora": "9m"}, [0, 0, 0]),
        (PINFU, {"ura": "2z"}, [0, 0, 0]),
        (PINFU, {"ura": "2z", "riichi": 1}, [0, 2, 0]),
        ("345m456p678s33z34s 0s", {"dora": "4s"}, [1, 0, 1]),
        ("456p678s33z34s 0s 8888m", {"dora": "7m"}, [4, 0, 1]),
        ("00p123m678p456s34s 5s", {"dora": "4p"}, [2, 0, 2]),
        ("456p678s33z34s 5s 40-6m", {"dora": "4m"}, [1, 0, 1]),
    ],
)
def test_dora(text, situation, expected):
    """Dora, ura dora and red fives, in concealed tiles and melds."""
    assert count_dora(win_of(text, **situation), rules_of()).tolist() == [expected]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({}, [3, 3, 0]),
        ({"dora": False}, [0, 3, 0]),
        ({"kan_dora": False}, [2, 2, 0]),
        ({"kan_ura_dora": False}, [3, 2, 0]),
        ({"ura_dora": False}, [3, 0, 0]),
    ],
)
def test_rules_on_dora(rules, expected):
    """Each parameter switches off its own indicators."""
    win = win_of(PINFU, dora="2z1m", ura="2z1m", riichi=1)
    assert count_dora(win, rules_of(**rules)).tolist() == [expected]


def test_sanma_dora_of_1m_is_9m():
    """With three players the indicator 1m makes 9m dora."""
    win = win_of("999m456p678s33z34s 5s", dora="1m", players=3)
    assert count_dora(win, rules_of()).tolist() == [[3, 0, 0]]


def test_dora_alone_do_not_win():
    """A hand with only dora does not win."""
    scores = scored("456p678s99p34s 5s 222-m", {}, dora="8p1m")
    assert [bool(scores.complete[0]), bool(scores.has_yaku[0])] == [True, False]
    assert [int(scores.points[0]), int(scores.han[0]), int(scores.limit[0])] == [0, 0, 0]
    assert not scores.deltas.any()
    assert not scores.yaku.any()


def test_a_hand_that_is_not_complete():
    """A hand that is not complete has no values."""
    scores = scored("123m456p678s33z34s 7s")
    assert not scores.complete[0]
    assert not scores.has_yaku[0]
    assert scores.best.tolist() == [-1]


@pytest.mark.parametrize(("min_han", "wins"), [(1, True), (2, False)])
def test_minimum_of_yaku(min_han, wins):
    """Dora do not count for the minimum of han."""
    assert scored(PINFU, {"min_han": min_han}, dora="2z").has_yaku.tolist() == [wins]


@pytest.mark.parametrize(
    ("fu", "han", "rules", "expected", "limit"),
    [
        # Ron, tsumo and dealer's ron: fu x 2^(han + 2), each payment rounded up (RULES.md 3.2).
        (30, 1, {}, [1000, 1100, 1500], 0),
        (40, 3, {}, [5200, 5200, 7700], 0),  # case pt-001
        (25, 4, {}, [6400, 6400, 9600], 0),
        (30, 4, {}, [7700, 7900, 11600], 0),
        (30, 4, {"kiriage_mangan": True}, [8000, 8000, 12000], 0),
        (60, 3, {"kiriage_mangan": True}, [8000, 8000, 12000], 0),
        (40, 4, {}, [8000, 8000, 12000], 1),
        (70, 3, {}, [8000, 8000, 12000], 1),
        (30, 5, {}, [8000, 8000, 12000], 1),
        (30, 6, {}, [12000, 12000, 18000], 2),
        (30, 7, {}, [12000, 12000, 18000], 2),
        (30, 8, {}, [16000, 16000, 24000], 3),  # case pt-002
        (30, 10, {}, [16000, 16000, 24000], 3),
        (30, 11, {}, [24000, 24000, 36000], 4),
        (30, 12, {}, [24000, 24000, 36000], 4),
        (30, 13, {}, [32000, 32000, 48000], 5),
        (30, 16, {}, [32000, 32000, 48000], 5),
        (30, 13, {"kazoe_yakuman": False}, [24000, 24000, 36000], 4),
    ],
)
def test_points_of_fu_and_han(fu, han, rules, expected, limit):
    """The table of points: every limit, and the two rules that change it."""
    hands = concatenated([parse_hand("1m")] * 3)
    wins = Wins.of(hands, np.zeros(3), tsumo=[False, True, False], winner=[1, 1, 0])
    columns = (np.full(3, value) for value in (fu, han, 0))
    found_limit, points = points_of(*columns, wins, rules_of(**rules))
    assert points.tolist() == expected
    assert found_limit.tolist() == [limit] * 3


def test_sixteen_han_count_as_one_yakuman():
    """Sixteen han count as one yakuman."""
    # RULES.md 3.2: a counted yakuman is never more than one unit.
    scores = scored("22334455667m88m 7m", {}, riichi=1, dora="1m1m1m")
    assert int(scores.han[0]) >= 13
    assert [int(scores.units[0]), int(scores.limit[0]), int(scores.points[0])] == [0, 5, 32000]
    assert not scores.yakuman.any()


def test_the_dearer_reading_wins():
    """The reading with more points counts."""
    # Seven pairs or twice two equal runs: three han of ryanpeikou beat two of seven pairs.
    assert yaku_names(scored("223344m556677p8s 8s")) == {"ryanpeikou": 3, "tanyao": 1}


def test_more_han_break_a_tie_of_points():
    """More han break a tie of points."""
    # 1112223334445m...: case dc-008 expects ten han, where fewer han have the same points.
    scores = scored("3333444455566m 6m", {}, tsumo=True)
    assert int(scores.han[0]) == 10


def test_rules_of_each_win_are_its_own():
    """Each win of a batch is scored under its own rules."""
    table = RuleTable.from_rules([preset("tenhou"), preset("tenhou").changed(open_tanyao=False)])
    hands = concatenated([parse_hand("234m456p55s345s,6-78s")] * 3)
    wins = Wins.of(hands, np.repeat(kinds("5s"), 3), rule=[0, 1, 0])
    assert score(wins, table).has_yaku.tolist() == [True, False, True]


def test_no_wins():
    """An empty batch gives empty results of the right shape."""
    scores = score(win_of(PINFU)[:0], rules_of())
    assert len(scores.points) == 0
    assert scores.deltas.shape == (0, 4)


def test_a_win_has_no_other_fields():
    """An unknown name of a field is refused."""
    with pytest.raises(TypeError, match="kita"):
        Wins.of(parse_hand("1m"), np.zeros(1), kita=1)

"""The rule object of 電脳麻将: every key of RULES.md 1, the presets that it ships (1.1), and wrong keys and values."""

from __future__ import annotations

import pytest

from engine.rules.majiang import MAJIANG_KEYS
from engine.rules.rule_sets import PARAMETERS, differences, from_majiang, preset


def changes(values):
    """Give the parameters in which a rule object differs from the defaults."""
    return {name: pair[1] for name, pair in differences(preset("majiang"), from_majiang(values)).items()}


def test_defaults_are_the_preset():
    """An empty rule object is the preset ``majiang``."""
    assert from_majiang({}) == preset("majiang")


ABORTS = ("abortive_kyuushu", "abortive_four_winds", "abortive_four_riichi", "abortive_four_kans")

KEYS = [
    ("配給原点", 30000, {"starting_points": 30000}),
    (
        "順位点",
        ["15", "5", "-5", "-15"],
        {"uma": (15.0, 5.0, -5.0, -15.0), "final_points_rounding": "thousand_half_up"},
    ),
    ("順位点", ["99", "5.0", "-5.0", "-15.0"], {"uma": (15.0, 5.0, -5.0, -15.0)}),  # the first entry is not read
    ("連風牌は2符", True, {"double_wind_pair_fu": 2}),
    ("赤牌", {"m": 0, "p": 2, "s": 1}, {"red_fives": (0, 2, 1)}),
    ("クイタンあり", False, {"open_tanyao": False}),
    ("喰い替え許可レベル", 2, {"kuikae_level": 2}),
    ("場数", 0, {"game_length": 0}),
    ("途中流局あり", False, dict.fromkeys(ABORTS, False)),
    ("流し満貫あり", False, {"nagashi_mangan": False}),
    ("ノーテン宣言あり", True, {"tenpai_declaration_optional": True}),
    ("ノーテン罰あり", False, {"noten_payment": (0, 0, 0)}),
    ("最大同時和了数", 1, {"max_simultaneous_ron": 1, "abortive_triple_ron": False}),
    ("最大同時和了数", 3, {"max_simultaneous_ron": 3, "abortive_triple_ron": False}),
    ("連荘方式", 3, {"renchan_mode": 3}),
    ("トビ終了あり", False, {"bust_threshold": "off", "riichi_min_points": 0}),
    ("オーラス止めあり", False, {"agari_yame": "none", "tenpai_yame": "none"}),
    ("延長戦方式", 3, {"extension_mode": 3}),
    ("一発あり", False, {"ippatsu": False}),
    ("裏ドラあり", False, {"ura_dora": False, "kan_ura_dora": False}),
    ("カンドラあり", False, {"kan_dora": False, "kan_ura_dora": False, "open_kan_dora_delayed": False}),
    ("カン裏あり", False, {"kan_ura_dora": False}),
    ("カンドラ後乗せ", False, {"open_kan_dora_delayed": False}),
    ("ツモ番なしリーチあり", True, {"riichi_without_next_draw": True}),
    ("リーチ後暗槓許可レベル", 1, {"riichi_ankan_level": 1, "riichi_ankan_yaku_loss": True}),
    ("役満の複合あり", False, {"yakuman_stacking": False, "double_yakuman": False}),
    ("ダブル役満あり", False, {"double_yakuman": False}),
    ("数え役満あり", False, {"kazoe_yakuman": False}),
    ("役満パオあり", False, {"pao_yakuman": ()}),
    ("切り上げ満貫あり", True, {"kiriage_mangan": True}),
]


@pytest.mark.parametrize(("key", "value", "expected"), KEYS)
def test_each_key(key, value, expected):
    """A key changes the parameters that it states, and those that have no effect without them."""
    assert changes({key: value}) == expected


def test_all_keys_are_here_and_in_the_documentation():
    """There are 28 keys, and the parameters that a key states name it."""
    assert {key for key, _, _ in KEYS} == set(MAJIANG_KEYS)
    assert len(MAJIANG_KEYS) == 28
    assert {parameter.majiang for parameter in PARAMETERS.values()} - {""} == set(MAJIANG_KEYS)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"クイタン": True}, "'クイタンあり'"),
        ({"場数": 3}, "rule 場数 of 電脳麻将 is one of 0, 1, 2, 4, not 3"),
        ({"クイタンあり": 1}, "one of True, False, not 1"),
        ({"順位点": [20, 10, -10, -20]}, "順位点"),
        ({"順位点": "20"}, "順位点"),
        ({"順位点": ["1", "x", "2", "3"]}, "順位点"),
        ({"赤牌": {"m": 1}}, "赤牌"),
        ({"赤牌": {"m": 1, "p": 9, "s": 1}}, "red_fives"),
        ({"配給原点": "25000"}, "starting_points"),
    ],
)
def test_what_the_library_would_swallow(values, message):
    """Unknown keys and wrong values, which the library accepts in silence, are errors here."""
    with pytest.raises(ValueError, match=message):
        from_majiang(values)


@pytest.mark.parametrize(
    ("name", "body_name", "expected"),
    [
        (
            "majiang_mleague",
            "mleague",
            {
                "pao_yakuman": (("daisangen", "daisuushi"), ("daisangen", "daisuushi", "suukantsu")),
                "tie_break": ("seat_order", "split"),
                "chombo_penalty": (0, 20),
            },
        ),
        ("majiang_classic", "saikouisen_classic", {}),
    ],
)
def test_its_presets_and_the_rules_of_the_bodies(name, body_name, expected):
    """The shipped rule objects of RULES.md 1.1 differ from the known rules of the real bodies only in these."""
    found = differences(preset(name), preset(body_name))
    assert {each: pair for each, pair in found.items() if pair[1] is not None} == expected

"""Each yaku on the shortest hand that has it, beside a hand that just misses it."""

from __future__ import annotations

from collections import Counter

import pytest
from batches import scored, yaku_names

from engine.registry import DORA, RED_FIVE, URA_DORA, YAKU_COUNT
from engine.yaku import ALL_YAKU

TSUMO = {"menzen tsumo": 1}

HAVE = [
    # text, situation, yaku and han
    ("123m456p789s22z11z 1z", {"tsumo": True}, TSUMO | {"bakaze ton": 1}),
    ("123m456p678s33z34s 5s", {"riichi": 1}, {"riichi": 1, "pinfu": 1}),
    ("123m456p678s33z34s 5s", {"riichi": 2, "ippatsu": True}, {"double riichi": 2, "ippatsu": 1, "pinfu": 1}),
    ("123m456p78s22z 9s 1-23s", {"chankan": True}, {"chankan": 1}),
    ("123m456p78s22z 9s 1-23s", {"rinshan": True, "last_tile": True, "tsumo": True}, {"rinshan kaihou": 1}),
    ("123m456p78s22z 9s 1-23s", {"last_tile": True, "tsumo": True}, {"haitei": 1}),
    ("123m456p78s22z 9s 1-23s", {"last_tile": True}, {"houtei": 1}),
    ("234m456p678s33z34s 5s", {}, {"pinfu": 1}),
    ("234m456p678s22z34s 5s", {"riichi": 1}, {"riichi": 1}),  # pair of the seat wind
    ("234m456p678s33z35s 4s", {"riichi": 1}, {"riichi": 1}),  # closed wait
    ("234m456p678s55m34s 5s", {}, {"pinfu": 1, "tanyao": 1}),
    ("234m456p55s34s 5s 6-78s", {}, {"tanyao": 1}),
    ("112233m456p99s78p 9p", {}, {"pinfu": 1, "iipeikou": 1}),
    ("11z234m456p99s78p 9p 222-z", {}, {}),
    ("234m456p99s78p 9p 222-z", {}, {"jikaze nan": 1}),
    ("234m456p99s78p 9p 111-z", {}, {"bakaze ton": 1}),
    ("234m456p99s78p 9p 111-z", {"winner": 0, "payer": 1}, {"jikaze ton": 1, "bakaze ton": 1}),
    ("234m456p99s78p 9p 222-z", {"round_wind": 1}, {"jikaze nan": 1, "bakaze nan": 1}),
    ("234m456p99s78p 9p 333-z", {"winner": 2}, {"jikaze shaa": 1}),
    ("234m456p99s78p 9p 333-z", {"round_wind": 2}, {"bakaze shaa": 1}),
    ("234m456p99s78p 9p 444-z", {"winner": 3}, {"jikaze pei": 1}),
    ("234m456p99s78p 9p 444-z", {"round_wind": 3}, {"bakaze pei": 1}),
    ("234m456p99s78p 9p 5555z", {}, {"haku": 1}),
    ("234m456p99s78p 9p 6666-z", {}, {"hatsu": 1}),
    ("234m456p99s78p 9p 777-7z", {}, {"chun": 1}),
    ("1122m3344p5566s1z 1z", {}, {"chiitoitsu": 2}),
    ("1199m1199p1199s1z 1z", {}, {"chiitoitsu": 2, "honroutou": 2}),
    ("112233m445566p7s 7s", {}, {"ryanpeikou": 3}),
    ("1111222233334m 4m", {}, {"ryanpeikou": 3, "chinitsu": 6, "pinfu": 1}),
    ("123m789p123s11z99m 9m", {}, {"chanta": 2}),
    ("789p123s11z99m 9m 1-23m", {}, {"chanta": 1}),
    ("123m789p123s11p99m 9m", {}, {"junchan": 3}),
    ("789p123s11p99m 9m 1-23m", {}, {"junchan": 2}),
    ("123m456m78m44p123s 9m", {}, {"ittsuu": 2, "pinfu": 1}),
    ("123m78m44p123s 9m 4-56m", {}, {"ittsuu": 1}),
    ("123m123p12s44p789m 3s", {}, {"sanshoku doujun": 2}),
    ("123p12s44p789m 3s 1-23m", {}, {"sanshoku doujun": 1}),
    ("222m22p44p 2p 222-s 4-56m", {}, {"sanshoku doukou": 2, "tanyao": 1}),
    ("45m99s 6m 2222m 333-3p 4444-s", {}, {"sankantsu": 2}),
    ("33p99s 3p 222-m 444-s 777-p", {}, {"toitoi": 2}),
    ("222m444s77p99s456p 7p", {"tsumo": True}, TSUMO | {"sanankou": 2}),
    ("222m444s77p99s456p 7p", {"riichi": 1}, {"riichi": 1}),  # a triplet made by ron is open
    ("222m444s777p9s567p 9s", {}, {"sanankou": 2}),
    ("55566677z123m78p 9p", {}, {"haku": 1, "hatsu": 1, "shousangen": 2, "chanta": 2}),
    ("99p11s 9p 111-m 999-m 111-z", {"round_wind": 1}, {"toitoi": 2, "honroutou": 2}),
    ("123m456m78m11z222m 9m", {"round_wind": 1}, {"honitsu": 3, "ittsuu": 2}),
    ("456m78m11z 9m 1-23m 222-m", {"round_wind": 1}, {"honitsu": 2, "ittsuu": 1}),
    ("1122334466889m 9m", {}, {"chiitoitsu": 2, "chinitsu": 6}),
    ("222m345m8m 8m 4-56m 777-m", {}, {"chinitsu": 5, "tanyao": 1}),
]

YAKUMAN = [
    ("123m456p789s22z11z 1z", {"tsumo": True, "first_turn": True, "winner": 0}, {"tenhou"}),
    ("123m456p789s22z11z 1z", {"tsumo": True, "first_turn": True}, {"chiihou"}),
    ("123m55z44p 5z 666-z 777-z", {}, {"daisangen"}),
    ("111m222p44s66z333s 4s", {"tsumo": True}, {"suuankou"}),
    ("111m222p444s6z333s 6z", {}, {"suuankou tanki"}),
    ("1122334455667z 7z", {}, {"tsuuiisou"}),
    ("223344s66z88s666s 6z", {}, {"ryuuiisou"}),
    ("22233344s66s 4s 888-s", {}, {"ryuuiisou"}),
    ("11m99p 1m 999-m 111-p 111-s", {}, {"chinroutou"}),
    ("1112345678899m 9m", {}, {"chuuren poutou"}),
    ("1112345678999m 5m", {}, {"junsei chuuren poutou"}),
    ("19m19p19s1123456z 7z", {}, {"kokushi musou"}),
    ("19m19p19s1234567z 3z", {}, {"kokushi musou juusanmen"}),
    ("44z55m 4z 111-z 222-z 333-z", {}, {"daisuushi"}),
    ("4z56p4z 4p 111-z 222-z 333-z", {}, {"shousuushi"}),
    ("5m 5m 1111m 2222-p 333-3s 4444z", {}, {"suukantsu"}),
]


@pytest.mark.parametrize(("text", "situation", "expected"), HAVE)
def test_yaku(text, situation, expected):
    """Exactly these yaku and han."""
    assert yaku_names(scored(text, **situation)) == expected


@pytest.mark.parametrize(("text", "situation", "expected"), YAKUMAN)
def test_yakuman(text, situation, expected):
    """Exactly these yakuman."""
    assert yaku_names(scored(text, **situation)) == dict.fromkeys(expected, "*")


@pytest.mark.parametrize(
    ("text", "rules", "situation", "expected"),
    [
        ("234m456p55s34s 5s 6-78s", {"open_tanyao": False}, {}, {}),
        ("234m456p678s55m34s 5s", {"open_tanyao": False}, {}, {"pinfu": 1, "tanyao": 1}),
        (
            "234m456p678s33z34s 5s",
            {"ippatsu": False},
            {"riichi": 1, "ippatsu": True},
            {"riichi": 1, "pinfu": 1},
        ),
        ("234m456p678s33z34s 5s", {}, {"first_turn": True}, {"pinfu": 1}),
        ("234m456p678s33z34s 5s", {"renhou": "mangan"}, {"first_turn": True}, {"renhou": 5, "pinfu": 1}),
        ("234m456p678s33z34s 5s", {"renhou": "yakuman"}, {"first_turn": True}, {"renhou": "*"}),
    ],
)
def test_rules_on_yaku(text, rules, situation, expected):
    """Open tanyao, ippatsu and renhou by rule."""
    assert yaku_names(scored(text, rules, **situation)) == expected


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("111m222p444s6z333s 6z", 2),
        ("1112345678999m 5m", 2),
        ("19m19p19s1234567z 3z", 2),
        ("44z55m 4z 111-z 222-z 333-z", 2),
        ("1112345678899m 9m", 1),
        ("1122334455667z 7z", 1),
        ("1z 1z 222-z 333-z 444-z 5555z", 2),  # all honours and little four winds
        ("44z55z 4z 111-z 222-z 333-z", 3),  # big four winds double
    ],
)
def test_double_yakuman(text, units):
    """Units where the rules know double yakuman."""
    assert scored(text, {"double_yakuman": True}).units.tolist() == [units]


def test_yakuman_do_not_stack_where_the_rules_forbid():
    """Yakuman do not stack where the rules forbid."""
    scores = scored("44z55z 4z 111-z 222-z 333-z", {"double_yakuman": True, "yakuman_stacking": False})
    assert scores.units.tolist() == [1]
    assert scores.points.tolist() == [32000]


def test_every_number_is_declared_once_and_shown_above():
    """A new yaku needs a row above."""
    numbers = Counter(entry.id for entry in ALL_YAKU)
    assert set(numbers) | {DORA, URA_DORA, RED_FIVE} == set(range(YAKU_COUNT))
    assert {number for number, times in numbers.items() if times > 1} == {36}  # renhou: han or yakuman, by rule
    shown = {name for case in HAVE + YAKUMAN for name in case[2]}
    assert {entry.romaji for entry in ALL_YAKU} - shown == {"renhou"}

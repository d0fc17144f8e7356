"""Each yaku in the simplest hand that has it, and a hand that just misses it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from engine.rules.rule_sets import preset
from engine.rules.rule_table import RuleTable
from engine.scoring.score import score
from engine.tiles.hands import parse_hand
from engine.yaku.all_yaku import ALL_YAKU, BY_ID, BY_MAHJONG_SOUL, BY_MAJIANG, LOCAL_YAKU
from engine.yaku.declaration import FIRST_LOCAL
from engine.yaku.wins import Wins
from tests.kit.batches import concatenated, scored, yaku_names

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
    """The hand has exactly these yaku with these han."""
    assert yaku_names(scored(text, **situation)) == expected


@pytest.mark.parametrize(("text", "situation", "expected"), YAKUMAN)
def test_yakuman(text, situation, expected):
    """The hand has exactly these yakuman."""
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
        ("234m456p678s33z34s 5s", {"renhou": 5}, {"first_turn": True}, {"renhou": 5, "pinfu": 1}),
        (
            "234m456p678s33z34s 5s",
            {"renhou": 1},
            {"first_turn": True, "dora": "2z"},
            {"renhou": 1, "pinfu": 1, "dora": 2},
        ),
        # A hand that is worth less is a mangan, also without another yaku; a hand that is worth more stays as it is.
        ("234m456p678s33z34s 5s", {"renhou": "mangan"}, {"first_turn": True, "dora": "2z"}, {"renhou": 5}),
        ("345m456p678s33z35s 4s", {"renhou": "mangan"}, {"first_turn": True}, {"renhou": 5}),
        (
            "2233445566778m 8m",
            {"renhou": "mangan"},
            {"first_turn": True},
            {"pinfu": 1, "tanyao": 1, "ryanpeikou": 3, "chinitsu": 6},
        ),
        ("234m456p678s33z34s 5s", {"renhou": "mangan"}, {"first_turn": True, "winner": 0, "payer": 1}, {"pinfu": 1}),
        ("234m456p678s33z34s 5s", {"renhou": "yakuman"}, {"first_turn": True}, {"renhou": "*"}),
    ],
)
def test_rules_on_yaku(text, rules, situation, expected):
    """Rules decide on open tanyao, ippatsu and renhou."""
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
    """A double yakuman has two units where the rules have double yakuman."""
    assert scored(text, {"double_yakuman": True}).units.tolist() == [units]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("111m222p444s6z333s 6z", "suuankou_tanki"),
        ("1112345678999m 5m", "pure_chuuren"),
        ("19m19p19s1234567z 3z", "kokushi_thirteen_waits"),
        ("44z55m 4z 111-z 222-z 333-z", "daisuushi"),
    ],
)
def test_which_yakuman_count_twice(text, form):
    """Rules can name those that do: for EMA before 2016 big four winds only, RiichiEnv has switches (RULES.md 5.19)."""
    for forms in ((), (form,), ("daisuushi",)):
        rules = {"double_yakuman": True, "double_yakuman_forms": forms}
        assert scored(text, rules).units.tolist() == [1 + (form in forms)]
        assert scored(text, rules | {"double_yakuman": False}).units.tolist() == [1]


def test_yakuman_do_not_stack_where_the_rules_forbid():
    """Without stacking only the highest yakuman counts; a double one counts twice."""
    for double in (False, True):
        rules = {"double_yakuman": double, "yakuman_stacking": False}
        scores = scored("44z55z 4z 111-z 222-z 333-z", rules)
        assert scores.units.tolist() == [1 + double]
        assert scores.points.tolist() == [32000 * (1 + double)]


WHEEL = "2233445566778{0} 8{0}"

LOCAL = [
    # name, text, situation, all yaku with their han
    ("tsubame_gaeshi", "234m456p678s33z34s 5s", {"riichi_discard": True}, {"tsubame gaeshi": 1, "pinfu": 1}),
    ("tsubame_gaeshi", "234m456p678s33z34s 5s", {"riichi_discard": True, "tsumo": True}, TSUMO | {"pinfu": 1}),
    ("kanburi", "234m456p678s33z34s 5s", {"kan_discard": True}, {"kanburi": 1, "pinfu": 1}),
    ("shiiaruraotai", "5s 5s 1-23m 444-p 777-7s 1111-z", {"winner": 2}, {"shiiaruraotai": 1, "bakaze ton": 1}),
    ("shiiaruraotai", "5s 5s 1-23m 444-p 777-7s 1111z", {"winner": 2}, {"bakaze ton": 1}),
    ("uumensai", "123m456p99s44z 4z 666-z", {"winner": 2}, {"uumensai": 2, "hatsu": 1}),
    ("uumensai", "22m33p44s1155667z 7z", {}, {"uumensai": 2, "chiitoitsu": 2}),
    ("sanrenkou", "33p99s 3p 222-p 555-p 1-23m", {}, {}),
    ("sanrenkou", "33p55s 3p 222-p 444-p 1-23m", {}, {"sanrenkou": 2}),
    ("isshoku_sanjun", "112233m789p55z23m 1m", {}, {"isshoku sanjun": 3, "chanta": 2}),
    (
        "isshoku_sanjun",
        "12m456p99s 3m 1-23m 12-3m",
        {"rinshan": False, "last_tile": True},
        {"isshoku sanjun": 2, "houtei": 1},
    ),
    ("iipinmoyue", "234m23p678s33z345s 1p", {"last_tile": True, "tsumo": True}, TSUMO | {"iipinmoyue": 5, "pinfu": 1}),
    ("iipinmoyue", "234m23p678s33z345s 4p", {"last_tile": True, "tsumo": True}, TSUMO | {"haitei": 1, "pinfu": 1}),
    ("chuupinraoyui", "234m78p678s33z345s 9p", {"last_tile": True}, {"chuupinraoyui": 5, "pinfu": 1}),
    ("daisharin", WHEEL.format("p"), {}, {"daisharin": "*"}),
    ("daichikurin", WHEEL.format("s"), {}, {"daichikurin": "*"}),
    ("daisuurin", WHEEL.format("m"), {}, {"daisuurin": "*"}),
    ("daisuurin", WHEEL.format("p"), {}, {"pinfu": 1, "tanyao": 1, "ryanpeikou": 3, "chinitsu": 6}),
    ("ishinouenimosannen", "234m456p678s33z34s 5s", {"riichi": 2, "last_tile": True}, {"ishi no ue ni mo sannen": "*"}),
    (
        "ishinouenimosannen",
        "234m456p678s33z34s 5s",
        {"riichi": 1, "last_tile": True},
        {"riichi": 1, "houtei": 1, "pinfu": 1},
    ),
    ("daichisei", "1122334455667z 7z", {}, {"daichisei": "*"}),
    ("paarenchan", "234m456p678s33z34s 5s", {"eighth_win": True}, {"paarenchan": "*"}),
    ("junsei_ryuuiisou", "22233344s88s 4s 666-s", {}, {"junsei ryuuiisou": "*"}),
    ("junsei_ryuuiisou", "22233344s66s 4s 888-s", {}, {"junsei ryuuiisou": "*"}),
    ("junsei_ryuuiisou", "223344s66z88s666s 6z", {}, {"ryuuiisou": "*"}),
    ("open_riichi", "234m456p678s33z34s 5s", {"riichi": 1, "open_riichi": True}, {"open riichi": 2, "pinfu": 1}),
    (
        "open_double_riichi",
        "234m456p678s33z34s 5s",
        {"riichi": 2, "open_riichi": True},
        {"open double riichi": 3, "pinfu": 1},
    ),
    ("sanshoku_tsuukan", "123s456m78s44s 9s 222-p", {}, {}),
    ("sanshoku_tsuukan", "123s456m78p44s234s 9p", {}, {"sanshoku tsuukan": 2, "pinfu": 1}),
    ("sanshoku_tsuukan", "456m78p44s234s 9p 1-23s", {}, {"sanshoku tsuukan": 1}),
    ("sanpuukou", "33z55m 3z 111-z 444-z 7-89p", {"winner": 2}, {"sanpuukou": 2, "bakaze ton": 1, "jikaze shaa": 1}),
    ("isshoku_yonjun", "23m55p 1m 1-23m 12-3m 123-m", {}, {"isshoku yonjun": "*"}),
    ("suurenkou", "33m99p 3m 222-m 444-m 555-m", {}, {"suurenkou": "*"}),
    ("kouitten", "23466s88s 6s 222-s 777-z", {}, {"kouitten": "*"}),
    ("benikujaku", "55s77s 5s 111-s 999-s 777-z", {}, {"benikujaku": "*"}),
    ("kokuiisou", "22p44z 2p 444-p 888-p 111-z", {}, {"kokuiisou": "*"}),
    ("hyakumangoku", "55m66m 6m 7777-m 8888-m 999-m", {}, {"hyakumangoku": "*"}),
    ("hyakumangoku", "234m55m67m 8m 1-23m 2-34m", {}, {"chinitsu": 5}),
]


@pytest.mark.parametrize(("name", "text", "situation", "expected"), LOCAL)
def test_local_yaku(name, text, situation, expected):
    """A local yaku counts where the rules name it; it replaces some yaku and leaves others."""
    assert yaku_names(scored(text, {"local_yaku": (name,)}, **situation)) == expected


def test_local_yaku_do_not_count_unasked():
    """No preset plays a local yaku."""
    for name, text, situation, _ in LOCAL:
        found = yaku_names(scored(text, **situation))
        assert LOCAL_YAKU[name].romaji not in found


def test_local_yaku_are_each_win_s_own():
    """Rule sets of a batch can play different local yaku."""
    table = RuleTable.from_rules([preset("tenhou"), preset("tenhou").changed(local_yaku=("daisharin",))])
    wins = Wins.of(concatenated([parse_hand("22334455667788p")] * 2), np.array([16, 16]), rule=[0, 1])
    assert score(wins, table).units.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "rules", "situation", "expected"),
    [
        ("22233344s66s 4s 888-s", {"ryuuiisou_requires_hatsu": True}, {}, {"tanyao": 1, "toitoi": 2, "chinitsu": 5}),
        ("223344s66z88s666s 6z", {"ryuuiisou_requires_hatsu": True}, {}, {"ryuuiisou": "*"}),
        ("1112345678899m 9m", {"chuuren_nine_waits_only": True}, {}, {"chinitsu": 6}),
        ("1112345678999m 5m", {"chuuren_nine_waits_only": True}, {}, {"junsei chuuren poutou": "*"}),
        (
            "1122334455667z 7z",
            {"first_turn_yakuman_stacking": False},
            {"first_turn": True, "tsumo": True},
            {"chiihou": "*"},
        ),
        ("1122334455667z 7z", {}, {"first_turn": True, "tsumo": True}, {"chiihou": "*", "tsuuiisou": "*"}),
        ("1122334455667z 7z", {"first_turn_yakuman_stacking": False}, {}, {"tsuuiisou": "*"}),
    ],
)
def test_rules_on_yakuman(text, rules, situation, expected):
    """Rules decide on all green without dragons, nine gates with fewer waits, and yakuman of the first turn."""
    assert yaku_names(scored(text, rules, **situation)) == expected


def test_the_worked_hand_of_article_001():
    """A closed double riichi of 17 han: 1112233778899 waits for 1, first discard, tsumo, East."""
    scores = scored("1112233778899m 1m", {}, riichi=2, ippatsu=True, tsumo=True, winner=0)
    assert yaku_names(scores) == TSUMO | {
        "double riichi": 2, "ippatsu": 1, "pinfu": 1, "chinitsu": 6, "ryanpeikou": 3, "junchan": 3,
    }  # fmt: skip
    assert scores.han.tolist() == [17]


def test_article_001_counts_these_twice():
    """The other engine counts twice: true nine gates, four concealed triplets with a pair wait, true all green."""
    rules = {"double_yakuman": True, "local_yaku": ("junsei_ryuuiisou",), "renhou": "yakuman"}
    for text in ("1112345678999m 5m", "111m222p444s6z333s 6z", "22233344s66s 4s 888-s"):
        assert scored(text, rules).units.tolist() == [2]


def test_the_first_turn_by_ron_in_article_001():
    """In Mahjong Soul's ancient mode 人和 is a yakuman."""
    assert scored("234m456p678s33z34s 5s", {"renhou": "yakuman"}, first_turn=True).units.tolist() == [1]


def test_every_number_is_declared_once_and_shown_above():
    """A new yaku needs a row above."""
    numbers = Counter(entry.id for entry in ALL_YAKU)
    assert {number for number in numbers if number < FIRST_LOCAL} == set(range(55))
    assert {number for number, times in numbers.items() if times > 1} == {36}  # renhou: han or yakuman, by rule
    assert {name for name, *_ in LOCAL} == set(LOCAL_YAKU)
    assert all(number < FIRST_LOCAL for name, number in ((e.name, e.id) for e in ALL_YAKU) if name not in LOCAL_YAKU)


def test_names_are_whole():
    """Each yaku has kanji, romaji, English, a meaning, and a name of its own in rule files."""
    for entry in ALL_YAKU:
        assert all((entry.name, entry.kanji, entry.romaji, entry.english, entry.meaning)), entry
    assert len({entry.name for entry in ALL_YAKU}) == len(ALL_YAKU)
    assert [entry.tenhou for entry in (BY_ID[41], BY_ID[118])] == [41, None]


def test_numbers_of_mahjong_soul():
    """Mahjong Soul's numbers are 1 to 33 and 35 to 64 (RULES.md 4.7); 34 is kita, which is not a yaku."""
    assert set(BY_MAHJONG_SOUL) == set(range(1, 65)) - {34}
    assert {number for number, entries in BY_MAHJONG_SOUL.items() if len(entries) > 1} == {10, 11}
    names = {27: "honitsu", 31: "dora", 46: "paarenchan", 47: "pure_chuuren", 59: "renhou_yakuman", 64: "daichisei"}
    assert {number: BY_MAHJONG_SOUL[number][0].name for number in names} == names


def test_names_of_majiang():
    """Every yaku but renhou has one name in 電脳麻将 (auditor/readers/majiang/FORMAT.md 5)."""
    assert BY_MAJIANG["ダブル立直"].id == 21
    assert BY_MAJIANG["翻牌 中"].id == 20
    assert BY_MAJIANG["裏ドラ"].id == 53
    assert {entry.id for entry in BY_MAJIANG.values()} == set(range(55)) - {36}

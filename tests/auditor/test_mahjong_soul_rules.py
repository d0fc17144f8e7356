"""The rules of Mahjong Soul games, and rare forms of wins, from records written by hand."""

from __future__ import annotations

import json

import pytest

from auditor.readers import mahjong_soul
from auditor.readers.mahjong_soul import rules
from engine.rules.rule_sets import preset
from tests.auditor.test_mahjong_soul import made, read
from tests.kit.audits import LOGS, TENHOU, audited_whole, source
from tests.kit.conversion import soul
from tests.kit.conversion.soul_renderings import WHOLE, records

FOUR, THREE = preset("mahjong_soul"), preset("mahjong_soul_sanma")


def stated(players=4, category=1, mode=2, base=FOUR, **fields):
    """Give the rules of a game whose head states these fields."""
    found, fault = rules.rules(base, players, category, mode, tuple(fields.items()))
    assert fault is None
    return found


def test_ranked_games_have_the_rules_of_the_platform():
    """Whatever --rules says of another platform; the mode states the length."""
    assert stated(category=2, base=preset("tenhou")) == FOUR
    assert stated(category=2, mode=1).game_length == 1
    assert stated(3, category=2, mode=12, base=preset("tenhou")) == THREE
    assert stated(category=0, mode=None).game_length is None


def test_rules_of_the_platform_with_a_change_hold():
    """A preset of Mahjong Soul in --rules is the base, with what was changed in it."""
    base = FOUR.changed(kiriage_mangan=True)
    assert stated(category=2, base=base).kiriage_mangan is True


def test_an_object_of_numbers_leaves_the_switches_alone():
    """The rule object of the real game of three players has no have_... but that for tsumo loss."""
    found = stated(3, mode=12, dora_count=2, shiduan=1, init_point=35000, fandian=40000, have_zimosun=1, fanfu=1)
    assert found == THREE


@pytest.mark.parametrize(
    ("fields", "rule", "value"),
    [
        ({"dora_count": 4}, "red_fives", (1, 2, 1)),
        ({"time_fixed": 5}, "red_fives", (0, 0, 0)),
        ({"time_fixed": 5}, "open_tanyao", False),
        ({"have_yifa": 1}, "ippatsu", True),
        ({"can_jifei": 1}, "ippatsu", False),
        ({"can_jifei": 1}, "bust_threshold", "below_zero"),
        ({"have_yifa": 1}, "bust_threshold", "off"),
        ({"have_yifa": 1}, "extension_mode", 0),
        ({"have_toutiao": 1}, "max_simultaneous_ron", 1),
        ({"have_sanjiahele": 1}, "abortive_triple_ron", True),
        ({"have_sanjiahele": 1}, "max_simultaneous_ron", 2),
        ({"have_helelianzhuang": 1}, "renchan_mode", 1),
        ({"have_helelianzhuang": 1, "have_tingpailianzhuang": 1}, "renchan_mode", 2),
        ({"have_qieshangmanguan": 1}, "kiriage_mangan", True),
        ({"ming_dora_immediately_open": 1, "have_gang_biao_dora": 1}, "open_kan_dora_delayed", False),
        ({"noting_fafu_1": 1000, "noting_fafu_2": 1500, "noting_fafu_3": 3000}, "noten_payment", (3000, 3000, 3000)),
        ({"changbang_value": 1500}, "honba_value", 500),
        ({"shunweima_2": 10, "shunweima_3": -10, "shunweima_4": -20}, "uma", (20.0, 10.0, -10.0, -20.0)),
        ({"disable_leijiyiman": 1}, "kazoe_yakuman", False),
        ({"disable_composite_yakuman": 1}, "yakuman_stacking", False),
        ({"disable_multi_yukaman": 1}, "yakuman_stacking", None),
        ({"enable_shiti": 1}, "kuikae_level", 2),
        ({"enable_renhe": 1}, "renhou", "mangan"),
        ({"enable_baopai_extend_settings": 1}, "pao_yakuman", ("daisangen", "daisuushi", "suukantsu")),
        ({"enable_baopai_extend_settings": 2}, "pao_yakuman", ()),
        ({"disable_double_wind_four_fu": 1}, "double_wind_pair_fu", 2),
        ({"fanfu": 4}, "min_han", 4),
        ({"guyi_mode": 1}, "renhou", "yakuman"),
        ({"liqibang_value": 2000}, "riichi_stick_value", 2000),
        ({"tianbian_value": 60000}, "score_ceiling", 60000),
    ],
)
def test_a_field_of_the_rule_object(fields, rule, value):
    """Each field sets its rule."""
    assert getattr(stated(**fields), rule) == value


def test_every_field_is_a_rule_or_known_to_be_none():
    """No field of the schema's rule object is forgotten."""
    text = rules.__loader__.get_source(rules.__name__)
    none = {"time_fixed", "time_add", "bianjietishi", "ai_level"}
    names = set(mahjong_soul.games.MESSAGES["GameDetailRule"]) - none
    assert {name for name in names if name not in text and name[:-1] not in text} == set()


def test_two_winners():
    """The changes of two winners are told apart: each gets the number of its seat, the first one honba and sticks."""
    found = [record for path in LOGS if (record := made(path)) for name, data in records(record)
             if name.endswith("Hule") and len(data["hules"]) > 1]  # fmt: skip
    assert found
    log = read(WHOLE["answer"](found[0]))
    rows = log.claims.filter(log.claims["round"].is_in(log.claims.filter(log.claims["nth"] == 1)["round"].implode()))
    sums = rows.group_by("round", maintain_order=True).agg()
    assert len(sums) >= 1
    for before, deltas, winner, payer, points in rows.select("before", "deltas", "winner", "payer", "points").rows():
        assert deltas[winner] >= points
        assert sum(each != 0 for each in deltas) == 2
        assert -deltas[payer] >= points
        assert before is not None or deltas[winner] == points


def test_the_oldest_names():
    """In records of March 2019 the fans and the limit have Chinese names in place of numbers."""
    record = made(min(LOGS, key=lambda path: path.stat().st_size))
    by_number = {number: name for name, number in reversed(mahjong_soul.results.yaku.NAMES.items())}
    old = json.loads(json.dumps(record))
    for name, data in records(old):
        if name.endswith("Hule"):
            for win in data["hules"]:
                for fan in win["fans"]:
                    fan["name"] = by_number[fan.pop("id")]
                title = win.pop("title_id", 0)
                if title:
                    win["title"] = ["满贯", "跳满", "倍满", "三倍满", "役满"][min(title, 5) - 1]
    one, other = read(WHOLE["answer"](record)), read(WHOLE["answer"](old))
    columns = ["yaku", "han", "yakuman", "units", "limit"]
    assert one.claims.select(columns).equals(other.claims.select(columns))


def test_units_of_yakuman():
    """A yakuman that counts twice has two units, and the count is the number of units."""
    hule = {"yiman": True, "count": 3, "fans": [{"id": 48, "val": 2}, {"id": 39, "val": 1}], "zimo": True}
    record = made(next(path for path in LOGS if "2023090723" in path.name))
    data = next(data for name, data in records(record) if name.endswith("Hule"))
    data["hules"][0] |= hule
    claim = read(json.dumps(record).encode()).claims.row(0, named=True)
    assert (claim["yakuman"], claim["units"], claim["total_units"], claim["total_han"]) == ([41, 42], [2, 1], 3, None)


def test_who_plays_is_told_by_the_scores():
    """A mode of another number of players than those who have scores is L006."""
    record = made(LOGS[0])
    record["head"]["config"]["mode"]["mode"] = 12
    found = read(json.dumps(record).encode())
    assert found.problems["code"].to_list() == ["L006"]
    assert found.games["players"].to_list() == [4]


def test_head_bump_is_reported():
    """Two winners under a rule object with head bump are W110."""
    record = next(record for path in LOGS if (record := made(path)) and any(
        name.endswith("Hule") and len(data["hules"]) > 1 for name, data in records(record)))  # fmt: skip
    record["head"]["config"]["mode"]["detail_rule"]["have_toutiao"] = True
    report = audited_whole([source(json.dumps(record).encode(), "game.json")], options=TENHOU)
    assert "W110" in report.tables["findings"]["code"].to_list()


def test_the_converter_writes_every_kind_of_record():
    """The shipped games have every record of the schema but those of three players."""
    names = {name for path in LOGS if (record := made(path)) for name, _ in records(record)}
    assert {name[4:] for name in names} == set(mahjong_soul.records.RECORDS) - {"RecordBaBei"}
    assert soul.KITA == mahjong_soul.results.yaku.KITA

"""The rules of Mahjong Soul games, and rare forms of wins, from records written by hand."""

from __future__ import annotations

import json
import re
from dataclasses import fields as fields_of

import pytest

from auditor.readers import mahjong_soul
from auditor.readers.mahjong_soul import rules, schema
from auditor.readers.mahjong_soul.messages import classes
from engine.rules.rule_sets import preset
from tests.auditor.test_mahjong_soul import made, read
from tests.kit.audits import LOGS, TENHOU, audited_whole, source
from tests.kit.conversion import soul
from tests.kit.conversion.soul_renderings import BARE, WHOLE, records

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


NUMBERS = {
    "init_point": 25000, "fandian": 30000, "jingsuanyuandian": 25000, "liqibang_value": 1000, "changbang_value": 300,
    "noting_fafu_1": 1000, "noting_fafu_2": 1500, "noting_fafu_3": 3000, "shunweima_2": 5, "shunweima_3": -5,
    "shunweima_4": -15, "dora_count": 3, "shiduan": 1, "fanfu": 1,
}  # fmt: skip
OFF = ("have_qieshangmanguan", "ming_dora_immediately_open", "have_sanjiahele", "have_toutiao")
WHOLE_OBJECT = NUMBERS | {name: 1 for name in rules.ON if name not in OFF}
"""The object of a friendly game in which nothing was changed (RULES.md 4.5)."""
THREE_OBJECT = {**WHOLE_OBJECT, "init_point": 35000, "fandian": 40000, "jingsuanyuandian": 35000,
                "changbang_value": 200, "noting_fafu_2": 2000, "noting_fafu_3": 0, "shunweima_2": 0, "shunweima_3": -15,
                "shunweima_4": 0, "dora_count": 2, "have_zimosun": 1}  # fmt: skip
FIELDS = {
    "init_point": (30000, {"starting_points"}),
    "fandian": (32000, {"target_points"}),
    "jingsuanyuandian": (30000, {"return_points"}),
    "tianbian_value": (60000, {"score_ceiling"}),
    "liqibang_value": (2000, {"riichi_stick_value"}),
    "changbang_value": (600, {"honba_value"}),
    "noting_fafu_1": (500, {"noten_payment"}),
    "noting_fafu_2": (500, {"noten_payment"}),
    "noting_fafu_3": (500, {"noten_payment"}),
    "shunweima_2": (10, {"uma"}),
    "shunweima_3": (-10, {"uma"}),
    "shunweima_4": (-20, {"uma"}),
    "dora_count": (0, {"red_fives"}),
    "shiduan": (0, {"open_tanyao"}),
    "fanfu": (2, {"min_han"}),
    "can_jifei": (0, {"bust_threshold"}),
    "have_liujumanguan": (0, {"nagashi_mangan"}),
    "have_qieshangmanguan": (1, {"kiriage_mangan"}),
    "have_biao_dora": (0, {"dora"}),
    "have_gang_biao_dora": (0, {"kan_dora", "kan_ura_dora", "open_kan_dora_delayed"}),
    "ming_dora_immediately_open": (1, {"open_kan_dora_delayed"}),
    "have_li_dora": (0, {"ura_dora", "kan_ura_dora"}),
    "have_gang_li_dora": (0, {"kan_ura_dora"}),
    "have_sifenglianda": (0, {"abortive_four_winds"}),
    "have_sigangsanle": (0, {"abortive_four_kans"}),
    "have_sijializhi": (0, {"abortive_four_riichi"}),
    "have_jiuzhongjiupai": (0, {"abortive_kyuushu"}),
    "have_sanjiahele": (1, {"abortive_triple_ron", "max_simultaneous_ron"}),
    "have_toutiao": (1, {"max_simultaneous_ron"}),
    "have_helelianzhuang": (0, {"renchan_mode"}),
    "have_tingpailianzhuang": (0, {"renchan_mode"}),
    "have_helezhongju": (0, {"agari_yame"}),
    "have_tingpaizhongju": (0, {"tenpai_yame"}),
    "have_yifa": (0, {"ippatsu"}),
    "have_nanruxiru": (0, {"extension_mode"}),
    "guyi_mode": (1, {"local_yaku", "renhou"}),
    "disable_multi_yukaman": (1, {"double_yakuman", "yakuman_stacking"}),  # its meaning is not known: so are these
    "disable_leijiyiman": (1, {"kazoe_yakuman"}),
    "disable_double_yakuman": (1, {"double_yakuman"}),
    "disable_composite_yakuman": (1, {"yakuman_stacking"}),
    "enable_shiti": (1, {"kuikae_level"}),
    "enable_nontsumo_liqi": (1, {"riichi_without_next_draw"}),
    "disable_double_wind_four_fu": (1, {"double_wind_pair_fu"}),
    "disable_angang_guoshi": (1, {"kokushi_ankan_chankan"}),
    "enable_renhe": (1, {"renhou"}),
    "enable_baopai_extend_settings": (1, {"pao_yakuman"}),
}
"""Every field that is a rule: a value that is not the platform's own, and the rules that it changes."""
OF_THREE = {"have_zimosun": (0, {"tsumo_loss"})}
FOUR_ONLY = {"noting_fafu_3", "shunweima_4", "have_sifenglianda", "have_sijializhi", "have_sanjiahele"}
"""Fields that say nothing with three players."""
NO_RULE = {"time_fixed", "time_add", "bianjietishi", "ai_level"}
"""Time to think, a hint of the client, and the strength of the computer."""


def other_rules(one, other):
    """Name the rules in which two sets differ."""
    return {field.name for field in fields_of(one) if getattr(one, field.name) != getattr(other, field.name)}


def test_an_object_in_which_nothing_was_changed_has_the_rules_of_the_platform():
    """A full object of the client's own values is no other rule set than that of ranked games."""
    assert stated(**WHOLE_OBJECT) == FOUR
    assert stated(3, mode=12, **THREE_OBJECT) == THREE


@pytest.mark.parametrize("name", [*FIELDS, *OF_THREE])
def test_a_field_changes_its_rules_and_no_other(name):
    """Each field of a full object, with another value, changes the rules that it is about."""
    value, due = (FIELDS | OF_THREE)[name]
    found = {}
    for players, whole, mode, platform in ((4, WHOLE_OBJECT, 2, FOUR), (3, THREE_OBJECT, 12, THREE)):
        said = {key: each for key, each in (whole | {name: value}).items() if each}
        found[players] = other_rules(stated(players, mode=mode, **said), platform)
    assert found[3] == (set() if name in FOUR_ONLY else due)
    assert name in OF_THREE or found[4] == due


def test_every_field_of_the_rule_object_is_known():
    """Each field of the schema is a rule, an event mode, or known to be none; and so is each that the notes name."""
    known = {*FIELDS, *OF_THREE, *NO_RULE, *rules.EVENT_MODES, rules.SWITCHES}
    assert set(mahjong_soul.games.MESSAGES["GameDetailRule"]) == known


def test_the_notes_name_no_other_field(shared):
    """Every field that the notes on rules and on the format name is one of the schema."""
    text = (shared / "RULES.md").read_text("utf-8")
    notes = text[text.index("### 4.5") : text.index("### 4.6")]
    text = min((shared / "formats").glob("majsoul*"), key=lambda path: len(path.name)).read_text("utf-8")
    notes += text[text.index("## 6.") : text.index("## 7.")]
    schema = set(mahjong_soul.games.MESSAGES["GameDetailRule"])
    named = set(
        re.findall(r"\b(?:have|disable|enable|init|ming|guyi|can|tianbian|liqibang|changbang|dora)_[a-z_]+", notes)
    )
    assert len(named) > 25
    assert named <= schema
    for name in schema & {*FIELDS, *OF_THREE}:
        short = re.sub("_[0-9]$", "_", name).removeprefix("have_")
        assert short in notes, name


@pytest.mark.parametrize("name", rules.EVENT_MODES)
def test_every_event_mode_of_a_rule_object_is_named(record, name):
    """A field of an event mode makes the game L007, with the mode's name, and nothing else of it is read."""
    problem = only_problem(with_rule(record, name, 1))
    assert problem == ("L007", f"event mode: {rules.EVENT_MODES[name]} ({name})")


def test_an_event_mode_among_the_switches(record):
    """The list of switches names one event mode that is known; others are reported as not known."""
    code, recorded = only_problem(with_rule(record, rules.SWITCHES, [18]))
    assert (code, "下克上" in recorded) == ("L007", True)
    assert only_problem(with_rule(record, rules.SWITCHES, [3])) == ("L003", "amusement_switches 3")


@pytest.mark.parametrize("name", schema.EVENT_MODES)
def test_every_record_of_an_event_mode_is_named(record, name):
    """A record that only event modes have makes the game L007, in every rendering."""
    changed = json.loads(json.dumps(record))
    changed["data"]["data"]["actions"].insert(9, {"type": 1, "result": {"name": f".lq.{name}", "data": {}}})
    assert only_problem(changed) == ("L007", f"event mode: {schema.EVENT_MODES[name]} ({name})")


@pytest.mark.parametrize(("name", "value"), [("opens", [{"seat": 1, "tiles": ["1m"]}]), ("field_spell", 10203)])
def test_an_event_mode_of_a_record_without_its_head(record, name, value):
    """The start of a round shows some event modes too."""
    changed = json.loads(json.dumps(record))
    records(changed)[0][1][name] = value
    for write in (WHOLE["JSON"], BARE["list"], BARE["list with types"]):
        found = read(write(changed))
        assert found.problems.select("code", "recorded").rows() == [
            ("L007", f"event mode: {schema.ROUND_MODES[name]} ({name})")
        ]


def test_an_unknown_field_of_the_rule_object(record):
    """A rule that the schema lacks is reported, in bytes and in JSON."""
    head = classes()["ResGameRecord"].FromString(WHOLE["answer"](record))
    head.head.config.mode.detail_rule.MergeFromString(b"\xd8\x06\x01")  # field 107
    found = read(head.SerializeToString())
    assert found.problems.select("code", "recorded").rows() == [("L003", "field 107 of GameDetailRule")]
    assert len(found.events)
    assert only_problem(with_rule(record, "no_such_rule", 1)) == ("L003", "field GameDetailRule.no_such_rule")


def with_rule(record, name, value):
    """Give a copy of a record with a field of its rule object."""
    changed = json.loads(json.dumps(record))
    changed["head"]["config"]["mode"]["detail_rule"][name] = value
    return changed


def only_problem(record):
    """Read a record as JSON; give code and text of its only problem."""
    found = read(json.dumps(record).encode())
    ((code, recorded),) = found.problems.select("code", "recorded").rows()
    assert (code == "L007") == (not len(found.events))
    return code, recorded


@pytest.fixture(scope="module")
def record():
    """Give a short record."""
    return made(min(LOGS, key=lambda path: path.stat().st_size))


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

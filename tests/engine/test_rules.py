"""Rule sets: accepted and refused values; presets; the rules of a batch as a table."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from itertools import product

import numpy as np
import pytest

from engine.rules.consistency import contradictions
from engine.rules.rule_sets import (
    PARAMETERS,
    PRESETS,
    RULE_NAMES,
    RuleSet,
    based_on,
    dated_values,
    differences,
    for_players,
    known_values,
    preset,
    preset_names,
)
from engine.rules.rule_table import RuleTable


def test_an_unknown_name_is_refused_with_the_nearest():
    """An unknown name is refused, and the message gives the nearest one."""
    with pytest.raises(ValueError, match=r"'kiriage'.*'kiriage_mangan'"):
        RuleSet.from_mapping({"kiriage": True})
    with pytest.raises(ValueError, match=r"local_yaku knows no 'sanrenkoo'.*'sanrenkou'"):
        RuleSet.from_mapping({"local_yaku": ["sanrenkoo"]})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("players", 5, "rule players is one of 3, 4, not 5"),
        ("pao_scope", "half", 'rule pao_scope is one of "whole_hand", "liable_yakuman", not "half"'),
        ("pao_yakuman", "daisangen", "rule pao_yakuman is a list of daisangen, daisuushi, suukantsu, not"),
        ("double_wind_pair_fu", 3, r"rule double_wind_pair_fu is one of 2, 4 \(fu\), not 3"),
        ("kiriage_mangan", 1, "rule kiriage_mangan is true or false, not 1"),
        ("kuikae_level", True, "rule kuikae_level is one of 0, 1, 2, not true"),
        ("starting_points", "25000", r'a whole number from 0 \(points\), not "25000"'),
        ("starting_points", 25000.0, "not 25000.0"),
        ("starting_points", -1, "not -1"),
        ("red_fives", [1, 1], r"a list of 3 whole numbers \(tiles\), not \[1, 1\]"),
        ("red_fives", [1, 1, True], "red_fives"),
        ("noten_payment", 3000, r"a list of 3 whole numbers \(points\), not 3000"),
        ("uma", [10, "5", -15], "rule uma is a list of numbers"),
        ("floating_uma", [1.0, -1.0], "rule floating_uma is a list of lists"),
        ("renhou", "baiman", "rule renhou is a whole number from 0, or one of"),
    ],
)
def test_a_value_that_means_nothing_is_refused(name, value, message):
    """The message states the possible values and the given one."""
    with pytest.raises(ValueError, match=message):
        RuleSet.from_mapping({name: value})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"kan_ura_dora": True, "ura_dora": False}, "kan_ura_dora = true means nothing with ura_dora = false"),
        ({"kan_ura_dora": True, "kan_dora": False}, "kan_ura_dora = true means nothing with kan_dora = false"),
        ({"open_kan_dora_delayed": True, "kan_dora": False}, "open_kan_dora_delayed = true means nothing"),
        ({"max_simultaneous_ron": 3, "abortive_triple_ron": True}, "abortive_triple_ron"),
        ({"players": 4, "kita": True}, "North is set aside with three players only"),
        ({"players": 4, "uma": [20.0, 0.0, -20.0]}, "uma has 3 places for players = 4"),
        ({"uma": [50.0, 10.0, -10.0, -30.0]}, "adds up to 20, not 0: oka is no part of it"),
        ({"floating_uma": [[8.0, 4.0, -4.0, -8.0]] * 3, "players": 4}, "floating_uma has 3 rows"),
        ({"floating_uma": [[8.0, 4.0, -12.0]], "players": 4}, "floating_uma has 3 places"),
        ({"red_fives": [1, 5, 1]}, "red_fives has 5"),
        ({"min_rounds": 8, "max_rounds": 4}, "max_rounds = 4 is less than min_rounds = 8"),
    ],
)
def test_contradictions_are_refused(values, message):
    """The message names both values; an unknown value contradicts nothing."""
    with pytest.raises(ValueError, match=re.escape(message)):
        RuleSet.from_mapping(values)
    for name in values if len(values) > 1 else ():
        RuleSet.from_mapping({other: value for other, value in values.items() if other != name})


def test_changes_are_checked_as_a_whole():
    """A change that contradicts a value of the preset is refused too."""
    with pytest.raises(ValueError, match="ura_dora"):
        preset("tenhou").changed(ura_dora=False)
    assert preset("tenhou").changed(ura_dora=False, kan_ura_dora=False).ura_dora is False


def test_every_parameter_is_documented():
    """Each parameter has a meaning, a source, and a description of its values with the unit."""
    for parameter in PARAMETERS.values():
        assert parameter.meaning, parameter.name
        assert parameter.source, parameter.name
        assert parameter.values, parameter.name
    assert PARAMETERS["starting_points"].values == "a whole number from 0 (points)"


def test_known_values():
    """They are the values that the type lists, or those of presets and other known rules (RULES.md 4.2, 4.5)."""
    assert known_values("ippatsu") == (False, True)
    assert known_values("kuikae_level") == (0, 1, 2)
    assert set(known_values("renhou")) == {"none", "mangan", "yakuman"}
    assert set(known_values("starting_points")) == {25000, 30000}
    assert set(known_values("honba_value")) == {100, 500}
    for players, (name, parameter) in product((3, 4), PARAMETERS.items()):
        values = known_values(name, players)
        assert [parameter.refusal(value) for value in values] == [""] * len(set(values)), name
        same = [preset(each) for each in preset_names() if preset(each).players == players]
        assert {getattr(each, name) for each in same} - {None} <= set(values), name
        of_presets = {getattr(preset(each), name) for each in preset_names()}
        assert not of_presets.union(parameter.listed).intersection(parameter.elsewhere), name


def test_known_values_fit_the_number_of_players():
    """Three players have uma of three places, and no value that only four play (RULES.md 4.6)."""
    assert set(known_values("uma", 3)) == {(20.0, 0.0, -20.0), (15.0, 0.0, -15.0)}
    assert {len(uma) for uma in known_values("uma", 4)} == {4}
    assert known_values("starting_points", 3) == (35000,)
    assert set(known_values("kita", 3)) == {False, True}
    assert set(known_values("kita_han", 3)) == {0, 1}


ALWAYS_UNKNOWN = {"abortive_triple_ron_on_kan", "head_bump_abort_order", "riichi_ankan_of_wait"}
"""No source states them for Tenhou: the second has no effect there, the third never occurred (RULES.md 4.2)."""


@pytest.mark.parametrize(("name", "unknown"), [("tenhou", ALWAYS_UNKNOWN), ("majiang", set())])
def test_what_the_best_known_presets_leave_open(name, unknown):
    """The presets of Tenhou and 電脳麻将 state every rule of four players except those three."""
    assert {each for each in preset(name).unknown if not PARAMETERS[each].sanma} == unknown


@pytest.mark.parametrize("name", preset_names())
def test_every_value_of_a_preset_has_its_source(name):
    """Each line with a value ends in a comment with its source, and the values do not contradict each other."""
    lines = (PRESETS / f"{name}.toml").read_text("utf-8").splitlines()
    dates = ("from =", "until =", "rule =", "[[dated]]", "[majiang]")
    unsourced = [line for line in lines if line and "#" not in line and not line.startswith(dates)]
    assert unsourced == []
    assert preset(name).players == (3 if name.endswith("_sanma") else 4)
    assert contradictions(preset(name)) == []


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("day", [date(2000, 1, 1), date(2014, 7, 1), date(2022, 3, 1), date(2024, 5, 5)])
def test_presets_of_every_day_are_rule_sets(name, day):
    """On each day the values are valid, and only parameters that the file calls dated differ from today."""
    then, now = preset(name, day), preset(name)
    assert set(differences(then, now)) <= set(dated_values(name, day))
    assert set(dated_values(name, None).values()) <= {None}


def test_presets_of_three_players_state_their_rules():
    """Tenhou's states every rule that it states for four players; Mahjong Soul's leaves only the rounding open."""
    assert preset("tenhou_sanma").unknown == ALWAYS_UNKNOWN
    four, three = preset("mahjong_soul").unknown, preset("mahjong_soul_sanma").unknown
    assert (three - four, "missing_share" in three) == (set(), True)
    assert four - three == {"chi", "kita_chankan", "extension_mode", "temporary_furiten_end"}


@pytest.mark.parametrize("name", preset_names())
def test_no_rule_set_is_based_on_a_preset_of_another_number_of_players(name):
    """Whatever is changed, even to the values of the other preset."""
    other = "tenhou" if name.endswith("_sanma") else "tenhou_sanma"
    own, far = preset(name), preset(other)
    for each in set(RULE_NAMES) - {"players", "uma", "floating_uma", "kita"}:
        assert preset(based_on(replace(own, **{each: getattr(far, each)}))).players == own.players
    moved = {each: getattr(far, each) for each in RULE_NAMES if each not in ("players", "uma", "floating_uma", "kita")}
    assert preset(based_on(replace(own, **moved))).players == own.players


def test_rules_for_another_number_of_players():
    """Tenhou's rules for three players are its own preset, with what the user changed; other rules become unknown."""
    assert for_players(preset("tenhou"), 3) == preset("tenhou_sanma")
    assert for_players(preset("mahjong_soul_sanma"), 4) == preset("mahjong_soul")
    changed = preset("tenhou").changed(kiriage_mangan=True, starting_points=30000)
    assert for_players(changed, 3) == preset("tenhou_sanma").changed(kiriage_mangan=True)
    assert for_players(preset("tenhou"), 4) == preset("tenhou")
    assert for_players(RuleSet(kiriage_mangan=True), 3) == RuleSet(kiriage_mangan=True)
    mleague = for_players(preset("mleague"), 3)
    assert (mleague.players, mleague.kiriage_mangan, mleague.uma, mleague.kita) == (3, True, None, None)
    stated = for_players(preset("mleague").changed(tsumo_loss=False, uma=(5.0, 1.0, -1.0, -5.0)), 3)
    assert (stated.tsumo_loss, stated.uma) == (False, None)


def test_what_three_players_do_not_know_is_tenhous_for_three():
    """The stand-in has as many players as the rule set; rules of kita are those of three players in any case."""
    table = RuleTable.from_rules([RuleSet(players=3), RuleSet(players=4), RuleSet()])
    assert table.noten_payment.tolist() == [[2000, 2000, 0], [3000, 3000, 3000], [3000, 3000, 3000]]
    assert table.starting_points.tolist() == [35000, 25000, 25000]
    assert table.tsumo_loss.tolist() == table.kita_ron.tolist() == [True, True, True]


def test_tenhou_over_the_years():
    """Kuikae and rounding changed at Tenhou (RULES.md 4.2, auditor/readers/mjlog/FORMAT.md 8)."""
    found = [
        (rules.kuikae_level, rules.final_points_rounding)
        for rules in (preset("tenhou", date(year, 6, 15)) for year in (2009, 2013, 2015, 2021, 2022, 2026))
    ]
    assert found == [(2, "thousand"), (None, "thousand"), (0, "thousand"), (0, "thousand"), (0, "exact"), (0, "exact")]
    assert preset("tenhou", date(2022, 1, 1)).final_points_rounding is None


def test_a_preset_that_does_not_exist_is_refused():
    """A preset that does not exist is refused."""
    with pytest.raises(ValueError, match=r"majiang, majiang_classic.*Nearest: mleague"):
        preset("m-league")


def test_presets_differ_where_their_author_says():
    """Tenhou and 電脳麻将: RULES.md 1.1, 2.8, 2.9, 5."""
    different = {name for name in differences(preset("tenhou"), preset("majiang")) if not PARAMETERS[name].sanma}
    assert different == {
        "double_yakuman",
        "pao_scope",
        "pao_ron_honba_payer",
        "extension_mode",
        "open_kan_dora_chain",
        *ALWAYS_UNKNOWN,
    }


def test_differences_give_both_values():
    """Differences are in the order of the record; equal rule sets have none."""
    left, right = preset("tenhou"), preset("tenhou").changed(kiriage_mangan=True, uma=[15.0, 5.0, -5.0, -15.0])
    assert list(differences(left, right).items()) == [
        ("uma", ((20.0, 10.0, -10.0, -20.0), (15.0, 5.0, -5.0, -15.0))),
        ("kiriage_mangan", (False, True)),
    ]
    assert differences(left, left) == {}


def test_unknown_rules_are_named():
    """Unknown rules are named."""
    rules = RuleSet(open_tanyao=True, uma=(20.0, 10.0, -10.0, -20.0))
    assert rules.unknown == set(RULE_NAMES) - {"open_tanyao", "uma"}


def test_equal_rule_sets_share_a_row():
    """Equal rule sets share a row."""
    tenhou, other = preset("tenhou"), preset("tenhou").changed(kiriage_mangan=True)
    table = RuleTable.from_rules([other, tenhou, other])
    assert table.row_of.tolist() == [0, 1, 0]
    assert table.kiriage_mangan.tolist() == [True, False]
    assert table.rule_sets == (other, tenhou)


def test_the_column_of_an_unknown_rule_has_the_value_of_tenhou():
    """Scoring needs some value: where a rule set does not know one, the column has Tenhou's."""
    table = RuleTable.from_rules([RuleSet(double_wind_pair_fu=2)])
    assert table.double_wind_pair_fu.tolist() == [2]
    assert table.pao_scope.tolist() == ["whole_hand"]
    assert table.pao_yakuman.tolist() == [[True, True, False]]


def test_stated_and_known_keep_unknown_apart():
    """`stated` gives None and `known` gives false where a rule set does not know the rule; false is a known value."""
    table = RuleTable.from_rules([RuleSet(), RuleSet(ippatsu=False), RuleSet(ippatsu=True)])
    assert table.ippatsu.tolist() == [True, False, True]
    assert table.stated("ippatsu") == (None, False, True)
    assert table.known("ippatsu").tolist() == [False, True, True]
    assert table.stated("head_bump_abort_order") == (None, None, None)
    for ask in (table.stated, table.known):
        with pytest.raises(AttributeError, match="'ippatsu'"):
            ask("ipatsu")


@pytest.mark.parametrize("name", RULE_NAMES)
def test_a_column_differs_from_the_rule_sets_only_where_they_are_silent(name):
    """Where the rule is known, the column has the value that the rule set states."""
    table = RuleTable.from_rules([preset(each) for each in preset_names()])
    for row, (known, value) in enumerate(zip(table.known(name).tolist(), table.stated(name), strict=True)):
        assert known == (name not in table.rule_sets[row].unknown)
        if known:
            assert table.value(row, name) == value


def test_every_rule_is_a_column():
    """Type and shape of a column follow from the parameter; without any known value there is no column."""
    table = RuleTable.from_rules([preset("majiang"), preset("mahjong_soul")])
    shapes = {"red_fives": (np.int64, (2, 3)), "uma": (np.float64, (2, 4)), "renhou": (np.str_, (2,)),
              "kuikae_level": (np.int64, (2,)), "tie_break": (np.str_, (2,)), "dora": (np.bool_, (2,)),
              "chombo_penalty": (np.float64, (2,))}  # fmt: skip
    for name, (kind, shape) in shapes.items():
        column = getattr(table, name)
        assert (np.issubdtype(column.dtype, kind), column.shape) == (True, shape), name
    assert table.local_yaku.shape == (2, len(PARAMETERS["local_yaku"].choices))
    with pytest.raises(ValueError, match="head_bump_abort_order is unknown"):
        _ = table.head_bump_abort_order
    with pytest.raises(AttributeError, match="'kuikae_level'"):
        _ = table.kuikae


def test_lists_become_tuples():
    """Lists become tuples."""
    assert hash(RuleSet.from_mapping({"floating_uma": [[1.0, 2.0, -3.0], [3.0, 0.0, -3.0]]})) is not None

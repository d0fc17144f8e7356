"""Rule sets, presets, and the table of a batch's rules."""

from __future__ import annotations

import pytest

from engine.rules import RULE_NAMES, RuleSet, RuleTable, preset, preset_names


def test_an_unknown_name_is_refused_with_the_nearest():
    """An unknown name is refused with the nearest."""
    with pytest.raises(ValueError, match=r"'kiriage'.*'kiriage_mangan'"):
        RuleSet.from_mapping({"kiriage": True})


@pytest.mark.parametrize(
    ("name", "value"),
    [("players", 5), ("pao_scope", "half"), ("pao_yakuman", ["tsuuiisou"]), ("double_wind_pair_fu", 3)],
)
def test_a_value_that_means_nothing_is_refused(name, value):
    """A value that means nothing is refused."""
    with pytest.raises(ValueError, match=name):
        RuleSet.from_mapping({name: value})


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_states_every_rule(name):
    """A preset states every rule."""
    assert preset(name).unknown == frozenset()


def test_a_preset_that_does_not_exist_is_refused():
    """A preset that does not exist is refused."""
    with pytest.raises(ValueError, match="majiang, tenhou"):
        preset("nowhere")


def test_presets_differ_where_their_author_says():
    """Presets differ where their author says."""
    tenhou, majiang = preset("tenhou"), preset("majiang")
    different = {name for name in RULE_NAMES if getattr(tenhou, name) != getattr(majiang, name)}
    assert different == {
        "double_yakuman",
        "pao_scope",
        "pao_ron_honba_payer",
        "extension_mode",
    }  # RULES.md 1.1, 5


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


def test_unknown_rules_score_as_tenhou():
    """Unknown rules score as tenhou."""
    table = RuleTable.from_rules([RuleSet(double_wind_pair_fu=2)])
    assert table.double_wind_pair_fu.tolist() == [2]
    assert table.pao_scope.tolist() == ["whole_hand"]
    assert table.pao_yakuman.tolist() == [[True, True, False]]


def test_lists_become_tuples():
    """Lists become tuples."""
    assert hash(RuleSet.from_mapping({"floating_uma": [[1.0, 2.0], [3.0]]})) is not None

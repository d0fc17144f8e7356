"""The comparison with 電脳麻将: one file agrees except for the fault that RULES.md names; a wrong rule is detected."""

import pytest

from engine.rules.rule_table import RuleTable
from scripts import check_majiang_scores as check


@pytest.fixture(scope="module")
def found(shared):
    """Give the records of one file, and its rules."""
    return check.read([shared / "selfplay" / "majiang" / "stackmix-0.jsonl.gz"])


def unexplained(found, rules):
    """Give all differences without a known cause."""
    table = RuleTable.from_rules(rules)
    checks = (check.check_wins, check.check_draws, check.check_games)
    return [
        len(each(records, table)) for each, records in zip(checks, (found.wins, found.draws, found.games), strict=True)
    ]


def test_everything_agrees(found, capsys):
    """Wins, draws, scores and final points agree, except for differences with a known cause."""
    assert unexplained(*found) == [0, 0, 0]
    assert "differences by cause" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda rules: rules.changed(kiriage_mangan=not rules.kiriage_mangan), 0),
        (lambda rules: rules.changed(double_wind_pair_fu=6 - rules.double_wind_pair_fu), 0),
        (lambda rules: rules.changed(noten_payment=(6000, 6000, 6000)), 1),
        (lambda rules: rules.changed(nagashi_mangan=not rules.nagashi_mangan), 1),
        (lambda rules: rules.changed(leftover_riichi_sticks="stay"), 2),
        (lambda rules: rules.changed(return_points=25000), 2),
    ],
)
def test_a_wrong_rule_is_found_out(found, change, part):
    """Each wrong rule gives differences without a known cause."""
    records, rules = found
    assert unexplained(records, [change(each) for each in rules])[part] > 0

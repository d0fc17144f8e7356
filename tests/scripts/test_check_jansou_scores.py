"""The comparison with jansou: two files agree except for known differences, and a wrong rule is detected."""

import pytest

from engine.rules.rule_table import RuleTable
from scripts import check_jansou_scores as check


@pytest.fixture(scope="module")
def found(shared):
    """Give the records and rules of a file with stacked walls and a file with three players."""
    logs = shared / "selfplay" / "jansou"
    return check.read([logs / "stack-presets-0.jsonl.gz", logs / "sanma-0.jsonl.gz"])


def unexplained(found, rules):
    """Count the wins and the draws whose difference has no known cause."""
    table = RuleTable.from_rules(rules)
    return [len(check.check_wins(found[0], table)), len(check.check_draws(found[1], table))]


def test_everything_agrees(found, capsys):
    """Wins with liability, of three players, under many rules, and noten payments agree."""
    assert unexplained(found, found[2]) == [0, 0]
    assert "suukantsu" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"pao_yakuman": ()}, 0),
        ({"pao_scope": "liable_yakuman"}, 0),
        ({"tsumo_loss": False}, 0),
        ({"kita_han": 1}, 0),
        ({"kita_han": 0}, 0),
        ({"honba_value": 200}, 0),
        ({"noten_payment": (4000, 4000, 4000)}, 1),
    ],
)
def test_a_wrong_rule_is_found_out(found, change, part):
    """Each wrong rule gives differences without a known cause."""
    assert unexplained(found, [rules.changed(**change) for rules in found[2]])[part] > 0

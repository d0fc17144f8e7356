"""``rules show`` and ``rules diff`` print TOML that can be read back, with meaning, unit and source of every value."""

from __future__ import annotations

import tomllib
from datetime import date

import pytest
from typer.testing import CliRunner

from auditor.cli import rule_option
from auditor.cli.main import app
from engine.rules.rule_sets import PARAMETERS, RULE_NAMES, RuleSet, preset, preset_names


def printed(*words):
    """Give the output of a command that must succeed."""
    result = CliRunner().invoke(app, [*map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


def stated(text):
    """Read rules from a text with a TOML reader; rules that are missing there are unknown."""
    values = tomllib.loads(text)
    return RuleSet.from_mapping({name: value for name, value in values.items() if name in RULE_NAMES})


@pytest.mark.parametrize("name", preset_names())
@pytest.mark.parametrize("day", [None, "2014-07-01", "2022-03-01"])
def test_shown_rules_are_the_rules(name, day, tmp_path):
    """The printed TOML is the rule set, for a TOML reader and as a rule file."""
    text = printed("rules", "show", name, *(["--date", day] if day else []))
    rules = preset(name, day and date.fromisoformat(day))
    assert stated(text) == rules
    file = tmp_path / "printed.toml"
    file.write_text(text, "utf-8")
    assert rule_option.load(str(file)) == rules


@pytest.mark.parametrize(
    "given",
    [
        'preset = "wrc"\nkiriage_mangan = false\n',
        'unknown = ["renhou", "uma"]\nhonba_value = 500\n',
        '{"配給原点": 30000, "赤牌": {"m": 0, "p": 1, "s": 2}, "順位点": ["+30", "+10", "-10", "-30"]}',
    ],
)
def test_files_are_shown_and_read_back(given, tmp_path):
    """A rule file can be shown, too; the source of its own values is the file."""
    file, again = tmp_path / 'a "house".rules', tmp_path / "again.toml"
    file.write_text(given, "utf-8")
    text = printed("rules", "show", file)
    again.write_text(text, "utf-8")
    assert stated(text) == rule_option.load(str(file)) == rule_option.load(str(again))
    assert text.count("stated by") == sum("stated by" in line for line in text.splitlines()) > 0


def test_every_value_has_meaning_unit_and_source():
    """Tenhou's rules have the sections of the preset and units in words; unknown rules are comments."""
    text = printed("rules", "show", "tenhou")
    for parameter in PARAMETERS.values():
        assert not parameter.unit or f"({parameter.unit})" in text
        assert parameter.meaning.split()[0] in text
    lines = text.splitlines()
    assert "starting_points = 25000  # engine/RULES.md 4.2 IJ" in lines
    assert "# score of every seat at the start" in lines
    assert "# Value: a whole number from 0 (points)" in lines
    assert "# riichi_ankan_of_wait is unknown" in lines
    assert [line for line in lines if line[:1].isalpha() and "  # " not in line] == ['preset = "tenhou"']


@pytest.mark.parametrize(
    ("day", "line"),
    [
        ("2019-05-01", "yakuman_stacking = false  # engine/RULES.md 4.4 RWW: a hand is worth one yakuman at most"),
        ("2019-05-01", "# kiriage_mangan is unknown: the sources are about 2022 and later"),
        ("2024-05-01", "yakuman_stacking = true  # summary of changes of 2022, FS"),
    ],
)
def test_the_source_is_that_of_the_day(day, line):
    """A value that changed over time has the source of that day; the lines are those of presets/wrc.toml."""
    assert line in printed("rules", "show", "wrc", "--date", day).splitlines()


def test_a_rule_object_names_its_section():
    """In presets that come from a rule object, the source of a value is a table, or the engine itself."""
    lines = printed("rules", "show", "majiang_classic").splitlines()
    assert "starting_points = 30000  # engine/RULES.md 1.1" in lines
    assert "honba_value = 100  # engine/RULES.md 3.2" in lines


@pytest.mark.parametrize("pair", [("tenhou", "majiang"), ("wrc", "ema2025"), ("mleague", "mleague; unknown: uma")])
def test_differences_are_toml(pair):
    """Each differing rule is a table with the values of both; an unknown value is left out."""
    tables = tomllib.loads(printed("rules", "diff", *pair))
    rules = {name: rule_option.load(name) for name in pair}
    one, other = rules.values()
    assert set(tables) == {name for name in RULE_NAMES if getattr(one, name) != getattr(other, name)} != set()
    for name, rule_set in rules.items():
        values = {rule: table[name] for rule, table in tables.items() if name in table}
        assert RuleSet.from_mapping(values) == RuleSet.from_mapping(
            {rule: getattr(rule_set, rule) for rule in tables if getattr(rule_set, rule) is not None}
        )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("unknown = 3", "list of rules' names"),
        ("unknown = [1]", "list of rules' names"),
        ('unknown = ["renho"]', "'renhou'"),
        ('unknown = ["renhou"]\nrenhou = "none"', "rule renhou has a value, and is unknown"),
    ],
)
def test_a_wrong_list_of_unknown_rules_is_refused(text, words, tmp_path):
    """A rule file whose list of unknown rules is wrong is refused in words."""
    file = tmp_path / "house.toml"
    file.write_text(text)
    with pytest.raises(ValueError, match=words):
        rule_option.load(str(file))

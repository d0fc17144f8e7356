"""Rules that changed over time: a game has those of its own date, hands and presets those of ``--date``."""

from __future__ import annotations

import json
from datetime import date

import pytest

from auditor.audit import audit_batch
from engine.rules.rule_sets import RuleSet, based_on, era, preset, preset_names
from tests.kit.audits import CHECKS, source
from tests.kit.command_line import auditor

LOG = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
# Suuankou tanki, tsuuiisou and daisuushi; suuankou tanki and tsuuiisou. The WRC counts none of them double. Since its
# summary of changes of 29 March 2022, different yakuman add up.
TABLE = "hand,win,points\nz11122233344455,5z=,{}\nz11122233355566,6z=,{}\n"


def rules_of(name, rules):
    """Give the rules of a Tenhou log with this name."""
    (batch, *_), _ = audit_batch.read([source(LOG, name)], rules)
    return batch.log.rules[batch.log.games["rules"][0]]


def test_wrc_over_the_years():
    """Until March 2022 a double wind pair was 4 fu and only one yakuman counted; in 2014 renhou was worth 5 han."""
    values = [
        (day.year, rules.yakuman_stacking, rules.double_wind_pair_fu, rules.renhou, rules.double_yakuman)
        for day in (date(2014, 10, 1), date(2015, 7, 1), date(2022, 3, 28), date(2022, 3, 29), date(2026, 1, 1))
        for rules in [preset("wrc", day)]
    ]
    assert values == [
        (2014, False, 4, 5, False),
        (2015, False, 4, "mangan", False),
        (2022, False, 4, "mangan", False),
        (2022, True, 2, "mangan", False),
        (2026, True, 2, "mangan", False),
    ]


@pytest.mark.parametrize(
    ("day", "points"),
    [((), (96000, 64000)), (("--date", "2022-03-29"), (96000, 64000)), (("--date", "2022-03-28"), (32000, 32000))],
)
def test_score_by_date(tmp_path, day, points):
    """Trial 09: all yakuman count since March 2022, only one before."""
    table = tmp_path / "hands.csv"
    table.write_text(TABLE.format(*points))
    code, text, error = auditor("score", table, "--rules", "wrc", *day)
    assert (code, error) == (0, "")
    assert "2 hands, 0 differ" in text


def test_hand_by_date():
    """20 fu, 10 for a closed ron, 8 for 111m, 2 for the pair of the dealer's East: 40. Before, the pair was 4: 50."""
    hand = ("hand", "111m456p78s345p11z", "--win", "9s-", "--riichi", "1", "--seat", "E", "--rules", "wrc", "--json")
    for day, fu in ((), 40), (("--date", "2022-03-29"), 40), (("--date", "2022-03-28"), 50):
        code, text, error = auditor(*hand, *day)
        assert (code, error) == (0, "")
        assert json.loads(text)["fu"] == fu


def test_rules_show_by_date():
    """A preset is shown as it was; a file's own values hold on every day; an impossible date is refused in words."""
    _, text, _ = auditor("rules", "show", "wrc", "--date", "2019-05-01")
    assert "yakuman_stacking = false" in text
    assert "double_wind_pair_fu = 4" in text
    assert "# kiriage_mangan is unknown" in text
    _, text, _ = auditor("rules", "show", "wrc")
    assert "yakuman_stacking = true" in text
    for wrong in ("2019-13-01", "yesterday"):
        code, _, error = auditor("rules", "show", "wrc", "--date", wrong)
        assert code == 2
        assert f"--date {wrong}: write a day as" in error


def test_a_rule_file_by_date(tmp_path):
    """The base of a file is that of the day; the file's own values stay."""
    file = tmp_path / "house.toml"
    file.write_text('preset = "wrc"\ndouble_wind_pair_fu = 2\n')
    _, text, _ = auditor("rules", "show", file, "--date", "2019-05-01")
    assert "yakuman_stacking = false" in text
    assert "double_wind_pair_fu = 2" in text


def test_a_game_by_its_own_date():
    """A Tenhou log is judged by the WRC's rules on the day in its name, or by today's without a day."""
    old, new = "2019050112gm-0009-0000-0123abcd.mjlog", "2023050112gm-0009-0000-0123abcd.mjlog"
    assert rules_of(old, preset("wrc")).yakuman_stacking is False
    assert rules_of(new, preset("wrc")).yakuman_stacking is True
    assert rules_of("log.mjlog", preset("wrc")).yakuman_stacking is True
    changed = preset("wrc").changed(double_wind_pair_fu=4)
    assert rules_of(new, changed).double_wind_pair_fu == 4


def test_other_rules_do_not_change_with_tenhou():
    """Tenhou allowed kuikae in 2012; the M-League never did."""
    old = "2012050112gm-0009-0000-0123abcd.mjlog"
    assert rules_of(old, preset("tenhou")).kuikae_level == 2
    assert rules_of(old, preset("mleague")).kuikae_level == 0
    assert rules_of("log.mjlog", preset("mleague")).kuikae_level == 0
    assert rules_of("log.mjlog", preset("tenhou")).kuikae_level is None


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_based_on_itself(name):
    """A rule set and a file that is based on its preset keep their own changes on every day."""
    assert based_on(preset(name)) == name
    for day in (None, date(2012, 5, 1), date(2022, 3, 1)):
        then = RuleSet.from_mapping(
            {**{rule: getattr(preset(name), rule) for rule in RuleSet.__slots__}, **era(preset(name), day)}
        )
        assert day is None or then == preset(name, day)
    assert "kuikae_level" not in era(preset("tenhou").changed(kuikae_level=1), date(2012, 5, 1))

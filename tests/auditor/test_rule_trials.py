"""The rule under which a finding disappears: fixtures, written logs, self-play under a wrong rule, planted faults."""

from __future__ import annotations

import sys
import tomllib

import polars as pl
import pytest

from auditor.audit import rule_trials
from auditor.audit.audit_batch import Options, audit
from auditor.cli import rule_option
from engine.rules.rule_sets import PARAMETERS, RuleSet, known_values, preset
from tests.kit import wrong_rules
from tests.kit.audits import CHECKS, EVERY, FIXTURES, TENHOU, audited, audited_whole, files_below, log_bytes, source
from tests.kit.check_cases import results
from tests.kit.mutate import FAULTS, breed
from tests.kit.mutate.clean_logs import clean_logs

# The section of RULES.md is in brackets; a fixture that is not listed is wrong under every rule.
RIGHT_UNDER = {
    "c106_call_without_a_legal_discard/fail": "kuikae_level=1; kuikae_level=2",  # a run's other end [2.3]
    "c107_chi_where_there_is_none/fail": "chi=true",  # [4.6]
    "d104_kuikae_same_tile/fail": "kuikae_level=2",  # [2.4]
    "d105_kuikae_suji/fail": "kuikae_level=1; kuikae_level=2",  # [2.4]
    "g104_game_went_on/fail": 'bust_threshold="off"',  # one seat is below 0 [1]
    "g105_ended_too_early/fail": "game_length=0; extension_mode=0",  # nobody has 30000 [1]
    "g107_ranks_or_points/fail_oka": "starting_points=30000",  # as many points as are returned: no oka [4.2]
    "k110_kan_changes_shape/fail": "riichi_ankan_level=2",  # [2.6]
    "k111_kan_in_riichi/fail": "riichi_ankan_level=1; riichi_ankan_level=2",  # [2.6]
    "k112_indicator/fail": "open_kan_dora_delayed=false",  # [2.9]
    "k112_indicator/fail_missing": "kan_dora=false",  # [1]
    "k114_kan_of_a_wait/fail": "riichi_ankan_of_wait=true",  # [5.8]
    "n107_ron_on_kita/fail": "kita_ron=true",  # [4.6]
    "r102_not_tenpai/fail": "riichi_without_tenpai=true",  # [2.5]
    "r102_not_tenpai/fail_fifth": "riichi_without_tenpai=true",  # [2.5]
    "r104_too_few_points/fail": "riichi_min_points=0",  # [2.5]
    "r105_too_few_tiles_left/fail": "riichi_without_next_draw=true",  # [2.5]
    "t104_tile_not_of_the_set/fail": "red_fives=[1, 1, 1]",  # [1]
    "w108_dora/fail_ura": "ura_dora=false",  # none is counted [1]
    "w110_too_many_winners/fail": "max_simultaneous_ron=3",  # [2.8]
    "x103_tenpai_hidden/fail": "tenpai_declaration_optional=true",  # [1]
    "x104_abort_not_in_the_rules/fail": "abortive_kyuushu=true",  # [2.10]
    "x106_abort_overrun/fail": "abortive_four_winds=false",  # [2.10]
    "x107_nagashi/fail": "nagashi_mangan=false",  # [2.10]
}
FAILING = sorted(str(path.relative_to(CHECKS).with_suffix("")) for path in CHECKS.glob("*/fail*"))
ORDINARY = results.ORDINARY
CALLED = "3 draws 2m\n3 discards 2m\n0 chi 2m with 34m\n0 discards 9p"


def rows(report):
    """Give code and rules of each finding."""
    return report.tables["findings"].select("code", "right_under").rows()


def test_every_entry_is_a_fixture():
    """Every entry belongs to a fixture."""
    assert set(RIGHT_UNDER) <= set(FAILING)


@pytest.fixture(scope="module")
def fixtures():
    """Audit all failing fixtures, those with the same rules in one batch; give the findings by name."""
    batches = {}
    for name in FAILING:
        path = next(CHECKS.glob(f"{name}.*"))
        rules = path.parent / "rules.toml"
        options = Options(rule_option.load(str(rules))) if rules.exists() else EVERY
        batches.setdefault(options, []).append(source(path.read_bytes(), name))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rule_trials, "TRIALS", sys.maxsize)
        tables = [audited_whole(files, options).tables["findings"] for options, files in batches.items()]
    return {name: right for table in tables for name, right in table.select("source", "right_under").iter_rows()}


@pytest.mark.parametrize("name", FAILING)
def test_fixtures(fixtures, name):
    """The fixture's finding names the rules under which it disappears, or none; other games do not affect it."""
    assert fixtures[name] == RIGHT_UNDER.get(name)


def test_a_batch_is_its_games(fixtures):
    """A game alone has the same rules in its findings as among others."""
    for name in ("d105_kuikae_suji/fail", "g104_game_went_on/fail", "w108_dora/fail_ura", "x107_nagashi/fail"):
        assert rows(audited(next(CHECKS.glob(f"{name}.*")).read_bytes()))[0][1] == fixtures[name]


@pytest.mark.parametrize("name", PARAMETERS)
def test_rules_are_written_as_in_a_rule_file(name):
    """The column's text can be used in a rule file for --rules."""
    for value in known_values(name):
        trial = rule_trials.Trial(0, name, value, preset("tenhou"))
        assert RuleSet.from_mapping(tomllib.loads(trial.text)) == RuleSet.from_mapping({name: value})


TELLINGS = {
    # Two honba at 1,500 each, as in the parlour game of auditor/readers/mjlog/FORMAT.md 7.
    "honba of 1500": (
        results.WITH_HONBA,
        [("change 2600 0 0 -2600", "change 5000 0 0 -5000")],
        ("P101", "honba_value=500"),
    ),
    # 30 fu 4 han are 7,700, or 8,000 with kiriage (RULES.md 3.2, 4.3).
    "kiriage mangan": (
        ORDINARY,
        [
            ("dora 9p", "dora 7s"),
            ("points 2000", "points 8000"),
            ("tanyao 1", "tanyao 1, dora 2"),
            ("change 2000 0 0 -2000", "change 8000 0 0 -8000"),
        ],
        ("W107", "kiriage_mangan=true"),
    ),
    # The same hand paid as 7,800: no rule allows that.
    "no mangan": (
        ORDINARY,
        [
            ("dora 9p", "dora 7s"),
            ("points 2000", "points 7800"),
            ("tanyao 1", "tanyao 1, dora 2"),
            ("change 2000 0 0 -2000", "change 7800 0 0 -7800"),
        ],
        ("W107", None),
    ),
    # An open hand that wins by tanyao alone, at a table without open tanyao (type 5: bit 0x4).
    "open tanyao": (
        ORDINARY,
        [
            ("table 1", "table 5"),
            (results.HAND, "0 holds 34m 678p 234s 56s 88s 9p"),
            ("3 draws 7s\n3 discards 7s", f"{CALLED}\n1 draws 7s\n1 discards 7s"),
            ("0 wins 7s from 3", "0 wins 7s from 1"),
            ("points 2000", "points 1000"),
            ("pinfu 1, ", ""),
            ("change 2000 0 0 -2000", "change 1000 -1000 0 0"),
        ],
        ("W102", "open_tanyao=true"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TELLINGS)
def test_written_logs(case):
    """A finding names the rule by which the log was played, and none if no rule explains it."""
    text, changes, expected = TELLINGS[case]
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    assert rows(audited(log_bytes(text))) == [expected]


def test_another_fault_in_its_place_is_no_right():
    """An ankan that changes the waits is K111 where riichi allows no ankan: another fault there explains nothing."""
    data = (CHECKS / "k109_kan_changes_waits" / "fail.mjlog").read_bytes()
    strict = preset("tenhou").changed(riichi_ankan_level=0)
    assert rows(audited(data, options=Options(strict)))[0][0] == "K111"
    for select in ((), ("K109",)):
        assert rows(audited(data, options=Options(preset("tenhou"), select))) == [("K109", None)]


def test_trials_are_bounded(monkeypatch):
    """If too many games have findings, the first ones are tried, whatever their place in the batch."""
    data = next((CHECKS / "d104_kuikae_same_tile").glob("fail.*")).read_bytes()
    monkeypatch.setattr(rule_trials, "TRIALS", 6)
    found = rows(audited(*[data] * 4, options=Options(preset("tenhou"), (), ("L005",))))
    assert found == [("D104", "kuikae_level=2")] * 2 + [("D104", None)] * 2


def test_no_trial_for_clean_logs(monkeypatch, shipped):
    """A log without findings, or without findings that depend on a rule, is not audited again."""
    monkeypatch.setattr(rule_trials, "taken", lambda *_: pytest.fail("audited again"))
    assert rows(audited(*(source.data for source in shipped[0][:3]))) == []
    tile = next((CHECKS / "t102_tile_not_in_hand").glob("fail.*")).read_bytes()
    assert rows(audited(tile)) == [("T102", None)]


WRONG = [
    ("kuikae_level", 0), ("riichi_ankan_level", 0), ("kiriage_mangan", True), ("kiriage_mangan", False),
    ("ippatsu", False), ("max_simultaneous_ron", 1), ("renchan_mode", 1),
    ("noten_payment", (0, 0, 0)), ("honba_value", 500), ("open_kan_dora_delayed", False),
    ("riichi_without_next_draw", False),
]  # fmt: skip


@pytest.fixture(scope="module")
def played(shared):
    """Give games of 電脳麻将's self-play under many rule sets, as one log."""
    return wrong_rules.read(files_below(shared / "selfplay" / "majiang"), 3)


@pytest.mark.long
@pytest.mark.parametrize(("name", "value"), WRONG)
def test_self_play_under_a_wrong_rule(played, name, value, monkeypatch):
    """Every finding that is caused by one wrong rule names the rule that the log states."""
    monkeypatch.setattr(rule_trials, "TRIALS", sys.maxsize)
    log_bytes = wrong_rules.found(played, name, value)
    assert len(log_bytes) > 0
    assert log_bytes.filter(~pl.col("named")).rows() == []


# Planted faults with codes that depend on rules: the rules that allow them, None if no rule does.
PLANTED = {
    "D104 the called tile's like discarded after a chi": "kuikae_level=2",
    "D105 the run's other end discarded after a chi": "kuikae_level=1; kuikae_level=2",
    "G107 no oka": "starting_points=30000",
    "R102 riichi declared with a noten hand": "riichi_without_tenpai=true",
    "R104 riichi declared with less than 1,000 points": "riichi_min_points=0",
    "R105 riichi declared with too few tiles left": "riichi_without_next_draw=true",
    "W107 30 fu 4 han rounded up to mangan, paid so": "kiriage_mangan=true",
    "W108 red fives not counted and paid so": "red_fives=[0, 0, 0]",
    "X106 four first discards of one wind, and play goes on": "abortive_four_winds=false",
} | dict.fromkeys(
    [
        "G101 the next seat deals, all the rest turned by one seat",
        "G102 a round's start with one honba more or fewer",
        "G103 a round's start with one stick more or fewer",
        "G106 one final score off, points as they were",
        "K112 an indicator told twice",
        "P101 ron paid too high or low by the worth of ten honba: written so",
        "P102 one seat's change of a win off by 100: written so",
        "P103 honba not paid: written so",
        "P104 riichi sticks not taken: written so",
        "P105 a round begins with another score of one seat",
        "P106 noten payments shared otherwise: written so",
        "T101 one physical tile twice: another copy of its kind",
        "W103 winner discarded a tile that it waits for",
        "W104 yaku named as another of as many han",
        "W105 a yaku's han one too many and paid so",
        "W106 fu that no hand has",
        "W107 a limit that there is not",
        "W107 other points, paid so",
        "X105 nine orphans declared later than in the first turn",
    ]
)


@pytest.fixture(scope="module")
def planted():
    """Audit a mutant of each kind in one batch; give code and rules of the findings, by kind."""
    logs = clean_logs([FIXTURES / "logs" / "tenhou"])
    mutants = {str(fault): breed(fault, logs, 1) for fault in FAULTS if str(fault) in PLANTED}
    # Their names have the date, on which Tenhou's rules depend.
    files = [source(mutant.data, mutant.name) for found in mutants.values() for mutant in found]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rule_trials, "TRIALS", sys.maxsize)
        table = audit(files, Options(TENHOU.rules, ignore=("L005",))).tables["findings"]
    kinds = {mutant.name: kind for kind, found in mutants.items() for mutant in found}
    assert len(kinds) == len(files)
    planted = {kind: [] for kind in mutants}
    for name, code, right in table.select("source", "code", "right_under").iter_rows():
        planted[kinds[name]].append((code, right))
    return planted


@pytest.mark.parametrize("kind", PLANTED)
def test_planted_faults(planted, kind):
    """A fault that no rule allows names no rule; one that a rule allows names that rule."""
    found = [right for code, right in planted[kind] if code == kind[:4]]
    assert found == [PLANTED[kind]] * len(found) != []

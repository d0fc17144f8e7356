"""Every check: its file, its documentation, its fixtures. A new check is tested as soon as its file exists."""

from __future__ import annotations

import importlib
from pathlib import Path

import polars as pl
import pytest

from auditor.audit import checks
from auditor.audit.audit_batch import Options, audit
from auditor.audit.check import Severity, UnknownCodeError, all_checks, choose
from auditor.cli import rule_option
from auditor.run import repeats
from engine.rules.rule_sets import RULE_NAMES, preset
from tests.kit.audits import CHECKS, EVERY, LOGS, TENHOU, audited, audited_apart, codes, files_below, read_all
from tests.kit.check_cases import fixtures

MODULES = sorted(path.stem for path in Path(checks.__file__).parent.glob("[!_]*.py"))
BY_CODE = {check.code: check for check in all_checks()}
SEEDED = ("S101", "S102", "S103", "S104", "S105")
"""The checks that run only if they are selected."""
FAILING = sorted(str(path.relative_to(CHECKS)) for path in CHECKS.glob("*/fail*"))
PASSING = sorted(str(path.relative_to(CHECKS)) for path in CHECKS.glob("*/pass*"))
OTHER_RULES = {path.parent.name: Options(rule_option.load(str(path))) for path in CHECKS.glob("*/rules.toml")}


def rules_of(name):
    """Give the options for a fixture: all checks, and Tenhou's rules or the rule file beside it."""
    return OTHER_RULES.get(name.partition("/")[0], EVERY)


def code_of(name):
    """Give the code in a module's, folder's or fixture's name."""
    return name[:4].upper()


def test_codes_are_the_files():
    """Every module holds one check; its code is unique and begins the file's name."""
    assert [check.code for check in all_checks()] == [code_of(name) for name in MODULES]
    assert len(set(BY_CODE)) == len(MODULES) > 20


@pytest.mark.parametrize("module", MODULES)
def test_fixtures_exist(module):
    """Every check has a passing and a failing log in a folder named like the check."""
    names = {path.stem for path in (CHECKS / module).iterdir()}
    assert {"pass", "fail"} <= names


def test_no_fixture_without_a_check():
    """Every folder of fixtures belongs to a check."""
    assert sorted(path.name for path in CHECKS.iterdir()) == MODULES


@pytest.fixture(scope="module")
def found():
    """Give the findings in every fixture, by its name; those under the same rules are audited in one batch."""
    batches = {}
    for name in PASSING + FAILING:
        batches.setdefault(rules_of(name), {})[name] = (CHECKS / name).read_bytes()
    # L005 compares files of one batch, so its fixtures are audited alone.
    alone = {name: (CHECKS / name).read_bytes() for name in FAILING if code_of(name) == "L005"}
    return {
        name: tables["findings"]
        for options, logs in batches.items()
        for name, tables in audited_apart(logs, options).items()
    } | {name: audited(log, options=rules_of(name)).tables["findings"] for name, log in alone.items()}


@pytest.mark.parametrize("name", PASSING)
def test_passing_log_is_clean(name, found):
    """The log that passes a check has no finding of any check."""
    assert found[name].rows() == []


@pytest.mark.long
def test_passing_logs_hold_no_copies():
    """No passing log contains a game twice (L005)."""
    for name in PASSING:
        if name.endswith((".json", ".jsonl")):
            assert audited((CHECKS / name).read_bytes(), options=rules_of(name)).tables["findings"].rows() == [], name


@pytest.mark.parametrize("name", FAILING)
def test_failing_log_gives_its_code_and_no_other(name, found):
    """The failing log has one finding of the check, in its round, with a sentence that states both values."""
    assert found[name]["code"].to_list() == [code_of(name)]
    finding = found[name].row(0, named=True)
    assert finding["severity"] == BY_CODE[code_of(name)].severity
    if code_of(name)[0] in "TDCKNRWPX":
        assert finding["round"] == 0
        assert finding["round_name"].startswith(("East 4.", "East 3."))
        assert finding["recorded"] is not None
        assert finding["expected"] is not None
    for part in ("recorded", "expected"):
        if f"{{{part}}}" in BY_CODE[code_of(name)].message:
            assert finding[part] in finding["message"]


@pytest.mark.parametrize("name", [name for name in FAILING if code_of(name) != "L001" and name.endswith(".mjlog")])
def test_place_of_a_finding(name, found):
    """The byte that a finding names is the beginning of a tag; for a result, of the result's tag."""
    data = (CHECKS / name).read_bytes()
    finding = found[name].row(0, named=True)
    assert data[finding["pos"] :].startswith(b"<")
    assert data[: finding["pos"]].count(b"<") == finding["event"]
    if code_of(name)[0] in "WP" or code_of(name) == "T105":
        assert data[finding["pos"] :].startswith((b"<AGARI", b"<RYUUKYOKU"))


def test_shipped_games_are_clean():
    """The shipped games, which another engine played, have no finding."""
    assert audited(*(each.data for each in read_all(LOGS)[0])).tables["findings"].rows() == []


STRANGE_HEADERS = [("doubleron_and_riichi.xml", "G104"), ("west.xml", "G104")]
"""South games under the header of an East game (names, ratings, one also the seed): they go on too long for it."""


def test_real_games_are_clean(shared):
    """Real four-player games of the corpus have no finding, except those with another game's header."""
    paths = files_below(shared / "corpus" / "tenhou-mjlog-4p")
    report = audit(read_all(paths)[0], TENHOU)
    assert len(report.tables["games"]) == len(paths) > 200
    found = [(Path(source).name, code) for source, code in report.tables["findings"].select("source", "code").rows()]
    assert sorted(found) == STRANGE_HEADERS


def test_truncated_games(shared):
    """Each file that was cut off is one finding (L002)."""
    paths = files_below(shared / "corpus" / "truncated" / "tenhou-mjlog-4p")
    found = audit(read_all(paths)[0], TENHOU).tables["findings"]
    assert sorted(found.select("source", "code").rows()) == [(str(path), "L002") for path in paths]


def test_forged_games_have_the_documented_findings(shared):
    """Every hand-edited or bot-written log has the findings that the format notes describe."""
    paths = files_below(shared / "corpus" / "synthetic" / "tenhou-mjlog-4p")
    found = audit(read_all(paths)[0], TENHOU).tables["findings"]
    assert set(found["source"]) == set(map(str, paths))
    edited = found.filter(pl.col("source").str.contains("noname"))
    assert "T105" in edited["code"].to_list()


def test_all_failing_logs_in_one_batch():
    """In one batch of many games, each finding belongs to its own game."""
    names = [name for name in FAILING if rules_of(name) is EVERY]
    report = audited(*((CHECKS / name).read_bytes() for name in names), options=EVERY)
    found = dict(report.tables["findings"].select("source", "code").rows())
    assert found == {f"log-{place}.mjlog": code_of(name) for place, name in enumerate(names)}
    assert {each.code: each.findings for each in report.tallies} == {
        code: sum(code_of(name) == code for name in names) for code in BY_CODE
    }


@pytest.mark.parametrize("check", all_checks(), ids=list(BY_CODE))
def test_documentation(check):
    """A check's docstring names the fault in its first line, then says what is reported and why it is wrong."""
    first, blank, *rest = check.doc.splitlines()
    assert first.endswith(".")
    assert len(first) < 100
    assert blank == ""
    assert any(line.startswith("What it reports:") for line in rest)
    assert any(line.startswith(("Why it is wrong:", "Why it matters:")) for line in rest)
    assert check.severity in Severity


@pytest.mark.parametrize("check", all_checks(), ids=list(BY_CODE))
def test_record(check):
    """A check's record names existing rules, each once. test_frames.py tests its subject and needs."""
    assert set(check.rules) <= set(RULE_NAMES)
    assert len(set(check.rules)) == len(check.rules)


@pytest.mark.parametrize("module", MODULES)
def test_module_holds_a_check_and_nothing_more_public(module):
    """A check's module offers only ``CHECK`` and ``find``; a check of the whole dataset has no ``find``."""
    found = importlib.import_module(f"auditor.audit.checks.{module}")
    own = {name for name, value in vars(found).items() if getattr(value, "__module__", None) == found.__name__}
    assert {name for name in own if not name.startswith("_")} == (set() if found.CHECK.whole_dataset else {"find"})


def test_the_check_of_the_whole_dataset_is_the_one_that_a_run_judges():
    """The run judges exactly the checks of the whole dataset."""
    assert [check.code for check in all_checks() if check.whole_dataset] == [repeats.CODE]


def test_fixtures_are_what_the_script_writes(tmp_path):
    """The shipped fixtures are byte for byte what the script writes; nobody edits them by hand."""
    fixtures.write(tmp_path / "checks")
    written = {path.relative_to(tmp_path / "checks"): path.read_bytes() for path in files_below(tmp_path / "checks")}
    assert written == {path.relative_to(CHECKS): path.read_bytes() for path in files_below(CHECKS)}


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        ([], [], [code for code in BY_CODE if code not in SEEDED]),
        (["all"], [], list(BY_CODE)),
        (["ALL"], ["L", "T"], [code for code in BY_CODE if code[0] not in "LT"]),
        (["S"], ["S105"], ["S101", "S102", "S103", "S104", "S106", "S107"]),
        (["W106"], [], ["W106"]),
        (["w1", "l001"], ["W111"], ["L001", *(code for code in BY_CODE if code[0] == "W" and code != "W111")]),
        ([], ["L", "T", "W"], [code for code in BY_CODE if code[0] not in "LTW" and code not in SEEDED]),
    ],
)
def test_choice_by_prefix(select, ignore, expected):
    """A code or the beginning of a code selects checks; --ignore outweighs --select."""
    assert [check.code for check in choose(select, ignore)] == expected


@pytest.mark.parametrize("code", ["W999", "Q", "106"])
def test_unknown_code(code):
    """An unknown code is refused in either option, and the message says where all codes are listed."""
    for select, ignore in (([code], []), ([], [code])):
        with pytest.raises(UnknownCodeError, match=f"{code}.*auditor checks lists all"):
            choose(select, ignore)


def test_selected_checks_only():
    """A fault with a code that is not selected is not reported."""
    fu = (CHECKS / "w106_fu" / "fail.mjlog").read_bytes()
    assert codes(audited(fu, options=Options(preset("tenhou"), ("W107",)))) == []
    assert codes(audited(fu, options=Options(preset("tenhou"), (), ("W106",)))) == []
    assert codes(audited(fu, options=Options(preset("tenhou"), ("W106",)))) == ["W106"]


def test_a_win_before_any_tile():
    """A win before any draw or discard is a finding whose sentence says that."""
    log = (CHECKS / "w109_winning_tile" / "pass.mjlog").read_bytes().replace(b"<W96/><G96/>", b"")
    findings = audited(log).tables["findings"].filter(pl.col("code") == "W109")
    assert findings["message"].to_list() == ["seat 0 wins with 7s#96; the last tile was none"]


def test_limits_are_named_in_words():
    """Findings name a limit by its word, not by a number."""
    log = (CHECKS / "w107_points" / "fail_limit.mjlog").read_bytes()
    assert audited(log).tables["findings"]["message"].to_list() == [
        "points recorded 2000 (mangan), expected 2000 (no limit)"
    ]


@pytest.mark.parametrize(
    ("points", "forms", "found"),
    [
        (64000, ["suuankou_tanki"], []),
        (64000, [], ["points recorded 64000 (yakuman), expected 32000 (yakuman)"]),
        (32000, [], []),
        (32000, ["suuankou_tanki"], ["points recorded 32000 (yakuman), expected 64000 (yakuman)"]),
    ],
)
def test_which_yakuman_count_twice(points, forms, found):
    """Four concealed triplets with a pair wait: 32000 or 64000 for a non-dealer, in a game with double yakuman."""
    (path,) = (path for path in LOGS if path.name == "2023010506gm-0009-0000-dd5caab4.mjlog")
    log = path.read_bytes().replace(b'ten="70,32000,5" yakuman="41"', b'ten="70,%d,5" yakuman="41"' % points)
    options = Options(preset("tenhou").changed(double_yakuman=True, double_yakuman_forms=forms), ("W107",))
    assert audited(log, options=options).tables["findings"]["message"].to_list() == found

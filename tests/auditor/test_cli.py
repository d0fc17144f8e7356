"""The command line: help, explain, checks, and the summary of a run."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from auditor import __version__
from auditor.audit.check import all_checks
from auditor.cli.main import app
from tests.kit.audits import CHECKS

PURPOSES = {"run": "Audit logs", "explain": "Print what a check reports", "checks": "List all checks"}
COMMANDS = {command.name or command.callback.__name__: command.callback for command in app.registered_commands}


def auditor(*arguments):
    """Run the command line in this process; its output has no colours."""
    result = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"}).invoke(
        app, [str(each) for each in arguments]
    )
    return result.exit_code, re.sub(r"\x1b\[[0-9;]*m", "", result.stdout)


def test_help_names_the_purpose_and_all_commands():
    """The general help says what the tool is for, and lists all commands."""
    code, text = auditor("--help")
    assert code == 0
    assert "riichi-mahjong" in text
    assert set(PURPOSES) <= set(COMMANDS)
    for command in COMMANDS:
        assert re.search(rf"^\W*{command}\s", text, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(command):
    """Each command's help says what it does, and describes each option."""
    code, text = auditor(command, "--help")
    assert code == 0
    assert PURPOSES.get(command, COMMANDS[command].__doc__.split(".")[0].split("\n")[0]) in text
    for option in ("--out", "--rules", "--select", "--ignore", "--jobs") if command == "run" else ():
        line = re.search(rf"^\W*{option}\b.*", text, re.MULTILINE)[0]
        assert len(re.sub(r"[^a-z ]", "", line).split()) > 3, line


def test_no_arguments_is_help():
    """Without arguments, the program shows its help, not an error."""
    _, text = auditor()
    assert "Usage" in text


def test_exit_codes_are_in_the_help():
    """The help of ``run`` documents the exit codes 0, 1 and 2."""
    text = " ".join(auditor("run", "--help")[1].split())
    assert re.search(r"0\W+no new findings.*1\W+new findings.*2\W+.*fail", text)


@pytest.mark.parametrize("check", all_checks(), ids=[check.code for check in all_checks()])
def test_explain(check):
    """``explain`` prints the documentation of a check and its rules, whether the code is in capitals or not."""
    code, text = auditor("explain", check.code)
    assert code == 0
    assert check.doc in text
    assert check.code in text.splitlines()[0]
    assert check.severity in text.splitlines()[0]
    for rule in check.rules:
        assert rule in text
    assert auditor("explain", check.code.lower()) == (0, text)


def test_checks_lists_all():
    """``checks`` prints one line for each check: code, severity, what is wrong."""
    code, text = auditor("checks")
    assert code == 0
    lines = text.splitlines()
    assert [line.split()[:2] for line in lines] == [[check.code, check.severity] for check in all_checks()]
    assert all(line.endswith(check.title) for line, check in zip(lines, all_checks(), strict=True))
    off = {line.split()[0] for line in lines if line.split()[2] == "off"}
    assert off == {"S101", "S102", "S103", "S104", "S105"}
    assert "off unless selected" in auditor("explain", "S101")[1]
    assert "off unless" not in auditor("explain", "W106")[1]


def number(text, word):
    """Read the number beside a word of the summary."""
    return int(re.search(rf"^\s*{word}\s+([\d,]+)", text, re.MULTILINE)[1].replace(",", ""))


def test_summary(tmp_path):
    """The summary counts files, games, rounds, turns, wins and findings by code, and prints each finding on a line."""
    names = [
        "w106_fu/fail.mjlog",
        "w106_fu/pass.mjlog",
        "w107_points/fail.mjlog",
        "l001_unreadable/fail.mjlog",
        "l007_unsupported_variant/fail.json",
    ]
    paths = [CHECKS / name for name in names]
    code, text = auditor("run", *paths, "--out", tmp_path / "out")
    assert code == 1
    expected = {"files": 5, "games": 4, "rounds": 3, "turns": 3, "wins": 3, "findings": 4}
    assert {word: number(text, word) for word in expected} == expected
    assert [number(text, each) for each in ("W106", "W107", "L001", "L007")] == [1, 1, 1, 1]
    assert "3 audited, 1 unsupported, 1 unreadable" in text
    assert str(tmp_path / "out") in text
    line = next(line for line in text.splitlines() if line.startswith("W106 rule"))
    assert line.startswith(f"W106 rule {paths[0]}:7 East 4.0 seat 0 (A): ")
    assert "40" in line
    assert "30" in line


def test_summary_of_a_clean_run(tmp_path):
    """A run without findings ends with exit code 0 and prints no finding."""
    code, text = auditor("run", CHECKS / "w106_fu" / "pass.mjlog", "--out", tmp_path / "out")
    assert code == 0
    assert number(text, "findings") == 0
    assert not re.search(r"^[A-Z]\d{3} ", text, re.MULTILINE)


def test_not_checkable_is_shown(tmp_path):
    """The summary counts the rows that were not checkable."""
    data = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes().replace(b'ten="30,', b'ten="x,')
    (tmp_path / "log").write_bytes(data)
    _, text = auditor("run", tmp_path / "log", "--out", tmp_path / "out")
    assert re.search(r"^not checkable, these logs never say it: .*W106 \(1\)", text, re.MULTILINE)


def test_many_findings_are_not_all_printed(tmp_path):
    """Of many findings the summary prints some examples, how many more there are, and where they are."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for place in range(60):
        (folder / f"{place}.mjlog").write_bytes(b"no log")
    _, text = auditor("run", folder, "--out", tmp_path / "out")
    shown = len(re.findall(r"^L001 error", text, re.MULTILINE))
    assert 0 < shown < 60
    assert f"{60 - shown} more" in text


def test_findings_shown_are_of_every_code(tmp_path):
    """With a hundred findings of one code and one of three others, each code has a line, and the rest is counted."""
    folder = tmp_path / "logs"
    folder.mkdir()
    for place in range(100):
        (folder / f"{place}.mjlog").write_bytes(b"no log")
    for name in ("w106_fu/fail.mjlog", "w107_points/fail.mjlog", "l007_unsupported_variant/fail.json"):
        (folder / name.replace("/", "_")).write_bytes((CHECKS / name).read_bytes())
    _, text = auditor("run", folder, "--out", tmp_path / "out", "--jobs", "1")
    shown = [line.split()[0] for line in text.splitlines() if re.match(r"[A-Z]\d{3} (error|rule|note)", line)]
    assert len(shown) == 20
    assert {code: shown.count(code) for code in set(shown)} == {"L001": 17, "W106": 1, "W107": 1, "L007": 1}
    assert "L001 ... and 83 more" in text
    # Codes in order of severity: error, violation, note.
    assert list(dict.fromkeys(shown)) == ["L001", "W106", "W107", "L007"]


def test_many_codes_are_named(tmp_path):
    """If there are more codes than lines, the remaining codes are listed with their counts."""
    _, text = auditor("run", CHECKS, "--out", tmp_path / "out", "--jobs", "1")
    shown = {line.split()[0] for line in text.splitlines() if re.match(r"[A-Z]\d{3} (error|rule|note)", line)}
    line = re.search(r"^\.\.\. and \d+ more of other codes: (.*)$", text, re.MULTILINE)[1]
    listed = set(re.findall(r"^  ([A-Z]\d{3})  ", text, re.MULTILINE))
    assert len(shown) == 20
    assert shown | set(line.split(", ")) == listed


def test_what_a_format_never_states_is_counted_apart(tmp_path):
    """Tenhou logs have no tsumogiri marks: D103 has one line of its own in the summary, with the number of rows."""
    log = CHECKS / "w106_fu" / "pass.mjlog"
    _, text = auditor("run", log, "--out", tmp_path / "out")
    lines = text.partition("not checkable, these logs never say it: ")[2].splitlines()
    assert re.search(r"\bD103 \(\d+\)", lines[0])
    assert not re.search(r"^\s+D103\b", text, re.MULTILINE)


def test_progress_goes_to_stderr(tmp_path):
    """Progress goes to stderr, so that the summary on stdout can be piped."""
    log = CHECKS / "w106_fu" / "pass.mjlog"
    result = CliRunner().invoke(app, ["run", str(log), "--out", str(tmp_path / "out")])
    assert "1 files" in result.stderr
    assert "1/1" not in result.stdout


def test_rules_file(tmp_path):
    """A rule file can name a preset and change it, and its values decide the findings."""
    rules = tmp_path / "house.toml"
    log = tmp_path / "log"
    data = (CHECKS / "p103_honba" / "pass.mjlog").read_bytes()
    log.write_bytes(data)
    rules.write_text('preset = "tenhou"\nhonba_value = 500\n')
    assert auditor("run", log, "--out", tmp_path / "a")[0] == 0
    code, text = auditor("run", log, "--out", tmp_path / "b", "--rules", rules)
    assert code == 1
    assert number(text, "P10[13]") == 1


def test_version():
    """The version is a version number; every dataset contains it."""
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", __version__)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGPIPE")
@pytest.mark.parametrize("words", [["-h"], ["run", "--help"], ["checks"]])
def test_a_closed_pipe_ends_quietly(words):
    """A closed pipe, such as `| head`, gives the shell's exit code for SIGPIPE and prints nothing."""
    program = "from auditor.cli.main import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        process.stdout.close()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (141, "")

"""Options from the configuration file, the environment and the command line, and the command that shows them all."""

from __future__ import annotations

import json
import re
from enum import Enum
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from auditor.cli.config_file import SHARED
from tests.kit.audits import CHECKS
from tests.kit.configuration import EVERY, KNOWN, auditor, shown, value

LOG = CHECKS / "w106_fu" / "pass.mjlog"


@pytest.fixture(autouse=True)
def _alone(unconfigured):
    """Work in a folder without configuration. This comes before fixtures of classes, which choose other folders."""


def sample(setting):
    """Make up a valid value that is not the option's default; give it for TOML and as text."""
    one = {bool: True, int: 1, float: 0.5, str: "word"}[setting.kind]
    choices = list(enums(get_type_hints(setting.function)[setting.param.name]))
    if choices:
        one = next(each.value for each in choices if each is not setting.param.default)
    if setting.kind is int and setting.param.default == 1:
        one = 2
    if setting.key == "players":
        one = 3  # it must be 3 or 4
    return ([one] if setting.is_list else one), str(one)


def enums(hint):
    """Yield the members of the enumeration in a type."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        yield from hint
    for part in get_args(hint):
        yield from enums(part)


@pytest.mark.parametrize("names", KNOWN, ids=" ".join)
def test_keys_are_the_options_of_help(names):
    """The keys of the configuration are exactly the options in help; arguments are in the usage line."""
    _, text, _ = auditor(*names, "--help")
    own = KNOWN[names].values()
    options = {setting.key for setting in own if setting.param.param_type_name == "option"}
    assert set(re.findall(r"^\W*--([a-z-]+)", text, re.MULTILINE)) - {"help"} == options
    usage = re.search(r"Usage: (.*)", text)[1].lower()
    for setting in own:
        assert re.fullmatch(r"[a-z0-9-]+", setting.key)
        assert setting.key in options or setting.key in usage


def test_names_are_unique():
    """No two options share a variable, and no two options of a command share a key."""
    assert len({setting.variable for setting in EVERY}) == len(EVERY)
    assert all(len(own) == len({setting.param.name for setting in own.values()}) for own in KNOWN.values())
    assert {("run", "out"), ("run", "source"), ("run", "from"), ("stats", "min-games"), ("rules show", "name")} <= {
        (" ".join(setting.command), setting.key) for setting in EVERY
    }


def test_file_sets_every_option(tmp_path):
    """The file can set every option of the command line."""
    lines = []
    for names, own in KNOWN.items():
        lines.append(f"[{'.'.join(names)}]")
        lines += [f"{key} = {json.dumps(sample(setting)[0])}" for key, setting in own.items() if names != ("config",)]
    (tmp_path / "auditor.toml").write_text("\n".join(lines))
    rows, file = shown()
    assert file == str(tmp_path / "auditor.toml")
    for setting in EVERY:
        if setting.command != ("config",):
            expected = sample(setting)[0]
            if setting.place:
                expected = json.loads(json.dumps(expected).replace("word", str(tmp_path / "word")))
            table = ".".join(setting.command)
            seen = value(rows[" ".join(setting.command), setting.key])
            assert seen == (expected, "file", f"{file}: [{table}] {setting.key}"), setting


def test_environment_sets_every_option(monkeypatch):
    """A variable can set every option of the command line."""
    for setting in EVERY:
        if setting.command != ("config",):
            monkeypatch.setenv(setting.variable, sample(setting)[1])
    rows, _ = shown()
    for setting in EVERY:
        if setting.command != ("config",):
            seen = value(rows[" ".join(setting.command), setting.key])
            assert seen == (sample(setting)[0], "environment", setting.variable), setting


@pytest.mark.parametrize("depth", range(4))
def test_precedence(tmp_path, monkeypatch, depth):
    """The command line outweighs the environment, which outweighs the file, which outweighs the default."""
    given = []
    expected = (20, "default", None)
    if depth > 0:
        (tmp_path / "auditor.toml").write_text("[show]\nlimit = 3\n")
        expected = (3, "file", f"{tmp_path / 'auditor.toml'}: [show] limit")
    if depth > 1:
        monkeypatch.setenv("AUDITOR_SHOW_LIMIT", "4")
        expected = (4, "environment", "AUDITOR_SHOW_LIMIT")
    if depth > 2:
        given = ["show", "--limit", "5"]
        expected = (5, "command line", None)
    rows, _ = shown(*given)
    assert value(rows["show", "limit"]) == expected


def test_lists(tmp_path, monkeypatch):
    """A list from the environment or the command line replaces the list in the file."""
    (tmp_path / "auditor.toml").write_text('[run]\nselect = ["W", "P"]\n')
    assert shown()[0]["run", "select"]["value"] == ["W", "P"]
    monkeypatch.setenv("AUDITOR_RUN_SELECT", "T C")
    assert shown()[0]["run", "select"]["value"] == ["T", "C"]
    assert shown("run", "--select", "L")[0]["run", "select"]["value"] == ["L"]


def test_run_from_a_file_alone(tmp_path, monkeypatch):
    """The file can give --out and the sources; its paths are relative to the file, not to the working folder."""
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "a").write_bytes(LOG.read_bytes())
    (tmp_path / "auditor.toml").write_text('[run]\nout = "out"\nsource = ["logs"]\njobs = 1\nprogress = "none"\n')
    below = tmp_path / "deep" / "below"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    code, text, _ = auditor("run")
    assert code == 0
    assert f"tables in {tmp_path / 'out'}" in text
    assert (tmp_path / "out" / "games").is_dir()
    assert list(below.iterdir()) == []


def test_question_from_a_file_alone(tmp_path, shipped_dataset):
    """The file can give arguments too: the dataset, the query, the format of the answer."""
    (tmp_path / "auditor.toml").write_text(
        f'dir = "{shipped_dataset}"\nformat = "csv"\n[query]\nsql = "SELECT COUNT(*) AS n FROM games"\n'
    )
    assert auditor("query") == (0, "n\n19\n", "")
    assert json.loads(auditor("query", "--format", "json")[1]) == [{"n": 19}]


def test_shared_keys(tmp_path):
    """A key above all tables holds for every command that has it, unless the command's own table sets it."""
    (tmp_path / "auditor.toml").write_text('rules = "mleague"\nformat = "csv"\n[hand]\nrules = "wrc"\n')
    rows, file = shown()
    assert value(rows["run", "rules"]) == value(rows["score", "rules"]) == ("mleague", "file", f"{file}: rules")
    assert value(rows["hand", "rules"]) == ("wrc", "file", f"{file}: [hand] rules")
    assert {key[0] for key, row in rows.items() if key[1] == "format" and row["value"] == "csv"} == {
        "query",
        "stats",
        "compare",
        "score",
    }
    assert rows["query", "out"]["from"] == "default"


def test_shared_keys_are_shared():
    """Each shared key is an option of several commands, and has the same type in all."""
    for key in SHARED:
        kinds = [(setting.kind, setting.is_list, setting.place) for setting in EVERY if setting.key == key]
        assert len(kinds) > 1
        assert len({kind[:2] for kind in kinds}) == 1


def test_help_shows_no_secret(tmp_path):
    """Help shows the URIs of a file as messages do: without keys."""
    text = '[run]\nout = "s3://KEY:S3CRET@bucket/out"\nsource = ["s3://KEY:S3CRET@bucket/logs", "logs"]'
    (tmp_path / "auditor.toml").write_text(text)
    shown = auditor("run", "--help")[1]
    assert "S3CRET" not in shown
    assert "KEY" not in shown
    assert "s3://bucket/out" in shown
    assert "s3://bucket/logs" in shown


def test_help_shows_configured_defaults(tmp_path):
    """Help shows the configured defaults."""
    (tmp_path / "auditor.toml").write_text("[show]\nlimit = 7")
    assert re.search(r"--limit.*\[default: 7\]", auditor("show", "--help")[1])


def test_wrong_variable_is_named(monkeypatch):
    """A wrong value from the environment is reported with its variable."""
    monkeypatch.setenv("AUDITOR_SHOW_LIMIT", "many")
    for command in (("show", "out"), ("config",)):
        code, _, err = auditor(*command)
        assert code == 2
        assert "AUDITOR_SHOW_LIMIT" in err


def test_misspelt_variables(monkeypatch):
    """An unknown AUDITOR_ variable gives a warning, and --check refuses it. AUDITOR_CACHE and its like are ignored."""
    assert auditor("config", "--check") == (0, "", "")
    monkeypatch.setenv("AUDITOR_CACHE_SIZE", "3")
    assert auditor("config", "--check") == (0, "", "")
    monkeypatch.setenv("AUDITOR_SHOW_LIMITS", "3")
    seen = "auditor: AUDITOR_SHOW_LIMITS: no option has this variable; nearest: AUDITOR_SHOW_LIMIT\n"
    assert auditor("config", "--check") == (2, "", seen)
    code, _, err = auditor("config")
    assert (code, err) == (0, seen)


def test_table_of_values(tmp_path, monkeypatch):
    """``config`` prints a heading for each command and a line for each option: key, value as in the file, origin."""
    (tmp_path / "auditor.toml").write_text('[show]\ncode = ["W"]\n')
    monkeypatch.setenv("AUDITOR_SHOW_GAME", "12")
    code, text, _ = auditor("config", "show", "--limit", "5")
    assert code == 0
    lines = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()]
    assert lines == [
        [f"file: {tmp_path / 'auditor.toml'}"],
        [""],
        ["[show]"],
        ["dir", "required"],
        ["game", '"12"', "environment AUDITOR_SHOW_GAME"],
        ["code", '["W"]', f"file {tmp_path / 'auditor.toml'}: [show] code"],
        ["severity", "[]", "default"],
        ["player", "default"],
        ["new", "false", "default"],
        ["since", "default"],
        ["run", "default"],
        ["limit", "5", "command line"],
        ["html", "default"],
    ]
    headings = re.findall(r"^\[(.*)\]$", auditor("config")[1], re.MULTILINE)
    assert headings == [".".join(names) for names, own in KNOWN.items() if own]


@pytest.mark.parametrize(("words", "seen"), [(["rnu"], "nearest: run"), (["run", "--jbos", "3"], "--jbos")])
def test_wrong_arguments(words, seen):
    """``config`` refuses arguments that the named command would refuse."""
    code, _, err = auditor("config", *words)
    assert code == 2
    assert seen in err


def test_groups():
    """The name of a group stands for all its commands."""
    assert {command for command, _ in shown("rules")[0]} == {"rules show", "rules diff"}
    rows, _ = shown("rules", "show", "wrc")
    assert value(rows["rules show", "name"]) == ("wrc", "command line", None)


def test_sample_of_the_readme():
    """The sample configuration in auditor/cli/README.md is valid."""
    readme = (Path(__file__).resolve().parents[2] / "auditor" / "cli" / "README.md").read_text("utf-8")
    text = readme.partition("## Configuration")[2].partition("```toml\n")[2].partition("```")[0]
    Path("auditor.toml").write_text(text)
    rows, _ = shown()
    assert sum(row["from"] == "file" for row in rows.values()) >= 5


class TestDir:
    """If the configuration names the dataset, a command needs only its other argument."""

    ANSWER = 'format = "csv"\n[query]\nsql = "SELECT 2 AS n"\n'

    @pytest.fixture(autouse=True)
    def _dataset(self, tmp_path, shipped_dataset):
        self.file = tmp_path / "auditor.toml"
        self.file.write_text(f'dir = "{shipped_dataset}"\nformat = "csv"\n')
        self.dataset = shipped_dataset

    @pytest.mark.parametrize("words", [("stats", "rates"), ("query", "SELECT COUNT(*) AS n FROM games"),
                                       ("stats", "--by", "seat", "points", "--min-games", "1")])  # fmt: skip
    def test_from_the_file(self, words):
        """The answer is the same with the folder named and without; naming it remains possible."""
        answer = auditor(*words)
        assert answer[0] == 0
        assert answer[1]
        with_folder = [words[0], self.dataset, *words[1:]]
        assert auditor(*with_folder) == answer

    def test_from_a_variable(self, monkeypatch):
        """A variable outweighs the file."""
        monkeypatch.setenv("AUDITOR_STATS_DIR", "elsewhere")
        code, _, err = auditor("stats", "rates")
        assert code == 2
        assert "elsewhere: is no folder" in err

    def test_without_arguments(self):
        """Commands whose only argument is the dataset need no argument."""
        for command in ("show", "tables"):
            assert auditor(command) == auditor(command, self.dataset)
            assert auditor(command)[0] == 0

    def test_not_set(self):
        """Without a configured dataset, and with both arguments configured, a first argument is the dataset."""
        self.file.write_text("")
        assert auditor("stats", "rates")[0] == 2
        self.file.write_text(f'dir = "elsewhere"\n{self.ANSWER}')
        assert auditor("query", self.dataset) == (0, "n\n2\n", "")

    def test_shown(self):
        """``config`` shows the values that the command uses."""
        rows, file = shown("stats", "rates")
        assert value(rows["stats", "dir"]) == (str(self.dataset), "file", f"{file}: dir")
        assert value(rows["stats", "name"]) == ("rates", "command line", None)

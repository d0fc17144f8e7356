"""``auditor config --check`` refuses exactly the configurations that commands refuse."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.audits import CHECKS
from tests.kit.command_line import auditor

LOG = CHECKS / "w106_fu" / "pass.mjlog"
pytestmark = pytest.mark.usefixtures("unconfigured")

# The file's text, the place of the fault, words of the reason. The command itself says the same (next test).
REFUSED = {
    "unknown code, ignored": ('[run]\nignore = ["P999"]', "[run] ignore", "P999"),
    "unknown code, selected": ('[run]\nselect = ["W106", "Y1"]', "[run] select", "Y1"),
    "unknown code of two": ('[run]\nselect = ["W106,Q1"]', "[run] select", "Q1"),
    "unknown code, shown": ('[show]\ncode = ["W999"]', "[show] code", "W999"),
    "unknown code, explained": ('[explain]\ncode = "W999"', "[explain] code", "W999"),
    "unknown rules": ('rules = "tenhuo"', "rules", "'tenhou'"),
    "unknown rules of one": ('[score]\nrules = "tenhuo"', "[score] rules", "'tenhou'"),
    "unknown rules shown": ('[rules.show]\nname = "mleage"', "[rules.show] name", "'mleague'"),
    "a rule file that is not there": ('rules = "house/rules.toml"', "rules", "no such file"),
    "a rule file with a wrong key": ('rules = "wrong.toml"', "rules", "'kiriage_mangan'"),
    "a rule file that is none": ('rules = "broken.toml"', "rules", "broken.toml"),
    "jobs": ("[run]\njobs = -1", "[run] jobs", "-1 is not allowed"),
    "an unknown statistic": ('[stats]\nname = "rate"', "[stats] name", "rates"),
    "a split that it has not": ('[stats]\nname = "mismatches"\nby = "seat"', "[stats] by", "seat"),
    "no SQL": ('[query]\nsql = "SELEC"', "[query] sql", "SELEC"),
    "SQL over no table": ('[query]\nsql = "SELECT * FROM nowhere"', "[query] sql", "nowhere"),
    "a form": ('[compare]\nformat = "xls"', "[compare] format", "xls"),
    "an indicator": ('[hand]\ndora = "0z"', "[hand] dora", "0z"),
    "a hand": ('[hand]\ntiles = "123x"', "[hand] tiles", "123x"),
    "out is a file": ('[run]\nout = "wrong.toml"', "[run] out", "is a file"),
    "out is a URI": ('[run]\nout = "hdfs://host/out"', "[run] out", "URI"),
    "a source that is not there": ('[run]\nsource = ["gone"]', "[run] source", "no such file"),
    "a list that is not there": ('[run]\nfrom = ["gone"]', "[run] from", "gone"),
}


@pytest.fixture
def _beside(tmp_path):
    """Write the files that the configuration names, beside it."""
    (tmp_path / "wrong.toml").write_text("kiriage = true\n")
    (tmp_path / "broken.toml").write_text("kiriage_mangan = \n")


@pytest.mark.usefixtures("_beside")
@pytest.mark.parametrize(("text", "place", "reason"), REFUSED.values(), ids=REFUSED)
def test_check_refuses_what_a_command_would(tmp_path, text, place, reason):
    """--check prints only the fault, with the file and the place in it; exit code 2."""
    (tmp_path / "auditor.toml").write_text(text)
    code, out, err = auditor("config", "--check")
    assert (code, out) == (2, "")
    assert all(line.startswith(f"auditor: {tmp_path / 'auditor.toml'}: ") for line in err.splitlines())
    assert f"{place}: " in err
    assert reason in err


@pytest.mark.usefixtures("_beside")
@pytest.mark.parametrize("text", [text for text, *_ in REFUSED.values()], ids=REFUSED)
def test_a_command_refuses_what_check_does(tmp_path, text, shipped_dataset):
    """A configuration that --check refuses also ends the command with exit code 2, and nothing is written."""
    (tmp_path / "auditor.toml").write_text(text)
    (tmp_path / "log").write_bytes(LOG.read_bytes())
    own = ["--out", "o"]
    arguments = {
        "run": ["run", *(() if "source" in text or "from" in text else ["log"]), *(() if "out" in text else own)],
        "score": ["score", Path(__file__).resolve().parents[2] / "fixtures" / "hands" / "published.csv"],
        "query": ["query", shipped_dataset], "stats": ["stats", shipped_dataset], "show": ["show", shipped_dataset],
        "hand": ["hand", *([] if "tiles" in text else ["19m19p19s1234567z"])], "explain": ["explain"],
        "compare": ["compare", shipped_dataset, shipped_dataset], "rules.show": ["rules", "show"],
    }  # fmt: skip
    command = re.match(r"\[([a-z.]+)\]", text)
    code, _, err = auditor(*arguments[command[1] if command else "run"])
    assert code == 2, err
    assert not (tmp_path / "o").exists()


def test_check_takes_what_commands_take(tmp_path):
    """--check accepts valid values for the same keys, and creates no file."""
    (tmp_path / "house.toml").write_text('preset = "mleague"\nkiriage_mangan = false\n')
    (tmp_path / "list").write_text("log\n")
    (tmp_path / "log").write_bytes(LOG.read_bytes())
    (tmp_path / "auditor.toml").write_text(
        'rules = "house.toml"\ndir = "not yet"\nformat = "csv"\n[run]\nselect = ["W", "ALL"]\nignore = ["P105,W1"]\n'
        'out = "not yet"\nsource = ["log", "s3://bucket/logs", "-"]\nfrom = ["list"]\njobs = 2\n[show]\ncode = ["S"]\n'
        '[stats]\nname = "mismatches"\nby = ["rules"]\n[query]\nsql = "SELECT COUNT(*) AS n FROM findings"\n'
        '[hand]\ndora = "1m"\n[explain]\ncode = "W106"\n'
    )
    before = sorted(tmp_path.iterdir())
    assert auditor("config", "--check") == (0, "", "")
    assert sorted(tmp_path.iterdir()) == before


def test_check_judges_variables_and_arguments(monkeypatch):
    """A fault is reported with the variable or option that set it. Without --check it is only a warning."""
    monkeypatch.setenv("AUDITOR_RUN_IGNORE", "P105 P999")
    code, out, err = auditor("config", "--check")
    assert (code, out) == (2, "")
    assert "auditor: AUDITOR_RUN_IGNORE: " in err
    assert "P999" in err
    code, out, again = auditor("config")
    assert (code, again) == (0, err)
    assert "P999" in out
    monkeypatch.delenv("AUDITOR_RUN_IGNORE")
    code, _, err = auditor("config", "--check", "run", "--rules", "tenhuo")
    assert code == 2
    assert "command line: rules: " in err
    assert "'tenhou'" in err

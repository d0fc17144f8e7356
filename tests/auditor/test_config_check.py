"""`auditor config --check` refuses what commands would, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.audits import CHECKS
from tests.kit.command_line import auditor

LOG = CHECKS / "w106_fu" / "pass.mjlog"
pytestmark = pytest.mark.usefixtures("unconfigured")

# What the file says; where it is wrong; words of the reason. Each is what the command itself says of it (next test).
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
    "out is a URI": ('[run]\nout = "s3://bucket/out"', "[run] out", "URI"),
    "a source that is not there": ('[run]\nsource = ["gone"]', "[run] source", "no such file"),
    "a list that is not there": ('[run]\nfrom = ["gone"]', "[run] from", "gone"),
}


@pytest.fixture
def _beside(tmp_path):
    """Lay files beside the configuration that it may name."""
    (tmp_path / "wrong.toml").write_text("kiriage = true\n")
    (tmp_path / "broken.toml").write_text("kiriage_mangan = \n")


@pytest.mark.usefixtures("_beside")
@pytest.mark.parametrize(("text", "place", "told"), REFUSED.values(), ids=REFUSED)
def test_check_refuses_what_a_command_would(tmp_path, text, place, told):
    """Exit code 2, nothing but the fault, with the file and the place in it."""
    (tmp_path / "auditor.toml").write_text(text)
    code, out, err = auditor("config", "--check")
    assert (code, out) == (2, "")
    assert all(line.startswith(f"auditor: {tmp_path / 'auditor.toml'}: ") for line in err.splitlines())
    assert f"{place}: " in err
    assert told in err


@pytest.mark.usefixtures("_beside")
@pytest.mark.parametrize("text", [text for text, *_ in REFUSED.values()], ids=REFUSED)
def test_a_command_refuses_what_check_does(tmp_path, text, shipped_dataset):
    """Whatever is refused beforehand ends the command itself with exit code 2, and nothing is written."""
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
    """The same keys with right values: nothing is wrong, and nothing is made."""
    (tmp_path / "house.toml").write_text('preset = "mleague"\nkiriage_mangan = false\n')
    (tmp_path / "list").write_text("log\n")
    (tmp_path / "log").write_bytes(LOG.read_bytes())
    (tmp_path / "auditor.toml").write_text(
        'rules = "house.toml"\ndir = "not yet"\nformat = "csv"\n[run]\nselect = ["W", "ALL"]\nignore = ["P105,W1"]\n'
        'out = "not yet"\nsource = ["log", "s3://bucket/logs", "-"]\nfrom = ["list"]\njobs = 2\n[show]\ncode = ["S"]\n'
        '[stats]\nname = "mismatches"\nby = "rules"\n[query]\nsql = "SELECT COUNT(*) AS n FROM findings"\n'
        '[hand]\ndora = "1m"\n[explain]\ncode = "W106"\n'
    )
    before = sorted(tmp_path.iterdir())
    assert auditor("config", "--check") == (0, "", "")
    assert sorted(tmp_path.iterdir()) == before


def test_check_judges_variables_and_arguments(monkeypatch):
    """The variable or the option is named that a value is from. Without --check it is told, and values are shown."""
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

"""Two datasets compared: nothing changed, findings gone and new, games only in one."""

from __future__ import annotations

import json
import shutil

import polars as pl
import pytest

from tests.kit.audits import CHECKS
from tests.kit.command_line import auditor

RULES = 'preset = "tenhou"\nhonba_value = 500\n'


def run(out, *arguments):
    """Audit, and give the dataset's folder."""
    assert auditor("run", *arguments, "--out", out)[0] in (0, 1)
    return out


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Give a folder of a clean log, a log with a fault of fu, and a file that is no log."""
    folder = tmp_path_factory.mktemp("logs")
    shutil.copy(CHECKS / "p103_honba" / "pass.mjlog", folder / "clean.mjlog")
    shutil.copy(CHECKS / "w106_fu" / "fail.mjlog", folder / "fu.mjlog")
    (folder / "no.mjlog").write_bytes(b"no log")
    return folder


def test_nothing_changed(logs, tmp_path):
    """Two datasets of the same run do not differ; exit code 0."""
    one, other = run(tmp_path / "a", logs), run(tmp_path / "b", logs)
    code, text, _ = auditor("compare", one, other)
    assert code == 0
    assert "appeared" not in text
    for name in ("games", "rounds", "turns", "riichis", "wins", "findings", "sources"):
        count = len(pl.read_parquet(f"{one}/{name}/*.parquet"))
        assert any(line.split() == [name, str(count), str(count)] for line in text.splitlines())


def test_findings_gone_and_new(logs, tmp_path):
    """With other rules and fewer checks, new and gone findings are listed by game and code; exit code 1."""
    (tmp_path / "rules.toml").write_text(RULES)
    one = run(tmp_path / "a", logs)
    other = run(tmp_path / "b", logs, "--rules", tmp_path / "rules.toml", "--ignore", "W106,L001")
    code, text, _ = auditor("compare", one, other, "--format", "json")
    names = ["code", "game_id", "source"]
    before, after = (set(pl.read_parquet(f"{each}/findings/*.parquet").select(names).rows()) for each in (one, other))
    expected = {("disappeared", *each) for each in before - after} | {("appeared", *each) for each in after - before}
    rows = json.loads(text)
    assert code == 1
    assert {(row["change"], row["code"], row["game_id"], row["source"]) for row in rows} == expected
    assert {row["code"] for row in rows if row["change"] == "disappeared"} == {"W106", "L001"}
    assert {row["code"] for row in rows if row["change"] == "appeared"} <= {"P101", "P103"}
    assert {row["in_both"] for row in rows} == {True, None}
    assert auditor("compare", other, one)[1].count("appeared") == len(rows)


def test_only_some_findings(logs, tmp_path):
    """Codes, severities, games and players choose findings; what neither dataset has is refused."""
    one = run(tmp_path / "a", logs / "clean.mjlog")
    other = run(tmp_path / "b", logs)
    for words, codes in (
        ((), {"W106", "L001"}), (("--code", "W"), {"W106"}), (("--severity", "rule"), {"W106"}),
        (("--player", "A"), {"W106"}), (("--player", "B"), set()), (("--player", "A", "--severity", "note"), set()),
    ):  # fmt: skip
        text = auditor("compare", one, other, *words, "--format", "json")[1]
        assert {row["code"] for row in json.loads(text)} == codes, words
    for words in (("--player", "nobody"), ("--game", "zz"), ("--code", "Y1"), ("--severity", "bad")):
        assert auditor("compare", one, other, *words)[0] == 2, words


def test_a_file_that_moved_is_no_change(logs, tmp_path):
    """A moved log is no change, because findings belong to games. An unreadable file has only its path."""
    moved = tmp_path / "moved"
    moved.mkdir()
    shutil.copy(logs / "fu.mjlog", moved / "renamed.mjlog")
    one = run(tmp_path / "a", logs / "fu.mjlog")
    assert auditor("compare", one, run(tmp_path / "b", moved))[0] == 0


def test_games_only_in_one(logs, tmp_path):
    """Findings of a game that only one dataset has are marked; equal ones are counted."""
    one = run(tmp_path / "a", logs / "clean.mjlog")
    other = run(tmp_path / "b", logs / "clean.mjlog", logs / "fu.mjlog")
    rows = json.loads(auditor("compare", one, other, "--format", "json")[1])
    assert [(row["change"], row["code"], row["findings"], row["in_both"]) for row in rows] == [
        ("appeared", "W106", 1, False)
    ]


def test_no_dataset(logs, tmp_path):
    """A folder that is no dataset is named; exit code 2, not the code for a difference."""
    one = run(tmp_path / "a", logs)
    code, _, error = auditor("compare", one, tmp_path / "nothing")
    assert code == 2
    assert "nothing" in error

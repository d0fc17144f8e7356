"""Findings as a person reads them."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import polars as pl
import pytest

from auditor.audit.check import all_checks
from auditor.show.table_text import LEGEND
from auditor.sources import archives
from tests.kit.audits import CHECKS
from tests.kit.command_line import auditor


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """Give the dataset of all checks' fixtures, and its findings in order."""
    out = tmp_path_factory.mktemp("show") / "out"
    assert auditor("run", CHECKS, "--out", out)[0] == 1
    return out, pl.read_parquet(sorted((out / "findings").glob("*.parquet"))).to_dicts()


def paragraphs(text):
    """Split the output into findings and the last line; join lines that were broken."""
    *found, last = text.rstrip("\n").split("\n\n")
    whole = [re.sub(r"\n {12}(?=\S)", " ", each) for each in found if each != LEGEND]
    return whole, last


def test_all_of_a_finding(dataset):
    """Every finding is shown with its columns, its round, and why it is wrong."""
    out, findings = dataset
    rounds = {(row["game_id"], row["round"]): row for row in pl.read_parquet(f"{out}/rounds/*.parquet").to_dicts()}
    titles = {check.code: check.title for check in all_checks()}
    code, text, _ = auditor("show", out, "--limit", 1000)
    found, last = paragraphs(text)
    assert code == 0
    assert last == f"{len(findings)} findings"
    for paragraph, row in zip(found, findings, strict=True):
        lines = paragraph.splitlines()
        assert lines[0] == f"{row['code']} {row['severity']}: {row['message']}"
        assert row["source"] in lines[1]
        for name, word in (("event", "event"), ("pos", "byte")):
            assert row[name] is None or f"{word} {row[name]}" in lines[1]
        for name, word in (("recorded",) * 2, ("expected",) * 2, ("seat",) * 2, ("right_under", "right if")):
            by = rf", {row['player']}" if name == "seat" and row["player"] else ""
            shown = rf"^  {word} +{re.escape(str(row[name]) + by)}$"
            assert (row[name] is None) == (re.search(rf"^  {word}  ", paragraph, re.MULTILINE) is None)
            assert row[name] is None or re.search(shown, paragraph, re.MULTILINE)
        assert lines[-1].startswith(f"  why       {titles[row['code']][:-1]}")
        if row["round"] is not None:
            of = rounds[row["game_id"], row["round"]]
            line = next(line for line in lines if line.startswith("  round "))
            if None in (of["wind"], of["dealer"], of["honba"]):
                assert "?" in line
                continue
            assert f"{('East', 'South', 'West', 'North')[of['wind']]} {of['dealer'] + 1}," in line
            assert f"dealer seat {of['dealer']}, honba {of['honba']}, sticks {of['sticks']}" in line
            scores = of["start_scores"] and [each for each in of["start_scores"] if each is not None]
            assert scores is None or line.endswith(f"scores {' '.join(map(str, scores))}")


def test_the_table_of_a_finding(dataset):
    """Every finding of a round has the table with its seat marked; others have none."""
    out, findings = dataset
    players = dict(pl.read_parquet(f"{out}/games/*.parquet").select("game_id", "players").rows())
    found, _ = paragraphs(auditor("show", out, "--limit", 1000)[1])
    for paragraph, row in zip(found, findings, strict=True):
        lines = paragraph.splitlines()
        tables = [line for line in lines if line.startswith("  table ")]
        seats = [line for line in lines if re.match(r"[> ] seat \d [ESWN?] ", line)]
        expected = (0, 0) if row["round"] is None else (1, players[row["game_id"]])
        assert (len(tables), len(seats)) == expected, paragraph
        if row["round"] is not None and row["seat"] is not None:
            assert any(line.startswith(f"> seat {row['seat']} ") for line in seats), paragraph


def test_width(dataset):
    """No line is wider than 120 columns or the terminal, except the line to copy."""
    out, _ = dataset
    lines = auditor("show", out, "--limit", 1000)[1].splitlines()
    assert max(len(line) for line in lines if not line.startswith("  again ")) <= 120


CHI = """\
C101 error: seat 2 calls chi from seat 0, expected seat 1
  at        c101.mjlog, event 9, byte 448
  game      bfb9b5c73581e2bc
  round     East 4, dealer seat 3, honba 0, sticks 0, scores 30000 25000 25000 20000
  players   0 A, 1 B, 2 C, 3 D
  table     68 tiles left, indicators 9p, sticks 0
  seat 0 S   30000  2m 3m 4m  6p 7p 8p  2s 3s 4s 5s 6s 8s 8s
    river   [2m]_
  seat 1 W   25000  3m 4m  1p 4p 7p  1s 4s  E S W N P C
> seat 2 N   25000  [3m] [4m]  2p 5p 8p  2s 5s 8s 9s  W N P F
  seat 3 E   20000  1m 4m 7m  1p 4p 7p  1s 4s 7s  E S W N
    river   P_
  before    8: seat 0 discards 2m
  event     9: seat 2 calls chi of 2m from seat 1 with 3m 4m
  seat      2, C
  recorded  seat 0
  expected  seat 1
  why       A chi is made from another seat than the left neighbour: only the left neighbour's discard can be called for
            a run. The discards of the other seats can be called only for a pon or kan. With three players the left
            neighbour of seat 0 is seat 2.
"""


@pytest.fixture
def chi(tmp_path, monkeypatch):
    """Audit one failing log where it lies; give its path."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(CHECKS / "c101_chi_not_from_the_left" / "fail.mjlog", "c101.mjlog")
    assert auditor("run", "c101.mjlog", "--out", "out")[0] == 1
    return tmp_path / "c101.mjlog"


def test_whole(chi):
    """The output for one finding, line by line."""
    assert chi.name in CHI
    assert auditor("show", "out")[1] == f"{CHI}\n{LEGEND}\n\n1 finding\n"


def test_a_source_that_is_gone_or_another(chi):
    """If the source is gone or changed, one line says so, and the columns of the finding are shown."""
    lines = CHI.splitlines(keepends=True)
    for change, said in ((chi.unlink, "is not there any more"),
                         (lambda: chi.write_text("<mjloggm/>"), "has changed since it was audited")):  # fmt: skip
        change()
        expected = "".join([*lines[:5], f"  table     not shown: c101.mjlog {said}\n", *lines[14:]])
        assert auditor("show", "out")[:2] == (0, f"{expected}\n1 finding\n")


def test_a_source_is_read_once(tmp_path, monkeypatch):
    """Three findings of one game read its source once; a finding without a round reads nothing."""
    monkeypatch.chdir(tmp_path)
    text = (CHECKS / "w106_fu" / "fail.mjlog").read_text()
    # Fu are 40 instead of 30 already; now pinfu has two han, and the winner gets 3000 instead of 2000.
    for right, wrong in (('yaku="7,1,8,1"', 'yaku="7,2,8,1"'), ('sc="300,20,', 'sc="300,30,')):
        assert right in text
        text = text.replace(right, wrong)
    (tmp_path / "three.mjlog").write_text(text)
    shutil.copy(CHECKS / "l001_unreadable" / "fail.mjlog", "no.mjlog")
    auditor("run", "three.mjlog", "no.mjlog", "--out", "out")
    read = []
    fetch = archives.fetch
    monkeypatch.setattr(archives, "fetch", lambda piece: read.append(piece.place.path.name) or fetch(piece))
    found, _ = paragraphs(auditor("show", "out")[1])
    assert len([each for each in found if "three.mjlog" in each and "\n  table  " in each]) >= 3
    assert read == ["three.mjlog"]


def test_a_win(dataset):
    """A finding at a win shows the hand, the reading, and all values, recorded and expected, the wrong one marked."""
    out, _ = dataset
    found, _ = paragraphs(auditor("show", out, "--code", "W106")[1])
    text = next(each for each in found if "w106_fu/fail.mjlog" in each)
    for line in (
        "  win       seat 0 from seat 3: 2m 3m 4m 6p 7p 8p 2s 3s 4s 5s 6s 7s 8s 8s, on 7s",
        "  reading   88s 234m 678p 234s 567s",
        "  fu        40 recorded, 30 expected *",
        "  han       2 recorded, 2 expected",
        "  yaku      pinfu 1, tanyao 1 recorded, pinfu 1, tanyao 1 expected",
    ):
        assert line in text.splitlines()


def test_the_sample_of_the_readme(dataset):
    """The finding in auditor/show/README.md is the real output for that log, except the folder."""
    readme = (Path(__file__).resolve().parents[2] / "auditor" / "show" / "README.md").read_text("utf-8")
    sample = re.search(r"```\n(D104 .*?)\n```", readme, re.DOTALL)[1]
    shown = auditor("show", dataset[0], "--code", "D104")[1].split("\n\n")[0]
    assert re.sub(r"  at +\S*", "", sample) == re.sub(r"  at +\S*(\s+event)", r" event", shown)


def test_choice_by_game_and_code(dataset):
    """--code takes a code or its beginning, in any case; --game takes an id or its beginning."""
    out, findings = dataset
    for code in ("W", "w106", "T101", "W106,T1"):
        found, _ = paragraphs(auditor("show", out, "--code", code, "--limit", 1000)[1])
        expected = [row for row in findings if row["code"].startswith(tuple(code.upper().split(",")))]
        assert [each.split()[0] for each in found] == [row["code"] for row in expected]
    game = next(row["game_id"] for row in findings if row["game_id"])
    for asked in (game, game[:8], game.upper()):
        found, _ = paragraphs(auditor("show", out, "--game", asked, "--limit", 1000)[1])
        assert len(found) == sum(row["game_id"] == game for row in findings)
        assert all(game in each for each in found)


def test_limit(dataset):
    """At most --limit findings are shown, in order, and the rest is counted."""
    out, findings = dataset
    found, last = paragraphs(auditor("show", out, "--limit", 3)[1])
    assert [each.split()[0] for each in found] == [row["code"] for row in findings[:3]]
    assert last == f"{len(findings)} findings, {len(findings) - 3} not shown (--limit)"


def test_nothing_found(shipped_dataset):
    """For a clean dataset the output says that there are no findings."""
    assert auditor("show", shipped_dataset)[:2] == (0, "0 findings\n")


@pytest.mark.parametrize(
    ("arguments", "said"), [(["--code", "Z9"], "Z9"), (["--game", "xyz"], "xyz"), (["--limit", "0"], "limit")]
)
def test_errors(dataset, arguments, said):
    """An unknown code or game is named; exit code 2."""
    code, text, error = auditor("show", dataset[0], *arguments)
    assert (code, text) == (2, "")
    assert said in error

"""Findings as a person reads them."""

from __future__ import annotations

import re

import polars as pl
import pytest
from asking import auditor
from audits import CHECKS


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """Give the dataset of the fixtures of all checks, and its findings in order."""
    out = tmp_path_factory.mktemp("show") / "out"
    assert auditor("run", CHECKS, "--out", out)[0] == 1
    return out, pl.read_parquet(sorted((out / "findings").glob("*.parquet"))).to_dicts()


def paragraphs(text):
    """Split what is shown into findings and the last line."""
    *found, last = text.rstrip("\n").split("\n\n")
    return found, last


def test_all_of_a_finding(dataset):
    """Every finding is shown with all that the table has of it, and its round."""
    out, findings = dataset
    rounds = {(row["game_id"], row["round"]): row for row in pl.read_parquet(f"{out}/rounds/*.parquet").to_dicts()}
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
        for name in ("recorded", "expected", "seat"):
            assert row[name] is None or re.search(rf"^  {name} +{re.escape(str(row[name]))}$", paragraph, re.MULTILINE)
        if row["round"] is not None:
            of = rounds[row["game_id"], row["round"]]
            line = next(line for line in lines if line.startswith("  round "))
            if None in (of["wind"], of["dealer"], of["honba"]):
                assert "?" in line
                continue
            assert f"{('East', 'South', 'West', 'North')[of['wind']]} {of['dealer'] + 1}," in line
            assert f"dealer seat {of['dealer']}, honba {of['honba']}, sticks {of['sticks']}" in line
            assert of["start_scores"] is None or line.endswith(" ".join(map(str, of["start_scores"])))


def test_a_win(dataset):
    """A finding at a win shows hand, reading, and every value recorded and expected, the wrong one marked."""
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


def test_choice_by_game_and_code(dataset):
    """By code or its beginning, in either case of letters, and by game or the beginning of its id."""
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
    """At most so many, in order; how many are left is said."""
    out, findings = dataset
    found, last = paragraphs(auditor("show", out, "--limit", 3)[1])
    assert [each.split()[0] for each in found] == [row["code"] for row in findings[:3]]
    assert last == f"{len(findings)} findings, {len(findings) - 3} not shown (--limit)"


def test_nothing_found(shipped_dataset):
    """A clean dataset shows that there is nothing."""
    assert auditor("show", shipped_dataset)[:2] == (0, "0 findings\n")


@pytest.mark.parametrize(
    ("arguments", "said"), [(["--code", "Z9"], "Z9"), (["--game", "xyz"], "xyz"), (["--limit", "0"], "limit")]
)
def test_errors(dataset, arguments, said):
    """An unknown code or game is named; exit code 2."""
    code, text, error = auditor("show", dataset[0], *arguments)
    assert (code, text) == (2, "")
    assert said in error

"""The toy reader of auditor/readers/README.md keeps the contract, and its games are audited like any others."""

from __future__ import annotations

import polars as pl
import pytest

from auditor import readers
from auditor.audit.audit_batch import audit
from auditor.log import tables
from tests.auditor import toy_reader
from tests.kit.audits import TENHOU, source

GAME = """toy log
names Ann,Bob,Cid,Dan
round 0 0 0 0 9m 25000,25000,25000,25000
hand 0 1m1m1m9m9m9m1p1p1p9p9p9p5z
hand 1 2m3m4m3p4p5p5s6s7s6s7s8p1z
hand 2 1s1s1s9s9s9s3z3z3z5z5z6z7z
hand 3 2p2p2p6p6p6p7p7p7p6m6m6m7m
draw 0 2z
discard 0 5z
pon 2 5z 5z5z 0
discard 2 6z
draw 3 4z
discard 3 4z
draw 0 4z
discard 0 2z
draw 1 8p
discard 1 1z
draw 2 8s
discard 2 8s
win 1 2 8s 30 2000 7+1,8+1 0,2000,-2000,0 2m3m4m3p4p5p5s6s7s6s7s8s8p8p
end
"""
"""Pinfu (7) and tanyao (8) with 30 fu by ron: 2000 points from seat 2, worked out by hand."""


@pytest.fixture(autouse=True)
def _with_toys(monkeypatch):
    """Register the toy format, as a line in auditor/readers/__init__.py would."""
    monkeypatch.setattr(readers, "READERS", (*readers.READERS, toy_reader.READER))


def audited(text):
    """Audit a toy log like any other; give code and event of each finding."""
    report = audit([source(text.encode(), "game.toy")], TENHOU)
    assert report.tables["sources"]["format"].to_list() == ["toy"]
    assert report.tables["sources"]["status"].to_list() == ["audited"]
    return report.tables["findings"].select("code", "event").rows()


def test_a_clean_game_has_no_findings():
    """A clean game has no findings."""
    assert audited(GAME) == []


@pytest.mark.parametrize(
    ("right", "wrong", "found"),
    [
        ("discard 1 1z", "discard 1 7z", [("T102", 16)]),  # seat 1 has no 7z
        ("draw 3 4z\ndiscard 3 4z", "draw 1 4z\ndiscard 1 4z", [("D101", 11)]),  # seat 3 is next
        (" 30 2000 ", " 40 2000 ", [("W106", 19)]),  # 20 and 10 for a closed ron
        ("0,2000,-2000,0", "0,2000,0,-2000", [("P101", 19)]),  # seat 3 did not discard it
        ("pon 2 5z 5z5z 0", "pon 2 5z 5z5z 3", [("C102", 9)]),  # seat 0 discarded it
        ("names", "nomes", [("L003", 1)]),
        ("\nend", "", [("L002", 19)]),
        ("discard 3 4z", "discard 9 4z", [("L003", 12)]),
    ],
)
def test_a_planted_fault_is_found(right, wrong, found):
    """A planted fault is one finding, by the check for it."""
    assert GAME.count(right) == 1
    assert audited(GAME.replace(right, wrong)) == found


@pytest.mark.parametrize("cut", range(len(GAME.splitlines())))
def test_no_content_makes_it_raise(cut):
    """A missing line and a log that ends early are read without an error."""
    lines = GAME.splitlines()
    for kept in (lines[: cut + 1], lines[:1] + [line for at, line in enumerate(lines) if at not in (0, cut)]):
        log = toy_reader.READER.read([source("\n".join(kept).encode(), "game.toy")], TENHOU.rules)
        assert len(log.games) == 1


def test_tables_say_what_the_text_says():
    """The tables have the values of the text."""
    log = toy_reader.READER.read([source(GAME.encode(), "game.toy")], TENHOU.rules)
    assert log.games["names"].to_list() == [["Ann", "Bob", "Cid", "Dan"]]
    assert log.rounds["start"].to_list() == [[25000] * 4]
    assert log.deals.filter(pl.col("seat") == 1).height == 13
    assert log.events["kind"].to_list()[:6] == ["deal"] * 4 + ["draw", "discard"]
    assert log.melds.select("row", "source").rows() == [(6, 0)]
    assert log.claims.select("winner", "payer", "fu", "points", "yaku", "han").rows() == [
        (1, 2, 30, 2000, [7, 8], [1, 1])
    ]
    assert log.shows["tile_ids"].list.len().to_list() == [14]
    assert log.problems.schema == pl.Schema(tables.PROBLEMS)

"""Excerpts: some games of a log give the tables that their files alone give."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import polars as pl
import pytest

from auditor.audit import audit_batch
from auditor.audit.excerpts import taken
from auditor.sources import log_files
from tests.kit.audits import CHECKS, FIXTURES, LOGS, TENHOU

FAILING = sorted(path for path in CHECKS.glob("*/fail*.mjlog") if path.parent.name != "l001_unreadable")


def read(paths):
    """Read files of one format."""
    ((_, _, log),), _ = audit_batch.read([log_files.read(path) for path in paths], TENHOU.rules)
    return log


def assert_same(one, other):
    """Compare all tables, and the rules game by game, because logs may list them in another order."""
    for table in (each.name for each in fields(one) if isinstance(getattr(one, each.name), pl.DataFrame)):
        left, right = (getattr(log, table).drop("rules", strict=False) for log in (one, other))
        assert left.schema == right.schema, table
        if table == "problems":  # in any order of games
            left, right = left.sort("game", maintain_order=True), right.sort("game", maintain_order=True)
        assert left.equals(right), table
    by_game = [[log.rules[row] for row in log.games["rules"]] for log in (one, other)]
    assert by_game[0] == by_game[1]


@pytest.mark.parametrize("paths", [LOGS, FAILING], ids=["games", "faults"])
def test_every_game_is_the_whole_log(paths):
    """An excerpt of all games is the whole log, whatever faults the games have."""
    log = read(paths)
    assert_same(taken(log, np.arange(len(log.games))), log)


@pytest.mark.parametrize("chosen", [[0], [3, 1], [2, 2, 0], []])
def test_chosen_games_are_their_files(chosen):
    """Chosen games, in another order and repeated, are their files in that order."""
    whole = read(LOGS[:4])
    if chosen:
        alone = read([LOGS[place] for place in dict.fromkeys(chosen)])
        first = np.array([list(dict.fromkeys(chosen)).index(place) for place in chosen])
        assert_same(taken(whole, np.array(chosen)), taken(alone, first))
    else:
        assert [len(getattr(taken(whole, np.array([], dtype=np.int64)), each)) for each in ("games", "events")] == [
            0,
            0,
        ]


def test_faults_go_with_their_games():
    """A problem of the reader stays with its game and round."""
    whole = read(FAILING)
    for game in range(0, len(FAILING), 5):
        assert_same(taken(whole, np.array([game])), read([FAILING[game]]))


def test_games_of_one_file():
    """Lines of one file are separate games."""
    log = read([FIXTURES / "sources" / "majiang.jsonl.gz"])
    assert len(log.games) > 1
    last = taken(log, np.array([len(log.games) - 1]))
    assert last.games["within"].to_list() == [log.games["within"][-1]]
    assert set(last.rounds["game"]) == {0}
    assert last.events["round"].to_list() == sorted(last.events["round"])
    assert len(last.deals) == len(last.rounds) * 52

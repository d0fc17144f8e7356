"""A round that starts with other scores than the last one ended with is one finding, whatever rules are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from auditor.audit import audit_batch, rule_trials
from auditor.audit.check import all_checks
from auditor.audit.frames import Frames
from engine.rules.rule_sets import RuleSet, preset
from tests.kit.audits import LOGS, read_all

CHECKS = [check for check in all_checks() if check.default and not check.whole_dataset]
KEY = ["game", "code", "round", "seat", "recorded"]


@pytest.fixture(scope="module", name="logs")
def _logs():
    """Give the shipped logs of Tenhou."""
    sources, log = read_all([path for path in LOGS if path.parent.name == "tenhou"])
    return log, audit_batch.status(sources, log, readable=True)


def new(logs, changed, rules):
    """Give the findings of a changed log that the unchanged log does not have, under one rule set or the games' own."""
    log, status = logs
    compared = []
    for each in (log, changed):
        if rules is not None:
            each = replace(each, rules=[rules] * len(each.rules))  # noqa: PLW2901
        compared.append(
            rule_trials.run(Frames(each, status), CHECKS)[0].join(log.games.select("game_id", "game"), on="game_id")
        )
    return compared[1].join(compared[0], on=KEY, how="anti", nulls_equal=True).select("game", "code", "round").rows()


def swapped(log, nth):
    """Swap the start scores of seats 0 and 1 in all rounds of this number; give the log and the games that changed."""
    start = log.rounds["start"].to_numpy().copy()
    here = (log.rounds["nth"] == nth).to_numpy() & (start[:, 0] != start[:, 1])
    start[here] = start[here][:, [1, 0, 2, 3]]
    rounds = log.rounds.with_columns(start=pl.Series(start, dtype=log.rounds.schema["start"]))
    return replace(log, rounds=rounds), log.rounds["game"].to_numpy()[here]


@pytest.mark.parametrize(
    "rules", [None, RuleSet(), preset("wrc"), preset("jpml_b")], ids=["own", "none", "wrc", "jpml_b"]
)
@pytest.mark.parametrize("nth", [1, 2])
def test_swapped_scores_are_one_finding(logs, rules, nth):
    """One start with swapped scores is one finding, without any rule, and the next rounds add none."""
    changed, games = swapped(logs[0], nth)
    assert len(games) >= 3
    assert sorted(new(logs, changed, rules)) == sorted((game, "P105", nth) for game in games)


def test_scores_that_stay_wrong_are_one_finding(logs):
    """If the scores stay swapped, only the round in which that begins is a finding."""
    log, _ = logs
    later = (log.rounds["nth"] >= 2).to_numpy()
    start = log.rounds["start"].to_numpy().copy()
    start[later, 0] += 100
    start[later, 1] -= 100
    shift = pl.Series(np.where(later[:, None], [100, -100, 0, 0], 0), dtype=log.rounds.schema["start"])
    before = log.claims["before"].to_numpy() + shift.to_numpy()[log.claims["round"].to_numpy()]
    changed = replace(
        log,
        rounds=log.rounds.with_columns(start=pl.Series(start, dtype=log.rounds.schema["start"])),
        claims=log.claims.with_columns(before=pl.Series(before, dtype=log.claims.schema["before"])),
        games=log.games.with_columns(final_scores=pl.lit(None, log.games.schema["final_scores"])),
    )
    games = log.rounds.filter(pl.col("nth") == 2)["game"]
    found = [row for row in new(logs, changed, None) if row[1] == "P105"]
    assert sorted(found) == [(game, "P105", 2) for game in games]

"""Random noise for `hand` and `score`: neither raises anything but the project's errors, and both agree."""

from __future__ import annotations

import random
from collections import Counter

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.hands.table import scored
from engine.rules.rule_sets import preset
from tests.kit.random_hands import case, kind, tried

NOT_WON = ("not 14 tiles", "no winning hand")


@pytest.mark.parametrize(("seed", "rules"), [(1, "tenhou"), (2, "majiang"), (3, "majiang_mleague")])
def test_both_commands_agree_on_noise(seed, rules):
    """A hand that `hand` refuses is a problem of `score` in the same words; a hand that both score has one value."""
    seen = Counter()
    for known, found, row in tried(seed, 2000, 150, rules):
        problem = row["problem"]
        hangs = row["depends_on"]
        assert problem or hangs or row["expected_points"], known
        if found is None:
            continue
        seen[kind(found)] += 1
        if kind(found) == "won":
            assert (problem or "no yaku") == "no yaku", known
            assert problem or hangs or found["points"] == row["expected_points"], known
        elif kind(found) == "not won":
            # A hand that claims no win may have any number of tiles.
            assert problem, known
            assert all(said.startswith(NOT_WON) for said in problem.split("; ")), (known, problem)
        else:
            assert problem not in (None, "no yaku"), (known, found)
    assert min(seen.values()) > 2, seen


def test_no_row_changes_another():
    """The same hands in another order have the same values and problems."""
    rng = random.Random(9)
    table = pl.DataFrame([case(rng) for _ in range(3000)], infer_schema_length=None).with_row_index("row")
    turned = scored(table.sample(fraction=1, shuffle=True, seed=4), preset("tenhou")).sort("row")
    assert scored(table, preset("tenhou")).equals(turned)


@pytest.mark.parametrize("text", ["\ud800", "m1\udcff", "1m,\ud8005z"])
def test_bytes_that_are_no_text_are_refused(text):
    """A byte that is no text, as a shell passes it on, is reported as a character that is no tile."""
    for words in (["hand", text], ["hand", "123m", "--visible", text], ["hand", "1m", "--win", text]):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 2
        assert isinstance(result.exception, SystemExit)

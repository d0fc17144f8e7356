"""``scripts/bench.py`` measures every stage of the auditor in a process of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import bench

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "fixtures" / "logs"


@pytest.fixture(scope="module")
def figures():
    """Return the figures of the shipped logs."""
    return bench.measured(ROOT, LOGS)


@pytest.mark.long
def test_every_stage_is_measured(figures):
    """Each stage has both figures, and the printed table a line for each."""
    assert figures["games"] == sum(path.is_file() for path in LOGS.rglob("*"))
    assert list(figures["batch"]) == list(figures["game"])
    assert list(figures["batch"])[:2] == ["fetch", "read"]
    assert list(figures["batch"])[-1] == "write"
    assert all(spent >= 0 for spent in figures["batch"].values())
    lines = bench.table(figures, plain=0.02)
    for name in (*figures["batch"], "all stages", "whole run", "every check", "plain loop"):
        assert sum(line.strip().startswith(name) for line in lines) == 1, name


@pytest.mark.long
def test_every_stage_has_a_floor(figures):
    """A floor is a part of its stage: it costs less than the stage, and more than nothing."""
    least = bench.measured(ROOT, LOGS, bench.FLOORS)
    assert list(least) == list(figures["batch"])
    for name, (seconds, _) in least.items():
        assert 0 < seconds < figures["game"][name] + figures["batch"][name], name
    lines = bench.floors(figures, least, plain=0.02)
    assert [line.split()[0] for line in lines] == ["stage", *least, "all"]


@pytest.mark.long
def test_a_checkout_is_as_fast_as_itself(figures):
    """The ratio of a figure to itself is 1."""
    ratios = re.findall(r"\d+\.\d\d", "\n".join(bench.ratios([(figures, figures)] * 3)))
    assert len(ratios) == 2 * (len(figures["batch"]) + 1) + 3
    assert set(ratios) == {"1.00"}

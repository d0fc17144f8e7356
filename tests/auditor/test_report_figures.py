"""The figures of the page beside plain counts, plots as files, and what happens where the extra is not installed."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict

import polars as pl
import pytest

from auditor.base.choices import By
from auditor.dataset.opened import opened
from auditor.dataset.stats import STATISTICS, computed
from auditor.report import extra
from tests.kit.audits import CHECKS, LOGS, LOGS_OF_THREE
from tests.kit.command_line import auditor
from tests.kit.datasets import run

pytest.importorskip("altair", reason="the extra report is not installed")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Give the tables of some shipped games of four and of three players, and of a log with a fault."""
    out = tmp_path_factory.mktemp("figures") / "out"
    run(out, *LOGS[:12], *LOGS_OF_THREE[:6], CHECKS / "w106_fu" / "fail.mjlog")
    return opened(out)


@pytest.fixture(scope="module")
def figures(tables):
    """Give the page's figures by heading and title."""
    from auditor.report.figures import groups

    return {(heading, each.title): each.frame for heading, made in groups(tables) for each in made}


def test_shanten_by_turn(tables, figures):
    """Mean, median and the middle 80 % of hands, counted from sorted lists."""
    hands = defaultdict(list)
    rows = tables["turns"].collect()
    for players, kind, turn, shanten in rows.select("players", "kind", "turn", "shanten").iter_rows():
        if kind == "draw" and shanten is not None and turn <= 20:
            hands[str(players), turn].append(shanten)
    frame = figures["Hands", "Shanten by turn"]
    assert frame.height == len(hands)
    for row in frame.iter_rows(named=True):
        found = sorted(hands[row["players"], row["turn"]])
        places = [next(at for at in range(len(found)) if (at + 1) / len(found) >= share) for share in (0.1, 0.5, 0.9)]
        assert [row[name] for name in ("low", "median", "high")] == [found[at] for at in places]
        assert row["value"] == pytest.approx(sum(found) / len(found))


def test_worth_of_wins(tables, figures):
    """Each win is in one step, and the shares of a number of players add up to one."""
    frame = figures["Hands", "Worth of wins"]
    counts = dict(frame.group_by("players").agg(pl.col("wins").sum()).rows())
    wins = tables["wins"].filter(pl.col("points") > 0).collect()
    assert counts == {str(players): count for players, count in Counter(wins["players"]).items()}
    assert frame.group_by("players").agg(pl.col("value").sum())["value"].to_list() == pytest.approx([1, 1])
    mangan = wins.filter(pl.col("points").is_between(6001, 8000), pl.col("players") == 4).height
    assert frame.filter(players="4", worth="6,001–8,000")["wins"].to_list() == [mangan]


def test_rates_are_those_of_stats(tables, figures):
    """The page's rates by player and client are the same as ``auditor stats`` gives."""
    for heading, by in (("Players", By.player), ("Clients", By.client)):
        answer = computed(tables, "rates", by)
        for title, measure in {"Win rate": "win", "Deal-in rate": "deal_in", "Riichi rate": "riichi"}.items():
            frame = figures[heading, title]
            name = pl.format("{} ({} players)", by.value, "players").alias(by.value)
            expected = answer.filter(measure=measure).select(name, "numerator", "denominator", "value", "low", "high")
            joined = frame.join(expected, on=by.value, how="left", suffix="_of_stats")
            assert len(frame) > 1
            for column in ("numerator", "denominator", "value", "low", "high"):
                assert joined[column].to_list() == pytest.approx(joined[f"{column}_of_stats"].to_list())


@pytest.mark.parametrize("name", STATISTICS)
def test_every_statistic_can_be_drawn(tables, name):
    """Whatever ``stats`` offers, with a split and without, is a plot whose points are the statistic's values."""
    from auditor.report.charts import plotted

    for by in (None, STATISTICS[name].splits[0]):
        answer = computed(tables, name, by)
        drawn = json.loads(plotted(answer, STATISTICS[name].key).to_json())
        values = [row["value"] for rows in drawn["datasets"].values() for row in rows]
        assert set(values) <= set(answer["value"].to_list())
        assert values
        if by is None:
            assert len(set(values)) == answer["value"].n_unique()


def test_plots_as_files(shipped_dataset, tmp_path):
    """``--plot`` writes SVG, PNG or HTML by the ending of the name, and refuses others; the answer is printed too."""
    for ending in ("svg", "png", "html"):
        place = tmp_path / f"plot.{ending}"
        code, text, err = auditor("stats", shipped_dataset, "shanten", "--players", "4", "--plot", place)
        assert (code, err) == (0, "")
        assert "tenpai" in text
        data = place.read_bytes()
        if ending == "svg":
            svg = ET.fromstring(data)
            assert svg.tag == "{http://www.w3.org/2000/svg}svg"
            assert {"shanten", "tenpai", "turn"} <= {each.text for each in svg.iter("{http://www.w3.org/2000/svg}text")}
        assert data.startswith({"svg": b"<svg", "png": b"\x89PNG\r\n", "html": b"<!doctype html>"}[ending])
    code, _, err = auditor("stats", shipped_dataset, "shanten", "--plot", tmp_path / "plot.gif")
    assert code == 2
    assert "use .svg, .png or .html" in err
    code, _, err = auditor("stats", shipped_dataset, "shanten", "--plot", tmp_path / "no" / "plot.svg")
    assert code == 2
    assert "No such file" in err
    code, _, err = auditor("stats", shipped_dataset, "mismatches", "--plot", tmp_path / "plot.svg")
    assert code == 2
    assert "nothing to draw" in err


def test_without_the_extra(shipped_dataset, tmp_path, monkeypatch):
    """Where the libraries are not there, one line names them and the extra, and nothing is written."""
    monkeypatch.setattr(extra, "find_spec", lambda name: None if name == "vl_convert" else object())
    out = tmp_path / "out.svg"
    for arguments in (
        ("report", shipped_dataset, "--out", out),
        ("stats", shipped_dataset, "rates", "--plot", out),
        ("show", shipped_dataset, "--html", out),
    ):
        code, text, err = auditor(*arguments)
        assert (code, text) == (2, "")
        assert "vl-convert, not installed here" in err
        assert "pip install 'riichi-log-auditor[report]'" in err
        assert not out.exists()


def test_other_tables_can_be_drawn():
    """A table with a column for each figure, and means with a standard error, which becomes an interval."""
    from auditor.report.charts import plotted

    wide = pl.DataFrame({"player": ["A", "B"], "games": [3, 4], "win": [0.2, 0.3], "place": [2.5, 2.25]})
    drawn = json.loads(plotted(wide, None).to_json())
    values = sorted(row["value"] for rows in drawn["datasets"].values() for row in rows)
    assert values == [0.2, 0.3, 2.25, 2.5]
    means = pl.DataFrame({
        "measure": ["turn"], "numerator": [20.0], "denominator": [2], "value": [10.0],
        "low": pl.Series([None], dtype=pl.Float64), "high": pl.Series([None], dtype=pl.Float64),
        "se": [1.0], "games": [2],
    })  # fmt: skip
    rows = next(iter(json.loads(plotted(means, None).to_json())["datasets"].values()))
    assert (rows[0]["low"], rows[0]["high"]) == pytest.approx((8.04, 11.96), abs=0.001)

"""What the tables say of the play of hands: each row of real and shipped games is what a plain loop makes of it."""

from __future__ import annotations

import polars as pl
import pytest

from auditor.dataset.schema import TABLES
from tests.kit.audits import LOGS, files_below, read_all
from tests.kit.command_line import auditor
from tests.kit.plain import hands as plain

NAMES = ("game_id", "source", "within", "players")
SHANTEN = ("shanten", "tenpai_turn")
"""The columns that test_stats.py compares, as `deals` and `tenpai`."""


@pytest.fixture(scope="module", params=["shipped", "three", "four"])
def games(request, tmp_path_factory):
    """Give a dataset and its logs: the shipped games, or real ones of three or of four players."""
    if request.param == "shipped":
        return request.getfixturevalue("shipped_dataset"), {source.name: source.data for source in read_all(LOGS)[0]}
    shared = request.getfixturevalue("shared") / "corpus"
    folder = {"three": "tenhou-mjlog-3p/Agony5757+mahjong", "four": "tenhou-mjlog-4p"}[request.param]
    logs = files_below(shared / folder)[:: 9 if request.param == "three" else 30]
    logs = {path: path.read_bytes() for path in logs if b"owari" in path.read_bytes()}
    out = tmp_path_factory.mktemp(request.param) / "out"
    assert auditor("run", *logs, "--out", out)[0] < 2
    return out, logs


def of_game(out, table, source):
    """Give the rows of one game."""
    return pl.read_parquet(f"{out}/{table}/*.parquet").filter(source=str(source)).to_dicts()


def test_hands(games):
    """Deal, discards, calls, riichi and outcome of each seat in each round."""
    out, logs = games
    columns = [column for column in TABLES["hands"].types if column not in NAMES + SHANTEN]
    count = 0
    for path, data in logs.items():
        expected = plain.hands(data)
        found = [{column: row[column] for column in columns} for row in of_game(out, "hands", path)]
        assert len(found) == len(expected)
        for row, other in zip(found, expected, strict=True):
            assert row == {column: other[column] for column in columns}, (path, row["round"], row["seat"])
        count += len(found)
    assert count > 150


def test_indicators(games):
    """Indicators in their order, and the tiles left at each."""
    out, logs = games
    for path, data in logs.items():
        rows = of_game(out, "rounds", path)
        found = [{column: row[column] for column in ("round", "indicators", "indicators_left")} for row in rows]
        assert found == plain.indicators(data), path


def test_wins(games):
    """Turn, melds and open flag of each win, and the indicators below that its winner sees."""
    out, logs = games
    for path, data in logs.items():
        found = [
            {column: row[column] for column in ("round", "winner", "turn", "melds", "open", "ura_indicators")}
            | {"melds": sorted(filter(None, row["melds"].split(", ")))}
            for row in of_game(out, "wins", path)
        ]
        assert found == plain.wins(data), path


def test_unknown_is_null(tmp_path):
    """A log that is cut in its first round has no outcome; its deal and its discards are there."""
    text = read_all(LOGS[:1])[0][0].data
    log = tmp_path / "cut.mjlog"
    log.write_bytes(text[: text.index(b"<AGARI") if b"<AGARI" in text else text.index(b"<RYUUKYOKU")] + b"</mjloggm>")
    auditor("run", log, "--out", tmp_path / "out")
    rows = of_game(tmp_path / "out", "hands", log)
    assert len(rows) == 4
    for row in rows:
        assert row["discards"]
        assert row["dealt"]
        assert {row[column] for column in ("result", "won", "tsumo", "points", "dealt_in", "tenpai", "change")} == {
            None
        }

"""Dumps of MajsoulPaipuAnalyzer: the same play and wins as the record, real dumps without findings, faults."""

from __future__ import annotations

import json

import pytest

from auditor.audit.audit_batch import Options, audit
from auditor.readers import mahjong_soul, reader_of
from auditor.sources import log_files
from engine.rules.rule_sets import preset
from tests.kit.audits import LOGS, source
from tests.kit.conversion import soul
from tests.kit.conversion.soul_dump import dump
from tests.kit.conversion.tiles import RefusedError
from tests.kit.plain import mjlog_reader
from tests.kit.renamed_games import read_text

UNSAID = {
    "games": ("game_id", "source", "ranks", "table", "final_points", "last_event"),
    "rounds": ("wall_hash", "salt", "salt_hash"),
    "claims": ("points", "limit", "total_han", "total_units", "before"),
}
"""Columns that a dump does not state."""


@pytest.fixture(scope="module")
def games():
    """Give the shipped games of four players: record and dump."""
    played = [mjlog_reader.read(read_text(path).encode()) for path in LOGS]
    found = []
    for number, game in enumerate(played):
        try:
            record = soul.record(game, number)
            found.append((record, dump(record)))
        except RefusedError:
            continue
    assert len(found) > len(played) // 2
    return found


def read(value):
    """Read a dump or a record."""
    found = source(json.dumps(value).encode(), "game")
    assert reader_of(found) is mahjong_soul.READER
    return mahjong_soul.READER.read([found], preset("tenhou"))


def test_a_dump_has_the_play_and_the_wins_of_the_record(games):
    """Whatever a dump states is in the tables as it is of the record."""
    for record, dumped in games:
        whole, log = read(record), read(dumped)
        assert not len(log.problems)
        for table in ("games", "rounds", "events", "melds", "deals", "deposits", "claims"):
            left_out = UNSAID.get(table, ())
            one, other = (getattr(each, table).drop(left_out, strict=False) for each in (whole, log))
            assert one.equals(other), table
        assert whole.rules == log.rules
        assert log.claims["points"].null_count() == len(log.claims)
        won, drawn = (
            [each.shows.join(each.claims.filter(reason=reason), on="claim", how="semi") for each in (whole, log)]
            for reason in ("win", "exhaustive")
        )
        assert won[0].equals(won[1])
        assert drawn[0].drop("tile_ids").equals(drawn[1].drop("tile_ids"))
        assert drawn[1]["tile_ids"].null_count() == len(drawn[1])


def test_games_of_one_list(games):
    """The program keeps all games in one list."""
    log = read([dumped for _, dumped in games])
    assert log.games["within"].to_list() == [str(number) for number in range(1, len(games) + 1)]
    assert log.games["link"].is_not_null().all()


@pytest.mark.long
def test_dumps_without_faults_have_no_findings(shared):
    """Real dumps: 197 games, 1,011 wins scored as recorded, 112,642 tiles in the order of the stated walls."""
    paths = (shared / "corpus" / "majsoul-paipuanalyzer").rglob("*.txt")
    report = audit([log_files.read(path) for path in paths], Options(preset("tenhou"), ("ALL",)))
    assert report.tables["findings"].rows() == []
    judged = {tally.code: tally.looked - tally.not_checkable for tally in report.tallies}
    assert judged["W108"] == judged["W106"] == 1011
    assert report.tables["games"].group_by("room").len().sort("room").rows() == [
        ("bronze", 127), ("friendly", 2), ("gold", 1), ("silver", 67),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Z", "Z1|2|3|x", "L003"),
        ("A", "A9", "L003"),
        ("B", "Q", "L003"),
        ("X", "X,0", "L003"),
        ("Y", "YX", "L003"),
    ],
)
def test_an_action_that_is_none_is_reported(games, old, new, code):
    """An action that cannot be read is a finding with its text, and the rest is read."""
    value = next(
        json.loads(json.dumps(game))
        for _, game in games
        if any(act[0] == old for each in game["record"] for act in each["action"])
    )
    actions = next(each["action"] for each in value["record"] if any(act[0] == old for act in each["action"]))
    actions[next(at for at, act in enumerate(actions) if act[0] == old)] = new
    log = read(value)
    assert log.problems["code"][0] == code
    assert repr(new) in log.problems["recorded"][0]
    assert len(log.rounds) == len(value["record"])


def test_a_value_of_another_type(games):
    """Whatever stands in the place of a value, the game is read, and nothing breaks."""
    sources = []
    for key in ("action", "hand", "point", "round", "dora", "yama", "honba", "east"):
        for value in (None, 7, -1, "x", [3], {}):
            game = json.loads(json.dumps(games[0][1]))
            game["record"] = [{**game["record"][0], key: value}]
            sources.append(source(json.dumps(game).encode(), f"{key} {value}"))
    report = audit(sources, Options(preset("tenhou")))
    assert len(report.tables["games"]) == len(sources)

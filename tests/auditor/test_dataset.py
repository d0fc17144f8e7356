"""The output dataset: the promises of schema.py, compared with counts of the logs themselves."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from auditor.cli.main import app
from auditor.dataset.schema import TABLES
from tests.kit.audits import CHECKS, LOGS, LOGS_OF_THREE, read_all
from tests.kit.plain import mjlog_reader

SCORES = pl.List(pl.Int32)
# Columns that users of the dataset rely on, with their types.
PROMISED = {
    "changes": {
        "finding": pl.String, "at": pl.Datetime("us", "UTC"), "change": pl.String, "why": pl.String,
        "code": pl.String, "game_id": pl.String, "player": pl.String,
    },
    "sources": {
        "path": pl.String, "member": pl.String, "format": pl.String, "size": pl.UInt64, "sha256": pl.String,
        "status": pl.String, "reason": pl.String, "engine_version": pl.String, "rule_set": pl.String,
    },
    "games": {
        "game_id": pl.String, "source": pl.String, "platform": pl.String, "rule_set": pl.String, "players": pl.UInt8,
        "names": pl.List(pl.String), "start_time": pl.Datetime("us"), "rounds": pl.UInt32, "final_scores": SCORES,
        "findings": pl.UInt32,
    },
    "rounds": {
        "game_id": pl.String, "round": pl.UInt16, "wind": pl.UInt8, "dealer": pl.Int8, "honba": pl.Int16,
        "sticks": pl.Int16, "start_scores": SCORES, "end_scores": SCORES,
    },
    "turns": {
        "game_id": pl.String, "round": pl.UInt16, "event": pl.UInt32, "seat": pl.Int8, "turn": pl.UInt8,
        "shanten": pl.Int8, "melds": pl.UInt8, "riichi": pl.Boolean, "tiles_left": pl.Int16,
    },
    "riichis": {
        "game_id": pl.String, "round": pl.UInt16, "event": pl.UInt32, "seat": pl.Int8, "turn": pl.UInt8,
        "discard": pl.String, "double": pl.Boolean, "waits": pl.String, "kinds": pl.UInt8, "unseen": pl.UInt8,
        "paid": pl.Boolean,
    },
    "wins": {
        "game_id": pl.String, "round": pl.UInt16, "event": pl.UInt32, "winner": pl.Int8, "payer": pl.Int8,
        "hand": pl.String, "winning_tile": pl.String, "decomposition": pl.String, "fu": pl.Int16,
        "expected_fu": pl.Int16, "yaku": pl.String, "expected_yaku": pl.String, "points": pl.Int32,
        "expected_points": pl.Int32, "deltas": SCORES, "expected_deltas": SCORES,
    },
    "findings": {
        "code": pl.String, "severity": pl.String, "game_id": pl.String, "source": pl.String, "round": pl.UInt16,
        "event": pl.UInt32, "pos": pl.UInt32, "seat": pl.Int8, "recorded": pl.String, "expected": pl.String,
        "message": pl.String,
    },
    "runs": {"begun": pl.Datetime("us", "UTC"), "version": pl.String, "options": pl.String},
}  # fmt: skip
IDENTITY = {"games": ["game_id"], "rounds": ["game_id", "round"], "turns": ["game_id", "event"],
            "riichis": ["game_id", "event"], "wins": ["game_id", "event"],
            "findings": ["game_id", "event", "code"], "sources": ["path"]}  # fmt: skip


def audit(out, *sources, jobs=1, more=()):
    """Run the audit and give its result."""
    arguments = ["run", *map(str, sources), "--out", str(out), "--jobs", str(jobs), *more]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code in (0, 1), result.output[-500:]
    return result


def table(out, name):
    """Read one table of a dataset, sorted by what identifies a row."""
    return pl.read_parquet(sorted((out / name).glob("*.parquet"))).sort(IDENTITY.get(name, []))


OF_RUNS = ("runs", "changes", "summaries", ".parts")


def bytes_of(out):
    """Give the digest of every part, except those of runs and the lists of parts, which contain times."""
    return {
        str(path.relative_to(out)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in out.rglob("*")
        if path.is_file() and path.parent.name not in OF_RUNS and path.name != ".lock"
    }


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """Give the dataset of the shipped games."""
    out = tmp_path_factory.mktemp("dataset") / "out"
    audit(out, *LOGS)
    return out


@pytest.fixture(scope="module")
def games():
    """Give the shipped games by path, as a plain reader reads them."""
    return {str(path): mjlog_reader.read(each.data) for path, each in zip(LOGS, read_all(LOGS)[0], strict=True)}


@pytest.mark.parametrize("name", PROMISED)
def test_promised_columns(dataset, name):
    """Every table has the promised columns and types."""
    schema = table(dataset, name).schema
    assert {column: schema[column] for column in PROMISED[name]} == PROMISED[name]


def test_no_other_tables(dataset):
    """A dataset contains the documented tables and no others."""
    assert {path.name for path in dataset.iterdir()} == {*PROMISED, "summaries", ".lock", ".parts"}
    assert set(PROMISED) == set(TABLES)
    assert {path.suffix for name in PROMISED for path in (dataset / name).iterdir()} == {".parquet"}


@pytest.mark.parametrize("kind", ["nothing but unreadable files", "a single clean log", "three players", "no support"])
def test_schema_does_not_depend_on_content(dataset, kind, tmp_path):
    """Empty and full parts have the same types, so that all parts can be read together."""
    ordinary = (CHECKS / "w106_fu" / "pass.mjlog").read_bytes()
    data = {
        "nothing but unreadable files": b"no log",
        "a single clean log": ordinary,
        "three players": LOGS_OF_THREE[0].read_bytes(),
        "no support": (CHECKS / "l007_unsupported_variant" / "fail.json").read_bytes(),
    }
    (tmp_path / "log").write_bytes(data[kind])
    audit(tmp_path / "out", tmp_path / "log")
    for name in PROMISED:
        assert table(tmp_path / "out", name).schema == table(dataset, name).schema, name


def test_rows_are_those_of_the_logs(dataset, games):
    """Games, rounds, turns, riichi and wins are those that a count of the logs' tags gives."""
    texts = [each.data for each in read_all(LOGS)[0]]

    def count(pattern):
        return sum(len(re.findall(pattern, text)) for text in texts)

    assert len(table(dataset, "games")) == len(texts)
    assert len(table(dataset, "rounds")) == count(rb"<INIT\s")
    assert len(table(dataset, "turns")) == count(rb"<[T-W]\d+|<N\s")
    assert len(table(dataset, "riichis")) == count(rb"<REACH[^>]* step=.1")
    assert len(table(dataset, "wins")) == count(rb"<AGARI\s")
    run = table(dataset, "runs").row(0, named=True)
    assert [run[name] for name in ("files", "games", "rounds", "wins", "findings")] == [
        len(LOGS), len(games), count(rb"<INIT\s"), count(rb"<AGARI\s"), len(table(dataset, "findings")),
    ]  # fmt: skip


def test_sources(dataset):
    """Every file is in ``sources`` once, with size, digest and status."""
    sources = table(dataset, "sources")
    assert sources["path"].to_list() == sorted(map(str, LOGS))
    for row in sources.iter_rows(named=True):
        data = Path(row["path"]).read_bytes()
        assert (row["size"], row["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
        assert (row["status"], row["format"], row["reason"]) == ("audited", "mjlog", None)
        assert row["rule_set"].startswith("tenhou")


def test_games(dataset, games):
    """Names, final scores and number of rounds are each game's own, and ids differ."""
    table_ = table(dataset, "games")
    assert table_["game_id"].n_unique() == len(games)
    for row in table_.iter_rows(named=True):
        game = games[row["source"]]
        assert row["names"] == game.head["names"]
        assert row["final_scores"] == game.head["final_scores"]
        assert row["rounds"] == len(game.rounds)


def test_rounds(dataset, games):
    """Each round starts with the scores at the last one's end; the last ends with owari's, but for sticks left."""
    ids = dict(table(dataset, "games").select("game_id", "source").rows())
    for (game_id,), rounds in table(dataset, "rounds").group_by("game_id", maintain_order=True):
        game = games[ids[game_id]]
        columns = ["round", "wind", "dealer", "honba", "sticks", "start_scores"]
        assert rounds.select(columns).rows() == [row[:6] for row in game.rounds]
        assert rounds["start_scores"].to_list()[1:] == rounds["end_scores"].to_list()[:-1]
        last, final = rounds["end_scores"].to_list()[-1], game.head["final_scores"]
        leftover = sorted(after - before for before, after in zip(last, final, strict=True))
        assert leftover[:3] == [0, 0, 0]
        assert leftover[3] % 1000 == 0
        results = {claim["round"]: claim["reason"] for claim in game.claims}
        assert rounds["result"].cast(pl.String).to_list() == [results[round_] for round_ in range(len(rounds))]


def test_wins(dataset, games):
    """Recorded values are the log's; expected values are those of the other engine that played these games."""
    ids = dict(table(dataset, "games").select("source", "game_id").rows())
    wins = {(row["game_id"], row["round"], row["winner"]): row for row in table(dataset, "wins").iter_rows(named=True)}
    claims = [(ids[path], claim) for path, game in games.items() for claim in game.claims if claim["reason"] == "win"]
    assert len(wins) == len(claims)
    for game_id, claim in claims:
        win = wins[game_id, claim["round"], claim["winner"]]
        for name in ("event", "payer", "liable", "fu", "limit", "points", "deltas"):
            assert win[name] == claim[name], name
        for name in ("liable", "limit", "points", "deltas"):
            assert win[f"expected_{name}"] == claim[name], name
        assert win["yaku"] == win["expected_yaku"]
        counted = dict(zip(claim["yaku"] or [], claim["han"] or [], strict=True))
        assert win["han"] in (sum(counted.values()), None)
        assert [win[name] for name in ("dora", "ura", "red")] == [counted.get(number, 0) for number in (52, 53, 54)]
        assert win["riichi"] == bool({1, 21} & set(counted) or (claim["yakuman"] and claim["ura"]))


def test_wins_have_their_hands(dataset):
    """Every scored win has its hand with the winning tile, and a reading of 14 tiles (a kan counts as three)."""
    for win in table(dataset, "wins").iter_rows(named=True):
        assert win["winning_tile"] in win["hand"].split()
        if "thirteen orphans" in win["decomposition"]:
            continue
        blocks = [re.sub(r"[\[\]mps]", "", block) for block in win["decomposition"].split()]
        assert sum(min(len(block), 3) for block in blocks) == 14, win["decomposition"]


def test_second_run_changes_nothing(tmp_path):
    """A second run over the same input writes the same parts, byte for byte, and adds one row to ``runs``."""
    out = tmp_path / "out"
    audit(out, *LOGS[:4])
    before = bytes_of(out)
    audit(out, *LOGS[:4])
    assert bytes_of(out) == before != {}
    assert len(table(out, "runs")) == 2


def test_names_of_parts_depend_on_the_input(tmp_path):
    """The name of a part depends on bytes, paths, checks and rules, not on the folder of the dataset."""
    log = tmp_path / "log.mjlog"
    log.write_bytes((CHECKS / "w106_fu" / "pass.mjlog").read_bytes())

    def part(folder, *more):
        audit(tmp_path / folder, log, more=more)
        return sorted(path.name for path in (tmp_path / folder / "games").iterdir())

    plain = part("a")
    assert len(plain) == 1
    assert part("b") == plain
    assert part("c", "--ignore", "W106") != plain
    assert part("d", "--rules", "majiang") != plain
    log.write_bytes((CHECKS / "w106_fu" / "fail.mjlog").read_bytes())
    assert part("e") != plain
    log = shutil.copy(CHECKS / "w106_fu" / "pass.mjlog", tmp_path / "renamed.mjlog")
    assert part("f") != plain


def test_workers_write_the_same_parts(tmp_path):
    """One process and two write the same files byte for byte, the same counts and the same summary."""
    folder = tmp_path / "logs"
    folder.mkdir()
    names = ["w106_fu/fail.mjlog", "p101_payments/pass.mjlog", "l001_unreadable/fail.mjlog"]
    for place in range(2040):
        shutil.copy2(CHECKS / names[place % 3], folder / f"{place:04}.mjlog")
    one, two = (audit(tmp_path / f"out{jobs}", folder, jobs=jobs) for jobs in (1, 2))
    assert bytes_of(tmp_path / "out1") == bytes_of(tmp_path / "out2")
    assert len(list((tmp_path / "out1" / "games").iterdir())) > 1
    assert one.stdout.replace("out1", "out2") == two.stdout
    assert table(tmp_path / "out2", "findings").group_by("code").len().sort("code").rows() == [
        ("L001", 680),
        ("L005", 1358),  # two games, 680 copies each
        ("W106", 680),
    ]
    assert table(tmp_path / "out2", "sources")["path"].n_unique() == 2040
    counts = ["files", "unreadable", "games", "rounds", "turns", "wins", "findings", "checks"]
    runs = [table(tmp_path / f"out{jobs}", "runs").select(counts) for jobs in (1, 2)]
    assert runs[0].equals(runs[1])


def test_copies_across_batches(tmp_path):
    """A game in two batches has a finding for each further copy, which names the place of the first."""
    folder = tmp_path / "logs"
    folder.mkdir()
    names = ["w106_fu/pass.mjlog", *["l001_unreadable/fail.mjlog"] * 2000, *["w106_fu/pass.mjlog"] * 2]
    for place, name in enumerate(names):
        shutil.copy(CHECKS / name, folder / f"{place:04}.mjlog")
    audit(tmp_path / "out", folder, more=("--select", "L005"))
    found = table(tmp_path / "out", "findings")
    assert len(list((tmp_path / "out" / "games").iterdir())) == 2
    assert sorted(found.select("code", "source", "expected").rows()) == [
        ("L005", str(folder / "2001.mjlog"), str(folder / "0000.mjlog")),
        ("L005", str(folder / "2002.mjlog"), str(folder / "0000.mjlog")),
    ]
    assert table(tmp_path / "out", "runs")["findings"].to_list() == [2]


def test_findings_are_counted_by_game(tmp_path):
    """``games.findings`` is the number of the game's findings, and ``runs`` has the tally of each check."""
    paths = [CHECKS / name / "fail.mjlog" for name in ("w106_fu", "w105_han", "p102_balance")]
    audit(tmp_path / "out", *paths, CHECKS / "w106_fu" / "pass.mjlog")
    counts = dict(table(tmp_path / "out", "games").select("source", "findings").rows())
    assert counts == {str(path): 1 for path in paths} | {str(CHECKS / "w106_fu" / "pass.mjlog"): 0}
    checks = {row["code"]: row["findings"] for row in table(tmp_path / "out", "runs")["checks"][0]}
    assert {code for code, count in checks.items() if count} == {"W106", "W105", "P102"}


def test_run_records_its_options(tmp_path):
    """The row of a run states its rules and checks."""
    audit(tmp_path / "out", LOGS[0], more=["--select", "W", "--rules", "majiang"])
    options = json.loads(table(tmp_path / "out", "runs")["options"][0])
    assert options["select"] == ["W"]
    assert options["rules"]["double_yakuman"] is True


def test_a_file_named_twice_is_read_once(tmp_path):
    """A file that is given alone and through its folder is one source."""
    folder = tmp_path / "logs"
    folder.mkdir()
    shutil.copy(LOGS[0], folder / "a.mjlog")
    audit(tmp_path / "out", folder / "a.mjlog", folder, folder / "a.mjlog")
    assert table(tmp_path / "out", "sources")["path"].to_list() == [str(folder / "a.mjlog")]
    assert len(table(tmp_path / "out", "games")) == 1

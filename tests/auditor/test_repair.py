"""Slips with only one reading: each is one finding, and the rest of the log is audited as without the slip.

The log before the slip was planted (tests/kit/mutate) is the truth: rounds, turns and wins must be the same.
"""

from __future__ import annotations

import re

import numpy as np
import polars as pl
import pytest

from auditor.audit.audit_batch import Options, audit
from auditor.log import repair
from engine.rules.rule_sets import preset
from tests.kit.audits import FIXTURES, log_bytes, source
from tests.kit.mutate import FAULTS, breed
from tests.kit.mutate.clean_logs import clean_logs

OPTIONS = Options(preset("tenhou"), (), ("L005",))
PLACED = ("game_id", "source", "within", "event", "pos")
"""Columns whose values a slip shifts."""
TABLES = ("rounds", "turns", "riichis", "wins")
KINDS = [
    "L004 a result and the tag before it change places",
    "L004 a result and the deal after it change places",
    "L004 a riichi and the draw before it change places",
    "L004 a riichi and its discard change places",
    "L004 a riichi's discard and its stick change places",
    "L004 a riichi's stick and the draw after it change places",
    "L004 a riichi whose stick is paid is not declared",
    "L004 a riichi told of another seat",
    "R107 the tag of a riichi's stick is missing",
    "L004 a chi, pon or daiminkan told twice",
    "L004 an ankan or kakan told twice",
    "L004 a riichi's stick told twice",
    "L004 a win told twice",
    "L004 a draw's result told twice",
    "L004 a deal told twice",
    "L004 a round told twice",
    "L004 a round told twice in a paipu",
    "L004 a call told twice in a paipu",
    "L004 the deal told twice in a paipu",
    "L004 a deal and the first draw change places in a paipu",
]
KITA = "L004 a kita told twice"
CASES = [(kind, players) for kind in KINDS for players in (4, 3) if players == 4 or "paipu" not in kind] + [(KITA, 3)]


WITHOUT_A_DEAL = "L004 a round's INIT is missing"
PER_KIND = 2


def audited_files(files):
    """Audit files (name, bytes) in one batch; give for each its findings, and the tables that must not change."""
    report = audit([source(data, name) for name, data in files.items()], OPTIONS).tables
    ids = dict(report["games"].select("source", "game_id").rows())
    parts = {table: report[table].partition_by("game_id", as_dict=True) for table in TABLES}
    empty = {table: report[table].clear() for table in TABLES}
    found = report["findings"].select("source", "code", "round").rows()
    return {
        name: (
            [finding[1:] for finding in found if finding[0] == name],
            {table: parts[table].get((ids[name],), empty[table]).drop(PLACED, strict=False) for table in TABLES},
        )
        for name in files
    }


@pytest.fixture(scope="module")
def pairs():
    """Give mutants by kind and number of players, with findings and tables, and the tables of their clean logs."""
    logs = {players: clean_logs([FIXTURES / "logs", FIXTURES / "sources" / "majiang.jsonl.gz"], players)
            for players in (4, 3)}  # fmt: skip
    chosen = [fault for fault in FAULTS if str(fault) in (*KINDS, KITA, WITHOUT_A_DEAL)]
    bred = {
        (str(fault), players): breed(fault, logs[players], PER_KIND)
        for fault in chosen
        for players in logs
        if players in fault.players and (players == 4 or fault.form == "mjlog")
    }
    mutants = [mutant for of_kind in bred.values() for mutant in of_kind]
    logs = logs[4] | logs[3]
    tables = audited_files({mutant.name: mutant.data for mutant in mutants})
    clean = audited_files({log: logs[log].encode() for log in {mutant.log for mutant in mutants}})
    return {
        case: [(mutant, *tables[mutant.name], clean[mutant.log][1]) for mutant in of_kind]
        for case, of_kind in bred.items()
    }


@pytest.mark.parametrize(("kind", "players"), CASES)
def test_the_rest_is_as_it_was(kind, players, pairs):
    """There is one finding, in its round; rounds, turns and wins are those of the log without the slip."""
    assert len(pairs[kind, players]) == PER_KIND
    for mutant, found, tables, clean in pairs[kind, players]:
        assert found == [(mutant.fault.code, mutant.nth)]
        for name, table in clean.items():
            assert tables[name].equals(table), name


@pytest.mark.parametrize("players", [4, 3])
def test_a_round_without_its_deal_keeps_its_place(players, pairs):
    """A round without its deal has unknown hands and no turns; all other rounds are as before."""
    assert len(pairs[WITHOUT_A_DEAL, players]) == PER_KIND
    for mutant, found, tables, clean in pairs[WITHOUT_A_DEAL, players]:
        assert found == [("L004", mutant.nth)]
        assert tables["rounds"]["round"].to_list() == clean["rounds"]["round"].to_list()
        for name, table in clean.items():
            others = pl.col("round") != mutant.nth
            assert tables[name].filter(others).equals(table.filter(others)), name
        bare = tables["rounds"].filter(pl.col("round") == mutant.nth)
        assert bare.select("wind", "dealer", "honba").row(0) == (None, None, None)


def test_two_slips_in_one_round():
    """The result before is told after the round's deal, and the round's own result before the last tile."""
    text = (FIXTURES / "logs" / "tenhou" / "2023110722gm-0001-0000-1a1f44b3.mjlog").read_text()
    tags = re.findall(r"<[^>]+>", text)
    before, own, *_ = [row for row, tag in enumerate(tags) if tag.startswith(("<AGARI", "<RYUUKYOKU"))]
    for row in (before, own - 1):
        tags[row : row + 2] = reversed(tags[row : row + 2])
    tables = audit([source("".join(tags).encode(), "twice.mjlog")], OPTIONS).tables
    assert tables["findings"].select("code", "round").rows() == [("L004", 1), ("L004", 1)]


ROBBED = """
table 17
East 3.0, dora F, scores 42000 33000 30000
0 holds 123p 456p 789p 345s N
2 draws N
2 kita N
0 wins N from 2
  fu 40
  points 2600
  yaku ittsuu 2
  change 2600 0 -2600
end
"""


def test_a_result_before_the_kita_that_it_takes():
    """The result of a ron on a north set aside is moved behind it; nothing else is found."""
    data = log_bytes(ROBBED)
    early = re.sub(rb"(<N [^>]+>)(<AGARI [^>]+>)", rb"\2\1", data)
    found, moved = (audit([source(each, "log.mjlog")], OPTIONS).tables["findings"] for each in (data, early))
    assert found.rows() == []
    assert moved.select("code", "round", "recorded").rows() == [("L004", 0, "kita of seat 2")]


def test_a_round_without_suspicion_has_no_slip(pairs, monkeypatch):
    """Repair of all rounds gives the same as repair of the suspects alone."""
    monkeypatch.setattr(repair, "suspects", lambda log: np.ones(len(log.rounds), dtype=bool))
    mutants = [each for kind in pairs.values() for each in kind]
    again = audited_files({mutant.name: mutant.data for mutant, *_ in mutants})
    for mutant, findings, tables, _ in mutants:
        findings_again, tables_again = again[mutant.name]
        assert findings_again == findings, mutant.name
        assert all(tables_again[table].equals(tables[table]) for table in TABLES), mutant.name

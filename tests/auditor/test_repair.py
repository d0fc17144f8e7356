"""Slips with only one reading: each is one finding, and the rest of the log is audited as without the slip.

The log before the slip was planted (tests/kit/mutate) is the truth: rounds, turns and wins must be the same.
"""

from __future__ import annotations

import polars as pl
import pytest

from auditor.audit.audit_batch import Options, audit
from engine.rules.rule_sets import preset
from tests.kit.audits import FIXTURES, source
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
    """Give mutants by kind, each with its findings and tables, and the tables of the log that it was made from."""
    logs = clean_logs([FIXTURES / "logs", FIXTURES / "sources" / "majiang.jsonl.gz"])
    chosen = [fault for fault in FAULTS if str(fault) in (*KINDS, WITHOUT_A_DEAL)]
    mutants = [mutant for fault in chosen for mutant in breed(fault, logs, PER_KIND)]
    tables = audited_files({mutant.name: mutant.data for mutant in mutants})
    clean = audited_files({log: logs[log].encode() for log in {mutant.log for mutant in mutants}})
    found = {str(fault): [] for fault in chosen}
    for mutant in mutants:
        found[str(mutant.fault)].append((mutant, *tables[mutant.name], clean[mutant.log][1]))
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_rest_is_as_it_was(kind, pairs):
    """There is one finding, in its round; rounds, turns and wins are those of the log without the slip."""
    assert len(pairs[kind]) == PER_KIND
    for mutant, found, tables, clean in pairs[kind]:
        assert found == [(mutant.fault.code, mutant.nth)]
        for name, table in clean.items():
            assert tables[name].equals(table), name


def test_a_round_without_its_deal_keeps_its_place(pairs):
    """A round without its deal has unknown hands and no turns; all other rounds are as before."""
    assert len(pairs[WITHOUT_A_DEAL]) == PER_KIND
    for mutant, found, tables, clean in pairs[WITHOUT_A_DEAL]:
        assert found == [("L004", mutant.nth)]
        assert tables["rounds"]["round"].to_list() == clean["rounds"]["round"].to_list()
        for name, table in clean.items():
            others = pl.col("round") != mutant.nth
            assert tables[name].filter(others).equals(table.filter(others)), name
        bare = tables["rounds"].filter(pl.col("round") == mutant.nth)
        assert bare.select("wind", "dealer", "honba").row(0) == (None, None, None)

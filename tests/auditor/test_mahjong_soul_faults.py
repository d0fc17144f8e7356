"""Faults planted in Mahjong Soul records: each is found by the right check, in the right round, and nothing else is."""

from __future__ import annotations

import random

import pytest

from tests.auditor.test_mahjong_soul import made
from tests.kit import soul_shown_faults
from tests.kit.audits import LOGS, LOGS_OF_THREE, TENHOU, audited_whole, source
from tests.kit.conversion import soul, soul_fixtures
from tests.kit.conversion.soul_renderings import WHOLE
from tests.kit.plain import mjlog_reader
from tests.kit.renamed_games import read_text
from tests.kit.soul_faults import ALSO, KINDS, planted

PER_KIND = 2
FEW = {"Other payments at a draw": 2, "No offer: kyuushu": 1}
"""Kinds with fewer places in the chosen games, and how many there are at least."""
SHORT = ("2023020922", "2023042011", "2023110612", "2023112203", "2023121220", "2020111610", "2020110105")
"""Games of which a record with everything that players are shown is made quickly, besides the shipped ones."""


def records(paths):
    """Make records with everything that players are shown and offered."""
    return [
        soul.record(mjlog_reader.read(read_text(path).encode()), number, hints=True)
        for number, path in enumerate(paths)
    ]


def verdicts_on(shown, per_kind, seeds):
    """Give, for each kind, the mutants (name, round, findings as pairs of code and round) of a common audit."""
    mutants = {}
    for name in KINDS:
        seen = set()
        for seed in seeds:
            for number, record in enumerate(shown):
                if len(seen) == per_kind:
                    break
                found = planted(record, name, random.Random(f"{name} {number} {seed}"))
                data = None if found is None else WHOLE["answer"](found[0])
                if data is None or data in seen:
                    continue
                seen.add(data)
                mutants[f"{name}/{number}/{seed}"] = (name, found[1], data)
    files = [source(data, f"{key}.bin") for key, (_, _, data) in mutants.items()]
    found = {key: set() for key in mutants}
    for start in range(0, len(files), 400):
        findings = audited_whole(files[start : start + 400], options=TENHOU).tables["findings"]
        for where, code, nth in findings.select("source", "code", "round").iter_rows():
            if code != "L005":  # mutants of one game have its play
                found[where.removesuffix(".bin")].add((code, nth))
    by_kind = {name: [] for name in KINDS}
    for key, (name, nth, _) in mutants.items():
        by_kind[name].append((key, nth, found[key]))
    return by_kind


def wrong(verdicts, name):
    """List the mutants of a kind whose fault is missed, or which have a finding of another code."""
    codes = KINDS[name][0]
    return [
        (key, nth, sorted(found, key=str))
        for key, nth, found in verdicts[name]
        if not any((code, nth) in found for code in codes)
        or any(code not in {*codes, *ALSO[name]} for code, _ in found)
    ]


@pytest.fixture(scope="module")
def verdicts():
    """Give the verdicts on some mutants of each kind."""
    paths = [path for path in (*LOGS, *LOGS_OF_THREE) if path.name.startswith(SHORT)]
    assert len(paths) == len(SHORT)
    return verdicts_on([*soul_fixtures.records().values(), *records(paths)], PER_KIND, range(16))


@pytest.mark.parametrize("name", KINDS)
def test_every_planted_fault_is_found(verdicts, name):
    """A fault of each kind is reported by one of its codes, in its round, and no other code is reported."""
    assert wrong(verdicts, name) == []
    assert len(verdicts[name]) >= FEW.get(name, PER_KIND)


HEADS = {
    "a final score": (lambda players: players[0].update(part_point_1=players[0]["part_point_1"] + 1000), "G106"),
    "final points": (lambda players: players[1].update(total_point=players[1]["total_point"] + 5000), "G107"),
    "places": (lambda players: players.insert(0, players.pop(2)), "G107"),
}
"""Changes of the results of a head, and the code of the only finding."""


@pytest.mark.parametrize("name", HEADS)
def test_a_fault_of_the_head(name):
    """Another result in the head of a record is reported, and nothing else is."""
    change, code = HEADS[name]
    found = {}
    for path in (min(each, key=lambda path: path.stat().st_size) for each in (LOGS, LOGS_OF_THREE)):
        record = made(path)
        change(record["head"]["result"]["players"])
        report = audited_whole([source(WHOLE["answer"](record), "game.bin")], options=TENHOU)
        found[path] = set(report.tables["findings"]["code"])
    assert list(found.values()) == [{code}] * 2


def test_every_operation_is_withheld_and_invented():
    """There is a kind for each operation that a record can offer, missing and too much."""
    names = set(soul_shown_faults.NAMES.values())
    assert {name for name in names if f"No offer: {name}" in KINDS} == names
    added = {name for name in names if f"An offer that is not legal: {name}" in KINDS}
    assert added == names - {"discard"}  # that one has a kind of its own: in riichi


@pytest.mark.long
def test_faults_in_more_games():
    """The same, with more mutants and in more games."""
    found = verdicts_on(records([*LOGS[::3], *LOGS_OF_THREE[::3]]), 16, range(4))
    assert {name: bad for name in KINDS if (bad := wrong(found, name))} == {}

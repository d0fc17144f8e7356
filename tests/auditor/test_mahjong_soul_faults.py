"""Faults planted in Mahjong Soul records: each is found by the right check, in the right round."""

from __future__ import annotations

import random

import pytest

from tests.auditor.test_mahjong_soul import made
from tests.kit.audits import LOGS, LOGS_OF_THREE, TENHOU, audited_whole, source
from tests.kit.conversion import soul_fixtures
from tests.kit.conversion.soul_renderings import WHOLE
from tests.kit.soul_faults import KINDS, planted

PER_KIND = 20
FEW = {"A kan without its indicator": 10}
"""Kinds with fewer places in the shipped games, and how many there are at least."""


@pytest.fixture(scope="module")
def verdicts():
    """Give, for each kind, the mutants (round, findings as pairs of code and round) of a common audit."""
    shipped = [made(path, number) for number, path in enumerate((*LOGS, *LOGS_OF_THREE))]
    shipped += list(soul_fixtures.records().values())  # some of these have hints
    mutants = {}
    for name in KINDS:
        seen = set()
        for attempt in range(16):
            for number, record in enumerate(shipped):
                if len(seen) == PER_KIND:
                    break
                found = planted(record, name, random.Random(f"{name} {number} {attempt}"))
                data = None if found is None else WHOLE["answer"](found[0])
                if data is None or data in seen:
                    continue
                seen.add(data)
                mutants[f"{name}/{number}/{attempt}"] = (name, found[1], data)
    files = [source(data, f"{key}.bin") for key, (_, _, data) in mutants.items()]
    findings = audited_whole(files, options=TENHOU).tables["findings"]
    found = {key: set() for key in mutants}
    for where, code, nth in findings.select("source", "code", "round").iter_rows():
        if code != "L005":  # mutants of one game have its play
            found[where.removesuffix(".bin")].add((code, nth))
    by_kind = {name: [] for name in KINDS}
    for key, (name, nth, _) in mutants.items():
        by_kind[name].append((key, nth, found[key]))
    return by_kind


@pytest.mark.parametrize("name", KINDS)
def test_every_planted_fault_is_found(verdicts, name):
    """A fault of each kind is reported by one of its codes, in its round."""
    codes = KINDS[name][0]
    missed = [
        (key, nth, sorted(found, key=str))
        for key, nth, found in verdicts[name]
        if not any((code, nth) in found for code in codes)
    ]
    assert missed == []
    assert len(verdicts[name]) >= FEW.get(name, PER_KIND)

"""Faults that only the seed reveals, planted in real games of three players (those of four: test_mutations.py)."""

from __future__ import annotations

import pytest

from tests.kit.mutate import FAULTS, breed
from tests.kit.mutate.clean_logs import log_texts
from tests.kit.mutate.judge import COPY, findings, judge

OF_WALLS = [fault for fault in FAULTS if fault.code.startswith("S")]
PER_KIND = 20


@pytest.fixture(scope="module")
def texts(shared):
    """Give the real logs of three players by name."""
    return log_texts([shared / "corpus" / "tenhou-mjlog-3p"], players=3)


@pytest.fixture(scope="module")
def unaltered(texts):
    """Give the findings, under all checks, in the logs as they are."""
    return findings(((name, text.encode()) for name, text in texts.items()), select=("ALL",), ignore=(COPY,))


@pytest.fixture(scope="module")
def verdicts(texts):
    """Plant each kind of fault PER_KIND times, and audit all mutants together."""
    return judge([mutant for fault in OF_WALLS for mutant in breed(fault, texts, PER_KIND)])


def test_unaltered_logs_have_the_walls_of_their_seeds(unaltered):
    """No real log has a finding about its walls."""
    assert len(unaltered) == 67
    assert [name for name, found in unaltered.items() if any(code.startswith("S") for code, _ in found)] == []


@pytest.mark.parametrize("kind", [str(fault) for fault in OF_WALLS])
def test_fault_is_named_in_its_round(kind, verdicts, unaltered):
    """Each mutant has the expected code in the expected round, and else only what the unaltered log has."""
    of_kind = [verdict for verdict in verdicts if str(verdict.mutant.fault) == kind]
    assert len(of_kind) == PER_KIND
    assert [verdict.mutant.name for verdict in of_kind if not verdict.recalled] == []
    more = {verdict.mutant.name: verdict.stray - unaltered[verdict.mutant.log] for verdict in of_kind}
    assert {name: found for name, found in more.items() if found} == {}

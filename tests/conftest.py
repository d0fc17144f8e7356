"""The shared test data, and one line that says how many tests skip without it."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"
MISSING = "../shared is not beside the project"


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder of shared data beside the repository; skip if it is missing."""
    if not SHARED.is_dir():
        pytest.skip(MISSING)
    return SHARED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Count the tests that skipped because the shared data is missing."""
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(MISSING in str(report.longrepr) for report in skipped)
    if count:
        terminalreporter.write_line(f"tests skipped: {count}, {MISSING}")

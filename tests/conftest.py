"""The path of the shared test data."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder of shared data beside the repository; skip where it is not there."""
    path = Path(__file__).resolve().parents[2] / "shared"
    if not path.is_dir():
        pytest.skip(f"no shared data at {path}")
    return path

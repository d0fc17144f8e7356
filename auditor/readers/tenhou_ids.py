"""Tenhou's ids of games, which its files have as names, and its JSON as ``ref``: auditor/readers/mjlog/FORMAT.md 10."""

from __future__ import annotations

import re
from datetime import datetime

_LOG_NAME = re.compile(r"(20\d{2})(\d{2})(\d{2})(\d{2})gm-([0-9a-f]{4})-\w+-\w+")


def start_time(name: str) -> datetime | None:
    """Return when the game began if the file is named as Tenhou names its logs, else None."""
    found = _LOG_NAME.search(name)
    if not found:
        return None
    try:
        return datetime(*map(int, found.groups()[:4]))  # type: ignore[arg-type]  # noqa: DTZ001
    except ValueError:
        return None


def table_type(name: str) -> int | None:
    """Return the type of the table if the file is named as Tenhou names its logs, else None."""
    found = _LOG_NAME.search(name)
    return int(found[5], 16) if found else None

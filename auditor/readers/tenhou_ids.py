"""Tenhou's ids of games, which its files have as names, and its JSON as ``ref``: auditor/readers/mjlog/FORMAT.md 10."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from auditor.log import links

_LOG_ID = re.compile(
    r"(?P<id>\d{10}gm-(?P<kind>[0-9a-f]{4})-(?P<lobby>\d+)-[0-9a-fx]+)(?:[&_]tw=(?P<seat>[0-3])(?!\d))?"
)
_LOG_NAME = re.compile(r"(20\d{2})(\d{2})(\d{2})(\d{2})gm-[0-9a-f]{4}-\w+-\w+")


class LogId(NamedTuple):
    """Tenhou's id of a game, the table type and lobby in it, and the seat that the name adds, 0 if none."""

    text: str
    kind: int
    lobby: str
    seat: int

    @property
    def link(self) -> str | None:
        """The address where Tenhou replays the game."""
        return links.game_link(links.TENHOU, self.text, self.seat)


def log_id(name: str) -> LogId | None:
    """Return Tenhou's id in a file's name, an address or a text; None if it has none. Of several it is the last."""
    found = None
    for found in _LOG_ID.finditer(name):  # noqa: B007 - the last one
        pass
    return found and LogId(found["id"], int(found["kind"], 16), found["lobby"], int(found["seat"] or 0))


def start_time(name: str) -> datetime | None:
    """Return when the game began if the file is named as Tenhou names its logs, else None."""
    found = _LOG_NAME.search(name)
    if not found:
        return None
    try:
        return datetime(*map(int, found.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
    except ValueError:
        return None

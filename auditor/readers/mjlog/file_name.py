"""Reads names of files: when the game began, and whether a name contradicts GO (L006); FORMAT.md sections 3 and 10."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TYPE_CHECKING

import polars as pl

from auditor.log import tables
from auditor.readers.mjlog.players import THREE_PLAYERS, stated_players

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from auditor.readers.mjlog.header import Head
    from auditor.readers.mjlog.tags import Tags
    from auditor.sources.log_files import Source

_LOG_NAME = re.compile(r"(20\d{2})(\d{2})(\d{2})(\d{2})gm-[0-9a-f]{4}-\w+-\w+")
_NAME = re.compile(r"(\d{8})\d{0,2}gm-([0-9a-f]{4})-(\d+)-[^/\\]*\Z", re.ASCII)
"""Day, table type and lobby in the name of a file."""
_NUMBER = re.compile("[0-9]{1,18}")


def start_time(name: str) -> datetime | None:
    """Return when the game began if the file is named as Tenhou names its logs, else None."""
    found = _LOG_NAME.search(name)
    if not found:
        return None
    try:
        return datetime(*map(int, found.groups()))  # type: ignore[arg-type]  # noqa: DTZ001
    except ValueError:
        return None


def disagreements(sources: Sequence[Source], head: Head, tags: Tags) -> list[pl.DataFrame]:
    """Return the contradictions of a batch as rows of the canonical table ``problems``, at the GO if there is one."""
    found = list(_names(sources, head))
    if not found:
        return []
    rows = [head.go[game] for game, _, _ in found]
    frame = pl.DataFrame(found, schema=["game", "recorded", "expected"], orient="row").with_columns(
        code=pl.lit("L006"),
        event=pl.Series([None if row < 0 else tags.event[row] for row in rows]),
        pos=pl.Series([None if row < 0 else tags.pos[row] for row in rows]),
    )
    return [tables.problem_rows(frame)]


def _names(sources: Sequence[Source], head: Head) -> Iterator[tuple[int, str, str]]:
    """Find dates in files' names that do not exist, and compare table type and lobby with GO.

    Yield the game, what is recorded and what is expected; of a game only the first problem.
    """
    for game, (source, (kind, lobby, _)) in enumerate(zip(sources, head.tables, strict=True)):
        named = _NAME.search(source.name)
        if not named:
            continue
        day, table, room = named.groups()
        if not _is_day(day):
            yield game, f"the date {day} in the file's name", "a day that there is"
        elif kind is not None and kind != int(table, 16) and not _is_told(kind, int(table, 16), head, game):
            yield game, f"GO type={kind}", f"type {int(table, 16)}, as in the file's name"
        elif lobby is not None and _NUMBER.fullmatch(lobby) and _NUMBER.fullmatch(room) and int(lobby) != int(room):
            yield game, f"GO lobby={int(lobby)}", f"lobby {int(room)}, as in the file's name"


def _is_told(kind: int, named: int, head: Head, game: int) -> bool:
    """Return whether the two types differ only in the number of players, and header.py reports that GO has it wrong."""
    players = int(head.games["players"][game])
    return kind ^ named == THREE_PLAYERS and stated_players(named) == players


def _is_day(text: str) -> bool:
    try:
        date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return False
    return True

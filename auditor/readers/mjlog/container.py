"""Finds contradictions within a log (L006): the file's name and GO, the dealer in INIT and the round's number.

Facts: auditor/readers/mjlog/FORMAT.md 1, 3, 4, 10.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from auditor.readers.mjlog.header import Head
    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values
    from auditor.sources.log_files import Source

_NAME = re.compile(r"(\d{8})\d{0,2}gm-([0-9a-f]{4})-(\d+)-[^/\\]*\Z", re.ASCII)
"""Day, table type and lobby in the name of a file."""
_NUMBER = re.compile("[0-9]{1,18}")


class _Found(NamedTuple):
    """A contradiction. ``row`` is the tag, None if there is none."""

    game: int
    row: int | None
    recorded: str
    expected: str
    round: int | None = None


def disagreements(
    sources: Sequence[Source], head: Head, tags: Tags, values: Values, unread: npt.NDArray[np.bool_]
) -> list[pl.DataFrame]:
    """Return the contradictions of a batch as rows of the canonical table ``problems``.

    ``tags`` and ``values`` lack three-player games, so only the names of those are compared. ``unread`` bool[tags] says
    which tags are not read as play.
    """
    found = [*_names(sources, head), *_dealers(tags, values, unread), *_first_dealer(tags, values)]
    if not found:
        return []
    frame = {
        "code": "L006",
        **{name: [getattr(each, name) for each in found] for name in ("game", "round", "recorded", "expected")},
        "event": [None if each.row is None else tags.event[each.row] for each in found],
        "pos": [None if each.row is None else tags.pos[each.row] for each in found],
    }
    return [tables.problem_rows(pl.DataFrame(frame))]


def _names(sources: Sequence[Source], head: Head) -> Iterator[_Found]:
    """Compare the table type and lobby in files' names with GO, and find dates in them that do not exist.

    A game has the first of these problems only.
    """
    days, kinds, rooms = [], [], []
    for game, (source, (kind, lobby, _), go) in enumerate(zip(sources, head.tables, head.go, strict=True)):
        named = _NAME.search(source.name)
        if not named:
            continue
        day, table, room = named.groups()
        row = go if go >= 0 else None
        if not _is_day(day):
            days.append(_Found(game, row, f"the date {day} in the file's name", "a day that there is"))
        elif kind is not None and kind != int(table, 16):
            kinds.append(_Found(game, row, f"GO type={kind}", f"type {int(table, 16)}, as in the file's name"))
        elif lobby is not None and _NUMBER.fullmatch(lobby) and _NUMBER.fullmatch(room) and int(lobby) != int(room):
            rooms.append(_Found(game, row, f"GO lobby={int(lobby)}", f"lobby {int(room)}, as in the file's name"))
    yield from days
    yield from kinds
    yield from rooms


def _is_day(text: str) -> bool:
    try:
        date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return False
    return True


def _dealers(tags: Tags, values: Values, unread: npt.NDArray[np.bool_]) -> Iterator[_Found]:
    """Find deals whose ``oya`` is not the dealer that follows from the round's number."""
    dealt = ~unread[values.rows("INIT")]  # only deals that are read as play number the rounds (play.read)
    rows = values.rows("INIT")[dealt]
    place, dealer = (values.lists("INIT", name)[dealt].number() for name in ("seed", "oya"))
    for each in np.flatnonzero((place >= 0) & (dealer >= 0) & (place % tables.SEATS != dealer)).tolist():
        right = f"seat {place[each] % tables.SEATS}, as round {place[each]} of seed has it"
        yield _Found(int(tags.game[rows[each]]), int(rows[each]), f"INIT oya={dealer[each]}", right, each)


def _first_dealer(tags: Tags, values: Values) -> Iterator[_Found]:
    """Find games whose TAIKYOKU names a first dealer other than seat 0: seats are counted from the first dealer."""
    rows, dealer = values.rows("TAIKYOKU"), values.lists("TAIKYOKU", "oya").number()
    for row, oya in zip(rows[dealer > 0].tolist(), dealer[dealer > 0].tolist(), strict=True):
        yield _Found(int(tags.game[row]), row, f"TAIKYOKU oya={oya}", "seat 0: it deals first")

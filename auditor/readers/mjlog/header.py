"""Header tags (SHUFFLE, GO, UN) and the file's name → the games table and the rule sets."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import lists, where_known
from auditor.log.columns import RANGES
from auditor.readers import rooms
from auditor.readers.mjlog.found import problems_at
from auditor.readers.mjlog.lists import decimals, fits
from auditor.readers.mjlog.players import THREE, THREE_PLAYERS
from auditor.readers.mjlog.tags import unescaped
from auditor.readers.tenhou_ids import log_id, start_time
from auditor.readers.tenhou_rules import rules
from auditor.sources.log_files import content_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.readers.mjlog.players import Players
    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values
    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet

_TABLE_TYPE = re.compile(rb"<GO\s(?:[^>]*?\s)?type\s*=\s*\"([^\"<]{1,40})\"")
_NUMBER = re.compile("[0-9]{1,5}")
_MOST = 0xFFFF
_SEXES = re.compile("[MFC](?:,[MFC]){3}")
_RATING = RANGES["games"]["ratings"]
_NAMES = ("n0", "n1", "n2", "n3")
RANKS = (
    "新人", "9級", "8級", "7級", "6級", "5級", "4級", "3級", "2級", "1級",
    "初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳",
)  # fmt: skip
"""Tenhou's ranks, by their number."""


def table_type(data: bytes) -> int | None:
    """Return the table type that GO states; None if there is none. ``data`` is a log in the plain form of markup.py."""
    found = _TABLE_TYPE.search(data)
    text = unescaped(found[1].decode(errors="replace")) if found else ""
    return int(text) if _NUMBER.fullmatch(text) and int(text) <= _MOST else None


class Table(NamedTuple):
    """The table type as a number, and lobby and csrule as text; None for a missing one."""

    kind: int | None
    lobby: str | None
    csrule: str | None

    def __str__(self) -> str:
        """Return these attributes as GO has them."""
        rule = "" if self.csrule is None else f" csrule={self.csrule}"
        return f"GO type={self.kind} lobby={'-' if self.lobby is None else self.lobby}{rule}"


class Head(NamedTuple):
    """The header of each game of a batch.

    ``games`` are columns of the games table, all except final scores, final points and ``ended``. Their ``rules`` are
    places in the list ``rules``. ``tables`` and ``go`` have the table of each game and the row of its first GO, -1 if
    it has none. ``problems`` are frames with row, code, recorded, expected.
    """

    games: dict[str, Any]
    rules: list[RuleSet]
    tables: list[Table]
    go: list[int]
    problems: list[pl.DataFrame]


def games(  # noqa: PLR0917
    sources: Sequence[Source], types: Sequence[int | None], tags: Tags, values: Values, base: RuleSet, seated: Players
) -> Head:
    """Read the header tags of a batch.

    ``types`` has each source's table type, ``base`` the rules of ``--rules``, ``seated`` who plays.
    """
    starts = [start_time(source.name) for source in sources]
    go, shuffle = (_first(tags, values.rows(name), len(sources)) for name in ("GO", "SHUFFLE"))
    lobbies, csrules = (_texts_of(values, "GO", name, go).to_list() for name in ("lobby", "csrule"))
    stated = list(map(Table, types, lobbies, csrules))
    days = [start and start.date() for start in starts]
    played = list(zip(seated.number.tolist(), stated, days, strict=True))
    place: dict[RuleSet, int] = {}
    number = {
        (players, table, day): place.setdefault(rules(base, players, *table, day), len(place))
        for players, table, day in dict.fromkeys(played)
    }
    known, faulty = _players(tags, values, len(sources))
    found = [rooms.tenhou(each.kind, each.lobby) for each in stated]
    columns = {
        "game": np.arange(len(sources)),
        "game_id": [content_id(source.data) for source in sources],
        "source": [source.name for source in sources],
        "platform": ["tenhou"] * len(sources),
        "rules": [number[each] for each in played],
        "players": seated.number,
        **known,
        "start_time": pl.Series(starts, dtype=pl.Datetime("us")),
        "table": [None if each.kind is None else str(each) for each in stated],
        "room": pl.Series([each.room for each in found], dtype=pl.String),
        "mode": pl.Series([each.mode for each in found], dtype=pl.String),
        "link": pl.Series([_link(*each) for each in zip(sources, stated, strict=True)], dtype=pl.String),
        "seed": [text or None for text in _texts_of(values, "SHUFFLE", "seed", shuffle).to_list()],
        "states_end": [True] * len(sources),
        "deposits_inferred": [False] * len(sources),
        "hands_shown": [True] * len(sources),
        "liable_stated": [True] * len(sources),
        "kan_indicator": ["before_draw"] * len(sources),
        **_last(tags, len(sources)),
    }
    rows = np.append(values.rows("GO").astype(np.int64), -1)[go].tolist()
    faulty += _wrong_types(stated, rows, seated)
    return Head(columns, list(place), stated, rows, faulty)


def _link(source: Source, table: Table) -> str | None:
    """Return the address of a game by the file's name; None if it has no id, or the id of a game of another type."""
    named = log_id(source.name)
    return named.link if named and table.kind in {None, named.kind} else None


_DEALT = {
    THREE: f"a type of three players, with bit {THREE_PLAYERS}: seat 3 is dealt nothing",
    tables.SEATS: f"a type of four players, without bit {THREE_PLAYERS}: seat 3 is dealt tiles",
}


def _wrong_types(stated: Sequence[Table], go: Sequence[int], seated: Players) -> list[pl.DataFrame]:
    """Return as problems the table types that contradict the deals; ``go`` are the rows of GO."""
    games = [game for game in np.flatnonzero(seated.contradicted).tolist() if go[game] >= 0]
    recorded = [f"GO type={stated[game].kind}" for game in games]
    expected = [_DEALT[int(seated.number[game])] for game in games]
    return problems_at([go[game] for game in games], recorded, expected, "L006")


def _players(tags: Tags, values: Values, games: int) -> tuple[dict[str, pl.Series], list[pl.DataFrame]]:
    """Return names, ranks and ratings of each game's players, from the first UN that has all of them.

    Return as problems the ratings that are not four numbers, and the ``sx`` that are not four letters.
    """
    whole = values.lists("UN", "dan").known | values.has("UN", "n1")
    first = np.append(np.flatnonzero(whole), -1)[_first(tags, values.rows("UN")[whole], games)]
    names = np.stack([_places(values, "UN", name, first) for name in _NAMES], axis=1)
    unquoted = pl.Series(_unquoted([name or "" for name in values.texts_at(names.ravel()).to_list()]))
    dan = values.lists_at(_places(values, "UN", "dan", first))
    ranks = pl.Series(RANKS)[dan.first(tables.SEATS).ravel()]
    rate, sexes = values.column("UN", "rate"), values.column("UN", "sx")
    numbers, count = decimals(rate, tables.SEATS)
    rated = (count == tables.SEATS) & fits(numbers, _RATING)
    ratings = np.append(numbers, np.zeros((1, tables.SEATS)), axis=0)[first]
    sexed = np.array([bool(_SEXES.fullmatch(text or "")) for text in sexes.to_list()], dtype=bool)
    problems = []
    for name, texts, fine, expected in (
        ("rate", rate, rated, f"{tables.SEATS} numbers in {_RATING.low}..{_RATING.high}"),
        ("sx", sexes, sexed, "four of M, F, C"),
    ):
        wrong = ~fine & values.has("UN", name)
        recorded = [f'UN {name}="{text[:80]}"' for text in texts.filter(pl.Series(wrong))]
        problems += problems_at(values.rows("UN")[wrong], recorded, expected)
    return {
        "names": _of_players(where_known(unquoted, names.ravel() >= 0), values.players),
        "ranks": where_known(_of_players(ranks, values.players), dan.known),
        "ratings": where_known(_of_players(pl.Series(ratings.ravel()), values.players), np.append(rated, False)[first]),
    }, problems


def _of_players(entries: pl.Series, players: npt.NDArray[np.int8]) -> pl.Series:
    """Return four entries for each game as a column of lists, one entry for each of the game's players."""
    exists = np.arange(tables.SEATS) < players[:, None]
    return lists(entries.filter(pl.Series(exists.ravel())).to_arrow(), players)


def _last(tags: Tags, games: int) -> dict[str, pl.Series]:
    """Return number and position of each game's last tag; null for a game without tags."""
    event, pos = np.zeros(games, dtype=np.uint32), np.zeros(games, dtype=np.uint32)
    there = np.zeros(games, dtype=bool)
    game = tags.game[tags.last_rows]
    event[game], pos[game], there[game] = tags.event[tags.last_rows], tags.pos[tags.last_rows], True
    return {"last_event": where_known(event, there), "last_pos": where_known(pos, there)}


def _unquoted(names: list[str]) -> list[str]:
    """Decode percent-encoded names; bytes that are not UTF-8 become U+FFFD."""
    # Tenhou encodes every byte, so that one call decodes all names; unquote() takes ten times as long.
    whole = "%0A".join(names)
    digits = whole.replace("%", "")
    if digits.isalnum() and whole[::3] == "%" * (len(digits) // 2):
        with suppress(ValueError):
            decoded = bytes.fromhex(digits).decode(errors="replace").split("\n")
            if len(decoded) == len(names):
                return decoded
    return list(map(unquote, names))


def _first(tags: Tags, rows: npt.NDArray[np.uint32], games: int) -> npt.NDArray[np.int64]:
    """Return the place of each game's first tag among the tags of ``rows``, int64[games]; -1 if it has none."""
    found = np.full(games, -1)
    # NumPy assigns in order, so the first tag of a game comes last here.
    found[tags.game[rows[::-1]]] = np.arange(len(rows))[::-1]
    return found


def _places(values: Values, name: str, attribute: str, tag: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the places of an attribute in ``values`` for some tags of this name; -1 for tag -1."""
    return np.append(values.places(name, attribute), -1)[tag]


def _texts_of(values: Values, name: str, attribute: str, tag: npt.NDArray[np.int64]) -> pl.Series:
    return values.texts_at(_places(values, name, attribute, tag))

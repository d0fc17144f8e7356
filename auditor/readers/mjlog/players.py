"""How many play, and what a log of three players states about seat 3, which does not exist (FORMAT.md 14).

Such a log has four places wherever it lists seats. The last one is empty: no tiles, no name, zeros. A log that has more
there has a problem, and is read as if the place were empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log.tables import SEATS
from auditor.readers.mjlog import fields
from auditor.readers.mjlog.fields import ATTRIBUTE, FIELDS, NAME
from auditor.readers.mjlog.tags import NOT_PLAY

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.readers.mjlog.lists import Lists
    from auditor.readers.mjlog.tags import Tags

    Bools = npt.NDArray[np.bool_]
    Ints = npt.NDArray[np.int64]

THREE = 3
THREE_PLAYERS = 0x0010
"""The bit of the table type."""
WHO_PLAYS = "three play"
NO_TILES = f"no tiles: {WHO_PLAYS}"


class Players(NamedTuple):
    """How many play each game of a batch, int8[games], and the games whose table type says otherwise, bool[games]."""

    number: npt.NDArray[np.int8]
    contradicted: Bools


def of_games(types: Sequence[int | None], tags: Tags) -> Players:
    """Return how many play each game; ``types`` has each game's table type.

    The table type says it, unless it contradicts all deals to seat 3, and also its play and its points.
    """
    stated = np.array([stated_players(kind) for kind in types], dtype=np.int8)
    three, four = _deals(tags, len(types))
    dealt = np.where(four == 0, np.where(three > 0, THREE, stated), np.where(three == 0, SEATS, stated)).astype(np.int8)
    for game in np.flatnonzero(dealt != stated).tolist():
        if _is_there(tags, game) != (dealt[game] == SEATS):
            dealt[game] = stated[game]
    unsaid = np.array([kind is None for kind in types], dtype=bool)
    return Players(dealt, (dealt != stated) & ~unsaid)


def stated_players(table: int | None) -> int:
    """Return how many play at a table of this type; four if it is unknown."""
    return THREE if table is not None and table & THREE_PLAYERS else SEATS


def _deals(tags: Tags, games: int) -> tuple[Ints, Ints]:
    """Return how many deals of each game give seat 3 no tiles, and how many give it some, int64[games] each."""
    given = tags.attributes
    last = np.flatnonzero(given.name == ATTRIBUTE["hai3"])
    last = last[tags.names[given.tag[last]] == NAME["INIT"]]
    game = tags.game[tags.rows[given.tag[last]]]
    empty = tags.marks[given.closing[last]] - tags.marks[given.opening[last]] == 1
    return np.bincount(game[empty], minlength=games), np.bincount(game[~empty], minlength=games)


def _is_there(tags: Tags, game: int) -> bool:
    """Return whether seat 3 draws, discards, or has points at a deal."""
    letters = tags.letter[slice(*np.searchsorted(tags.game, (game, game + 1)))]
    given = tags.attributes
    of_deals = (given.name == ATTRIBUTE["ten"]) & (tags.names[given.tag] == NAME["INIT"])
    points = tags.values(np.flatnonzero(of_deals & (tags.game[tags.rows[given.tag]] == game)))
    acts = (letters != NOT_PLAY) & (letters % SEATS == SEATS - 1)
    return bool(acts.any()) or not all(each.endswith(",0") for each in points)


def by_nobody(tags: Tags, players: npt.NDArray[np.int8]) -> Ints:
    """Return the draws and discards of seats that do not exist; ``players`` int8[games]."""
    if (players == SEATS).all():
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero((tags.letter != NOT_PLAY) & (tags.letter % SEATS >= players[tags.game]))


def judged(lists: Lists, field: npt.NDArray[np.int8], whole: Bools, fits: Bools) -> tuple[Bools, Bools]:
    """Judge lists of logs of three players, and return which can be used, and which have a fault, bool[n] each.

    ``field`` are the numbers of their fields, ``whole`` says which have nothing but whole numbers, and ``fits`` which
    fit as those of four players. A list with a number of seat 3 has a fault, but the others can be used.
    """
    first, last = lists.number(), lists.start + lists.count - 1
    of_nobody = fits & (fields.IS_SEAT[field] & (first == SEATS - 1))
    hand = fields.LAST_HAND[field]
    usable = np.where(hand, whole & (lists.count == 0), fits & ~of_nobody)
    faulty = ~usable
    faulty |= usable & fields.ROUND_NUMBER[field] & (first % SEATS == SEATS - 1)
    # With chips a list has sixteen numbers; where those of seat 3 stand is not known.
    numbers = np.where(usable & (lists.count <= 2 * SEATS), fields.OF_LAST_SEAT[field], 0)
    for place in range(2):
        rows = np.flatnonzero(numbers > place)
        faulty[rows] |= lists.flat[last[rows] - place] != 0
    return usable, faulty


def expected(field: int) -> str:
    """Return the text for messages that says what a field holds in a log of three players."""
    _, attribute, numbers = FIELDS[field]
    if fields.LAST_HAND[field]:
        return NO_TILES
    if fields.IS_SEAT[field]:
        return f"seat 0, 1 or 2: {WHO_PLAYS}"
    if fields.ROUND_NUMBER[field]:
        return f"{numbers}, the first none of 3, 7, 11, 15: {WHO_PLAYS}"
    zeros = {0: "", 1: f", the last 0: {WHO_PLAYS}", 2: f", the last two 0: {WHO_PLAYS}"}
    return f"{'8 numbers' if attribute == 'sc' else numbers}{zeros[int(fields.OF_LAST_SEAT[field])]}"

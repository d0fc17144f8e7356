"""Records → hints: what they state beside the play (FORMAT.md section 4.1).

These are the waits and the marks of furiten that players are shown, the number of tiles left, scores and sticks after
a stick was paid, and what a win says a second time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.log import tables
from auditor.log.arrays import where_known
from auditor.log.columns import RANGES, SEATS
from auditor.log.tile_ids import BIT
from auditor.readers.mahjong_soul.fields import NO_TILE, nth_of
from auditor.readers.mahjong_soul.records import ABORT, CALL, DEAL, DISCARD, DRAWN, NEW_ROUND, WIN

if TYPE_CHECKING:
    import numpy.typing as npt
    import polars as pl

    from auditor.readers.mahjong_soul.fields import Messages
    from auditor.readers.mahjong_soul.records import Records

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_MARKED = (DEAL, DISCARD, CALL)
"""The records that have marks of furiten."""


class _Columns:
    """Values by record and seat. ``players`` int64[n] is the number of players at each record's table."""

    def __init__(self, records: Records, players: Ints) -> None:
        self.records, self.players = records, players
        self.values: dict[str, list[tuple[Ints, Ints]]] = {name: [] for name in tables.HINTS}

    def state(self, name: str, rows: Ints, seat: Ints, values: Ints, known: Bools) -> None:
        """Enter values of a column; those of seats that nobody has are left out."""
        known = known & (seat >= 0) & (seat < self.players[rows])
        self.values[name].append((rows[known] * SEATS + seat[known], values[known]))

    def frame(self) -> pl.DataFrame:
        """Return the table."""
        entered = [place for values in self.values.values() for place, _ in values]
        places = np.unique(np.concatenate([*entered, np.zeros(0, dtype=np.int64)]))
        row = places // SEATS
        columns = {
            "game": self.records.game[row], "event": self.records.number[row], "seat": places % SEATS,
        }  # fmt: skip
        for name in tables.HINTS:
            if name in columns:
                continue
            found, known = np.zeros(len(places), dtype=np.int64), np.zeros(len(places), dtype=bool)
            for place, value in self.values[name]:
                at = np.searchsorted(places, place)
                found[at], known[at] = value, True
            bounds = RANGES["hints"][name]
            columns[name] = where_known(np.clip(found, bounds.low, bounds.high), known)
        return tables.conform(columns, tables.HINTS)


def read(records: Records, players: npt.NDArray[np.int8], asked: Ints) -> pl.DataFrame:
    """Return the table of hints.

    ``players`` int8[games] is the number of players of each game. ``asked`` int64[n] is, for each record, the mask of
    seats whose offers it states (offers.py).
    """
    columns = _Columns(records, players[records.game].astype(np.int64))
    _waits(columns)
    _besides(columns)
    _waits_at_draws(columns)
    _furiten(columns)
    _left(columns)
    _sticks(columns)
    rows = np.flatnonzero(asked)
    columns.state("asked", rows, _actor(records, rows), asked[rows], np.ones(len(rows), dtype=bool))
    return columns.frame()


def _actor(records: Records, rows: Ints) -> Ints:
    """Return the seat that acts in each record; at the start of a round this is the dealer."""
    first, starts = records.of(NEW_ROUND)
    dealer = np.zeros(len(records.game), dtype=np.int64)
    dealer[first] = starts.numbers("ju")
    return np.where(records.kind[rows] == NEW_ROUND, dealer[rows], records.seat_of(rows))


def _masks(owner: Ints, tile: npt.NDArray[np.int16], count: int) -> Ints:
    """Return the kinds of each list of tiles as a mask, int64[count]."""
    found = np.zeros(count, dtype=np.int64)
    np.bitwise_or.at(found, owner, BIT[np.where(tile == NO_TILE, 0, tile)])
    return found


def _waits(columns: _Columns) -> None:
    """Enter the waits after discards.

    A discard without waits is one of a hand that is not tenpai; but in a game without any waits they are not stated.
    """
    records = columns.records
    rows, messages = records.of(DISCARD)
    owner, listed = messages.parts("tingpais")
    tile = listed.tiles("tile")
    game = records.game[rows]
    known = np.isin(game, game[owner])
    known[owner[tile == NO_TILE]] = False
    columns.state("waits", rows, messages.numbers("seat"), _masks(owner, tile, messages.count), known)


def _waits_at_draws(columns: _Columns) -> None:
    """Enter the waits of the hands that are tenpai when the wall ends; in a game without any they are not stated."""
    records = columns.records
    rows, messages = records.of(DRAWN)
    owner, shown = messages.parts("players")
    of_seat, listed = shown.parts("tings")
    tile = listed.tiles("tile")
    known = shown.numbers("tingpai") != 0
    game = records.game[rows[owner]]
    known &= np.isin(game, game[of_seat])
    known[of_seat[tile == NO_TILE]] = False
    columns.state("waits", rows[owner], nth_of(owner), _masks(of_seat, tile, shown.count), known)


def _furiten(columns: _Columns) -> None:
    """Enter the marks of furiten, where there is one for each player."""
    for kind in _MARKED:
        rows, messages = columns.records.of(kind)
        owner, mark = messages.number_lists("zhenting")
        nth = nth_of(owner)
        marks = np.zeros(messages.count, dtype=np.int64)
        np.bitwise_or.at(marks, owner, (mark != 0).astype(np.int64) << np.minimum(nth, SEATS - 1))
        whole = np.bincount(owner, minlength=messages.count) == columns.players[rows]
        columns.state("furiten", rows, messages.numbers("seat"), marks, whole)


def _left(columns: _Columns) -> None:
    """Enter the number of tiles left. That of the last draw is 0, which is left out: games have it or do not."""
    records = columns.records
    rows, messages = records.of(DEAL)
    game = records.game[rows]
    known = np.isin(game, game[messages.has("left_tile_count")])
    columns.state("left", rows, messages.numbers("seat"), messages.numbers("left_tile_count"), known)
    rows, messages = records.of(NEW_ROUND)
    columns.state("left", rows, messages.numbers("ju"), messages.numbers("left_tile_count"),
                  messages.has("left_tile_count"))  # fmt: skip


def _sticks(columns: _Columns) -> None:
    """Enter the score of a seat that has paid a stick, and the sticks on the table.

    A score of 0 is left out, like every default: it is told by the number of sticks, which is never 0.
    """
    for kind in (DEAL, CALL, ABORT):
        rows, messages = columns.records.of(kind)
        owner, paid = messages.parts("liqi")
        known = (paid.numbers("failed") == 0) & paid.has("liqibang")
        columns.state("points", rows[owner], paid.numbers("seat"), _signed(paid, "score"), known)
        columns.state("sticks", rows[owner], paid.numbers("seat"), paid.numbers("liqibang"), known)


def _besides(columns: _Columns) -> None:
    """Enter what wins state besides their claims: worth, sums, marks, and the scores after them."""
    records = columns.records
    rows, wins = records.of(WIN)
    owner, hules = wins.parts("hules")
    seat, every = hules.numbers("seat"), np.ones(hules.count, dtype=bool)
    for name, field in (("worth", "dadian"), ("won", "point_sum")):
        columns.state(name, rows[owner], seat, hules.numbers(field), hules.has(field))
    for name, field in (("dealer", "qinjia"), ("riichi", "liqi")):
        columns.state(name, rows[owner], seat, (hules.numbers(field) != 0).astype(np.int64), every)
    of_score, score = wins.number_lists("scores")
    whole = (np.bincount(of_score, minlength=wins.count) == columns.players[rows])[of_score]
    columns.state("points", rows[of_score], nth_of(of_score), score, whole)


def _signed(messages: Messages, name: str) -> Ints:
    """Return a number that can be below zero."""
    return messages.numbers(name).astype(np.int32).astype(np.int64)

"""Records → offers: what the server lets each player do (FORMAT.md section 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log import tables
from auditor.log.columns import OFFERS, SEATS
from auditor.log.tile_ids import KIND, RED
from auditor.readers.mahjong_soul.fields import NO_TILE, tiles_at
from auditor.readers.mahjong_soul.records import CALL, DEAL, DISCARD, KAN, KITA, NEW_ROUND, Fault

if TYPE_CHECKING:
    import numpy.typing as npt
    import polars as pl

    from auditor.readers.mahjong_soul.fields import Messages
    from auditor.readers.mahjong_soul.records import Records

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_OWN = (NEW_ROUND, DEAL, CALL)
"""Records after which the seat that acts goes on; they have a list of its offers, which may be empty."""
_OF_OTHERS = (DISCARD, KAN, KITA)
"""Records after which other seats may act; they have the lists that are not empty."""
_MOST_TILES = 4
_WIDTH = 3
"""How far the tiles of a choice are apart: ``7m|9m``."""


class Offers(NamedTuple):
    """The table of offers; ``asked`` int64[n], the seats whose offers each record states, as a mask; and faults."""

    table: pl.DataFrame
    asked: Ints
    faults: list[Fault]


class _Parts(NamedTuple):
    """Offers by ``row`` of record, ``seat``, ``kind``, and choices as masks ``kinds`` and ``reds``, int64[m] each."""

    row: Ints
    seat: Ints
    kind: Ints
    kinds: Ints
    reds: Ints


def read(records: Records, players: npt.NDArray[np.int8]) -> Offers:
    """Return what the records offer; ``players`` int8[games] is the number of players of each game."""
    asked = np.zeros(len(records.game), dtype=np.int64)
    faults: list[Fault] = []
    parts, broken = [], [np.zeros(0, dtype=np.int64)]
    for kind in (*_OWN, *_OF_OTHERS):
        rows, messages = records.of(kind)
        owner, listed = messages.parts("operation" if kind in _OWN else "operations")
        row = rows[owner]
        seat = listed.numbers("seat")
        seated = (seat >= 0) & (seat < players[records.game[row]])
        np.bitwise_or.at(asked, row[seated], np.int64(1) << seat[seated])
        part, unread = _listed(listed, row, seat, seated)
        parts.append(part)
        broken.append(unread)
        faults += [
            Fault(int(records.game[at]), int(records.number[at]), "L003", "an offer whose tiles cannot be read",
                  "tiles with bars between them: 7m|9m")
            for at in np.unique(unread).tolist()
        ]  # fmt: skip
    _others(records, asked)
    asked[np.concatenate(broken)] = 0
    found = _Parts(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    stated = asked[found.row] >> found.seat & 1 == 1
    return Offers(_table(records, _Parts(*(column[stated] for column in found))), asked, faults)


def _others(records: Records, asked: Ints) -> None:
    """Add the seats that are offered nothing after the action of another.

    Nothing says so but the list that is missing. So a seat counts only if it has such a list elsewhere in the game: the
    computer's seats may have none.
    """
    shared = np.isin(records.kind, _OF_OTHERS) & (records.round >= 0)
    some = np.zeros(len(records.documents), dtype=np.int64)
    np.bitwise_or.at(some, records.game[shared], asked[shared])
    rows = np.flatnonzero(shared)
    seat = records.seat_of(rows)
    asked[rows] = some[records.game[rows]] & ~np.where(seat >= 0, np.int64(1) << np.clip(seat, 0, 62), 0)


def _listed(listed: Messages, row: Ints, seat: Ints, seated: Bools) -> tuple[_Parts, Ints]:
    """Return the offers of lists, and the rows of those that cannot be read; one entry of ``row`` and others a list."""
    of_list, offers = listed.parts("operation_list")
    kind = offers.numbers("type") - 1
    known = (kind >= 0) & (kind < len(OFFERS)) & seated[of_list]
    owner, plain, red, unread = _choices(offers)
    kinds, reds = np.zeros((2, offers.count), dtype=np.int64)
    np.bitwise_or.at(kinds, owner, plain)
    np.bitwise_or.at(reds, owner, red)
    part = _Parts(*(each[known] for each in (row[of_list], seat[of_list], kind, kinds, reds)))
    return part, row[of_list[unread[known[unread]]]]


def _choices(offers: Messages) -> tuple[Ints, Ints, Ints, Ints]:
    """Return the choices of offers: owner, and its lowest kind as a mask of choices without and with a red five.

    Also return the offers with a choice that cannot be read.
    """
    owner, at, length = offers.entries("combination")
    count = (length + 1) // _WIDTH
    good = (length == count * _WIDTH - 1) & (count >= 1) & (count <= _MOST_TILES)
    lowest, red = np.full(len(owner), 255, dtype=np.uint8), np.zeros(len(owner), dtype=bool)
    for nth in range(_MOST_TILES):
        some = np.flatnonzero(good & (count > nth))
        tile = tiles_at(offers.data, at[some] + _WIDTH * nth)
        good[some[tile == NO_TILE]] = False
        tile = np.where(tile == NO_TILE, 0, tile)
        lowest[some] = np.minimum(lowest[some], KIND[tile])
        red[some] |= RED[tile] != 0
    bit = np.where(good, np.int64(1) << np.minimum(lowest, 62).astype(np.int64), 0)
    return owner, np.where(red, 0, bit), np.where(red, bit, 0), owner[~good]


def _table(records: Records, parts: _Parts) -> pl.DataFrame:
    """Return the table: an offer that is made twice is one, with the choices of both."""
    place = (parts.row * SEATS + parts.seat) * len(OFFERS) + parts.kind
    different, which = np.unique(place, return_inverse=True)
    kinds, reds = np.zeros((2, len(different)), dtype=np.int64)
    np.bitwise_or.at(kinds, which, parts.kinds)
    np.bitwise_or.at(reds, which, parts.reds)
    row = different // len(OFFERS) // SEATS
    frame = {
        "game": records.game[row], "event": records.number[row], "seat": different // len(OFFERS) % SEATS,
        "kind": different % len(OFFERS), "kinds": kinds, "reds": reds,
    }  # fmt: skip
    return tables.conform(frame, tables.OFFERS)

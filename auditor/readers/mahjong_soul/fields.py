"""Messages of one kind as columns: the values of a field of thousands of messages at once."""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.tile_ids import BY_LETTERS
from auditor.readers.mahjong_soul.schema import MESSAGES
from auditor.readers.mahjong_soul.wire import LENGTH, TYPE_BITS, VARINT, packed, scan, tag_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mahjong_soul.schema import Field

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Bytes = npt.NDArray[np.uint8]

NO_TILE = -1
_LARGEST = 1 << 9
"""No field here has a tag as large as this."""

TILES = BY_LETTERS
TILE_OF: npt.NDArray[np.int16] = np.full(1 << 16, NO_TILE, dtype=np.int16)
"""The tile id of each tile by its two letters as a number, the first one lower."""
for _name, _tile in TILES.items():
    TILE_OF[ord(_name[0]) | ord(_name[1]) << 8] = _tile


def tiles_at(data: Bytes, at: Ints) -> npt.NDArray[np.int16]:
    """Return the tile whose two letters lie at each place, int16[n]; NO_TILE if they are none."""
    # Two reads of a byte take half as long as one of two bytes that are not aligned.
    found: npt.NDArray[np.int16] = TILE_OF[data[at] | data[at + 1].astype(np.intp) << 8]
    return found


def _where_two(length: Ints, tile: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
    """Return tiles, NO_TILE where their text has not two letters; it changes ``tile``."""
    tile[length != 2] = NO_TILE
    return tile


class Messages:
    """Messages of one kind: ``name`` in the schema; ``start`` and ``end`` int64[n] are their places in ``data``."""

    def __init__(self, name: str, data: Bytes, start: Ints, end: Ints) -> None:
        self.name, self.data, self.count = name, data, len(start)
        self.scan = scan(data, start, end)
        self._fields = MESSAGES[name]
        self._numbers: dict[str, Ints] = {}
        self._tiles: dict[str, npt.NDArray[np.int16]] = {}

    @cached_property
    def unfit(self) -> tuple[Ints, Ints]:
        """The fields that are unknown or of another type: owner and number, int64[m] each."""
        rows = np.flatnonzero(~_fitting(self.name)[np.minimum(self.scan.tag, _LARGEST)])
        return self.scan.owner[rows], (self.scan.tag[rows] >> TYPE_BITS).astype(np.int64)

    def rows(self, name: str, wire: int | None = None) -> Ints:
        """Return the rows of the scan that have a field, with a wire type."""
        field = self._fields[name]
        return self.scan.rows(field.number, _wire(field) if wire is None else wire)

    def numbers(self, name: str) -> Ints:
        """Return a number or truth value, int64[n], 0 where it is left out; the array is not to be changed."""
        if name not in self._numbers:
            rows = self.rows(name)
            found = np.zeros(self.count, dtype=np.int64)
            found[self.scan.owner[rows]] = self.scan.value[rows]
            self._numbers[name] = found
        return self._numbers[name]

    def has(self, name: str) -> Bools:
        """Return which messages have a field, bool[n]."""
        found = np.zeros(self.count, dtype=bool)
        found[self.scan.owner[self.rows(name)]] = True
        return found

    def spans(self, name: str) -> tuple[Ints, Ints]:
        """Return place and length of a text, int64[n] each; the length is -1 where it is left out."""
        rows = self.rows(name)
        at, length = np.zeros(self.count, dtype=np.int64), np.full(self.count, -1, dtype=np.int64)
        at[self.scan.owner[rows]], length[self.scan.owner[rows]] = self.scan.at[rows], self.scan.value[rows]
        return at, length

    def texts(self, name: str) -> list[str]:
        """Return a text of each message; empty where it is left out."""
        return [
            self.data[at : at + length].tobytes().decode("utf-8", "replace") if length > 0 else ""
            for at, length in zip(*(each.tolist() for each in self.spans(name)), strict=True)
        ]

    def tiles(self, name: str) -> npt.NDArray[np.int16]:
        """Return a tile, int16[n], NO_TILE where it is left out or is none; the array is not to be changed."""
        if name not in self._tiles:
            at, length = self.spans(name)
            self._tiles[name] = _where_two(length, tiles_at(self.data, at))
        return self._tiles[name]

    def entries(self, name: str) -> tuple[Ints, Ints, Ints]:
        """Return the entries of a list of texts or messages: owner, place and length, int64[m] each, by owner."""
        rows = self.rows(name, LENGTH)
        owner = self.scan.owner[rows]
        order = np.argsort(owner, kind="stable")
        return owner[order], self.scan.at[rows][order], self.scan.value[rows][order]

    def tile_lists(self, name: str) -> tuple[Ints, npt.NDArray[np.int16]]:
        """Return the entries of a list of tiles: owner int64[m] and tile int16[m], by owner."""
        owner, at, length = self.entries(name)
        return owner, _where_two(length, tiles_at(self.data, at))

    def number_lists(self, name: str) -> tuple[Ints, Ints]:
        """Return the entries of a list of numbers, packed or not: owner and number, int64[m] each, by owner."""
        owner, at, length = self.entries(name)
        row, value = packed(self.data, at, length)
        owner = owner[row]
        loose = self.rows(name, VARINT)
        if not len(loose):
            return owner, value
        owner, value = np.append(owner, self.scan.owner[loose]), np.append(value, self.scan.value[loose])
        order = np.argsort(owner, kind="stable")
        return owner[order], value[order]

    def parts(self, name: str) -> tuple[Ints, Messages]:
        """Return the messages within a field: owner int64[m], by owner, and the messages."""
        owner, at, length = self.entries(name)
        return owner, Messages(self._fields[name].kind, self.data, at, at + length)


def _wire(field: Field) -> int:
    """Return the wire type of a field."""
    return VARINT if field.kind in ("uint32", "int32", "bool") else LENGTH


@cache
def _fitting(message: str) -> Bools:
    """Return which tags a message can have, bool[_LARGEST + 1]: a list of numbers may be packed."""
    found = np.zeros(_LARGEST + 1, dtype=bool)
    for field in MESSAGES[message].values():
        for wire in {_wire(field), LENGTH if field.repeated else _wire(field)}:
            found[tag_of(field.number, wire)] = True
    return found


def nth_of(owner: Ints) -> Ints:
    """Return the number of each entry within its owner's list, from 0; ``owner`` int64[m] ascends."""
    place = np.arange(len(owner))
    first = place.copy()
    first[1:][owner[1:] == owner[:-1]] = 0
    found: Ints = place - np.maximum.accumulate(first)
    return found


def by_place(owner: Ints, value: Ints, count: int, width: int) -> tuple[Ints, Ints]:
    """Return lists as an array [count, width], 0 where a list is shorter, and the lists' lengths, int64[count]."""
    found = np.zeros((count, width), dtype=np.int64)
    nth = nth_of(owner)
    kept = nth < width
    found[owner[kept], nth[kept]] = value[kept]
    return found, np.bincount(owner, minlength=count)

"""Entries of the lists of takes and discards → kinds, seats and tiles (auditor/readers/tenhou_json/FORMAT.md 4).

A batch has many entries and few different ones. So each different entry is read once, and the lists become numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from auditor.log.event_kinds import CODE
from auditor.log.tile_ids import NONE, PHYSICAL
from auditor.readers.json_text import printable, shown

if TYPE_CHECKING:
    import numpy.typing as npt

UNREAD, NOTHING = 255, 254
"""In place of an event's kind: there is no entry or it cannot be read; the 0 in the discards after a daiminkan."""
TSUMOGIRI = 60
_NUMBERS = [10 * suit + rank for suit in (1, 2, 3) for rank in range(1, 10)] + [*range(41, 48), 51, 52, 53]
TILE_ID = {number: PHYSICAL + tile for tile, number in enumerate(_NUMBERS)}
"""The tile id of each number: 11 to 19, 21 to 29, 31 to 39, 41 to 47, and the red fives 51, 52, 53."""

_CALL = re.compile(r"((?:[0-9]{2})*)([cpmkaf])((?:[0-9]{2})+)")
_LEFT, _ACROSS, _RIGHT = 3, 2, 1
_FEEDERS = {"c": {0: _LEFT}, "p": {0: _LEFT, 2: _ACROSS, 4: _RIGHT}, "m": {0: _LEFT, 2: _ACROSS, 6: _RIGHT}}
"""By the letter and its place in the text: the feeder's seat relative to the caller, in a table of four seats."""
_KINDS = {"c": "chi", "p": "pon", "m": "daiminkan", "k": "kakan", "a": "ankan", "f": "kita"}
_SIZES = {"c": 3, "p": 3, "m": 4, "k": 4, "a": 4, "f": 1}
_PLACES = {"k": (0, 2, 4), "a": (6,), "f": (0,)}


class Entry(NamedTuple):
    """What an entry says: the event's kind, the feeder relative to the caller (0 for none), marks, and the tiles.

    ``tiles`` has the tile drawn, discarded, called or added first. A tsumogiri has no tile: it is the one just drawn.
    """

    kind: int
    feeder: int = 0
    riichi: bool = False
    tsumogiri: bool = False
    tiles: tuple[int, ...] = ()


_UNREAD = Entry(UNREAD)


class Entries(dict[Any, int]):
    """The number of each different entry of one kind of list; an entry that is looked up first gets the next number."""

    def __init__(self, *, takes: bool) -> None:
        super().__init__()
        self._takes = takes
        self.listed: list[Entry] = []
        self.texts: list[str] = []
        # Python's true and false are equal to 1 and 0. They must not be read in place of these, but after them.
        for number in (0, 1):
            self[number]

    def __missing__(self, entry: Any) -> int:  # noqa: ANN401 - whatever JSON can hold
        """Read a new entry."""
        self[entry] = len(self.listed)
        self.listed.append(_take(entry) if self._takes else _discard(entry))
        self.texts.append(printable(str(entry)))
        return self[entry]

    def numbers(self, entries: list[Any]) -> npt.NDArray[np.int32]:
        """Return the number of each entry, int32[n]."""
        try:
            return np.fromiter(map(self.__getitem__, entries), dtype=np.int32, count=len(entries))
        except TypeError:  # a list or an object among them
            return self.numbers([each if isinstance(each, int | str) else shown(each) for each in entries])

    def table(self) -> Table:
        """Return all entries as arrays."""
        return Table.of(self.listed)


class Table(NamedTuple):
    """Different entries as arrays [n + 1]; the last one stands for no entry. ``tile_ids`` int16[n + 1, 4] is padded."""

    kind: npt.NDArray[np.uint8]
    feeder: npt.NDArray[np.int8]
    riichi: npt.NDArray[np.bool_]
    tsumogiri: npt.NDArray[np.bool_]
    tile_ids: npt.NDArray[np.int16]

    @classmethod
    def of(cls, entries: list[Entry]) -> Table:
        """Return entries as arrays."""
        listed = [*entries, _UNREAD]
        tile_ids = np.full((len(listed), 4), NONE, dtype=np.int16)
        for row, entry in enumerate(listed):
            tile_ids[row, : len(entry.tiles)] = entry.tiles
        return cls(
            np.array([each.kind for each in listed], dtype=np.uint8),
            np.array([each.feeder for each in listed], dtype=np.int8),
            np.array([each.riichi for each in listed], dtype=bool),
            np.array([each.tsumogiri for each in listed], dtype=bool),
            tile_ids,
        )


def _number(entry: object) -> int | None:
    """Return a whole number, whether the file has it as number or text; None if it is none."""
    if isinstance(entry, str):
        return int(entry) if entry.isascii() and entry.isdecimal() and len(entry) < 4 else None
    return entry if type(entry) is int else None


def _take(entry: object) -> Entry:
    """Read an entry of the takes: a drawn tile, chi, pon or daiminkan."""
    number = _number(entry)
    if number is not None:
        return Entry(CODE["draw"], tiles=(TILE_ID[number],)) if number in TILE_ID else _UNREAD
    return _call(entry, "cpm") if isinstance(entry, str) else _UNREAD


def _discard(entry: object) -> Entry:
    """Read an entry of the discards: a discard, with or without riichi, kakan, ankan, kita, or the 0 of a daiminkan."""
    if isinstance(entry, str) and entry.startswith("r"):
        read = _discard(entry[1:])
        return read._replace(riichi=True) if read.kind == CODE["discard"] and not read.riichi else _UNREAD
    number = _number(entry)
    if number == 0:
        return Entry(NOTHING)
    if number == TSUMOGIRI:
        return Entry(CODE["discard"], tsumogiri=True)
    if number is not None:
        return Entry(CODE["discard"], tiles=(TILE_ID[number],)) if number in TILE_ID else _UNREAD
    return _call(entry, "kaf") if isinstance(entry, str) else _UNREAD


def _call(text: str, letters: str) -> Entry:
    """Read a call: the letter stands before the called or added tile, and its place names the feeder."""
    match = _CALL.fullmatch(text)
    if match is None or match[2] not in letters:
        return _UNREAD
    before, letter, after = match.groups()
    digits = after + before  # the called tile first
    tiles = [TILE_ID.get(int(digits[at : at + 2]), NONE) for at in range(0, len(digits), 2)]
    places = _FEEDERS[letter] if letter in _FEEDERS else _PLACES[letter]
    if NONE in tiles or len(tiles) != _SIZES[letter] or len(before) not in places:
        return _UNREAD
    feeder = _FEEDERS[letter][len(before)] if letter in _FEEDERS else 0
    return Entry(CODE[_KINDS[letter]], feeder, tiles=tuple(tiles))

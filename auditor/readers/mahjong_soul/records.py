"""Documents → records: each message of a game's play with its kind, its game and its number (FORMAT.md section 4)."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.readers.mahjong_soul import wire
from auditor.readers.mahjong_soul.fields import Messages
from auditor.readers.mahjong_soul.schema import EVENT_MODES, MESSAGES, PREFIX, RECORD, RECORDS, ROUND_MODES

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mahjong_soul.containers import Document

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

NO_ROUND = -1
OTHER = len(RECORDS)
"""The kind of a message that is no record of the schema."""
KIND = {name: kind for kind, name in enumerate(RECORDS)}
NEW_ROUND, DEAL, DISCARD, CALL, KAN, KITA, WIN, DRAWN, ABORT = range(len(RECORDS))
"""The kinds of records, in the schema's order."""

_RECORDS, _ACTIONS = MESSAGES["GameDetailRecords"]["records"].number, MESSAGES["GameDetailRecords"]["actions"].number
_RESULT = MESSAGES["GameAction"]["result"].number
_WRAPPER = [wire.tag_of(MESSAGES["Wrapper"][name].number, wire.LENGTH) for name in ("name", "data")]
_ACTION = [
    *(wire.tag_of(MESSAGES["GameAction"][name].number, wire.VARINT) for name in ("passed", "type")),
    *(wire.tag_of(MESSAGES["GameAction"][name].number, wire.LENGTH) for name in ("result", "user_input")),
]
"""The tags of most actions."""


_LETTER = len(PREFIX + RECORD)
_LONGEST = 31
_DOT = len(PREFIX)
_BY_NAME = np.full((_LONGEST + 1, 256), OTHER, dtype=np.int8)
"""The kind that a name can be, by its size and its first letter behind ``.lq.Record``."""
for _name, _code in KIND.items():
    _BY_NAME[len(PREFIX + _name), ord(_name[len(RECORD)])] = _code
_NAMES = [*(f"{PREFIX}{name}".encode() for name in RECORDS), b""]


def _word(text: bytes, offset: int) -> int:
    return int.from_bytes(text[offset : offset + wire.WORD], "little")


_WORDS = [
    (
        offset,
        np.array([_word(name, offset) for name in _NAMES], dtype=np.uint64),
        np.array([_word(b"\xff" * len(name), offset) for name in _NAMES], dtype=np.uint64),
    )
    for offset in range(_DOT, max(map(len, _NAMES)), wire.WORD)
]
"""The names of all kinds behind ``.lq.``, eight bytes at a time: where they stand, the bytes, and masks of those."""


class Fault(NamedTuple):
    """What is wrong with a game or one of its records; ``number`` is 0 for the game as a whole."""

    game: int
    number: int
    code: str
    recorded: str
    expected: str
    play: bool = False
    rest: bool = False


class Records:
    """All records of a batch, by game and number.

    ``game`` and ``number`` int64[n]: its document, and its number there, from 1. ``kind`` int8[n] is its place in
    RECORDS, or OTHER. ``start`` and ``end`` int64[n] are its places in ``data``. ``round`` int64[n] is its round,
    NO_ROUND before the first. ``faults`` is what cannot be read. ``modes`` names, by game, the event mode that makes it
    no riichi.
    """

    def __init__(self, documents: list[Document]) -> None:
        self.documents = documents
        self.faults: list[Fault] = []
        self.modes: dict[int, str] = {}
        self.data, start, end = wire.buffer([each.details for each in documents])
        self._begin = start
        wrapper_game, wrapper_start, wrapper_end = self._wrappers(start, end)
        self.game = wrapper_game
        first = np.searchsorted(self.game, np.arange(len(documents)))
        self.number = 1 + np.arange(len(self.game)) - first[self.game]
        self.kind, self.start, self.end = self._unwrapped(wrapper_start, wrapper_end)
        self.round = self._rounds()
        self._of: dict[int, tuple[Ints, Messages]] = {}

    def of(self, kind: int) -> tuple[Ints, Messages]:
        """Return the records of a kind: their rows int64[k], and the messages."""
        if kind not in self._of:
            rows = np.flatnonzero((self.kind == kind) & (self.round != NO_ROUND))
            self._of[kind] = rows, Messages(RECORDS[kind], self.data, self.start[rows], self.end[rows])
        return self._of[kind]

    @cached_property
    def _seats(self) -> Ints:
        """The seat that acts in each record that plays a tile, int64[n]; -1 in others."""
        found = np.full(len(self.game), -1, dtype=np.int64)
        for kind in (DEAL, DISCARD, CALL, KAN, KITA):
            rows, messages = self.of(kind)
            found[rows] = messages.numbers("seat")
        return found

    def seat_of(self, rows: Ints) -> Ints:
        """Return the seats that act in these records, int64[n]; -1 where none does."""
        return self._seats[rows] if len(self._seats) else np.zeros(0, dtype=np.int64)

    def leave_out(self, games: set[int]) -> None:
        """Read no play of these games."""
        if games:
            self.round[np.isin(self.game, list(games))] = NO_ROUND
            self._renumber()

    def unfit(self) -> list[Fault]:
        """Return the unknown fields, each once a game, and those of another type."""
        found, seen = [], set()
        for kind in range(OTHER):
            rows, messages = self.of(kind)
            for at in np.flatnonzero(messages.scan.broken >= 0).tolist():
                row = rows[at]
                found.append(Fault(int(self.game[row]), int(self.number[row]), "L003",
                                   f"{RECORDS[kind]} that breaks off", "a whole record", play=True))  # fmt: skip
            for owner, number in zip(*(each.tolist() for each in messages.unfit), strict=True):
                row = rows[owner]
                key = (int(self.game[row]), kind, number)
                if key not in seen:
                    seen.add(key)
                    found.append(Fault(key[0], int(self.number[row]), "L003", f"field {number} of {RECORDS[kind]}",
                                       "a field that is known; it is passed over"))  # fmt: skip
        return found

    def _wrappers(self, start: Ints, end: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the wrappers of records: game, start and end, int64[n] each, in the order of the files."""
        listed = wire.chained(self.data, start, end, (_RECORDS, _ACTIONS))
        for game in np.flatnonzero(listed.broken >= 0).tolist():
            at, size = int(listed.broken[game] - start[game]), int(end[game] - start[game])
            self.faults.append(
                Fault(game, 0, "L002", f"records that break off at byte {at} of {size}", "whole records", rest=True)
            )
        of_action = listed.number == _ACTIONS
        actions = np.flatnonzero(of_action)
        (_, _, (begins, size), _), whole = wire.in_order(self.data, listed.start[actions], listed.end[actions], _ACTION)
        usual, others = np.flatnonzero(whole & (size >= 0)), actions[~whole]
        scanned = wire.scan(self.data, listed.start[others], listed.end[others])
        for at in np.flatnonzero(scanned.broken >= 0).tolist():
            game = int(listed.owner[others[at]])
            recorded = f"an action at byte {int(listed.start[others[at]] - start[game])} that breaks off"
            self.faults.append(Fault(game, 0, "L003", recorded, "a whole action", play=True))
        results = scanned.rows(_RESULT, wire.LENGTH)
        plain = np.flatnonzero(listed.number == _RECORDS)
        # All in one order: that of the bytes.
        row = np.concatenate([plain, actions[usual], others[scanned.owner[results]]])
        owner = listed.owner[row]
        begin = np.concatenate([listed.start[plain], begins[usual], scanned.at[results]])
        length = np.concatenate([listed.end[plain] - listed.start[plain], size[usual], scanned.value[results]])
        stop = begin + length
        if len(plain) + len(results) == 0:
            return owner, begin, stop
        order = np.argsort(begin, kind="stable")
        return owner[order], begin[order], stop[order]

    def _unwrapped(self, start: Ints, end: Ints) -> tuple[npt.NDArray[np.int8], Ints, Ints]:
        """Return kind, start and end of the records within wrappers."""
        blocks = [slice(first, first + wire.BLOCK) for first in range(0, max(len(start), 1), wire.BLOCK)]
        parts = [self._records(start[each], end[each], each.start) for each in blocks]
        kind, at, stop, unknown, name_at, name_size = (np.concatenate(column) for column in zip(*parts, strict=True))
        self._others(unknown, name_at, name_size)
        return kind, at, stop

    def _records(self, start: Ints, end: Ints, first: int) -> tuple[npt.NDArray[np.int8], Ints, Ints, Ints, Ints, Ints]:
        """Return kind, start and end of the records within some wrappers, of which ``first`` is the first one's row.

        Also return the rows of records with unknown names, and places and sizes of these names.
        """
        found, whole = wire.in_order(self.data, start, end, _WRAPPER)
        found = np.where(found < 0, 0, found)
        others = np.flatnonzero(~whole)
        found[:, :, others] = 0
        scanned = wire.scan(self.data, start[others], end[others])
        for tag, span in zip(_WRAPPER, found, strict=True):
            rows = np.flatnonzero(scanned.tag == tag)
            span[:, others[scanned.owner[rows]]] = scanned.at[rows], scanned.value[rows]
        (name_at, name_size), (at, size) = found
        kind = _BY_NAME[np.minimum(name_size, _LONGEST), self.data[name_at + _LETTER]]
        for offset, words, masks in _WORDS:
            kind[wire.words_at(self.data, name_at + offset) & masks[kind] != words[kind]] = OTHER
        broken = others[scanned.broken >= 0]
        for row in broken.tolist():
            self._fault(first + row, "a record that cannot be read", "a record", play=True)
        kind[broken] = OTHER
        unknown = np.setdiff1d(np.flatnonzero(kind == OTHER), broken)
        return kind, at, at + size, first + unknown, name_at[unknown], name_size[unknown]

    def _others(self, rows: Ints, at: Ints, size: Ints) -> None:
        """Report messages of other names: event modes, and unknown ones once a game."""
        seen = set()
        for row, place, length in zip(rows.tolist(), at.tolist(), size.tolist(), strict=True):
            name = self.data[place : place + length].tobytes().decode("utf-8", "replace").removeprefix(PREFIX)
            game = int(self.game[row])
            if (game, name) in seen:
                continue
            seen.add((game, name))
            if name in EVENT_MODES:
                self.modes.setdefault(game, f"{EVENT_MODES[name]} ({name})")
            elif name.startswith("Action"):
                self.modes.setdefault(game, f"messages of a game that is watched ({name}), which show one hand only")
            else:
                known = "a record that is known; it is passed over"
                self._fault(row, f"record {name[:60]}" if name else "a record without a name", known, play=True)

    def note_modes(self) -> None:
        """Note the games of which the start of a round has fields of event modes."""
        rows, messages = self.of(NEW_ROUND)
        owner, opened = messages.parts("opens")  # ordinary games list the seats too, without tiles
        places = {
            "opens": owner[opened.tile_lists("tiles")[0]],
            "field_spell": np.flatnonzero(messages.numbers("field_spell")),
        }
        for name, at in places.items():
            words = ROUND_MODES[name]
            for game in np.unique(self.game[rows[at]]).tolist():
                self.modes.setdefault(game, f"{words} ({name})")

    def _fault(self, row: int, recorded: str, expected: str, *, code: str = "L003", play: bool = False) -> None:
        self.faults.append(Fault(int(self.game[row]), int(self.number[row]), code, recorded, expected, play))

    def _renumber(self) -> None:
        """Count the rounds that are left from 0."""
        _, again = np.unique(self.round[self.round != NO_ROUND], return_inverse=True)
        self.round[self.round != NO_ROUND] = again
        self._of.clear()
        self.__dict__.pop("_seats", None)

    def _rounds(self) -> Ints:
        begins = self.kind == NEW_ROUND
        found = np.cumsum(begins) - 1
        first = np.full(len(self.documents) + 1, np.iinfo(np.int64).max)
        rows = np.flatnonzero(begins)
        np.minimum.at(first, self.game[rows], found[rows])
        early = found < first[self.game] if len(found) else np.zeros(0, dtype=bool)
        known = early & (self.kind != OTHER)
        for game, count in zip(
            *(each.tolist() for each in np.unique(self.game[known], return_counts=True)), strict=True
        ):
            self.faults.append(
                Fault(game, 0, "L004", f"play of {count} records", "the start of a round: RecordNewRound comes first")
            )
        return np.where(early, NO_ROUND, found)

"""A game in Tenhou's JSON that can be changed and written back, and what a fault needs to know of its rounds.

It shares no code with the auditor. Facts: auditor/readers/tenhou_json/FORMAT.md.
"""

from __future__ import annotations

import copy
import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

WIN = "和了"
FIVES = {51: 15, 52: 25, 53: 35}
TILES = [10 * suit + rank for suit in (1, 2, 3) for rank in range(1, 10)] + list(range(41, 48))


def kind(tile: int) -> int:
    """Return a tile's number without the red colour."""
    return FIVES.get(tile, tile)


def tiles_of(entry: Any) -> list[int]:
    """List the tiles that an entry of takes or discards names."""
    if isinstance(entry, int):
        return [entry] if entry not in (0, 60) else []
    bare = re.sub(r"r(60)?", "", entry)
    digits = re.sub(r"[a-z]", "", bare)
    return [int(digits[at : at + 2]) for at in range(0, len(digits), 2)]


@dataclass
class Round:
    """One round: its number in the game, and its list of 17."""

    nth: int
    value: list[Any]

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return int(self.value[0][0]) % 4

    @property
    def result(self) -> list[Any]:
        """The result."""
        return list.__getitem__(self.value, 16)

    @property
    def wins(self) -> list[tuple[list[int], list[Any]]]:
        """The changes and the detail of each win."""
        return list(zip(self.result[1::2], self.result[2::2], strict=True)) if self.result[0] == WIN else []

    @property
    def riichi(self) -> set[int]:
        """The seats that declare riichi."""
        return {seat for seat in range(4) for entry in self.discards(seat) if str(entry).startswith("r")}

    @property
    def kans(self) -> int:
        """How many kans there are."""
        entries = [entry for seat in range(4) for entry in (*self.takes(seat), *self.discards(seat))]
        return sum(isinstance(entry, str) and bool(re.search("[mak]", entry)) for entry in entries)

    def deal(self, seat: int) -> list[int]:
        """Return the tiles dealt to a seat."""
        return list.__getitem__(self.value, 4 + 3 * seat)

    def takes(self, seat: int) -> list[Any]:
        """Return the takes of a seat."""
        return list.__getitem__(self.value, 5 + 3 * seat)

    def discards(self, seat: int) -> list[Any]:
        """Return the discards of a seat."""
        return list.__getitem__(self.value, 6 + 3 * seat)

    def calls(self, letter: str) -> Iterator[tuple[int, list[Any], int]]:
        """Yield seat, list and place of each call or kan with this letter."""
        for seat in range(4):
            for entries in (self.takes(seat), self.discards(seat)):
                for place, entry in enumerate(entries):
                    if isinstance(entry, str) and letter in entry:
                        yield seat, entries, place

    def held(self, seat: int) -> set[int]:
        """Return all tiles that a seat has at some time."""
        found = set(self.deal(seat))
        for entry in (*self.takes(seat), *self.discards(seat)):
            found |= set(tiles_of(entry))
        return found

    def seen(self) -> Counter[int]:
        """Count the tiles of each kind that are dealt, drawn or turned; called tiles count where they are drawn."""
        found = Counter(kind(tile) for seat in range(4) for tile in self.deal(seat))
        found.update(kind(tile) for seat in range(4) for tile in self.takes(seat) if isinstance(tile, int))
        found.update(kind(tile) for tile in self.value[2])
        return found

    def called(self) -> set[int]:
        """Return the tiles that are called by anybody."""
        found = set()
        for letter in "cpm":
            for _, entries, place in self.calls(letter):
                found.add(int(entries[place].split(letter)[1][:2]))
        return found

    @property
    def last_seat(self) -> int | None:
        """The seat that pays the first win, else None: its last discard is won."""
        return self.wins[0][1][1] if self.wins else None


@dataclass
class TenhouJson:
    """One game; ``raw``, if set, is written in place of it."""

    record: dict[str, Any]
    raw: bytes | None = None

    @classmethod
    def parse(cls, text: str) -> TenhouJson:
        """Read a game."""
        return cls(json.loads(text))

    def copy(self) -> TenhouJson:
        """Copy the game, so that it can be changed."""
        return TenhouJson(copy.deepcopy(self.record))

    def encode(self) -> bytes:
        """Write the game as the server does."""
        if self.raw is not None:
            return self.raw
        return json.dumps(self.record, ensure_ascii=False, separators=(",", ":")).encode()

    @property
    def rounds(self) -> list[Round]:
        """The rounds."""
        return [Round(nth, value) for nth, value in enumerate(self.record["log"])]

    @property
    def wins(self) -> list[tuple[Round, list[int], list[Any]]]:
        """All wins: the round, the changes, the detail."""
        return [(each, moved, detail) for each in self.rounds for moved, detail in each.wins]

"""Tables of three and of four players: what differs, and which kinds of fault only one of them can have.

Points are in hundreds, as in the file. A log of three players has four slots, of which the last is empty or 0.
"""

from __future__ import annotations

from dataclasses import dataclass

BIT = 0x10
"""The bit of the table type for three players."""


@dataclass(frozen=True)
class Table:
    """A ranked table of Tenhou.

    Attributes
    ----------
    players
        how many play; seats are 0 to ``players`` - 1
    tiles
        the ids of the set
    live
        how many tiles can be drawn in a round
    last_place
        the number of the last round that an extension can reach
    noten
        what a tenpai seat gets and a noten seat pays when the wall is empty, by the number of tenpai seats
    returned, uma, oka
        how final points follow from final scores; the game goes on while nobody has the points returned
    other_uma
        the uma of other platforms
    aborts
        the types of aborts, with the bit of csrule that forbids each
    """

    players: int
    tiles: tuple[int, ...]
    live: int
    last_place: int
    noten: dict[int, tuple[int, int]]
    returned: int
    uma: tuple[int, ...]
    oka: int
    other_uma: tuple[tuple[int, ...], ...]
    aborts: dict[str, int]

    @property
    def seats(self) -> range:
        """The seats that exist."""
        return range(self.players)

    def next(self, place: int) -> int:
        """Give the number of the round after one whose dealer does not stay: four numbers a wind."""
        return place + 1 if place % 4 < self.players - 1 else place + 5 - self.players

    def dora(self, indicator: int) -> int:
        """Give the kind that an indicator makes dora."""
        kind = indicator // 4
        if kind in (0, 8) and self.players == 3:
            return 8 - kind
        if kind < 27:
            return kind // 9 * 9 + (kind % 9 + 1) % 9
        return 27 + (kind - 26) % 4 if kind < 31 else 31 + (kind - 30) % 3


FOUR = Table(
    players=4,
    tiles=tuple(range(136)),
    live=70,
    last_place=15,
    noten={1: (30, -10), 2: (15, -15), 3: (10, -30)},
    returned=300,
    uma=(20, 10, -10, -20),
    oka=20,
    other_uma=((30, 10, -10, -30), (10, 5, -5, -10), (15, 5, -5, -15)),
    aborts={"kaze4": 0x100, "kan4": 0x200, "reach4": 0x400, "yao9": 0x800, "ron3": 0x1000},
)
THREE = Table(
    players=3,
    tiles=(*range(4), *range(32, 136)),
    live=55,
    last_place=10,
    noten={1: (20, -10), 2: (10, -20)},
    returned=400,
    uma=(20, 0, -20),
    oka=15,
    other_uma=((15, 0, -15), (30, 0, -30), (10, 0, -10)),
    aborts={"kan4": 0x200, "yao9": 0x800},
)


def table_of(kind: int) -> Table:
    """Give the table of a table type, the number in GO."""
    return THREE if kind & BIT else FOUR


FOUR_ONLY = {
    "chi": {
        "D104 the called tile's like discarded after a chi",
        "D105 the run's other end discarded after a chi",
        "C101 chi told as from another seat",
        "C101 a chi told of another seat",
        "C102 chi says that it called another of its tiles",
        "C103 chi of three winds",
        "C104 chi by a seat in riichi",
        "C105 the last discard called",
        "T102 chi with a copy that the caller does not hold",
        "T105 a meld of the winner has another copy of a tile",
    },
    "four winds, four riichi, three rons": {
        "X105 three calls of ron by hands that do not win",
        "X106 four first discards of one wind, and play goes on",
    },
    "a liability (Tenhou's way to settle it with three players is not known)": {
        "W111 liable seat not named, paid rightly",
        "W111 liability missed and paid so",
        "W111 another seat named liable, paid rightly",
        "W111 another seat named liable, which pays",
    },
    "seat 3": {
        "L003 out of bounds: a tile dealt to seat 3",
        "L003 out of bounds: a tile shown by seat 3 at a draw",
    },
}
"""The kinds of fault that need something which a table of three players does not have, by what that is."""

_ONLY_FOUR = frozenset().union(*FOUR_ONLY.values())
THREE_PLAYERS, FOUR_PLAYERS, BOTH = frozenset({3}), frozenset({4}), frozenset({3, 4})


def tables_for(kind: str, stated: frozenset[int]) -> frozenset[int]:
    """Return at which tables a kind of fault can exist, from its name and the tables that it states."""
    return stated - {3} if kind in _ONLY_FOUR else stated

"""Melds: their types, the seat that gave the called tile, and one meld as somebody wrote it."""

from __future__ import annotations

from typing import NamedTuple

from engine.tiles.kinds import KIND, KINDS, SUIT_LETTERS

NO_MELD, CHI, PON, DAIMINKAN, ANKAN, KAKAN = range(6)

SELF, RIGHT, ACROSS, LEFT = range(4)
"""Relative seats of the seat that gave the called tile. ``SELF`` means nobody, and in a called meld "not stated"."""

SEAT_MARKS = ("", "+", "=", "-")
"""The sign of 電脳麻将 for each relative seat. It follows the tile that this seat gave."""


class Meld(NamedTuple):
    """One meld as it was written.

    Attributes
    ----------
    type
        ``CHI``, ``PON``, ``DAIMINKAN``, ``ANKAN`` or ``KAKAN``.
    tiles
        Its tiles, 0 to 36, in the order of writing.
    feeder
        Relative seat that gave the called tile; ``SELF`` for nobody or not stated.
    called
        Place in `tiles` of the called tile; -1 if there is none or it is not marked.
    """

    type: int
    tiles: tuple[int, ...]
    feeder: int
    called: int

    @property
    def lowest(self) -> int:
        """Lowest kind of the meld."""
        return min(int(KIND[tile]) for tile in self.tiles)

    @property
    def reds(self) -> int:
        """Number of red fives."""
        return sum(tile >= KINDS for tile in self.tiles)

    def __str__(self) -> str:
        """Write the meld in 電脳麻将's notation, red fives as plain fives: ``p4-56``, ``z777=``, ``m1111``."""
        kinds = [int(KIND[tile]) for tile in self.tiles]
        mark = SEAT_MARKS[self.feeder]
        digits = [f"{kind % 9 + 1}{mark if place == self.called else ''}" for place, kind in enumerate(kinds)]
        return SUIT_LETTERS[kinds[0] // 9] + "".join(digits)


MELD_SHAPES = {CHI: (0, 1, 2), PON: (0, 0, 0), DAIMINKAN: (0,) * 4, ANKAN: (0,) * 4, KAKAN: (0,) * 4}
"""The tiles of each type of meld, as steps above its lowest kind."""

CALLED_PLACES = {CHI: 0, PON: 2, DAIMINKAN: 3, ANKAN: -1, KAKAN: 2}
"""Place of the called tile in each type of meld as 電脳麻将 writes it; -1 for none.

In a chi the mark follows the called tile, which can be any of the three; 0 means the lowest.
"""

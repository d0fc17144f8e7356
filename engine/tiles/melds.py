"""What a meld is: its types, who fed it, and one meld as it was written."""

from __future__ import annotations

from typing import NamedTuple

from engine.tiles.kinds import KIND, KINDS, SUIT_LETTERS

NO_MELD, CHI, PON, DAIMINKAN, ANKAN, KAKAN = range(6)

SELF, RIGHT, ACROSS, LEFT = range(4)
"""Relative seats: who fed a meld. 0 is "nobody", or "not said" for a called meld."""

SEAT_MARKS = ("", "+", "=", "-")
"""電脳麻将's sign for each relative seat, written after the tile that came from there."""


class Meld(NamedTuple):
    """One meld.

    Attributes
    ----------
    type
        ``CHI``, ``PON``, ``DAIMINKAN``, ``ANKAN`` or ``KAKAN``.
    tiles
        Its tiles, 0 to 36, in the order of writing.
    feeder
        Relative seat.
    called
        Place in `tiles` of the tile that the feeder gave, -1 if not said.
    """

    type: int
    tiles: tuple[int, ...]
    feeder: int
    called: int

    @property
    def lowest(self) -> int:
        """Give the lowest kind."""
        return min(int(KIND[tile]) for tile in self.tiles)

    @property
    def reds(self) -> int:
        """Count the red fives."""
        return sum(tile >= KINDS for tile in self.tiles)

    def __str__(self) -> str:
        """Write the meld as 電脳麻将 does, a red five as a five: ``p4-56``, ``z777=``, ``m1111``."""
        kinds = [int(KIND[tile]) for tile in self.tiles]
        mark = SEAT_MARKS[self.feeder]
        digits = [f"{kind % 9 + 1}{mark if place == self.called else ''}" for place, kind in enumerate(kinds)]
        return SUIT_LETTERS[kinds[0] // 9] + "".join(digits)


MELD_SHAPES = {CHI: (0, 1, 2), PON: (0, 0, 0), DAIMINKAN: (0,) * 4, ANKAN: (0,) * 4, KAKAN: (0,) * 4}
"""Tiles of a meld, above its lowest kind."""

CALLED_PLACES = {CHI: 0, PON: 2, DAIMINKAN: 3, ANKAN: -1, KAKAN: 2}
"""Where 電脳麻将 puts the mark of each type; in a chi it stands at the called tile, whichever it was."""

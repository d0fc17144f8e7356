"""Physical tiles for logs that do not tell copies apart: Tenhou's XML numbers all 136 tiles.

Of equal copies, a wall has them in the order in which they appear. A hand gives away the one that it got last if the
log calls the discard a tsumogiri, else the one with the lowest number.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from auditor.log.tables import SEATS
from auditor.log.tile_ids import COPIES, PHYSICAL, RED_TILE_IDS
from auditor.readers.written.game import UnwritableError
from engine.tiles import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auditor.readers.written.game import Game


class Copies:
    """The physical tiles of one round, handed out as they appear."""

    def __init__(self, game: Game) -> None:
        reds = game.rules.red_fives
        if reds is not None and any(reds) and max(reds) - min(reds[1:] if game.players < SEATS else reds) > 0:
            raise UnwritableError(f"red fives {reds}: the numbers of tiles allow one of each suit, or none")
        self._game = game
        self._free = {tile: list(_copies(tile, reds=game.has_red_fives)) for tile in range(kinds.TILES)}
        self._held: dict[int, list[int]] = defaultdict(list)

    def new(self, tile_id: int | None, seat: int | None = None) -> int:
        """Return the physical tile that comes from the wall, and give it to a seat.

        Raises
        ------
        UnwritableError
            if the tile is unknown, or the set has no further copy of it

        """
        if tile_id is None:
            raise UnwritableError("a tile that the log does not name")
        if tile_id < PHYSICAL:
            found = tile_id
        else:
            free = self._free[self._game.tile(tile_id)]
            if not free:
                raise UnwritableError(f"more copies of {kinds.TILE_NAMES[self._game.tile(tile_id)]} than a set has")
            found = free.pop(0)
        if seat is not None:
            self._held[seat].append(found)
        return found

    def given(self, tile_id: int | None, seat: int, *, just_drawn: bool = False) -> int:
        """Return the physical tile that leaves a hand.

        Raises
        ------
        UnwritableError
            if the tile is unknown, or the hand does not hold it

        """
        if tile_id is None:
            raise UnwritableError("a tile that the log does not name")
        held, tile = self._held[seat], self._game.tile(tile_id)
        if tile_id < PHYSICAL:
            if tile_id in held:
                held.remove(tile_id)
            return tile_id
        same = sorted(each for each in held if self._game.tile(each) == tile)
        if not same:
            raise UnwritableError(f"a {kinds.TILE_NAMES[tile]} that seat {seat} does not hold")
        drawn = held[-1] if self._game.tile(held[-1]) == tile else None
        # A copy other than the one just drawn, if there is one: else the discard would count as tsumogiri.
        found = drawn if just_drawn and drawn is not None else next((each for each in same if each != drawn), same[0])
        held.remove(found)
        return found

    def hand(self, seat: int) -> list[int]:
        """Return the tiles that a seat holds."""
        return sorted(self._held[seat])


def _copies(tile: int, *, reds: bool) -> Iterator[int]:
    """Yield the physical tiles of one of the 37 tiles."""
    if tile >= kinds.KINDS:
        yield RED_TILE_IDS[tile - kinds.KINDS]
        return
    for copy in range(COPIES):
        if not (reds and tile * COPIES + copy in RED_TILE_IDS):
            yield tile * COPIES + copy

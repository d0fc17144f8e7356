"""Tile ids: the numbers by which canonical tables name tiles.

Ids 0 to 135 are the 136 tiles of a set, as Tenhou numbers them: ``kind * 4 + copy``; 16, 52 and 88 are the red fives
of sets that have them. A log that does not tell copies apart names kinds of tiles only. Its ids are ``136 + tile``
with the engine's 37 tiles, of which 34 to 36 are red. Counting works on both alike, since each id has a kind, and
each set a number of tiles with that id.
"""

import numpy as np
import numpy.typing as npt

from engine.tiles import kinds

PHYSICAL = 136
TILE_IDS = PHYSICAL + kinds.TILES
COPIES = 4
"""Copies of each kind of tile in a set."""
HAND_SIZE = 13
"""Tiles of a hand between turns, a meld counted as three."""
NONE = TILE_IDS
"""Stands where a row has no tile, so that lookups need no mask: kind 255, capacity 0."""

RED_TILE_IDS = (16, 52, 88)

KIND: npt.NDArray[np.uint8] = np.full(TILE_IDS + 1, 255, dtype=np.uint8)
KIND[:PHYSICAL] = np.arange(PHYSICAL) // 4
KIND[PHYSICAL:TILE_IDS] = kinds.KIND

RED: npt.NDArray[np.uint8] = np.zeros(TILE_IDS + 1, dtype=np.uint8)
RED[list(RED_TILE_IDS)] = 1
RED[PHYSICAL + kinds.KINDS : TILE_IDS] = 1

ORDER: npt.NDArray[np.int64] = 2 * KIND[:TILE_IDS].astype(np.int64) + 1 - RED[:TILE_IDS]
"""Where each tile id belongs in a sorted hand: by kind, a red five before its like."""

_RED_NAMES = dict(zip((4, 13, 22), kinds.TILE_NAMES[kinds.KINDS :], strict=True))
TILE_NAMES: dict[int, str] = {
    tile_id: _RED_NAMES[int(KIND[tile_id])] if RED[tile_id] else kinds.KIND_NAMES[KIND[tile_id]]
    for tile_id in range(TILE_IDS)
}
"""The name of each tile id, the number of the copy left out: ``5m``, ``0p`` for a red five, ``E``."""


def name(tile_id: int | None) -> str:
    """Return a tile as a person reads it: ``5m``, ``0p`` for a red five, ``E``; with its id if physical.

    The red fives of a set without reds are written as reds too: the id, not the name, tells them apart.
    """
    if tile_id is None or not 0 <= tile_id < TILE_IDS:
        return "?"
    text = TILE_NAMES[tile_id]
    return f"{text}#{tile_id}" if tile_id < PHYSICAL else text


def names(tile_ids: list[int] | None) -> str:
    """Return a list of tiles as one line."""
    return "unknown" if tile_ids is None else " ".join(name(tile_id) for tile_id in tile_ids)

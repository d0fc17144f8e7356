"""Tile ids: the numbers of tiles in canonical tables.

Ids 0 to 135 are the 136 physical tiles of a set, as Tenhou numbers them: ``kind * 4 + copy``. In a set with red fives,
16, 52 and 88 are the red ones. A log that does not distinguish copies uses the ids ``136 + tile``, where ``tile`` is
one of the engine's 37 tiles: 34 kinds, then three red fives (34 to 36). Both count in the same way: each id has a kind,
and each set has a known number of tiles with that id.
"""

import numpy as np
import numpy.typing as npt

from engine.tiles import kinds

PHYSICAL = 136
"""How many ids are of physical tiles; the first id of a tile without a copy number."""
TILE_IDS = PHYSICAL + kinds.TILES
"""How many tile ids there are."""
COPIES = 4
"""Copies of each kind of tile in a set."""
HAND_SIZE = 13
"""Tiles of a hand between turns; a meld counts as three."""
DEAD_WALL = 14
"""Tiles at the end of the wall: indicators and replacement tiles."""
TILE_SETS = {4: kinds.ALL_KINDS, 3: kinds.SANMA}
"""The kinds of tiles in the set, as a mask, by the number of players."""
LIVE_TILES: npt.NDArray[np.int32] = np.zeros(max(TILE_SETS) + 1, dtype=np.int32)
"""How many tiles can be drawn in a round, by the number of players: the set without dead wall and dealt tiles."""
for _players, _set in TILE_SETS.items():
    LIVE_TILES[_players] = COPIES * _set.bit_count() - DEAD_WALL - HAND_SIZE * _players
BY_LETTERS = {
    **{f"{digit}{suit}": PHYSICAL + 9 * row + digit - 1 for row, suit in enumerate("mps") for digit in range(1, 10)},
    **{f"0{suit}": PHYSICAL + kinds.KINDS + row for row, suit in enumerate("mps")},
    **{f"{digit}z": PHYSICAL + 27 + digit - 1 for digit in range(1, 8)},
}
"""The ids of tiles by two letters: number and suit, 0 for a red five, ``1z`` to ``7z`` from East to the red dragon."""
NONE = TILE_IDS
"""The id in arrays where a row has no tile. Lookup tables have an entry for it, with kind 255."""

RED_TILE_IDS = (16, 52, 88)

KIND: npt.NDArray[np.uint8] = np.full(TILE_IDS + 1, 255, dtype=np.uint8)
KIND[:PHYSICAL] = np.arange(PHYSICAL) // 4
KIND[PHYSICAL:TILE_IDS] = kinds.KIND
"""The kind of each tile id (0 to 33); 255 for NONE."""

BIT: npt.NDArray[np.int64] = np.append(np.int64(1) << KIND[:TILE_IDS].astype(np.int64), 0)
"""The mask of each tile id's kind; 0 for NONE."""

RED: npt.NDArray[np.uint8] = np.zeros(TILE_IDS + 1, dtype=np.uint8)
RED[list(RED_TILE_IDS)] = 1
RED[PHYSICAL + kinds.KINDS : TILE_IDS] = 1
"""1 for the ids of red fives, 0 for all others."""

ORDER: npt.NDArray[np.int64] = 2 * KIND[:TILE_IDS].astype(np.int64) + 1 - RED[:TILE_IDS]
"""The sort key of each tile id in a hand: by kind, a red five before the other fives."""

_RED_NAMES = dict(zip((4, 13, 22), kinds.TILE_NAMES[kinds.KINDS :], strict=True))
TILE_NAMES: dict[int, str] = {
    tile_id: _RED_NAMES[int(KIND[tile_id])] if RED[tile_id] else kinds.KIND_NAMES[KIND[tile_id]]
    for tile_id in range(TILE_IDS)
}
"""The name of each tile id, without the number of the copy: ``5m``, ``0p`` for a red five, ``E``."""


def name(tile_id: int | None) -> str:
    """Return a tile as text: ``E``, ``0p`` for a red five; a physical tile with its id: ``5m#17``.

    It does not know the rules: it writes ids 16, 52 and 88 as red fives even if the set has none.
    """
    if tile_id is None or not 0 <= tile_id < TILE_IDS:
        return "?"
    text = TILE_NAMES[tile_id]
    return f"{text}#{tile_id}" if tile_id < PHYSICAL else text


def names(tile_ids: list[int] | None) -> str:
    """Return a list of tiles as one line of text; ``unknown`` for None."""
    return "unknown" if tile_ids is None else " ".join(name(tile_id) for tile_id in tile_ids)

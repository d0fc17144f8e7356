"""Pieces: what a log calls a tile, as one small integer.

Piece 0–135 is a physical tile (Tenhou's id: ``kind * 4 + copy``; ids 16, 52 and 88 are the red fives of
sets that have them). A log without physical ids names tiles only: piece ``136 + tile`` with the engine's
37 tiles (34–36 red). Everything that counts tiles works on both, since a piece has a kind and a capacity.
"""

import numpy as np
import numpy.typing as npt

from engine.tiles import kinds

PHYSICAL = 136
PIECES = PHYSICAL + kinds.TILES
COPIES = 4
"""Copies of each kind of tile in a set."""
HAND_SIZE = 13
"""Tiles of a hand between turns, a meld counted as three."""
NONE = PIECES
"""Stands where a row has no piece, so that lookups need no mask: kind 255, capacity 0."""

RED_PIECES = (16, 52, 88)

KIND: npt.NDArray[np.uint8] = np.full(PIECES + 1, 255, dtype=np.uint8)
KIND[:PHYSICAL] = np.arange(PHYSICAL) // 4
KIND[PHYSICAL:PIECES] = kinds.KIND

RED: npt.NDArray[np.uint8] = np.zeros(PIECES + 1, dtype=np.uint8)
RED[list(RED_PIECES)] = 1
RED[PHYSICAL + kinds.KINDS : PIECES] = 1

ORDER: npt.NDArray[np.int64] = 2 * KIND[:PIECES].astype(np.int64) + 1 - RED[:PIECES]
"""Where each piece belongs in a sorted hand: by kind, a red five before its like."""

_RED_NAMES = dict(zip((4, 13, 22), kinds.TILE_NAMES[kinds.KINDS :], strict=True))
TILE_NAMES: dict[int, str] = {
    piece: _RED_NAMES[int(KIND[piece])] if RED[piece] else kinds.KIND_NAMES[KIND[piece]] for piece in range(PIECES)
}
"""The tile that each piece is, its id left out: ``5m``, ``0p`` for a red five, ``E``."""


def name(piece: int | None) -> str:
    """Return a piece as a person reads it: ``5m``, ``0p`` for a red five, ``E``; with its id if physical.

    The red fives of a set without reds are written as reds too: the id, not the name, tells them apart.
    """
    if piece is None or not 0 <= piece < PIECES:
        return "?"
    text = TILE_NAMES[piece]
    return f"{text}#{piece}" if piece < PHYSICAL else text


def names(pieces: list[int] | None) -> str:
    """Return a list of pieces as one line."""
    return "unknown" if pieces is None else " ".join(name(piece) for piece in pieces)

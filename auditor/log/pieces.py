"""Pieces: what a log calls a tile, as one small integer.

Piece 0–135 is a physical tile (Tenhou's id: ``kind * 4 + copy``; ids 16, 52 and 88 are the red fives of
sets that have them). A log without physical ids names tiles only: piece ``136 + tile`` with the engine's
37 tiles (34–36 red). Everything that counts tiles works on both, since a piece has a kind and a capacity.
"""

import numpy as np
import numpy.typing as npt

PHYSICAL = 136
PIECES = PHYSICAL + 37
NONE = PIECES
"""Stands where a row has no piece, so that lookups need no mask: kind 255, capacity 0."""

RED_PIECES = (16, 52, 88)

KIND: npt.NDArray[np.uint8] = np.full(PIECES + 1, 255, dtype=np.uint8)
KIND[:PHYSICAL] = np.arange(PHYSICAL) // 4
KIND[PHYSICAL : PHYSICAL + 34] = np.arange(34)
KIND[PHYSICAL + 34 : PIECES] = (4, 13, 22)

RED: npt.NDArray[np.uint8] = np.zeros(PIECES + 1, dtype=np.uint8)
RED[list(RED_PIECES)] = 1
RED[PHYSICAL + 34 : PIECES] = 1


TILE_NAMES: dict[int, str] = {}
"""The tile that each piece is, its id left out: ``5m``, ``0p`` for a red five, ``E``."""
for _piece in range(PIECES):
    _kind = int(KIND[_piece])
    _digit = 0 if RED[_piece] else _kind % 9 + 1
    TILE_NAMES[_piece] = "ESWNPFC"[_kind - 27] if _kind >= 27 else f"{_digit}{'mps'[_kind // 9]}"


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

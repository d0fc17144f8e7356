"""The 34 kinds of tile, the three red fives, sets of kinds as bit masks, tile names.

Kinds 0 to 33 are 1m..9m, 1p..9p, 1s..9s, East, South, West, North, white, green, red. Tiles 0 to 36 are the kinds and
34, 35, 36: the red fives of m, p, s.

The tiles of one suit are one integer, the *key* of the suit: ``sum(count[i] * 5**i)`` over its nine positions (seven
for the honours). So drawing and discarding are additions. A mask has bit *k* set for kind *k*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.tiles.arrays import I32, I64, U8, Bools

KINDS = 34
TILES = 37
SUITS = 4
SUIT_START = (0, 9, 18, 27)
SUIT_SIZE = (9, 9, 9, 7)
SUIT_LETTERS = "mpsz"
NO_TILE = 255
"""Padding in arrays of tiles; it means "no tile"."""

EAST, SOUTH, WEST, NORTH, WHITE, GREEN_DRAGON, RED_DRAGON = range(27, 34)
RED_FIVES = (34, 35, 36)

KIND: U8 = np.array([*range(KINDS), 4, 13, 22], dtype=np.uint8)
"""Kind of each tile; shape [37]."""

SUIT: U8 = np.array([kind // 9 for kind in KIND.tolist()], dtype=np.uint8)
"""Suit of each tile, 0 m, 1 p, 2 s, 3 honours; shape [37]."""

UNIT: I32 = np.array([5 ** (kind % 9) for kind in KIND.tolist()], dtype=np.int32)
"""What each tile adds to the key of its suit; shape [37]."""


def mask_of(kinds: Iterable[int]) -> int:
    """Give the bit mask of some kinds: bit *k* is set for kind *k*."""
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask


ALL_KINDS = mask_of(range(KINDS))
MANZU = mask_of(range(9))
PINZU = mask_of(range(9, 18))
SOUZU = mask_of(range(18, 27))
HONOURS = mask_of(range(27, 34))
SUIT_MASKS = (MANZU, PINZU, SOUZU, HONOURS)
TERMINALS = mask_of((0, 8, 9, 17, 18, 26))
ORPHANS = TERMINALS | HONOURS
SIMPLES = ALL_KINDS & ~ORPHANS
WINDS = mask_of(range(EAST, WHITE))
DRAGONS = mask_of(range(WHITE, KINDS))
GREEN = mask_of((19, 20, 21, 23, 25, GREEN_DRAGON))
RUN_STARTS = mask_of(start + i for start in SUIT_START[:3] for i in range(7))
TERMINAL_RUNS = mask_of((0, 6, 9, 15, 18, 24))
"""The lowest kinds of runs that hold a terminal: 1 for 123, 7 for 789."""

SANMA = ALL_KINDS & ~(MANZU & SIMPLES)
"""The 27 kinds of three players, who play without 2m to 8m (RULES.md 4.6)."""


def kind_mask(flags: Bools) -> I64:
    """Turn a flag for each kind into a bit mask; [n, 34] to int64 [n]."""
    bits: I64 = flags @ (np.int64(1) << np.arange(KINDS, dtype=np.int64))
    return bits


def count(mask: I64) -> I64:
    """Count the bits of each mask; int64."""
    result: I64 = np.bitwise_count(mask).astype(np.int64)
    return result


def some(mask: I64) -> Bools:
    """Flag the masks that are not empty."""
    result: Bools = mask != 0
    return result


def exactly(n: int, mask: I64) -> Bools:
    """Flag the masks with exactly n bits."""
    result: Bools = count(mask) == n
    return result


def only(kinds: I64, allowed: int) -> Bools:
    """Flag the masks without any kind but the allowed ones; an empty mask is one of them."""
    return ~some(kinds & ~allowed)


def _successor(kind: int) -> int:
    """Give the kind that an indicator of this kind makes dora (RULES.md 3.5)."""
    if kind < EAST:
        return kind // 9 * 9 + (kind + 1) % 9
    if kind < WHITE:
        return EAST + (kind - EAST + 1) % 4
    return WHITE + (kind - WHITE + 1) % 3


DORA_OF: U8 = np.array([_successor(kind) for kind in range(KINDS)], dtype=np.uint8)
"""The kind that each indicator kind makes dora; shape [34]."""

DORA_OF_SANMA: U8 = DORA_OF.copy()
"""The same with three players: the indicator 1m makes 9m dora (RULES.md 4.6); shape [34]."""
DORA_OF_SANMA[0] = 8

KIND_NAMES: tuple[str, ...] = (*(f"{i}{letter}" for letter in "mps" for i in range(1, 10)), *"ESWNPFC")
TILE_NAMES = (*KIND_NAMES, "0m", "0p", "0s")


def tile_name(tile: int) -> str:
    """Name a tile: ``5m``, ``0p`` for a red five, ``E S W N P F C`` for the honours.

    Raises
    ------
    ValueError
        If the number is not a tile: 0 to 36.
    """
    if not 0 <= tile < TILES:
        raise ValueError(f"{tile} is not a tile: tiles are 0 to {TILES - 1}")
    return TILE_NAMES[tile]


def kinds_in(mask: int) -> tuple[int, ...]:
    """List the kinds of a bit mask, lowest first."""
    return tuple(kind for kind in range(KINDS) if mask >> kind & 1)


def notation(tiles: Iterable[int]) -> str:
    """Write tiles in suit-last notation, sorted: ``123m0p55z`` (0 is a red five).

    Raises
    ------
    ValueError
        If a number is not a tile.
    """
    suits: list[list[tuple[int, str]]] = [[], [], [], []]
    for tile in tiles:
        if not 0 <= tile < TILES:
            raise ValueError(f"{tile} is not a tile: tiles are 0 to {TILES - 1}")
        kind = int(KIND[tile])
        digit = "0" if tile >= KINDS else str(kind % 9 + 1)
        suits[int(SUIT[tile])].append((kind, digit))
    return "".join(
        "".join(digit for _, digit in sorted(suit)) + letter
        for suit, letter in zip(suits, SUIT_LETTERS, strict=True)
        if suit
    )

"""`Hands`: many hands as a struct of arrays, and hands read from text.

Row *i* of every array belongs to hand *i*. A single hand is a batch of one.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, SupportsIndex, TypeVar

import numpy as np

from engine.tiles.kinds import KIND, KINDS, SUIT_SIZE, SUIT_START, UNIT
from engine.tiles.melds import ACROSS, ANKAN, CHI, DAIMINKAN, KAKAN, LEFT, NO_MELD, PON, RIGHT, SELF
from engine.tiles.notation import read_hand

if TYPE_CHECKING:
    from engine.tiles.arrays import I8, I32, I64, U8, Bools, Ints
    from engine.tiles.notation import WrittenHand

__all__ = [
    "ACROSS", "ANKAN", "CHI", "DAIMINKAN", "KAKAN", "LEFT", "NO_MELD", "PON", "RIGHT", "SELF",
    "Hands", "counts_of", "hands_of", "parse_hand",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hands:
    """Concealed tiles and melds of n hands.

    Attributes
    ----------
    keys
        Suit keys m, p, s, honours of the concealed tiles, the drawn or winning tile included; int32 [n, 4].
    meld_type
        ``NO_MELD``, ``CHI``, ``PON``, ``DAIMINKAN``, ``ANKAN`` or ``KAKAN``, filled from index 0 in the order
        the melds were made; a kakan keeps the place of its pon. uint8 [n, 4].
    meld_tile
        Lowest kind of each meld; uint8 [n, 4].
    meld_from
        Relative seat that gave the called tile: 1 right, 2 across, 3 left, 0 own or not stated; int8 [n, 4].
    reds
        Number of red fives, melds included; uint8 [n].
    """

    keys: I32
    meld_type: U8
    meld_tile: U8
    meld_from: I8
    reds: U8

    def __len__(self) -> int:
        """Count the hands."""
        return len(self.keys)

    def __getitem__(self, rows: SupportsIndex | slice | Ints | Bools) -> Hands:
        """Select hands by a slice, an array of rows or flags; an integer gives a batch of one."""
        if isinstance(rows, SupportsIndex) and not isinstance(rows, np.ndarray):
            rows = np.array([int(rows)])
        return Hands(*(getattr(self, field.name)[rows] for field in fields(self)))

    @classmethod
    def from_counts(
        cls,
        counts: Ints,
        meld_type: Ints | None = None,
        meld_tile: Ints | None = None,
        meld_from: Ints | None = None,
        reds: Ints | None = None,
    ) -> Hands:
        """Build hands from counts of concealed tiles.

        Parameters
        ----------
        counts
            Copies of each kind, 0 to 4; [n, 34].
        meld_type, meld_tile, meld_from
            As the attributes, [n, 4]; no melds if left out.
        reds
            Red fives, [n]; none if left out.

        Raises
        ------
        ValueError
            If counts are not [n, 34] or not between 0 and 4.
        """
        if counts.ndim != 2 or counts.shape[1] != KINDS:
            raise ValueError(f"counts must be [n, {KINDS}], not {list(counts.shape)}")
        if counts.size and (counts.min() < 0 or counts.max() > 4):
            raise ValueError(f"a kind has 0 to 4 tiles, not {counts.min()} to {counts.max()}")
        n = len(counts)
        weighted = counts * UNIT[:KINDS]
        keys = np.add.reduceat(weighted, SUIT_START, axis=1)
        return cls(
            keys.astype(np.int32),
            _or_zeros(meld_type, (n, 4), np.uint8),
            _or_zeros(meld_tile, (n, 4), np.uint8),
            _or_zeros(meld_from, (n, 4), np.int8),
            _or_zeros(reds, (n,), np.uint8),
        )

    @property
    def n_melds(self) -> U8:
        """Count the melds of each hand; uint8 [n]."""
        melds: U8 = (self.meld_type > NO_MELD).sum(axis=1, dtype=np.uint8)
        return melds

    @property
    def closed(self) -> Bools:
        """Flag the hands that have no meld but ankan; bool [n]."""
        kept: Bools = ((self.meld_type == NO_MELD) | (self.meld_type == ANKAN)).all(axis=1)
        return kept

    @property
    def melded_triplets(self) -> I64:
        """Give masks of the kinds of the pon and kans; int64 [n]."""
        bits = np.where(self.meld_type >= PON, np.int64(1) << self.meld_tile.astype(np.int64), 0)
        mask: I64 = np.bitwise_or.reduce(bits, axis=1)
        return mask

    def counts(self) -> U8:
        """Count the concealed tiles of each kind; uint8 [n, 34]."""
        return counts_of(self.keys)

    def all_counts(self) -> U8:
        """Count the tiles of each kind, melds included (a kan has four); uint8 [n, 34]."""
        counts = self.counts()
        for slot in range(4):
            row = np.flatnonzero(self.meld_type[:, slot])
            kind, melds = self.meld_tile[row, slot].astype(np.int64), self.meld_type[row, slot]
            is_run = melds == CHI
            counts[row, kind] += _MELD_COPIES[melds]
            counts[row, np.minimum(kind + 1, KINDS - 1)] += is_run
            counts[row, np.minimum(kind + 2, KINDS - 1)] += is_run
        return counts


_T = TypeVar("_T", bound=np.generic)

_MELD_COPIES: U8 = np.array([0, 1, 3, 4, 4, 4], dtype=np.uint8)
"""How many copies of its lowest kind each type of meld has, by its number."""


def _or_zeros(
    values: Ints | None, shape: tuple[int, ...], dtype: type[_T]
) -> np.ndarray[tuple[int, ...], np.dtype[_T]]:
    return np.zeros(shape, dtype) if values is None else values.astype(dtype)


def counts_of(keys: I32) -> U8:
    """Count the tiles of each kind in suit keys; int32 [n, 4] to uint8 [n, 34]."""
    return np.concatenate([_digits_of(keys[:, suit], size) for suit, size in enumerate(SUIT_SIZE)], axis=1)


@cache
def _digit_table() -> U8:
    """List the base-5 digits of every number below 5**5, lowest digit first; uint8 [3125, 5]."""
    key = np.arange(5**5)
    return np.stack([key // 5**i % 5 for i in range(5)], axis=1).astype(np.uint8)


def _digits_of(key: Ints, size: int) -> U8:
    high, low = np.divmod(key, 5**5)
    table = _digit_table()
    # For short rows, take is four times as fast as indexing.
    return np.concatenate([table.take(low, axis=0), table.take(high, axis=0)[:, : size - 5]], axis=1)


def parse_hand(text: str) -> Hands:
    """Read one hand such as ``123m0p55z,4-56m`` or ``m123p0z55,m4-56``, in the grammar of `engine.tiles.tokens`.

    Returns
    -------
    Hands
        A batch of one.

    Raises
    ------
    ValueError
        If the text is not a hand; the message shows the wrong character.
    """
    return hands_of(read_hand(text))


def hands_of(written: WrittenHand) -> Hands:
    """Turn a written hand into a batch of one."""
    counts = np.bincount([int(KIND[tile]) for tile in written.tiles], minlength=KINDS)
    table = np.zeros((3, 4), dtype=np.int64)
    for slot, meld in enumerate(written.melds):
        table[:, slot] = meld.type, meld.lowest, meld.feeder
    reds = sum(tile >= KINDS for tile in written.tiles) + sum(meld.reds for meld in written.melds)
    return Hands.from_counts(counts[None, :], table[:1], table[1:2], table[2:], np.array([reds]))

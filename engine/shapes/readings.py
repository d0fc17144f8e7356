"""Readings: every way to divide a winning hand into blocks, with every block that the winning tile can have completed.

A reading is a row of `Readings`. A hand can have several, and they can differ in yaku, fu and points (the article
和了形を求めるプログラム of koba::blog). Blocks are bit masks: a run is the bit of its lowest kind, a triplet or a pair
the bit of its kind.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from engine.shapes.shanten import seven_pairs, thirteen_orphans
from engine.shapes.tables import split_tables
from engine.tiles.hands import ANKAN, CHI, NO_MELD, PON, counts_of
from engine.tiles.kinds import SUIT_START, kind_mask

if TYPE_CHECKING:
    from engine.shapes.tables import SplitTables
    from engine.tiles.arrays import I64, U8, Bools, Ints
    from engine.tiles.hands import Hands

STANDARD, SEVEN_PAIRS, THIRTEEN_ORPHANS = range(3)
TANKI, SHANPON, KANCHAN, PENCHAN, RYANMEN = range(5)


@dataclass(frozen=True, slots=True)
class Readings:
    """The readings of a batch of hands, in the order of the hands.

    Attributes
    ----------
    hand
        Row of the hand; int64 [rows].
    form
        ``STANDARD``, ``SEVEN_PAIRS`` or ``THIRTEEN_ORPHANS``; uint8 [rows].
    pair
        Mask of the pair, of the orphan held twice, or of all seven pairs; int64 [rows].
    runs, runs2, runs3, runs4
        Masks of the concealed runs held at least once, twice, three times, four times; int64 [rows].
    melded_runs
        Mask of the chi; int64 [rows].
    triplets
        Mask of all triplets, melds and kans included; int64 [rows].
    open_triplets
        Mask of the pon, the open kans, and the triplet that a ron completed (RULES.md 3.1); int64 [rows].
    kans
        Mask of the kans; int64 [rows].
    wait
        How the block of the winning tile waited: ``TANKI``, ``SHANPON``, ``KANCHAN``, ``PENCHAN`` or ``RYANMEN``;
        uint8 [rows].
    block
        Lowest kind of the block that the winning tile completed; uint8 [rows].
    """

    hand: I64
    form: U8
    pair: I64
    runs: I64
    runs2: I64
    runs3: I64
    runs4: I64
    melded_runs: I64
    triplets: I64
    open_triplets: I64
    kans: I64
    wait: U8
    block: U8

    def __len__(self) -> int:
        """Count the readings."""
        return len(self.hand)

    def __getitem__(self, rows: slice | Ints | Bools) -> Readings:
        """Select readings."""
        return Readings(*(getattr(self, field.name)[rows] for field in fields(self)))

    @property
    def concealed_triplets(self) -> I64:
        """Mask of the triplets that count as concealed, ankan included; int64 [rows]."""
        return self.triplets & ~self.open_triplets

    @property
    def all_runs(self) -> I64:
        """Mask of the runs, concealed and melded; int64 [rows]."""
        return self.runs | self.melded_runs


def find_readings(hands: Hands, win_kind: Ints, ron: Bools) -> Readings:
    """Find all readings of hands.

    Parameters
    ----------
    hands
        Whole hands, winning tile included.
    win_kind
        Kind of the winning tile, one of the concealed tiles; [n].
    ron
        Whether the tile of another seat wins; a triplet completed by it is open (RULES.md 3.1). [n].

    Returns
    -------
    Readings
        Without a row for a hand that is not complete, or that does not hold the winning tile.
    """
    kind = np.asarray(win_kind, dtype=np.int64)
    found = _standard(hands, kind, ron)
    special = [_seven_pairs(hands, kind), _thirteen_orphans(hands, kind)]
    if not any(map(len, special)):
        return found
    return _by_hand([found, *special])


def _by_hand(groups: list[Readings]) -> Readings:
    whole = Readings(*(np.concatenate([getattr(g, field.name) for g in groups]) for field in fields(Readings)))
    return whole[np.argsort(whole.hand, kind="stable")]


def _standard(hands: Hands, kind: I64, ron: Bools) -> Readings:
    hand, pair, runs, triplets = _divided(hands)
    row, wait, block = _places(kind[hand], pair, runs[0], triplets)
    hand = hand[row]
    melds = _melded(hands)
    own = triplets[row]
    won = np.where(ron[hand] & (wait == SHANPON), np.int64(1) << kind[hand], 0)
    return Readings(
        hand=hand,
        form=np.full(len(hand), STANDARD, dtype=np.uint8),
        pair=pair[row],
        runs=runs[0][row],
        runs2=runs[1][row],
        runs3=runs[2][row],
        runs4=runs[3][row],
        melded_runs=melds.runs[hand],
        triplets=own | melds.triplets[hand],
        open_triplets=melds.open_triplets[hand] | won,
        kans=melds.kans[hand],
        wait=wait,
        block=block,
    )


def _divided(hands: Hands) -> tuple[I64, I64, I64, I64]:
    """Combine the divisions of the four suits of each hand in all ways.

    Returns
    -------
    hand, pair, runs, triplets
        Row of the hand, and masks of the concealed blocks; int64 [rows], runs [4, rows] as in `Readings`.
    """
    suit, honour = split_tables()
    tables = (suit, suit, suit, honour)
    places = [_place(table, hands.keys[:, i]) for i, table in enumerate(tables)]
    whole = counts_of(hands.keys).sum(axis=1) == 14 - 3 * hands.n_melds
    exact = np.logical_and.reduce([found for _, found in places]) & whole
    paired = [table.pair[table.start[place]] != 0 for table, (place, _) in zip(tables, places, strict=True)]
    complete = np.flatnonzero(exact & (np.sum(paired, axis=0) == 1))

    starts = [table.start[place[complete]] for table, (place, _) in zip(tables, places, strict=True)]
    sizes = [
        table.start[place[complete] + 1] - start
        for table, (place, _), start in zip(tables, places, starts, strict=True)
    ]
    readings = np.prod(sizes, axis=0)
    source = np.repeat(np.arange(len(complete)), readings)
    number = np.arange(len(source)) - np.repeat(np.cumsum(readings) - readings, readings)
    pair, triplets = np.zeros((2, len(source)), dtype=np.int64)
    runs = np.zeros((4, len(source)), dtype=np.int64)
    for table, start, size, shift in zip(tables, starts, sizes, SUIT_START, strict=True):
        number, choice = np.divmod(number, size[source])
        row = start[source] + choice
        pair |= table.pair[row].astype(np.int64) << shift
        triplets |= table.triplets[row].astype(np.int64) << shift
        runs |= table.runs[:, row].astype(np.int64) << shift
    return complete[source], pair, runs, triplets


def _place(table: SplitTables, keys: Ints) -> tuple[I64, Bools]:
    """Look keys up in a table; give their rows, and whether they are there."""
    place = np.minimum(np.searchsorted(table.key, keys), len(table.key) - 1)
    return place, table.key[place] == keys


def _places(kind: I64, pair: I64, runs: I64, triplets: I64) -> tuple[I64, U8, U8]:
    """Find every block that can hold the winning tile: the pair, a triplet, a run with it as low, middle or high tile.

    Returns
    -------
    row, wait, block
        Row of the division, the wait, and the lowest kind of the completed block; one entry for each reading.
    """
    lowest = [kind, kind, kind, kind - 1, kind - 2]
    blocks = [pair, triplets, runs, runs << 1, runs << 2]
    possible = np.stack([mask >> kind & 1 for mask in blocks], axis=1)
    row, place = np.nonzero(possible)
    block = np.stack(lowest, axis=1)[row, place]
    edge = ((place == 2) & (block % 9 == 6)) | ((place == 4) & (block % 9 == 0))
    wait = np.array([TANKI, SHANPON, RYANMEN, KANCHAN, RYANMEN], dtype=np.uint8)[place]
    wait[edge] = PENCHAN
    return row, wait, block.astype(np.uint8)


@dataclass(frozen=True, slots=True)
class _MeldMasks:
    """Masks of the melds of each hand; int64 [n]."""

    runs: I64
    triplets: I64
    open_triplets: I64
    kans: I64


def _melded(hands: Hands) -> _MeldMasks:
    bit = np.int64(1) << hands.meld_tile.astype(np.int64)
    types = hands.meld_type

    def masked(chosen: Bools) -> I64:
        mask: I64 = np.bitwise_or.reduce(np.where(chosen, bit, 0), axis=1)
        return mask

    return _MeldMasks(
        runs=masked(types == CHI),
        triplets=masked(types >= PON),
        open_triplets=masked((types >= PON) & (types != ANKAN)),
        kans=masked(types > PON),
    )


def _seven_pairs(hands: Hands, kind: I64) -> Readings:
    complete = _complete(hands, seven_pairs(hands.keys), kind)
    return _special(complete, kind, SEVEN_PAIRS, kind_mask(counts_of(hands.keys[complete]) == 2))


def _thirteen_orphans(hands: Hands, kind: I64) -> Readings:
    complete = _complete(hands, thirteen_orphans(hands.keys), kind)
    return _special(complete, kind, THIRTEEN_ORPHANS, kind_mask(counts_of(hands.keys[complete]) == 2))


def _complete(hands: Hands, shanten: Ints, kind: I64) -> I64:
    closed = (hands.meld_type == NO_MELD).all(axis=1)
    complete = np.flatnonzero(closed & (shanten == -1))
    held = kind_mask(counts_of(hands.keys[complete]) > 0)
    rows: I64 = complete[(held >> kind[complete] & 1) == 1]
    return rows


def _special(complete: I64, kind: I64, form: int, pair: I64) -> Readings:
    """Give the one reading of each complete hand that is seven pairs or thirteen orphans."""
    n = len(complete)
    none = np.zeros(n, dtype=np.int64)
    return Readings(
        hand=complete,
        form=np.full(n, form, dtype=np.uint8),
        pair=pair,
        runs=none,
        runs2=none,
        runs3=none,
        runs4=none,
        melded_runs=none,
        triplets=none,
        open_triplets=none,
        kans=none,
        wait=np.full(n, TANKI, dtype=np.uint8),
        block=kind[complete].astype(np.uint8),
    )

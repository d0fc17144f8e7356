"""Lookup tables over suit keys, loaded at their first use.

`engine.shapes.table_builders` defines them, `engine.shapes.cache` keeps them on disk.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from engine.shapes import table_builders
from engine.shapes.cache import load

if TYPE_CHECKING:
    from engine.tiles.arrays import I8, I16, I32, U8, U16, Ints

Definition = Literal["exact", "block"]


@dataclass(frozen=True, slots=True)
class DistanceTables:
    """Distance of a hand to four sets and a pair, by the classes of its suits (see `engine.shapes.table_builders`).

    Attributes
    ----------
    suit, honour
        Class of every key; uint8 [5**9], [5**7].
    first_suits
        Class of the first and second number suit together; uint16 [suit classes, suit classes].
    last_suits
        Class of the third number suit and the honours together; uint16 [suit classes, honour classes].
    distance
        Fewest tiles to add for m sets and one pair; int8 [5, classes of first_suits, classes of last_suits], by m.
    """

    suit: U8
    honour: U8
    first_suits: U16
    last_suits: U16
    distance: I8


@cache
def distance_tables(definition: Definition = "exact") -> DistanceTables:
    """Give the tables of the shanten of standard hands, by either definition of `engine.shapes.shanten`.

    Raises
    ------
    ValueError
        If the definition is neither ``"exact"`` nor ``"block"``.
    """
    builders = {"exact": table_builders.exact_distance, "block": table_builders.block_distance}
    if definition not in builders:
        raise ValueError(f"shanten definition {definition!r} is unknown: choose 'exact' or 'block'")
    return DistanceTables(**load(f"distance-{definition}", builders[definition]))


@cache
def tallies() -> tuple[U16, U16]:
    """Give the counts for seven pairs and thirteen orphans of each suit key and of each honour key.

    Returns
    -------
    uint16 [5**9], uint16 [5**7]
        ``pairs * PAIR_UNIT + kinds * KIND_UNIT + orphan kinds * ORPHAN_UNIT + orphan pairs * ORPHAN_PAIR_UNIT``. The
        entries of the four suits of a hand can be added.
    """
    stored = load("tallies", table_builders.tallies)
    return stored["suit"], stored["honour"]


@dataclass(frozen=True, slots=True)
class ShapeTables:
    """Which keys divide into sets and at most one pair without a rest, and which tiles complete the others.

    Attributes
    ----------
    shape
        ``NO_SET``, ``SETS_ONLY`` or ``SETS_AND_PAIR``; uint8 [keys].
    waits
        Bit i is set if one more tile at position i, held fewer than four times before, leaves no rest;
        ``MAKES_PAIR`` is set if there is a pair then. uint16 [keys].
    """

    shape: U8
    waits: U16


@cache
def shape_tables() -> tuple[ShapeTables, ShapeTables]:
    """Give the shapes of suit keys and of honour keys."""
    suit = load("suit-shapes", table_builders.suit_shapes)
    honour = load("honour-shapes", table_builders.honour_shapes)
    return ShapeTables(**suit), ShapeTables(**honour)


@dataclass(frozen=True, slots=True)
class SplitTables:
    """The divisions of every key that has one: rows ``start[i]`` to ``start[i + 1]`` belong to ``key[i]``.

    Attributes
    ----------
    key
        The keys that divide without a rest, rising; int32 [k].
    start
        First row of each key, and the number of rows; int32 [k + 1].
    pair
        Position of the pair as a bit, 0 without one; int16 [rows].
    runs
        Runs held at least once, twice, three times, four times, as bits of their lowest position; int16
        [4, rows].
    triplets
        Triplets as bits; int16 [rows].
    """

    key: I32
    start: I32
    pair: I16
    runs: I16
    triplets: I16


@cache
def split_tables() -> tuple[SplitTables, SplitTables]:
    """Give the divisions of suit keys and of honour keys."""
    suit = load("suit-splits", table_builders.suit_splits)
    honour = load("honour-splits", table_builders.honour_splits)
    return SplitTables(**suit), SplitTables(**honour)


@dataclass(frozen=True, slots=True)
class RestrictedTable:
    """Block vectors of suit keys where only some sets and pairs count.

    Attributes
    ----------
    number
        Column of every key in `vectors`; unsigned [5**9].
    vectors
        Places left open in m sets and j pairs, row ``5 * j + m``; uint8 [10, vectors].
    """

    number: Ints
    vectors: U8


@cache
def restricted_table(runs: int, triplets: int, pairs: int) -> RestrictedTable:
    """Give the block vectors for some allowed sets and pairs; arguments as ``table_builders.restricted_blocks``."""
    build = table_builders.restricted_blocks(runs, triplets, pairs)
    return RestrictedTable(**load(f"blocks-{runs}-{triplets}-{pairs}", build))

"""Lookup tables over suit keys: made by definitions.py, kept on disk by cache.py, loaded when first used."""

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
    """Distance to a standard hand, by classes of vectors.

    Attributes
    ----------
    suit, honour
        Class of every key; uint8 [5**9], [5**7].
    first_suits
        Class of two number suits together; uint16 [suit classes, suit classes].
    last_suits
        Class of the third number suit and the honours together; uint16 [suit classes, honour classes].
    distance
        Least distance to m sets and one pair; int8 [5, first_suits classes, last_suits classes], m first.
    """

    suit: U8
    honour: U8
    first_suits: U16
    last_suits: U16
    distance: I8


@cache
def distance_tables(definition: Definition = "exact") -> DistanceTables:
    """Give the tables of the standard shanten by either definition.

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
    """Count, for seven pairs and thirteen orphans, what a suit (5**9) or the honours (5**7) hold.

    Each entry is ``pairs * PAIR_UNIT + kinds * KIND_UNIT + orphan kinds * ORPHAN_UNIT + orphan pairs *
    ORPHAN_PAIR_UNIT``, so the entries of four suits can be added.
    """
    stored = load("tallies", table_builders.tallies)
    return stored["suit"], stored["honour"]


@dataclass(frozen=True, slots=True)
class ShapeTables:
    """Which keys divide exactly into sets and at most one pair, and which tiles make them.

    Attributes
    ----------
    shape
        ``NO_SET``, ``SETS_ONLY`` or ``SETS_AND_PAIR``; uint8 [keys].
    waits
        Bit i is set if a tile at position i, held fewer than four times, makes the key exact, and
        ``MAKES_PAIR`` if the exact key then has a pair; uint16 [keys].
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
    """The divisions of every exact key: rows ``start[i]`` to ``start[i + 1]`` belong to ``key[i]``.

    Attributes
    ----------
    key
        The exact keys, rising; int32 [k].
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
        Row of every key in `vectors`; unsigned [5**9].
    vectors
        Tiles that each number of sets and pairs leaves unfilled (definitions.py); uint8 [10, vectors].
    """

    number: Ints
    vectors: U8


@cache
def restricted_table(runs: int, triplets: int, pairs: int) -> RestrictedTable:
    """Give the vectors for some allowed sets and pairs of a suit, as ``table_builders.restricted_blocks``."""
    build = table_builders.restricted_blocks(runs, triplets, pairs)
    return RestrictedTable(**load(f"blocks-{runs}-{triplets}-{pairs}", build))

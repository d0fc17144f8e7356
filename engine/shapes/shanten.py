"""Shanten: how many exchanges of a tile a hand is away from tenpai. 0 is tenpai, -1 is a complete hand.

There are two definitions (RULES.md 3.6):

- *Exact*: the fewest tiles to add for a complete hand, minus one. A kind has four copies; copies in melds do not use
  them up.
- *Block*: 13 - 3 sets - 2 partial sets - single tiles, in at most four blocks and a pair. It ignores whether the
  missing tiles exist, and works for any number of tiles.

Three players have no 2m to 8m, so no run holds their 1m or 9m. A fourth 1m then belongs to no set or pair, and the
exact shanten is that of the hand without it; so for 9m. For all other tiles the tables of four players are right. These
tables do put 1m into runs. But if a hand has at most three 1m, a triplet of 1m and sets of other kinds lack no more
tiles than the runs do. `tests/engine/test_sanma.py` proves it for all hands. The block formula does not change: it
counts only the tiles that a hand holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from engine.shapes.table_builders import KIND_UNIT, ORPHAN_PAIR_UNIT, ORPHAN_UNIT
from engine.shapes.tables import Definition, distance_tables, tallies
from engine.tiles.kinds import MANZU, SANMA, UNIT, kinds_in

if TYPE_CHECKING:
    import numpy.typing as npt

    from engine.tiles.arrays import I8, I32, I64, Bools, Ints

T = TypeVar("T", bound=np.generic)

CHUNK: Final = 1 << 14
"""Hands in a chunk, so few that their arrays stay in the processor's cache."""

NO_RUN: Final = kinds_in(SANMA & MANZU)
"""Kinds that three players cannot put into a run, although they are tiles of a number suit: 1m and 9m."""


def shanten(keys: I32, n_melds: Ints, definition: Definition = "exact", *, sanma: Bools | bool = False) -> I8:
    """Find the shanten of hands: the least of four sets and a pair, seven pairs, and thirteen orphans.

    Parameters
    ----------
    keys
        Suit keys of the concealed tiles; int32 [n, 4].
    n_melds
        Melds of each hand, 0 to 4; [n]. With a meld only four sets and a pair count.
    definition
        ``"exact"`` or ``"block"``.
    sanma
        Whether three players play, who have no 2m to 8m: then these tiles must not be in the hand, which is not
        checked. One value for all hands, or bool [n].

    Returns
    -------
    int8 [n]
        -1 for a complete hand.

    Raises
    ------
    ValueError
        If the definition is unknown.
    """
    keys = _usable(keys, definition, sanma=sanma)
    result = np.empty(len(keys), dtype=np.int8)
    for start in range(0, len(keys), CHUNK):
        part = slice(start, start + CHUNK)
        columns = _columns(keys[part])
        melds = n_melds[part]
        special = np.where(melds > 0, np.iinfo(np.int8).max, np.minimum(*_special(columns)))
        np.minimum(_standard(columns, melds, definition), special, out=result[part])
    return result


def standard(keys: I32, n_melds: Ints, definition: Definition = "exact", *, sanma: Bools | bool = False) -> I8:
    """Find the shanten towards four sets and a pair; arguments, result and errors as `shanten`."""
    keys = _usable(keys, definition, sanma=sanma)
    result = np.empty(len(keys), dtype=np.int8)
    for start in range(0, len(keys), CHUNK):
        part = slice(start, start + CHUNK)
        result[part] = _standard(_columns(keys[part]), n_melds[part], definition)
    return result


def seven_pairs(keys: I32) -> I8:
    """Find the shanten towards seven different pairs, of hands without melds; int32 [n, 4] to int8 [n]."""
    return _special(_columns(keys))[0]


def thirteen_orphans(keys: I32) -> I8:
    """Find the shanten towards thirteen orphans, of hands without melds; int32 [n, 4] to int8 [n]."""
    return _special(_columns(keys))[1]


def _usable(keys: I32, definition: Definition, *, sanma: Bools | bool) -> I32:
    """Take the fourth 1m and the fourth 9m out of the hands of three players; keys as `shanten`."""
    # Most calls are for four players alone, and np.any takes longer than a small batch of them.
    if sanma is False or definition == "block" or not np.any(sanma):
        return keys
    usable = keys.copy()
    for kind in NO_RUN:
        usable[:, 0] -= np.where(sanma & (keys[:, 0] // UNIT[kind] % 5 == 4), UNIT[kind], 0)
    return usable


def _columns(keys: I32) -> I64:
    """Turn keys into table positions, one contiguous row for each suit; int64 [4, n]."""
    return np.ascontiguousarray(keys.T, dtype=np.int64)


def _standard(columns: I64, n_melds: Ints, definition: Definition) -> I8:
    table = distance_tables(definition)
    man, pin, sou = (table.suit.take(column) for column in columns[:3])
    honours = table.honour.take(columns[3])
    left = _lookup(table.first_suits, man, pin)
    right = _lookup(table.last_suits, sou, honours)
    distance = _lookup(table.distance, left, right, 4 - n_melds.astype(np.int64))
    distance -= 1
    return distance


def _lookup(table: npt.NDArray[T], row: Ints, column: Ints, layer: Ints | None = None) -> npt.NDArray[T]:
    """Give ``table[layer, row, column]``. Flat positions are several times faster than an index of arrays."""
    position = row.astype(np.int64)
    position *= table.shape[-1]
    position += column
    if layer is not None:
        layer *= table.shape[-2] * table.shape[-1]
        position += layer
    return table.take(position)


def _special(columns: I64) -> tuple[I8, I8]:
    """Find the shanten of seven pairs and of thirteen orphans."""
    suit, honour = tallies()
    tally = suit.take(columns[0])
    tally += suit.take(columns[1])
    tally += suit.take(columns[2])
    tally += honour.take(columns[3])
    return _SEVEN_PAIRS.take(tally & (ORPHAN_UNIT - 1)), _THIRTEEN_ORPHANS.take(tally // ORPHAN_UNIT)


def _seven_pairs_table() -> I8:
    """Tabulate 6 - pairs + (kinds that lack to seven), by the low half of a tally."""
    kinds, pairs = np.divmod(np.arange(ORPHAN_UNIT), KIND_UNIT)
    table: I8 = (6 - np.minimum(pairs, 7) + np.maximum(7 - kinds, 0)).astype(np.int8)
    return table


def _thirteen_orphans_table() -> I8:
    """Tabulate 13 - kinds - (1 if there is a pair), by the high half of a tally."""
    pairs, kinds = np.divmod(np.arange(ORPHAN_UNIT), ORPHAN_PAIR_UNIT // ORPHAN_UNIT)
    return (13 - np.minimum(kinds, 13) - (pairs > 0)).astype(np.int8)


_SEVEN_PAIRS: Final = _seven_pairs_table()
_THIRTEEN_ORPHANS: Final = _thirteen_orphans_table()

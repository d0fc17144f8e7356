"""Splits: every way to divide a hand that is one tile short into blocks and the tiles that wait.

A split divides the concealed tiles into sets, at most one pair, and the *waiting tiles*: one tile that waits for a
pair, a pair that waits for a triplet, or two tiles that wait for a run. A split is a reading of the completed hand
without the winning tile. So the splits of a hand are its readings over all waits, each split once. A kind is not a wait
if the hand holds all four of it (RULES.md 3.6), and a division that waits for no tile is not a split.

A split is written as in the waits problem of ITmedia's column makeplex salon: ``(111)(999)(234)(567)[8]``, first the
triplets, runs and pairs, each in the order of kinds, then the waiting tiles. That problem has one suit and no other
form of hand. Here, tiles carry their suit if the hand has more than one: ``(111m)(234p)(99p)[56s]``. Seven pairs are
six pairs and a tile. Thirteen orphans are the pair, if there is one, and all other orphans as waiting tiles:
``(11m)[9m19p19s123456z]``. Melds are not written.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from engine.shapes.readings import SHANPON, STANDARD, TANKI, THIRTEEN_ORPHANS, find_readings
from engine.shapes.waits import waits_of
from engine.tiles.hands import Hands
from engine.tiles.kinds import KINDS, ORPHANS, SUIT, SUIT_MASKS, UNIT, kinds_in, notation, some

if TYPE_CHECKING:
    from engine.shapes.readings import Readings
    from engine.tiles.arrays import I64, U8, Bools

ONE_TILE, PAIR, NEIGHBOURS, GAP, ORPHAN_TILES = range(5)
"""The shape of the waiting tiles: one tile, a pair, two neighbours, two with a gap, the tiles of thirteen orphans."""


@dataclass(frozen=True, slots=True)
class Splits:
    """The splits of a batch of hands, in the order of the hands, each once.

    Attributes
    ----------
    hand
        Row of the hand; int64 [rows].
    form
        ``STANDARD``, ``SEVEN_PAIRS`` or ``THIRTEEN_ORPHANS`` of `engine.shapes.readings`; uint8 [rows].
    triplets
        Mask of the concealed triplets; int64 [rows], like all masks here.
    runs, runs2, runs3, runs4
        Masks of the concealed runs held at least once, twice, three times, four times, by their lowest kind.
    pairs
        Mask of the pair, of the six pairs, or of the orphan held twice; 0 if there is none.
    shape
        ``ONE_TILE``, ``PAIR``, ``NEIGHBOURS``, ``GAP`` or ``ORPHAN_TILES``; uint8 [rows].
    waiting
        Lowest kind of the waiting tiles, 0 for ``ORPHAN_TILES``; uint8 [rows].
    waits
        Mask of the kinds that this split waits for.
    """

    hand: I64
    form: U8
    triplets: I64
    runs: I64
    runs2: I64
    runs3: I64
    runs4: I64
    pairs: I64
    shape: U8
    waiting: U8
    waits: I64

    def __len__(self) -> int:
        """Count the splits."""
        return len(self.hand)


def completed(hands: Hands, waiting_for: I64) -> tuple[I64, I64, Hands]:
    """Add each of its waits to each hand.

    Parameters
    ----------
    hands
        Hands one tile short.
    waiting_for
        Masks of the waits, kinds that the concealed tiles hold fewer than four times; int64 [n].

    Returns
    -------
    row, kind, hands
        One entry for each hand and wait, in this order: the row of the hand, the kind of the wait, the completed hand.
    """
    row, kind = np.nonzero(waiting_for[:, None] >> np.arange(KINDS) & 1)
    whole = hands[row]
    keys = whole.keys.copy()
    keys[np.arange(len(row)), SUIT[kind]] += UNIT[kind]
    values = {field.name: getattr(whole, field.name) for field in fields(Hands)}
    return row, kind, Hands(**{**values, "keys": keys})


def splits(hands: Hands, *, whole_hand: bool = False) -> Splits:
    """Find every split of hands that are one tile short.

    Parameters
    ----------
    hands
        Hands of 13 tiles, less three for each meld.
    whole_hand
        Whether four copies of a kind are counted over melds too, as in `engine.shapes.waits.waits_of`.

    Returns
    -------
    Splits
        Without a row for a hand that is not tenpai.
    """
    row, kind, whole = completed(hands, waits_of(hands, whole_hand=whole_hand))
    found = find_readings(whole, kind, np.zeros(len(row), dtype=np.bool_))
    return _without_repeats(_opened(hands, row, kind, found))


def split_lines(found: Splits) -> list[str]:
    """Write each split as the docstring of the module states, in the order of the rows."""
    letters = _in_two_suits(found)
    return [_text(found, row, letters=bool(letters[row])) for row in range(len(found))]


def split_texts(found: Splits, n: int) -> list[list[str]]:
    """Write the splits of n hands; one sorted list for each hand, empty for a hand that is not tenpai."""
    result: list[list[str]] = [[] for _ in range(n)]
    for hand, text in zip(found.hand.tolist(), split_lines(found), strict=True):
        result[hand].append(text)
    return [sorted(texts) for texts in result]


def _in_two_suits(found: Splits) -> Bools:
    """Flag the splits with tiles of more than one suit. All splits of a hand have the same tiles, so they agree."""
    waiting = np.where(found.shape == ORPHAN_TILES, ORPHANS, np.int64(1) << found.waiting.astype(np.int64))
    held = found.triplets | found.runs | found.pairs | waiting
    suits: Bools = np.sum([some(held & mask) for mask in SUIT_MASKS], axis=0) > 1
    return suits


def _opened(hands: Hands, row: I64, kind: I64, found: Readings) -> Splits:
    """Take the winning tile out of each reading: its block becomes the waiting tiles."""
    hand, win = row[found.hand], kind[found.hand]
    bit, block = np.int64(1) << win, np.int64(1) << found.block.astype(np.int64)
    tanki, shanpon = found.wait == TANKI, found.wait == SHANPON
    standard, orphans = found.form == STANDARD, found.form == THIRTEEN_ORPHANS
    in_run = np.where(tanki | shanpon, 0, block)
    place = np.where(tanki | shanpon, 0, win - found.block)
    shape = np.select([orphans, tanki, shanpon, place == 1], [ORPHAN_TILES, ONE_TILE, PAIR, GAP], NEIGHBOURS)
    waiting = np.select([orphans, tanki | shanpon, place == 0], [0, win, win + 1], found.block)
    own = found.triplets & ~hands.melded_triplets[hand]
    return Splits(
        hand=hand,
        form=found.form,
        triplets=own & ~np.where(shanpon, bit, 0),
        runs=found.runs & ~(in_run & ~found.runs2),
        runs2=found.runs2 & ~(in_run & ~found.runs3),
        runs3=found.runs3 & ~(in_run & ~found.runs4),
        runs4=found.runs4 & ~in_run,
        pairs=found.pair & ~np.where(tanki | ~standard, bit, 0),
        shape=shape.astype(np.uint8),
        waiting=waiting.astype(np.uint8),
        waits=bit,
    )


def _without_repeats(found: Splits) -> Splits:
    """Join equal splits that come from different waits of a hand; the waits are joined too."""
    names = [field.name for field in fields(Splits) if field.name != "waits"]
    columns = [getattr(found, name) for name in names]
    order = np.lexsort(columns[::-1])
    if not order.size:
        return found
    columns = [column[order] for column in columns]
    new = np.append(True, np.logical_or.reduce([column[1:] != column[:-1] for column in columns]))
    first = np.flatnonzero(new)
    values = {name: column[first] for name, column in zip(names, columns, strict=True)}
    return Splits(**values, waits=np.bitwise_or.reduceat(found.waits[order], first))


def _text(found: Splits, row: int, *, letters: bool) -> str:
    runs = [kind for mask in (found.runs, found.runs2, found.runs3, found.runs4) for kind in kinds_in(int(mask[row]))]
    groups = [[kind] * 3 for kind in kinds_in(int(found.triplets[row]))]
    groups += [[kind, kind + 1, kind + 2] for kind in sorted(runs)]
    groups += [[kind] * 2 for kind in kinds_in(int(found.pairs[row]))]
    waiting = f"[{_tiles(_waiting_tiles(found, row), letters=letters)}]"
    return "".join(f"({_tiles(group, letters=letters)})" for group in groups) + waiting


def _waiting_tiles(found: Splits, row: int) -> list[int]:
    lowest = int(found.waiting[row])
    if found.shape[row] == ORPHAN_TILES:
        # With a pair the hand lacks one orphan, the kind that it waits for.
        pair = int(found.pairs[row])
        return list(kinds_in(ORPHANS & ~pair & ~int(found.waits[row]) if pair else ORPHANS))
    return {ONE_TILE: [lowest], PAIR: [lowest] * 2, NEIGHBOURS: [lowest, lowest + 1], GAP: [lowest, lowest + 2]}[
        int(found.shape[row])
    ]


def _tiles(kinds: list[int], *, letters: bool) -> str:
    text = notation(kinds)
    return text if letters else text[:-1]

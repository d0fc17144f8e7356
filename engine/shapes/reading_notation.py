"""Readings as text, in the notation of 電脳麻将 (the article 和了形を求めるプログラム of koba::blog).

A reading is a list of blocks, in this order: the pair; the concealed sets by their lowest kind, a run before a triplet
of the same kind; the melds in the order in which they were made. The winning tile carries the mark of the seat that
gave it (``-`` left, ``=`` across, ``+`` right, none on tsumo) and ``_``: ``s88=_``, ``m3=_45``, ``p99_``. Seven pairs
are seven blocks. Thirteen orphans are thirteen blocks, first the kind held twice. Nine gates are one block, the
winning tile last: ``m11123456789995=_``. A red five is written as 5, since a reading is about kinds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.shapes.nine_gates import holds_nine_gates
from engine.shapes.readings import SEVEN_PAIRS, SHANPON, STANDARD, TANKI, find_readings
from engine.tiles.hands import NO_MELD, hands_of
from engine.tiles.kinds import KIND, ORPHANS, SUIT_LETTERS, kinds_in, tile_name
from engine.tiles.melds import CALLED_PLACES, MELD_SHAPES, SEAT_MARKS, SELF, Meld
from engine.tiles.notation import read_hand, read_tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.shapes.readings import Readings
    from engine.tiles.arrays import Ints
    from engine.tiles.hands import Hands

Reading = list[str]
"""The blocks of one reading as text, in the order that the docstring of the module states."""


def readings(text: str, win: str | None = None, *, nine_gates: bool = False) -> list[Reading]:
    """Read a winning hand, and write each of its readings.

    Parameters
    ----------
    text
        The hand, in the grammar of `engine.tiles.tokens`.
    win
        The winning tile with the mark of the seat that gave it, such as ``s8=``. If the hand is one tile short, it is
        added; else it is one of the hand's tiles. Without it, the last concealed tile is the winning tile and was
        drawn.
    nine_gates
        Whether nine gates are written as one more reading, as 電脳麻将 does (RULES.md 2.6).

    Returns
    -------
    list of readings
        Sets and a pair first, then seven pairs, thirteen orphans, nine gates. Empty for a hand that is not complete.

    Raises
    ------
    ValueError
        If the hand or the tile cannot be read (the message shows the character), or if the hand does not hold the
        winning tile, or would hold five of its kind.
    """
    written = read_hand(text)
    if win is None and not written.tiles:
        raise ValueError(f"{text!r} has no concealed tile that was drawn")
    tile, seat = read_tile(win) if win else (written.tiles[-1], SELF)
    if len(written.tiles) % 3 == 1:
        written = written._replace(tiles=(*written.tiles, tile))
    hands = hands_of(written)
    kind = KIND[[tile]]
    if not hands.counts()[0, kind[0]]:
        raise ValueError(f"the winning tile {tile_name(tile)} is none of the concealed tiles of {text!r}")
    return reading_lists(hands, kind, np.array([seat]), nine_gates=nine_gates, melds=[written.melds])[0]


def reading_lists(
    hands: Hands,
    win_kind: Ints,
    feeder: Ints,
    *,
    nine_gates: bool = False,
    melds: Sequence[Sequence[Meld]] | None = None,
) -> list[list[Reading]]:
    """Write every reading of each winning hand.

    Parameters
    ----------
    hands
        Whole hands, winning tile included.
    win_kind
        Kind of the winning tile; [n].
    feeder
        Relative seat that gave it, 0 on tsumo; [n].
    nine_gates
        As in `readings`.
    melds
        The melds of each hand as they were written. Without them each chi is written as if its lowest tile had been
        called, since `Hands` does not say which one was.

    Returns
    -------
    list of lists of readings
        One list for each hand; each in the order of `readings`.
    """
    found = find_readings(hands, win_kind, feeder != SELF)
    written_melds = melds or [melds_of(hands[row]) for row in range(len(hands))]
    meld_texts = [list(map(str, group)) for group in written_melds]
    own = found.triplets & ~hands.melded_triplets[found.hand]
    result: list[list[Reading]] = [[] for _ in range(len(hands))]
    for row, hand in enumerate(found.hand.tolist()):
        kind, mark = int(win_kind[hand]), SEAT_MARKS[int(feeder[hand])] + "_"
        written = (
            _standard(found, row, int(own[row]), kind, mark)
            if found.form[row] == STANDARD
            else _special(found, row, kind, mark)
        )
        result[hand].append(written + meld_texts[hand])
    if nine_gates:
        for hand in np.flatnonzero(holds_nine_gates(hands)).tolist():
            result[hand].append([_gates(hands, hand, int(win_kind[hand]), SEAT_MARKS[int(feeder[hand])] + "_")])
    return result


def melds_of(hand: Hands) -> list[Meld]:
    """Give the melds of a batch of one as `Meld`; the called tile of a chi is assumed to be the lowest."""
    melds = []
    for kind_of_meld, lowest, feeder in zip(hand.meld_type[0], hand.meld_tile[0], hand.meld_from[0], strict=True):
        if kind_of_meld != NO_MELD:
            tiles = tuple(int(lowest) + step for step in MELD_SHAPES[int(kind_of_meld)])
            melds.append(Meld(int(kind_of_meld), tiles, int(feeder), CALLED_PLACES[int(kind_of_meld)]))
    return melds


def _standard(found: Readings, row: int, triplets: int, win: int, mark: str) -> Reading:
    """Write the pair and the concealed sets; of equal blocks the first one holds the winning tile."""
    runs = [kind for mask in (found.runs, found.runs2, found.runs3, found.runs4) for kind in kinds_in(int(mask[row]))]
    sets = sorted([(kind, 0) for kind in runs] + [(kind, 1) for kind in kinds_in(triplets)])
    (pair,) = kinds_in(int(found.pair[row]))
    blocks = [[pair] * 2] + [[kind] * 3 if equal else [kind, kind + 1, kind + 2] for kind, equal in sets]
    wait, lowest = int(found.wait[row]), int(found.block[row])
    won = 0 if wait == TANKI else 1 + sets.index((lowest, int(wait == SHANPON)))
    # Of equal tiles the last one is marked.
    place = len(blocks[won]) - 1 - blocks[won][::-1].index(win)
    return [_block(kinds, mark if i == won else "", place) for i, kinds in enumerate(blocks)]


def _special(found: Readings, row: int, win: int, mark: str) -> Reading:
    """Write seven pairs, or thirteen orphans with the kind held twice first."""
    pairs = kinds_in(int(found.pair[row]))
    single = () if found.form[row] == SEVEN_PAIRS else kinds_in(ORPHANS & ~int(found.pair[row]))
    blocks: Iterable[list[int]] = [[kind] * 2 for kind in pairs] + [[kind] for kind in single]
    return [_block(kinds, mark if kinds[0] == win else "", len(kinds) - 1) for kinds in blocks]


def _gates(hands: Hands, hand: int, win: int, mark: str) -> str:
    """Write nine gates: the thirteen tiles, then the winning tile."""
    counts = hands[hand].counts()[0]
    counts[win] -= 1
    tiles = np.repeat(np.arange(len(counts)), counts).tolist()
    return _block([*tiles, win], mark, len(tiles))


def _block(kinds: Sequence[int], mark: str, place: int) -> str:
    digits = [f"{kind % 9 + 1}{mark if i == place else ''}" for i, kind in enumerate(kinds)]
    return SUIT_LETTERS[kinds[0] // 9] + "".join(digits)

"""Reading written hands, lists of tiles and single tiles: whole columns of texts, or one text.

The grammar is that of `engine.tiles.tokens`. The tiles after a comma are a meld:

- ``4-56m`` or ``m4-56`` is a chi. It is from the left, whether that is marked or not.
- ``555=z`` is a pon. Without a mark, the seat that gave the tile is not stated.
- ``1111+m`` is a daiminkan, ``1111m`` an ankan.
- ``111+1m`` is a kakan; the tile after the mark is the added one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.tiles.faults import FIFTH, FIVE_MELDS, NO_MELD_SHAPE, NOT_FROM_LEFT, NOT_ONE, TWO_MARKS, Faults
from engine.tiles.kinds import KIND, KINDS, NO_TILE, RUN_STARTS, TILES, kinds_in
from engine.tiles.melds import ACROSS, ANKAN, CHI, DAIMINKAN, KAKAN, LEFT, PON, RIGHT, Meld
from engine.tiles.tokens import TokenizedTexts, Tokens, tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.tiles.arrays import Bools, Ints
    from engine.tiles.faults import Fault

_MELDS, _MELD_TILES = 4, 4
_IS_RUN_START = np.isin(np.arange(KINDS), kinds_in(RUN_STARTS))


class WrittenHand(NamedTuple):
    """One hand as it was written: the concealed tiles (0 to 36) and the melds, both in the order of the text."""

    tiles: tuple[int, ...]
    melds: tuple[Meld, ...]


@dataclass(frozen=True, slots=True)
class WrittenHands:
    """A column of n written hands as arrays. A text with a fault has no tiles and no melds here.

    Attributes
    ----------
    concealed, melded
        How often each tile, 0 to 36, occurs outside melds and in them; int64 [n, 37].
    last
        The concealed tile that was written last, -1 for none; int64 [n].
    meld_type, meld_tile, meld_from
        As in `engine.tiles.hands.Hands`; int64 [n, 4].
    star
        Whether ``*`` marks the hand as in riichi; bool [n].
    faults
        The first fault of each text that has one.
    """

    concealed: Ints
    melded: Ints
    last: Ints
    meld_type: Ints
    meld_tile: Ints
    meld_from: Ints
    star: Bools
    faults: Faults


class _Melds(NamedTuple):
    """The k melds of a column of texts, in the order of the text; an integer array [k] for each field.

    ``row`` is the text, ``slot`` the place of the meld in its hand; ``tiles`` is [k, 4], padded with ``NO_TILE``.
    ``feeder`` is the relative seat that gave the called tile, ``called`` its place in the meld, -1 without a mark.
    """

    row: Ints
    slot: Ints
    type: Ints
    tiles: Ints
    lowest: Ints
    feeder: Ints
    called: Ints


def read_hands(texts: Sequence[str]) -> WrittenHands:
    """Read a column of hands.

    Parameters
    ----------
    texts
        n hands.

    Returns
    -------
    WrittenHands
        With the faults of the texts; nothing is raised.
    """
    tokens, melds, star, faults = _read(texts)
    n = len(texts)
    table = np.zeros((3, n, _MELDS), dtype=np.int64)
    table[:, melds.row, melds.slot] = melds.type, melds.lowest, melds.feeder
    hidden = tokens.part == 0
    last = np.full(n, -1, dtype=np.int64)
    last[tokens.row[hidden]] = tokens.tile[hidden]  # the last assignment to a row wins
    return WrittenHands(
        concealed=_tally(tokens.row[hidden], tokens.tile[hidden], n),
        melded=_tally(tokens.row[~hidden], tokens.tile[~hidden], n),
        last=last,
        meld_type=table[0],
        meld_tile=table[1],
        meld_from=table[2],
        star=star,
        faults=faults,
    )


def read_lists(texts: Sequence[str]) -> tuple[Ints, Ints, Faults]:
    """Read a column of lists of tiles, such as dora indicators.

    Returns
    -------
    row, tile, faults
        The row and the number (0 to 36) of each tile, in the order of the texts; int64 [tiles]. A text with a fault has
        no tiles.
    """
    read = tokenize(texts, "list")
    faults = Faults.of(read.faults)
    tokens = _without(read.tokens, faults)
    return tokens.row, tokens.tile, faults


def read_singles(texts: Sequence[str]) -> tuple[Ints, Ints, Faults]:
    """Read a column of n single tiles.

    Returns
    -------
    tile, seat, faults
        Number of each tile (0 to 36) and the relative seat that its mark names (0 without a mark); int64 [n]. A text
        with a fault has -1 and 0.
    """
    read = tokenize(texts, "single")
    n = len(texts)
    row = read.tokens.row
    number = np.bincount(row, minlength=n)
    second = np.flatnonzero(row[1:] == row[:-1]) + 1
    wrong = Faults.of(read.faults).row
    missing = np.setdiff1d(np.flatnonzero(number == 0), wrong)
    faults = Faults.of(
        [*read.faults, (row[second], read.tokens.place[second], NOT_ONE), (missing, np.zeros_like(missing), NOT_ONE)]
    )
    tokens = _without(read.tokens, faults)
    tile, seat = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64)
    tile[tokens.row], seat[tokens.row] = tokens.tile, tokens.seat
    return tile, seat, faults


def read_hand(text: str) -> WrittenHand:
    """Read one hand.

    Raises
    ------
    ValueError
        If the text is not a hand; the message shows the wrong character.
    """
    tokens, melds, _, faults = _read([text])
    _refuse(faults, text)
    rows = zip(melds.type.tolist(), melds.tiles.tolist(), melds.feeder.tolist(), melds.called.tolist(), strict=True)
    return WrittenHand(
        tuple(tokens.tile[tokens.part == 0].tolist()),
        tuple(
            Meld(kind, tuple(tile for tile in tiles if tile != NO_TILE), feeder, called)
            for kind, tiles, feeder, called in rows
        ),
    )


def read_tiles(text: str) -> tuple[int, ...]:
    """Read one list of tiles as numbers 0 to 36, in the order of the text.

    Raises
    ------
    ValueError
        If the text is not a list of tiles; the message shows the wrong character.
    """
    _, tiles, faults = read_lists([text])
    _refuse(faults, text)
    return tuple(tiles.tolist())


def read_tile(text: str) -> tuple[int, int]:
    """Read one tile and its mark: ``s8=``, ``8=s``, ``8s=``, ``E=`` or ``8s``.

    Returns
    -------
    tile, seat
        Number 0 to 36, and the relative seat that the mark names, 0 without a mark.

    Raises
    ------
    ValueError
        If the text is not one tile; the message shows the wrong character.
    """
    tile, seat, faults = read_singles([text])
    _refuse(faults, text)
    return int(tile[0]), int(seat[0])


def _refuse(faults: Faults, text: str) -> None:
    if len(faults.row):
        raise faults.error([text])


def _read(texts: Sequence[str]) -> tuple[Tokens, _Melds, Bools, Faults]:
    """Read the tiles, melds and stars of the texts without a fault, and the first fault of each other text."""
    read: TokenizedTexts = tokenize(texts, "hand")
    tokens = _without(read.tokens, Faults.of(read.faults))
    melds, wrong = _melds(tokens)
    faults = Faults.of([*read.faults, *wrong, _fifths(tokens)])
    right = np.ones(len(texts), dtype=np.bool_)
    right[faults.row] = False
    kept = right[melds.row]
    return _without(tokens, faults), _Melds(*(column[kept] for column in melds)), read.star & right, faults


def _without(tokens: Tokens, faults: Faults) -> Tokens:
    """Leave out the tiles of texts with a fault."""
    if not len(faults.row):
        return tokens
    kept = ~np.isin(tokens.row, faults.row)
    return Tokens(*(column[kept] for column in tokens))


def _tally(row: Ints, tile: Ints, n: int) -> Ints:
    return np.bincount(row * TILES + tile, minlength=n * TILES).reshape(n, TILES)


def _fifths(tokens: Tokens) -> Fault:
    """Find each tile that has four copies of its kind before it in the text."""
    kind = KIND[tokens.tile].astype(np.int64)
    key = tokens.row * KINDS + kind
    order = np.argsort(key, kind="stable")
    rank = np.arange(len(key)) - np.searchsorted(key[order], key[order])
    fifth = order[rank >= 4]
    return tokens.row[fifth], tokens.place[fifth], FIFTH + kind[fifth]


def _melds(tokens: Tokens) -> tuple[_Melds, list[Fault]]:
    """Join the tiles after each comma to a meld, and find the faults of these melds."""
    hidden = tokens.part == 0
    row, part, place, tile, seat, mark = (column[~hidden] for column in tokens)
    begins = (np.diff(row, prepend=-1) != 0) | (np.diff(part, prepend=-1) != 0)
    start, number = np.flatnonzero(begins), np.cumsum(begins) - 1
    size = np.bincount(number, minlength=len(start))
    rank = np.arange(len(row)) - start[number]
    fits = rank < _MELD_TILES
    tiles = np.full((len(start), _MELD_TILES), NO_TILE, dtype=np.int64)
    tiles[number[fits], rank[fits]] = tile[fits]
    kinds = np.sort(np.where(tiles == NO_TILE, NO_TILE, KIND[np.minimum(tiles, TILES - 1)]), axis=1)
    marked = np.flatnonzero(seat > 0)
    again = marked[1:][number[marked[1:]] == number[marked[:-1]]]
    called, feeder = np.full(len(start), -1, dtype=np.int64), np.zeros(len(start), dtype=np.int64)
    # Assign backwards, so that the first of several marks wins.
    called[number[marked[::-1]]], feeder[number[marked[::-1]]] = rank[marked[::-1]], seat[marked[::-1]]
    lowest = kinds[:, 0]
    run = (size == 3) & (kinds[:, 1] == lowest + 1) & (kinds[:, 2] == lowest + 2) & _IS_RUN_START[lowest % KINDS]
    same = (kinds[:, 1] == lowest) & (kinds[:, 2] == lowest)
    kan = np.select([called < 0, called == 2], [ANKAN, KAKAN], DAIMINKAN)
    shapes = [run, same & (size == 3), same & (size == 4) & (kinds[:, 3] == lowest)]
    meld_type = np.select(shapes, [np.full(len(start), CHI), np.full(len(start), PON), kan], 0)
    other_seat = run & np.isin(feeder, (RIGHT, ACROSS))
    other_seat[number[again]] = False
    begin_row = row[start]
    slot = np.arange(len(start)) - np.searchsorted(begin_row, begin_row)
    first_mark = start + np.maximum(called, 0)
    faults: list[Fault] = [
        (row[again], mark[again], TWO_MARKS),
        (begin_row[other_seat], mark[first_mark[other_seat]], NOT_FROM_LEFT),
        (begin_row[meld_type == 0], place[start[meld_type == 0]], NO_MELD_SHAPE),
        (begin_row[slot >= _MELDS], place[start[slot >= _MELDS]], FIVE_MELDS),
    ]
    return _Melds(begin_row, slot, meld_type, tiles, lowest, np.where(run, LEFT, feeder), called), faults

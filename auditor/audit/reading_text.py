"""Readings of winning hands as text, for the table of wins: ``EE 123m 456p 777s [234s]``, melds in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import gathered
from auditor.log.words import joined
from engine.shapes.readings import THIRTEEN_ORPHANS
from engine.tiles.hands import CHI, DAIMINKAN, NO_MELD
from engine.tiles.kinds import KIND_NAMES, KINDS

if TYPE_CHECKING:
    from engine.shapes.readings import Readings
    from engine.tiles.hands import Hands


def _named(*offsets: int) -> list[str]:
    """Return, by lowest kind, the block of the kinds at these offsets: ``(0, 1, 2)`` → ``123m``."""
    names = []
    for kind in range(KINDS):
        tiles = [KIND_NAMES[min(kind + offset, KINDS - 1)] for offset in offsets]
        numbered = len(tiles[0]) == 2
        names.append("".join(tile[0] for tile in tiles) + (tiles[0][1] if numbered else ""))
    return names


_PAIR, _RUN, _TRIPLET, _KAN = _named(0, 0), _named(0, 1, 2), _named(0, 0, 0), _named(0, 0, 0, 0)
_CONCEALED = [*_PAIR, *_RUN * 4, *_TRIPLET]
_MELDED = [f"[{meld}]" for meld in (*_RUN, *_TRIPLET, *_KAN)]
_BLOCKS = pl.Series([*_CONCEALED, *_MELDED, "thirteen orphans"])
_ORPHANS = len(_BLOCKS) - 1


def format_readings(readings: Readings, hands: Hands) -> pl.Series:
    """Return a text for each reading; ``hands`` has the hand of each, row by row."""
    concealed = readings.triplets & ~hands.melded_triplets
    masks = (readings.pair, readings.runs, readings.runs2, readings.runs3, readings.runs4, concealed)
    bits = np.unpackbits(np.stack(masks, axis=1).astype("<i8").view(np.uint8), axis=1, bitorder="little")
    row, bit = np.divmod(np.flatnonzero(bits.view(np.bool_)), bits.shape[1])
    melded, place = np.nonzero(hands.meld_type > NO_MELD)
    kind = hands.meld_type[melded, place]
    shape = np.where(kind == CHI, 0, np.where(kind >= DAIMINKAN, 2, 1))
    orphans = np.flatnonzero(readings.form == THIRTEEN_ORPHANS)
    melds = len(_CONCEALED) + shape * KINDS + hands.meld_tile[melded, place]
    rows = np.concatenate([row, melded, orphans])
    blocks = np.concatenate([bit // 64 * KINDS + bit % 64, melds, np.full(len(orphans), _ORPHANS)])
    in_order = gathered(_BLOCKS, blocks[np.argsort(rows, kind="stable")])
    return joined(in_order, np.bincount(rows, minlength=len(readings)), " ")

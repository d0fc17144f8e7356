"""Readings of winning hands as text, for the table of wins: ``EE 123m 456p 777s [234s]``, melds in brackets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from engine.shapes.readings import THIRTEEN_ORPHANS
from engine.tiles.hands import CHI, DAIMINKAN, NO_MELD
from engine.tiles.kinds import KIND_NAMES

if TYPE_CHECKING:
    import numpy.typing as npt

    from engine.shapes.readings import Readings
    from engine.tiles.hands import Hands


def _named(*offsets: int) -> list[str]:
    """Return, by lowest kind, the block of the kinds at these offsets: ``(0, 1, 2)`` → ``123m``."""
    names = []
    for kind in range(34):
        tiles = [KIND_NAMES[min(kind + offset, 33)] for offset in offsets]
        numbered = len(tiles[0]) == 2
        names.append("".join(tile[0] for tile in tiles) + (tiles[0][1] if numbered else ""))
    return names


_PAIR, _TRIPLET, _RUN, _KAN = _named(0, 0), _named(0, 0, 0), _named(0, 1, 2), _named(0, 0, 0, 0)


def format_readings(readings: Readings, hands: Hands) -> pl.Series:
    """Return a text for each reading; ``hands`` has the hand of each, row by row."""
    melded = hands.meld_type > NO_MELD
    melded_bits = np.bitwise_or.reduce(
        np.where(melded & (hands.meld_type != CHI), 1 << hands.meld_tile.astype(np.int64), 0), axis=1
    )
    concealed = readings.triplets & ~melded_bits
    orphans = readings.form == THIRTEEN_ORPHANS
    blocks = [
        _blocks(readings.pair, 0, _PAIR),
        *(_blocks(runs, 1, _RUN) for runs in (readings.runs, readings.runs2, readings.runs3, readings.runs4)),
        _blocks(concealed, 2, _TRIPLET),
        *(_melds(hands, place) for place in range(4)),
        pl.DataFrame({"row": np.flatnonzero(orphans), "order": 9, "text": "thirteen orphans"}, schema=_BLOCK),
    ]
    texts = (
        pl.concat(blocks)
        .sort("row", "order", maintain_order=True)
        .group_by("row", maintain_order=True)
        .agg(pl.col("text").str.join(" "))
    )
    rows = pl.DataFrame({"row": np.arange(len(readings))})
    return rows.join(texts, on="row", how="left", maintain_order="left")["text"]


_BLOCK = {"row": pl.Int64, "order": pl.Int64, "text": pl.String}


def _blocks(mask: npt.NDArray[np.int64], order: int, names: list[str]) -> pl.DataFrame:
    row, kind = np.nonzero(mask[:, None] >> np.arange(34) & 1)
    return pl.DataFrame(
        {"row": row, "order": np.full(len(row), order), "text": pl.Series(names).gather(kind)}, schema=_BLOCK
    )


def _melds(hands: Hands, place: int) -> pl.DataFrame:
    kind = hands.meld_type[:, place]
    rows = np.flatnonzero(kind > NO_MELD)
    names = pl.Series(_RUN + _TRIPLET + _KAN)
    shape = np.where(kind[rows] == CHI, 0, np.where(kind[rows] >= DAIMINKAN, 2, 1))
    text = "[" + names.gather(shape * 34 + hands.meld_tile[rows, place]) + "]"
    return pl.DataFrame({"row": rows, "order": np.full(len(rows), 3 + place), "text": text}, schema=_BLOCK)

"""Parse columns of hands in the notation of 電脳麻将 (auditor/readers/majiang/FORMAT.md section 3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from auditor.log.event_kinds import CODE
from auditor.log.tile_ids import KIND, NONE, PHYSICAL, RED
from engine.tiles.kinds import KINDS

TILE_ID = {
    **{f"{suit}{digit}": PHYSICAL + 9 * row + digit - 1 for row, suit in enumerate("mps") for digit in range(1, 10)},
    **{f"{suit}0": PHYSICAL + KINDS + row for row, suit in enumerate("mps")},
    **{f"z{digit}": PHYSICAL + 27 + digit - 1 for digit in range(1, 8)},
}
_FEEDER = {"+": 1, "=": 2, "-": 3}
"""The feeder's seat relative to the caller (1 next, 2 opposite, 3 previous), by the mark behind the called tile."""


def tile_id(text: pl.Expr) -> pl.Expr:
    """Return the tile id of a draw or discard, written as ``p3_*``, Int16; null for a hidden or unknown tile."""
    return text.str.head(2).replace_strict(TILE_ID, default=None, return_dtype=pl.Int16)


def concealed(hands: pl.DataFrame) -> pl.DataFrame:
    """Return the concealed tiles of hands, one row for each tile, in the order written.

    ``hands`` has a column ``hand`` of texts like ``m127p23z44*,z111=``. The result replaces it by ``tile_id`` (Int16)
    and keeps the other columns. It omits melds and hidden tiles.
    """
    groups = pl.col("hand").str.split(",").list.first().str.extract_all(r"[mpsz]\d+")
    return (
        hands.with_columns(hand=groups)
        .explode("hand", empty_as_null=False)
        .drop_nulls("hand")
        .with_columns(suit=pl.col("hand").str.head(1), hand=pl.col("hand").str.slice(1).str.extract_all(r"\d"))
        .explode("hand")
        .with_columns(tile_id=tile_id(pl.col("suit") + pl.col("hand")))
        .drop("suit", "hand")
    )


class MeldColumns(NamedTuple):
    """Decoded melds.

    ``kind`` uint8[n] is the place in KINDS. ``feeder`` int8[n] is how many seats after the caller the feeder sits; 0 if
    nobody fed the meld. ``tile_ids`` int16[n, 4] has the called or added tile first; NONE pads it.
    """

    kind: npt.NDArray[np.uint8]
    feeder: npt.NDArray[np.int8]
    tile_ids: npt.NDArray[np.int16]


def melds(texts: pl.Series) -> MeldColumns:
    """Decode meld strings: ``m34-5``, ``p505+``, ``m1111-``, ``p555=0`` (kakan), ``z1111`` (ankan)."""
    frame = pl.DataFrame({"text": texts}).select(
        suit=pl.col("text").str.head(1),
        mark=pl.col("text")
        .str.extract(r"([-+=])")
        .replace_strict(_FEEDER, default=0, return_dtype=pl.Int8)
        .fill_null(0),
        called=pl.col("text").str.find(r"[-+=]").fill_null(2).cast(pl.Int64) - 2,
        digits=pl.col("text").str.replace_all(r"\D", ""),
        last=pl.col("text").str.contains(r"[-+=]\d$"),
    )
    size = frame["digits"].str.len_bytes().to_numpy().astype(np.int64)
    called, feeder = frame["called"].to_numpy(), frame["mark"].to_numpy()
    tile_ids = np.full((len(frame), 4), NONE, dtype=np.int16)
    for place in range(4):
        named = frame.select(tile_id(pl.col("suit") + pl.col("digits").str.slice(place, 1)).fill_null(NONE)).to_series()
        tile_ids[:, place] = np.where(size > place, named.to_numpy(), NONE)
    number = np.where(RED[tile_ids] == 1, PHYSICAL + KIND[tile_ids].astype(np.int16), tile_ids)  # a red five as a five
    run = number[:, 0] != number[:, 1]
    added = (size == 4) & (feeder > 0) & frame["last"].to_numpy() & ~run
    kind = np.select(
        [(size == 3) & run, size == 3, added, feeder > 0],
        [CODE["chi"], CODE["pon"], CODE["kakan"], CODE["daiminkan"]],
        CODE["ankan"],
    )
    # The canonical tables have the called or added tile first.
    first = np.where(added, 3, np.where(feeder > 0, called, 0))
    order = np.argsort(np.arange(4) != first[:, None], axis=1, kind="stable")
    return MeldColumns(kind.astype(np.uint8), feeder, np.take_along_axis(tile_ids, order, axis=1))

"""The numbers of yaku by their names in paipu: the names of 電脳麻将, and those in converted Tenhou logs."""

from __future__ import annotations

import polars as pl

from engine.yaku.all_yaku import BY_ID

SEAT_WINDS, ROUND_WINDS = 10, 14
"""The first of four seat-wind and of four round-wind yaku, whose names are the same for all winds."""

YAKU: dict[str, int] = {
    name: number for number, yaku in BY_ID.items() for name in (yaku.kanji, yaku.majiang) if name
} | {
    "国士無双１３面": 48,
    "国士無双13面": 48,
    "役牌 白": 18,
    "役牌 發": 19,
    "役牌 中": 20,
}


def seat_wind() -> pl.Expr:
    """Return the number of the yaku of the winner's seat wind; the frame must have winner and jushu."""
    return (SEAT_WINDS + (pl.col("winner") - pl.col("jushu")) % 4).cast(pl.UInt8)


def round_wind() -> pl.Expr:
    """Return the number of the yaku of the round wind; the frame must have wind."""
    return (ROUND_WINDS + pl.col("wind")).cast(pl.UInt8)

"""Tenhou's stable dan (安定段位): the dan at which a player's places would neither gain nor lose points.

At n dan, the fourth place of an East game costs 10 (n + 2) points. The first and the second place give what the room
says, :data:`GAINS`. An East-South game moves half as much again. So over N1 first, N2 second and N4 fourth places in
the highest room, n = (60 N1 + 30 N2) / (10 N4) - 2, the published formula (https://mahjong-dora2.com/game/02-10.html;
the points of all rooms: https://mahjong-dora2.com/game/02-07.html). Over several rooms, gains and losses are added up.
"""

from __future__ import annotations

import polars as pl

GAINS = ((20, 10), (40, 10), (50, 20), (60, 30))
"""Points of the first and the second place of an East game, by room: 般, 上, 特上, 鳳凰."""

_TYPE = pl.col("table").str.extract(r"^GO type=(\d{1,9}) lobby=0$").cast(pl.Int64)
"""The type of the table in lobby 0 (auditor/readers/mjlog/FORMAT.md 3); null where the log states no lobby."""
_PEOPLE, _LONG, _THREE, _OTHER = 0x1, 0x8, 0x10, 0x200 | 0x400 | 0x800
_UPPER, _EXPERT = 0x80, 0x20


def _has(bit: int) -> pl.Expr:
    return (_TYPE & bit) > 0


_ROOM = _has(_UPPER).cast(pl.Int64) + 2 * _has(_EXPERT).cast(pl.Int64)
_RANKED = _has(_PEOPLE) & ~_has(_THREE) & ~_has(_OTHER) & (pl.col("players") == 4)
COUNTS = (_RANKED & pl.col("place").is_not_null()).fill_null(value=False)
"""Whether a seat's game counts: four people in lobby 0, with final scores."""
_WEIGHT = pl.when(_has(_LONG)).then(3).otherwise(2)
"""Half as many points as a dan of difference costs at a fourth place."""


def _points(place: int) -> pl.Expr:
    """Return a tenth of twice the gain of a place, as a number."""
    return _ROOM.replace_strict({room: gains[place - 1] // 10 for room, gains in enumerate(GAINS)}, default=None)


LOST = pl.when(COUNTS & (pl.col("place") == 4)).then(_WEIGHT).otherwise(0)
"""What a dan more would cost, in units of 5 points."""
WON = (
    pl.when(~COUNTS).then(0)
    .when(pl.col("place") == 1).then(_WEIGHT * _points(1))
    .when(pl.col("place") == 2).then(_WEIGHT * _points(2))
    .when(pl.col("place") == 4).then(-2 * _WEIGHT)
    .otherwise(0)
)  # fmt: skip
"""The gain of a seat's game less the loss at 0 dan, in units of 5 points."""

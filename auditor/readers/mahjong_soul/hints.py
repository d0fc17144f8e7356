"""Discards → hints: the waits and the furiten flag that the player is shown (FORMAT.md section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.log import tables
from auditor.log.arrays import where_known
from auditor.log.tile_ids import BIT
from auditor.readers.mahjong_soul.fields import NO_TILE, nth_of
from auditor.readers.mahjong_soul.records import DISCARD

if TYPE_CHECKING:
    import polars as pl

    from auditor.readers.mahjong_soul.records import Records


def read(records: Records) -> pl.DataFrame:
    """Return the table of hints.

    A discard without waits is one of a hand that is not tenpai; but in a game without any waits they are not stated.
    """
    rows, messages = records.of(DISCARD)
    owner, listed = messages.parts("tingpais")
    tile = listed.tiles("tile")
    waits = np.zeros(messages.count, dtype=np.int64)
    np.bitwise_or.at(waits, owner, BIT[np.where(tile == NO_TILE, 0, tile)])
    game = records.game[rows]
    known = np.isin(game, game[owner])
    known[owner[tile == NO_TILE]] = False
    of_flag, flag = messages.number_lists("zhenting")
    own = nth_of(of_flag) == messages.numbers("seat")[of_flag]
    furiten, stated = np.zeros(messages.count, dtype=bool), np.zeros(messages.count, dtype=bool)
    furiten[of_flag[own]], stated[of_flag[own]] = flag[own] != 0, True
    some = np.flatnonzero(known | stated)
    frame = {
        "game": game[some], "event": records.number[rows[some]],
        "waits": where_known(waits[some], known[some]), "furiten": where_known(furiten[some], stated[some]),
    }  # fmt: skip
    return tables.conform(frame, tables.HINTS)

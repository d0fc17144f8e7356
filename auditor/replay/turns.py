"""The table of turns: every draw and call with the hand's shanten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import rows_where, where_known
from auditor.log.tables import CALLS, SEATS, Kind
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import HAND_DOUBTS
from engine.shapes.shanten import shanten

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust

TURNS = ("draw", *CALLS)


TURN_COLUMNS: Columns = {
    **PLACE,
    "kind": Kind,
    "turn": pl.UInt8,  # of the seat, from 1
    "shanten": pl.Int8,
    "melds": pl.UInt8,
    "riichi": pl.Boolean,  # declared before
    "tiles_left": pl.Int16,  # in the wall, after it
}


def turns(log: Log, played: Replay, trust: Trust) -> pl.DataFrame:
    """Return one row for each draw or call: its place, turn number, shanten, melds, riichi, tiles left.

    ``shanten`` is exact. It is that of the hand after the draw or call, which has 14 tiles (13 directly after a kan),
    a meld counting as three. It is null where the hand has HAND_DOUBTS.
    """
    rows = played.rows(*TURNS)
    trusted = trust.hands.free_of(HAND_DOUBTS).take(played.hand.take(rows))
    melds, keys = played.melds[rows].astype(np.uint8), played.keys.take(rows, axis=0)
    keys[~trusted] = 0
    three = log.players < SEATS
    sanma = three[played.round[rows]] if three.any() else False
    state: dict[str, pl.Series | npt.NDArray[np.generic]] = {
        "turn": (played.discards[rows] + 1).astype(np.uint8),
        "shanten": where_known(shanten(keys, melds * trusted, sanma=sanma), trusted),
        "melds": melds,
        "riichi": played.riichi[rows] > 0,
        "tiles_left": played.left.take(rows).astype(np.int16),
    }
    place = rows_where(log.events[["round", "event", "pos", "seat", "kind"]], played.is_kind(*TURNS))
    return place.hstack([pl.Series(name, values) for name, values in state.items()])

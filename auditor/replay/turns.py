"""The table of turns: every draw and call with the hand's shanten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.tables import CALLS, SEATS
from auditor.log.tile_ids import HAND_SIZE, PHYSICAL
from engine.shapes.shanten import shanten

if TYPE_CHECKING:
    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Replay

DEAD_WALL = 14
LIVE_TILES = PHYSICAL - DEAD_WALL - HAND_SIZE * SEATS
"""Tiles that can be drawn in a round: the set less the dead wall and the deal."""

TURNS = ("draw", *CALLS)


def turns(log: Log, played: Replay, held: Holdings) -> pl.DataFrame:
    """Return one row a draw or call: its place, turn number, shanten, melds, riichi, tiles left.

    Shanten is exact, of the hand after the draw or call (14 tiles, melds counted as three; 13 right after a
    kan), and null where the hand is not to be trusted.
    """
    rows = np.flatnonzero(played.is_kind(*TURNS))
    sound = held.sound[played.hand[rows]]
    keys = np.where(sound[:, None], played.keys[rows], 0)
    melds = np.where(sound, played.melds[rows], 0).astype(np.uint8)
    at = log.events[rows]
    return pl.DataFrame(
        {
            "round": at["round"],
            "event": at["event"],
            "pos": at["pos"],
            "seat": at["seat"],
            "kind": at["kind"],
            "turn": (played.discards[rows] + 1).astype(np.uint8),
            "shanten": pl.select(pl.when(pl.Series(sound)).then(pl.Series(shanten(keys, melds)))).to_series(),
            "melds": played.melds[rows].astype(np.uint8),
            "riichi": played.riichi[rows] > 0,
            "tiles_left": (LIVE_TILES - played.draws[rows]).astype(np.int16),
        }
    )

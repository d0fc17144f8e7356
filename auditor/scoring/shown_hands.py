"""Hands shown at results, beside the hands as played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import entries, filled, gathered, hand_numbers, is_known, lists, where_known
from auditor.log.tables import SHOWS
from auditor.log.tile_ids import TILE_IDS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import END_DOUBTS, HAND_DOUBTS
from auditor.replay.win_context import own_discards, result_rows
from auditor.scoring.scored_wins import taken_tile_ids

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay

SHOWN_HAND_COLUMNS: Columns = {
    **SHOWS,
    **PLACE,
    "held": pl.List(pl.Int16),  # the tiles of the hand as played, in ascending order
    "agrees": pl.Boolean,  # shown and played are the same
}


def shown_hands(log: Log, played: Replay, possession: Holdings, ends: LastStates) -> pl.DataFrame:
    """Return one row for each hand shown at a result: recorded ``tile_ids``, those ``held`` in play, and ``agrees``.

    On a ron ``held`` includes the winning tile. It is null where the hand has HAND_DOUBTS, where the log says that the
    hand wins on its own discard, and on a ron where the last tile is unknown (END_DOUBTS).
    """
    shows = log.shows
    hand = hand_numbers(shows)
    claim = shows["claim"].to_numpy()
    held = possession.held(hand)
    taken = taken_tile_ids(log, played)[claim]
    won = np.flatnonzero(taken < TILE_IDS)
    held[won, taken[won]] += 1
    held = held.clip(0)
    known = ends.trust.hands.free_of(HAND_DOUBTS)[hand] & ~own_discards(log, played)[claim]
    # If the log has a robbed kan's replacement draw before the ron, the last tile is not the winning tile.
    ron = filled(log.claims["winner"] != log.claims["payer"], value=False)[claim]
    known &= ~ron | ends.trust.rounds.free_of(END_DOUBTS)[shows["round"].to_numpy()]
    row, tile_id = entries(shows["tile_ids"])
    hidden = held.flatten()
    np.add.at(hidden, row * TILE_IDS + tile_id, np.int8(-1))
    agrees = np.ones(len(shows), dtype=bool)
    agrees[np.flatnonzero(hidden != 0) // TILE_IDS] = False
    return shows.hstack(
        [
            gathered(log.events["pos"], result_rows(played)[claim]),
            where_known(_lists(held), known).alias("held"),
            where_known(agrees, known & is_known(shows["tile_ids"])).alias("agrees"),
        ]
    )


def _lists(count: npt.NDArray[np.integer]) -> pl.Series:
    """Return hands as lists of tiles in ascending order; ``count`` [n, TILE_IDS] is how many of each tile."""
    place = np.flatnonzero(count.ravel() != 0)
    tile_ids = np.repeat((place % TILE_IDS).astype(np.int16), count.ravel()[place])
    return lists(tile_ids, count.sum(axis=1, dtype=np.int16))

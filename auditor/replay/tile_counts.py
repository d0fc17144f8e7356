"""How many tiles hands are dealt and hold: the rows in which the number is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import hand_numbers
from auditor.log.event_kinds import CODE
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE
from auditor.replay.turns import LIVE_TILES
from auditor.replay.win_context import last_actions, result_rows

if TYPE_CHECKING:
    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.turn_order import TurnOrder


def miscounted(log: Log, played: Replay, order: TurnOrder) -> pl.DataFrame:
    """Return hands with a wrong number of tiles (``held``, and ``due``): as dealt, or at an exhaustive draw.

    The second is left alone where something in the round is out of order: where a discard is missing earlier, that
    has its own name.
    """
    dealt = np.bincount(hand_numbers(log.deals), minlength=len(log.rounds) * SEATS)
    odd = np.flatnonzero((dealt != HAND_SIZE) & (dealt > 0))
    rounds = log.rounds[odd // SEATS]
    deals = pl.DataFrame(
        {
            "round": rounds["round"],
            "event": rounds["event"],
            "pos": rounds["pos"],
            "seat": (odd % SEATS).astype(np.int8),
            "held": dealt[odd],
            "due": np.full(len(odd), HAND_SIZE),
        }
    )
    drawn = np.flatnonzero(log.claims["reason"].is_in(["exhaustive", "nagashi"]).to_numpy())
    result = result_rows(played)[drawn]
    last = last_actions(played, result)
    full = (played.kind[last] == CODE["draw"]) & (played.draws[last] >= LIVE_TILES)
    full &= ~np.isin(played.round[result], order.misplaced["round"].to_numpy())
    full &= ~np.isin(played.round[result], log.disturbed)
    at = log.events[result[full]]
    ends = pl.DataFrame(
        {
            "round": at["round"],
            "event": at["event"],
            "pos": at["pos"],
            "seat": played.seat[last[full]],
            "held": np.full(len(at), HAND_SIZE + 1),
            "due": np.full(len(at), HAND_SIZE),
        }
    )
    return pl.concat([deals, ends])

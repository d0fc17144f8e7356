"""How many tiles hands are dealt and hold: the rows in which the number is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import hand_numbers
from auditor.log.event_kinds import CODE
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE
from auditor.replay.trust import ORDER_DOUBTS
from auditor.replay.turns import LIVE_TILES
from auditor.replay.win_context import last_actions, result_rows

if TYPE_CHECKING:
    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust


def miscounted(log: Log, played: Replay, trust: Trust) -> pl.DataFrame:
    """Return hands with a wrong number of tiles (``held``, and ``due``): as dealt, or at an exhaustive draw.

    The second is left alone where something in the round is out of order: where a discard is missing earlier, that
    has its own name.
    """
    dealt = np.bincount(hand_numbers(log.deals), minlength=len(log.rounds) * SEATS)
    wrong = np.flatnonzero((dealt != HAND_SIZE) & (dealt > 0))
    rounds = log.rounds[wrong // SEATS]
    deals = pl.DataFrame(
        {
            "round": rounds["round"],
            "event": rounds["event"],
            "pos": rounds["pos"],
            "seat": (wrong % SEATS).astype(np.int8),
            "held": dealt[wrong],
            "due": np.full(len(wrong), HAND_SIZE),
        }
    )
    drawn = np.flatnonzero(log.claims["reason"].is_in(["exhaustive", "nagashi"]).to_numpy())
    result = result_rows(played)[drawn]
    last = last_actions(played, result)
    full = (played.kind[last] == CODE["draw"]) & (played.draws[last] >= LIVE_TILES)
    full &= trust.rounds.free_of(ORDER_DOUBTS)[played.round[result]]
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

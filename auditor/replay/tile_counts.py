"""Find hands with a wrong number of tiles: as dealt, or at an exhaustive draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.columns import REASON
from auditor.log.event_kinds import CODE
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE
from auditor.replay.trust import ORDER_DOUBTS
from auditor.replay.win_context import last_actions, result_rows

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust


def miscounted(log: Log, played: Replay, trust: Trust) -> pl.DataFrame:
    """Return one row for each hand with a wrong number of tiles: ``held``, and the right number ``due``.

    These are hands dealt with a wrong number, and hands that have not discarded after the last draw when the log
    records an exhaustive draw. The latter are reported only in rounds without ORDER_DOUBTS: other checks report events
    that are missing earlier.
    """
    wrong = np.flatnonzero((log.dealt != HAND_SIZE) & (log.dealt > 0))
    deals: pl.DataFrame = log.rounds[["round", "event", "pos"]][wrong // SEATS].hstack(
        _counts((wrong % SEATS).astype(np.int8), log.dealt[wrong], HAND_SIZE)
    )
    drawn = np.flatnonzero(np.isin(log.reasons, (REASON["exhaustive"], REASON["nagashi"])))
    result = result_rows(played)[drawn]
    last = last_actions(played, result)
    full = (played.kind[last] == CODE["draw"]) & (played.left[last] <= 0)
    full &= trust.rounds.free_of(ORDER_DOUBTS)[played.round[result]]
    ends: pl.DataFrame = log.events[["round", "event", "pos"]][result[full]].hstack(
        _counts(played.seat[last[full]], np.full(np.count_nonzero(full), HAND_SIZE + 1), HAND_SIZE)
    )
    return pl.concat([deals, ends])


def _counts(seat: npt.NDArray[np.int8], held: npt.NDArray[np.int64], due: int) -> list[pl.Series]:
    return [pl.Series("seat", seat), pl.Series("held", held), pl.Series("due", np.full(len(seat), due))]

"""Kita: each North that is set aside, and the rules that this breaks.

A value is null where it is not checkable: an unknown rule, a round whose events are out of order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import where_known
from auditor.log.event_kinds import CODE
from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND, NONE
from auditor.replay.calls import tiles_left
from auditor.replay.columns import PLACE, Columns
from engine.tiles.kinds import NORTH

if TYPE_CHECKING:
    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.running_sums import Replay
    from auditor.replay.turn_order import TurnOrder


KITA_COLUMNS: Columns = {
    **PLACE,
    "tile_id": pl.Int16,
    "allowed": pl.Boolean,  # the rules have kita
    "no_north": pl.Boolean,  # the tile is of another kind
    "missing": pl.Boolean,  # the hand does not hold the tile
    "in_riichi": pl.Boolean,
    "drawn": pl.Int16,  # the tile that the seat has just drawn; null if it has not, or the log does not name it
    "tiles_left": pl.Int16,  # in the wall
}


def kitas(log: Log, played: Replay, order: TurnOrder, held: Holdings, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each kita before its round's result; :data:`KITA_COLUMNS` says what each column means."""
    row = played.rows("kita")
    row = row[~played.over[row]]
    before = order.before(row)
    drew = (played.kind[before] == CODE["draw"]) & (played.seat[before] == played.seat[row])
    return log.events[[*PLACE, "tile_id"]][row].hstack(
        pl.DataFrame(
            {
                "allowed": of_rounds(log, rules)[played.round[row]],
                "no_north": (KIND[played.tile_id[row]] != NORTH) & (played.tile_id[row] < NONE),
                "missing": np.isin(row, held.absent["row"].to_numpy()),
                "in_riichi": played.riichi[row] > 0,
                "drawn": where_known(played.tile_id[before], drew & (played.tile_id[before] < NONE)),
                "tiles_left": tiles_left(played, held.trust, row),
            }
        )
    )


def of_rounds(log: Log, rules: RulesByRow) -> pl.Series:
    """Return whether the rules of each round have kita, as a column; null where that is unknown."""
    four = log.players == SEATS
    return where_known(rules.holds("kita") & ~four, ~rules.unknown("kita") | four)

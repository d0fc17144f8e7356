"""What follows from values that somebody states: limit and points from fu and han, without a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.scoring.limits import YAKUMAN, YAKUMAN_BASE, limit_and_base
from engine.scoring.payments import shares

if TYPE_CHECKING:
    from engine.rules.rule_table import RuleTable
    from engine.tiles.arrays import I32, U8, Ints
    from engine.yaku.wins import Wins


def points_of(total_fu: Ints, total_han: Ints, units: Ints, wins: Wins, table: RuleTable) -> tuple[U8, I32]:
    """Give limit and points that follow from stated fu and han, or yakuman units, of wins (RULES.md 3.2).

    Parameters
    ----------
    total_fu, total_han, units
        What is stated of each win; [n].
    wins
        The wins, for dealer, tsumo and rules; their hands do not matter.
    table
        The rules.

    Returns
    -------
    uint8 [n], int32 [n]
        Limit as in `Scores`, and the value without honba and sticks.
    """
    limit, base = limit_and_base(np.asarray(total_fu, np.int16), np.asarray(total_han, np.int16), wins.rule, table)
    limit = np.where(units > 0, YAKUMAN, limit).astype(np.uint8)
    base = np.where(units > 0, YAKUMAN_BASE * np.asarray(units, np.int64), base)
    share = shares(base, wins.winner == wins.dealer, wins.players, table.tsumo_loss[wins.rule])
    return limit, np.where(wins.tsumo, share.tsumo, share.ron).astype(np.int32)

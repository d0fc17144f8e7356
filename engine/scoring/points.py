"""Limit and points from given fu and han, such as those of a log, without looking at the hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.scoring.limits import YAKUMAN, YAKUMAN_BASE, limit_and_base
from engine.scoring.shares import missing_share, shares

if TYPE_CHECKING:
    from engine.rules.rule_table import RuleTable
    from engine.tiles.arrays import I32, U8, Ints
    from engine.yaku.wins import Wins


def points_of(total_fu: Ints, total_han: Ints, units: Ints, wins: Wins, table: RuleTable) -> tuple[U8, I32]:
    """Compute limit and points of wins from stated fu and han, or from stated units of yakuman (RULES.md 3.2).

    Parameters
    ----------
    total_fu, total_han, units
        The stated values of each win; [n]. Where there are units, fu and han do not matter.
    wins
        The wins: dealer, seats, tsumo and rule are used, hands are not; n.
    table
        Their rules.

    Returns
    -------
    uint8 [n], int32 [n]
        Limit and points as in `engine.scoring.score.Scores`; points are without honba and sticks.
    """
    limit, base = limit_and_base(np.asarray(total_fu, np.int16), np.asarray(total_han, np.int16), wins.rule, table)
    limit = np.where(units > 0, YAKUMAN, limit).astype(np.uint8)
    base = np.where(units > 0, YAKUMAN_BASE * np.asarray(units, np.int64), base)
    share = shares(base, wins.winner == wins.dealer, wins.players, missing_share(wins.players, wins.rule, table))
    return limit, np.where(wins.tsumo, share.tsumo, share.ron).astype(np.int32)

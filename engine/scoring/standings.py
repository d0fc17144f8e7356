"""Final standings: places, leftover riichi sticks, and final points with uma, oka and rounding.

Sources: RULES.md 1 (順位点), 1.2, 2.12, 4.2; auditor/readers/mjlog/FORMAT.md 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from engine.rules.rule_table import RuleTable
    from engine.tiles.arrays import I8, I64, Ints

    Floats = npt.NDArray[np.float64]

SEATS = np.arange(4)
_NOBODY = np.iinfo(np.int64).min // 2
"""In place of the score of a seat without a player: it comes last."""


@dataclass(frozen=True, slots=True)
class Standings:
    """n games at their end: one row for each game, one column for each seat, 0 for a seat without a player.

    Attributes
    ----------
    scores
        Scores in points; if first place gets the leftover sticks, they are included. int64 [n, 4].
    place
        1 for first place; tied seats have the same place where the rule ``tie_break`` is ``"split"``. int8 [n, 4].
    points
        Final points in thousands; float64 [n, 4].
    """

    scores: I64
    place: I8
    points: Floats


def standings(
    scores: Ints, table: RuleTable, *, sticks: Ints, players: Ints, rule: Ints, fouls: Ints | None = None
) -> Standings:
    """Compute places and final points of games.

    Parameters
    ----------
    scores
        Scores after the last round in points; column 0 is the first dealer of the game. [n, 4].
    table
        The rules.
    sticks
        Number of riichi sticks that nobody has won; [n].
    players
        3 or 4; [n].
    rule
        Rows of the table; [n].
    fouls
        How many chombo each seat pays in final points (rule ``chombo_penalty``); [n, 4]. None if left out.

    Returns
    -------
    Standings
        Of tied seats in first place, the first in seat order gets the leftover sticks: no source says otherwise.

    Raises
    ------
    ValueError
        If a rule set has uma for another number of players. With three players and unknown uma this happens too,
        because Tenhou's uma, which replaces an unknown one, is for four.
    """
    seated, line = players[:, None] > SEATS, np.arange(len(scores))
    start, settlement = table.starting_points[rule], table.return_points[rule]
    final = np.where(seated, scores, 0).astype(np.int64)
    ranked = np.where(seated, final, _NOBODY)
    order = np.argsort(-ranked, axis=1, kind="stable")
    place, first = np.argsort(order, axis=1), order[:, 0]
    below = (seated & (final < start[:, None])).sum(axis=1)
    by_place = _uma_of_games(table, players, rule)[line, below]
    by_place[:, 0] += players * (settlement - start) / 1000
    gained = np.take_along_axis(by_place, place, axis=1)
    split = np.flatnonzero((table.tie_break == "split")[rule])
    one, other = ranked[split, :, None], ranked[split, None, :]
    gained[split] = ((one == other) * gained[split, None, :]).sum(axis=2) / (one == other).sum(axis=2)
    place[split] = (one < other).sum(axis=2)
    to_first = (table.leftover_riichi_sticks == "first_place")[rule]
    final[line, first] += np.where(to_first, sticks * table.riichi_stick_value[rule], 0)
    settled = np.where(seated, settlement[:, None], 0)
    points = _rounded(final, first, settled, gained, table.final_points_rounding[rule])
    if fouls is not None:
        points -= fouls * table.chombo_penalty[rule][:, None]
    return Standings(final, np.where(seated, place + 1, 0).astype(np.int8), points)


def _uma_of_games(table: RuleTable, players: Ints, rule: Ints) -> Floats:
    """Give the uma of games by the number of seats below the start and by place; [n, 5, 4]."""
    different, of_game = np.unique(rule.astype(np.int64) * 8 + players, return_inverse=True)
    stated = [
        _uma(table.value(row, "floating_uma") or (table.value(row, "uma"),), seats)
        for row, seats in (divmod(each, 8) for each in different.tolist())
    ]
    return np.array(stated).reshape(-1, 5, 4)[of_game]


@cache
def _uma(stated: tuple[tuple[float, ...], ...], seats: int) -> Floats:
    """Give uma by the number of seats below the start and by place; 0 for a seat without a player. [5, 4]."""
    if any(len(each) != seats for each in stated):
        raise ValueError(f"rule uma has {len(stated[0])} places for {seats} players: {stated[0]}")
    by_number = [stated[min(below, len(stated) - 1)] for below in range(5)]
    return np.pad(np.array(by_number, dtype=np.float64), ((0, 0), (0, 4 - seats)))


def _rounded(scores: I64, first: Ints, settlement: Ints, gained: Floats, rounding: npt.NDArray[np.str_]) -> Floats:
    """Give the final points of games, rounded as the rule ``final_points_rounding`` says: the scores, or the results.

    First place takes the difference that rounding leaves.
    """
    points = (scores - settlement) / 1000 + gained
    # Tenhou rounds 500 away from zero, so that 24500 is 25 and -500 is -1; other rules round 500 towards zero.
    half = np.where(rounding == "thousand", 500, 400)[:, None]
    thousands = np.sign(scores) * ((np.abs(scores) + half) // 1000)
    ways = [rounding == "exact", rounding == "thousand_half_up"]
    rounded = np.select(
        [way[:, None] for way in ways], [points, np.floor(points + 0.5)], thousands - settlement / 1000 + gained
    )
    rounded[np.arange(len(scores)), first] += np.where(ways[0], 0, points.sum(axis=1) - rounded.sum(axis=1))
    return np.round(rounded, 6)

"""Final standings: places, leftover riichi sticks, and final points with uma, oka and rounding.

Sources: RULES.md 1 (順位点), 1.2, 2.12, 4.2; auditor/readers/mjlog/FORMAT.md 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from engine.rules.rule_table import RuleTable
    from engine.tiles.arrays import I8, I64, Ints

    Floats = npt.NDArray[np.float64]


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
    n = len(scores)
    result = Standings(scores.astype(np.int64), np.zeros((n, 4), np.int8), np.zeros((n, 4)))
    for row, seats in sorted(set(zip(rule.tolist(), players.tolist(), strict=True))):
        games = np.flatnonzero((rule == row) & (players == seats))
        _settle(result, games, sticks[games].astype(np.int64), _FinalRules.of(table, row, seats))
    if fouls is not None:
        result.points[:] -= fouls * table.chombo_penalty[rule][:, None]
    return result


@dataclass(frozen=True, slots=True)
class _FinalRules:
    """What one rule set says about the end of a game: points in points, uma in thousands of points."""

    seats: int
    start: int
    settlement: int
    uma: Floats
    ties_stand: bool
    sticks_to_first: bool
    stick: int
    rounding: str

    @classmethod
    def of(cls, table: RuleTable, row: int, seats: int) -> _FinalRules:
        def value(name: str) -> Any:  # noqa: ANN401 - each of its own type
            return table.value(row, name)

        uma = value("floating_uma") or (value("uma"),)
        if any(len(each) != seats for each in uma):
            raise ValueError(f"rule uma has {len(uma[0])} places for {seats} players: {table.rule_sets[row].uma}")
        return cls(
            seats=seats,
            start=value("starting_points"),
            settlement=value("return_points"),
            uma=np.array(uma, dtype=np.float64),
            ties_stand=value("tie_break") == "split",
            sticks_to_first=value("leftover_riichi_sticks") == "first_place",
            stick=value("riichi_stick_value"),
            rounding=value("final_points_rounding"),
        )


def _settle(result: Standings, games: Ints, sticks: I64, rules: _FinalRules) -> None:
    """Fill in the rows of some games under the same rules."""
    scores = result.scores[games, : rules.seats]
    line = np.arange(len(games))
    order = np.argsort(-scores, axis=1, kind="stable")
    place = np.argsort(order, axis=1)
    first = order[:, 0]
    below = np.minimum((scores < rules.start).sum(axis=1), len(rules.uma) - 1)
    by_place = rules.uma[below].copy()
    by_place[:, 0] += rules.seats * (rules.settlement - rules.start) / 1000
    gained = np.take_along_axis(by_place, place, axis=1)
    if rules.ties_stand:
        tied = scores[:, :, None] == scores[:, None, :]
        gained = (tied * gained[:, None, :]).sum(axis=2) / tied.sum(axis=2)
        place = (scores[:, :, None] < scores[:, None, :]).sum(axis=2)
    if rules.sticks_to_first:
        scores[line, first] += sticks * rules.stick
    points = (scores - rules.settlement) / 1000 + gained
    total = points.sum(axis=1)
    points = _rounded(scores, points, gained, rules)
    if rules.rounding != "exact":
        # First place takes the difference that rounding leaves.
        points[line, first] += total - points.sum(axis=1)
    result.scores[games, : rules.seats] = scores
    result.place[games, : rules.seats] = place + 1
    result.points[games, : rules.seats] = np.round(points, 6)


def _rounded(scores: I64, points: Floats, gained: Floats, rules: _FinalRules) -> Floats:
    """Round as the rule ``final_points_rounding`` says: either the scores, or the results."""
    if rules.rounding == "thousand_half_up":
        return np.floor(points + 0.5)
    if rules.rounding == "exact":
        return points
    # Tenhou rounds 500 away from zero, so that 24500 is 25 and -500 is -1; other rules round 500 towards zero.
    half = 500 if rules.rounding == "thousand" else 400
    thousands = np.sign(scores) * ((np.abs(scores) + half) // 1000)
    rounded: Floats = thousands - rules.settlement / 1000 + gained
    return rounded

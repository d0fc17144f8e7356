"""The end result of a game: recorded final scores, places and points beside the expected ones.

RULES.md 1 (順位点), 1.2, 2.12, 4.2, 5.31. If the log states the last round's values in several ways, the final scores
are accepted if they follow from one of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import filled, gathered, is_known, points_by_seat, where_known
from auditor.log.round_rules import RulesByRow
from auditor.log.seats import by_seat
from auditor.log.tables import GAMES, SEATS, Points
from auditor.replay.columns import PLACE, Columns
from auditor.replay.win_context import result_rows
from auditor.scoring.succession import UNKNOWN, is_last_of_game, no_seat, players_by_round
from engine.rules.rule_sets import known_values
from engine.rules.rule_table import RuleTable
from engine.scoring.standings import standings

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.scoring.game_end import Ends
    from auditor.scoring.succession import Succession
    from engine.scoring.standings import Standings

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

HALF_A_TENTH = 0.05
_ROUNDING = "final_points_rounding"
FINAL_RULES = frozenset({
    "return_points", "starting_points", "uma", "floating_uma", "tie_break", "leftover_riichi_sticks", _ROUNDING,
})  # fmt: skip
"""Rules that decide nothing before the final scores: no other argument of :func:`final_scores` depends on them, except
``Ends.by_next``, which it does not use. So trials of these rules need no new replay."""


FINAL_COLUMNS: Columns = {
    **GAMES,
    **PLACE,
    "expected_scores": Points,
    "scores_fit": pl.Boolean,
    "expected_points": pl.Array(pl.Float64, SEATS),
    "points_fit": pl.Boolean,
    "expected_places": pl.Array(pl.UInt8, SEATS),
}


def final_scores(log: Log, played: Replay, succession: Succession, stated: Ends, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each game that ended with final scores: recorded and expected scores, points and places.

    ``expected_scores`` follow from the last round; they are null where its changes are unknown. ``scores_fit`` says
    whether the recorded ones follow from some reading of the last round. ``expected_points`` and ``expected_places``
    follow from the recorded scores. ``stated`` is that of game_end.py.
    """
    last = np.flatnonzero(is_last_of_game(log))
    game = log.rounds["game"].to_numpy()[last]
    ended = filled(log.games["ended"], value=False) & is_known(log.games["final_scores"])
    last, games = last[ended[game]], log.games[game[ended[game]]]
    terms = _SettlementTerms(rules.of(last), players_by_round(log)[last])
    recorded = points_by_seat(games["final_scores"]).astype(np.int64)
    basis = _basis(recorded, last, succession, stated, terms)
    due = terms.settle(basis.scores, basis.sticks)
    known = is_known(games["final_points"])
    gained = points_by_seat(games["final_points"])
    points_fit = np.zeros(len(games), dtype=bool)
    for each in terms.roundings():
        points_fit |= _close(gained, (due if each is terms else each.settle(basis.scores, basis.sticks)).points)
        # If the recorded final scores are wrong, the points can come from the right scores.
        if not basis.fits.all():
            points_fit |= basis.known & _close(gained, each.settle(basis.first, basis.first_sticks).points)
    claim = np.full(len(log.rounds), UNKNOWN, dtype=np.int64)
    claim[log.claims["round"].to_numpy()] = np.arange(len(log.claims))  # the last result of a round stays
    claim, there = claim[last], claim[last] != UNKNOWN
    scores_known = basis.known & stated.right_known[last]
    rows: pl.DataFrame = games.hstack([
        pl.Series("round", last, dtype=pl.UInt32),
        no_seat(len(games)),
        gathered(log.claims["event"], claim, there),
        gathered(log.events["pos"], np.append(result_rows(played), 0)[claim], there),
        by_seat(basis.expected.astype(np.int32), terms.players, scores_known).alias("expected_scores"),
        pl.Series("scores_fit", basis.fits),
        by_seat(due.points, terms.players).alias("expected_points"),
        where_known(points_fit, known).alias("points_fit"),
        by_seat(due.place.astype(np.uint8), terms.players).alias("expected_places"),
    ])  # fmt: skip
    return rows


def _close(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> Bools:
    """Return in which rows all points differ by less than half a tenth, bool[n]."""
    return np.asarray((abs(one - other) < HALF_A_TENTH).all(axis=1))


@dataclass(frozen=True)
class _SettlementTerms:
    """The rules and the number of players of some games, by which they are settled."""

    rules: RulesByRow
    players: Ints

    def settle(self, scores: Ints, sticks: Ints) -> Standings:
        """Return the standings of the games, or of all of them several times in a row: scores, points and places."""
        players, rule = (np.resize(each, len(scores)) for each in (self.players, self.rules.row.astype(np.int64)))
        return standings(scores, self.rules.table, sticks=sticks, players=players, rule=rule)

    def roundings(self) -> Iterator[_SettlementTerms]:
        """Yield these terms with each possible rounding of final points; only themselves if the rounding is known."""
        if not self.rules.unknown(_ROUNDING).any():
            yield self
            return
        for rounding in known_values(_ROUNDING):
            sets = [
                each.tried(final_points_rounding=rounding) if each.final_points_rounding is None else each
                for each in self.rules.table.rule_sets
            ]
            table = RuleTable.from_rules(sets)
            yield _SettlementTerms(RulesByRow(table, table.row_of[self.rules.row]), self.players)


@dataclass(frozen=True)
class _Basis:
    """The scores and leftover sticks at the end of the last round, from which final scores follow.

    A reading is one way to take these from the log. ``known``: some reading has them. ``fits``: the recorded final
    scores follow from some reading. ``first`` and ``first_sticks`` are those of the first known reading, ``expected``
    its final scores. ``scores`` and ``sticks`` are those of the first reading that fits; if none does, the recorded
    final scores, and no sticks.
    """

    known: Bools
    fits: Bools
    expected: Ints
    first: Ints
    first_sticks: Ints
    scores: Ints
    sticks: Ints


def _basis(recorded: Ints, last: Ints, succession: Succession, stated: Ends, terms: _SettlementTerms) -> _Basis:
    """Return the basis of the games' final scores, from all readings of their last rounds."""
    ways = list(_readings(last, succession, stated))
    scores, left = np.stack([scores for scores, _, _ in ways]), np.stack([sticks for _, _, sticks in ways])
    here = np.stack([known for _, known, _ in ways])
    ended = terms.settle(scores.reshape(-1, SEATS), left.ravel()).scores.reshape(scores.shape)
    match = here & (ended == recorded).all(axis=2)
    known, fits = np.asarray(here.any(axis=0)), np.asarray(match.any(axis=0))
    game, first, way = np.arange(len(last)), here.argmax(axis=0), match.argmax(axis=0)
    return _Basis(
        known=known,
        fits=fits,
        expected=ended[first, game],
        first=scores[first, game],
        first_sticks=left[first, game],
        scores=np.where(fits[:, None], scores[way, game], recorded),
        sticks=np.where(fits, left[way, game], 0),
    )


def _readings(last: Ints, succession: Succession, stated: Ends) -> Iterator[tuple[Ints, Bools, Ints]]:
    """Yield each reading of the last rounds: scores, whether they are known, and sticks; none of them twice."""
    on_table = succession.left[last]
    named = np.where(succession.out.won, 0, succession.out.sticks)[last]
    due = np.where(
        succession.known & ~succession.out.won,
        succession.due_sticks + succession.out.paid,
        succession.left,
    )[last]
    # If the sticks at the start are unknown, only a win, which takes all, makes the leftover sticks known.
    sticks_known = ((succession.sticks >= 0) | succession.out.won)[last]
    found: list[tuple[Ints, Bools, Ints]] = []
    for sticks in (on_table, np.where(named < 0, on_table, named), due):
        for each in stated.own:
            way = (each.scores[last], each.known[last] & sticks_known, sticks)
            if not any(_covers(other, way) for other in found):
                found.append(way)
                yield way


def _covers(one: tuple[Ints, Bools, Ints], other: tuple[Ints, Bools, Ints]) -> bool:
    """Return whether the first reading has all known values of the other."""
    (scores, known, sticks), (scores_too, known_too, sticks_too) = one, other
    same = (scores == scores_too).all(axis=1) & (sticks == sticks_too) & known
    return bool((same | ~known_too).all())

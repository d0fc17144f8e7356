"""The end of a game: after which rounds it is over, and what the final scores, places and points then are.

RULES.md 1, 1.2, 2.12, 4.2, 5.28, 5.29. A log can state a round's last scores at several places that contradict each
other; their checks say so, and here a game may be over, or its final scores follow, by any of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import polars as pl

from auditor.flow import UNKNOWN, points
from auditor.log import SEATS, Points
from auditor.situations import result_rows, rule_rows
from engine.rules import RuleTable
from engine.standings import standings

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from auditor.flow import Succession
    from auditor.log import Log
    from auditor.replay import Replay
    from engine.standings import Standings

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

LAST_WIND = 4
HALF_A_TENTH = 0.05
_EITHER: tuple[Literal["exact", "thousand"], ...] = ("exact", "thousand")
"""How final points may be rounded where the rules do not say: the two ways of Tenhou."""
NOT_OVER, BUST, CEILING, ROUNDS, SCHEDULE, TARGET, DEALER = range(7)
WHY = pl.Enum([
    "nothing ends it",
    "a seat is bust",
    "a seat has the most points there are",
    "all rounds are played",
    "the last scheduled round is over",
    "a seat has the points that end an extension",
    "the leading dealer stops in the last round",
])  # fmt: skip


@dataclass(frozen=True)
class Stated:
    """Scores at a round's end, int64[rounds, 4], as one way of reading the log has them; ``known`` where it does."""

    scores: Ints
    known: Bools


def _summed(payments: pl.DataFrame, column: pl.Expr, count: int) -> Stated:
    """Sum up changes of score by round; known where every result's are."""
    changes = payments.select("round", change=column)
    at = changes["round"].to_numpy().astype(np.int64)
    total = np.zeros((count, SEATS), dtype=np.int64)
    np.add.at(total, at, points(changes["change"]))
    lacking = np.bincount(at[changes["change"].is_null().to_numpy()], minlength=count)
    return Stated(total, (np.bincount(at, minlength=count) > 0) & (lacking == 0))


@dataclass(frozen=True)
class Ends:
    """The scores at each round's end: by its result or start, changes as recorded or amended, and by what comes next.

    ``sure`` is false where a result's changes are known to be wrong, but not what they should be.
    """

    own: tuple[Stated, ...]
    by_next: Stated
    sure: Bools


def ends(log: Log, flow: Succession, payments: pl.DataFrame, rules: RuleTable) -> Ends:
    """Gather the scores at every round's end."""
    count = len(log.rounds)
    right = pl.when(pl.col("fault").is_null()).then("deltas").otherwise("expected_deltas")
    recorded, amended = _summed(payments, pl.col("deltas"), count), _summed(payments, right, count)
    stick = rules.riichi_stick_value[rule_rows(log, rules, log.rounds["game"])]
    start = Stated(
        points(log.rounds["start"]) - flow.out.deposits * stick[:, None], log.rounds["start"].is_not_null().to_numpy()
    )
    first = payments.filter(pl.col("nth") == 0)
    before = Stated(np.zeros((count, SEATS), dtype=np.int64), np.zeros(count, dtype=bool))
    before.scores[first["round"].to_numpy()] = points(first["before"])
    before.known[first["round"].to_numpy()] = first["before"].is_not_null().to_numpy()
    return Ends(
        own=tuple(_added(scores, changes) for scores in (before, start) for changes in (recorded, amended)),
        by_next=_stated_next(log, flow, rules),
        sure=amended.known,
    )


def _added(scores: Stated, changes: Stated) -> Stated:
    return Stated(scores.scores + changes.scores, scores.known & changes.known)


def _stated_next(log: Log, flow: Succession, rules: RuleTable) -> Stated:
    """Return the next round's start, and after the last round the final scores less what sticks first place got."""
    game = log.rounds["game"].to_numpy().astype(np.int64)
    last = np.diff(game, append=-1) != 0
    final = points(log.games["final_scores"])[game]
    rule = rule_rows(log, rules, log.rounds["game"])
    left = flow.left * rules.riichi_stick_value[rule]
    left = np.where(rules.leftover_riichi_sticks[rule] == "first_place", left, 0)
    final[np.arange(len(game)), final.argmax(axis=1)] -= left
    said = log.games["final_scores"].is_not_null().to_numpy()[game]
    start = log.rounds["start"]
    return Stated(
        np.where(last[:, None], final, np.roll(points(start), -1, axis=0)),
        np.where(last, said, np.roll(start.is_not_null().to_numpy(), -1)),
    )


@dataclass(frozen=True)
class _Course:
    """What is asked of each round beside its scores: its place, and the place of the one that would follow.

    ``scheduled`` is the last place on the schedule, ``latest`` the last of all, ``closing`` the one where a leading
    dealer may stop. ``dealer`` is -1 where the dealer does not repeat, or not by the result.
    """

    rule: Ints
    known: Bools
    place: Ints
    following: Ints
    scheduled: Ints
    latest: Ints
    closing: Ints
    dealer: Ints
    won: Bools
    nth: Ints


def _course(log: Log, flow: Succession, rules: RuleTable) -> _Course:
    out = flow.out
    rule = rule_rows(log, rules, log.rounds["game"]).astype(np.int64)
    seats = log.games["players"].fill_null(SEATS).gather(log.rounds["game"]).to_numpy().astype(np.int64)
    place = flow.order.clip(0)
    stays = out.dealer_stays[np.arange(len(place)), place % seats]
    winds, mode = rules.game_length[rule], rules.extension_mode[rule]
    scheduled = np.where(winds == 0, 0, winds * seats - 1)
    extended = place > scheduled
    # In mode 2 every further round is the last in its turn; in mode 3 the last of a whole wind is.
    closing = np.select([extended & (mode == 2), extended & (mode == 3)], [place, scheduled + seats], scheduled)
    return _Course(
        rule=rule,
        known=out.known & (flow.order >= 0) & flow.order_fits,
        place=place,
        following=place + ~stays,
        scheduled=scheduled,
        latest=np.minimum((winds + 1) * seats, LAST_WIND * seats) - 1,
        closing=closing,
        dealer=np.where(stays & ~out.abort, place % seats, UNKNOWN),
        won=out.won,
        nth=log.rounds["nth"].to_numpy().astype(np.int64),
    )


def _over(scores: Ints, course: _Course, rules: RuleTable) -> tuple[npt.NDArray[np.int8], Bools]:
    """Return why each round must be the last (one of :data:`WHY`), and whether it may be."""
    rule = course.rule
    lowest, highest, leader = scores.min(axis=1), scores.max(axis=1), scores.argmax(axis=1)
    threshold = rules.bust_threshold[rule]
    bust = (lowest < 0) | ((threshold == "zero_or_less") & (lowest <= 0))
    bust &= (threshold != "off") & ~_unknown(rules, "bust_threshold")[rule]
    maybe_bust = (lowest <= 0) & _unknown(rules, "bust_threshold")[rule]
    ceiling, most = rules.score_ceiling[rule], rules.max_rounds[rule]
    reached = highest >= rules.target_points[rule]
    beyond = course.following > course.closing
    no_more = (rules.extension_mode[rule] == 0) | (rules.game_length[rule] == 0)
    leads = (course.following == course.closing) & (leader == course.dealer)
    stop = np.where(course.won, _stop(rules, "agari_yame")[rule], _stop(rules, "tenpai_yame")[rule])
    stops = leads & reached
    must = np.select(
        [
            bust,
            (ceiling > 0) & (highest >= ceiling),
            (most > 0) & (course.nth + 1 >= most),
            course.known & ((course.following > course.latest) | (beyond & no_more)),
            course.known & beyond & reached,
            course.known & stops & (stop == "automatic"),
        ],
        [BUST, CEILING, ROUNDS, SCHEDULE, TARGET, DEALER],
        NOT_OVER,
    ).astype(np.int8)
    # Sources differ on the dealer who leads and repeats in the very last round without the points to stop (4.2, 5.28).
    undecided = leads & ~reached & (course.following == course.latest) & (course.latest > course.scheduled)
    may = (must > 0) | ~course.known | maybe_bust | (stops & (stop == "chosen")) | undecided
    early = course.nth + 1 < rules.min_rounds[rule]
    return np.where(early, NOT_OVER, must).astype(np.int8), may & ~early


def _unknown(rules: RuleTable, name: str) -> Bools:
    """Return which rule sets do not say a parameter."""
    return np.array([getattr(each, name) is None for each in rules.rule_sets], dtype=bool)


def _stop(rules: RuleTable, name: str) -> npt.NDArray[np.str_]:
    """Return whether the leading dealer stops; where that is unknown, as if it were up to him."""
    return np.where(_unknown(rules, name), "chosen", getattr(rules, name))


def rounds(log: Log, flow: Succession, stated: Ends, rules: RuleTable) -> pl.DataFrame:
    """Return one row a round: whether the game goes on after it, and whether the rules let it.

    ``goes_on`` is null where the log does not say; ``why`` the game must be over, and ``may_end`` whether it may be,
    are null where no scores are known. ``following_wind`` and ``following_dealer`` are what would be played next.
    """
    course = _course(log, flow, rules)
    count = len(log.rounds)
    why, known = np.full(count, DEALER, dtype=np.int8), np.zeros(count, dtype=bool)
    may = np.zeros(count, dtype=bool)
    for each in (*stated.own, stated.by_next):
        must, may_here = _over(each.scores, course, rules)
        why = np.where(each.known, np.where(known, np.minimum(why, must), must), why)
        may |= may_here & each.known
        known |= each.known
    game = log.rounds["game"].to_numpy().astype(np.int64)
    last = np.diff(game, append=-1) != 0
    # A game that went on after its end may be over at any time.
    ends_so_far = np.cumsum(known & (why > 0))
    first = np.searchsorted(game, game)
    may |= ends_so_far > ends_so_far[first] - (known & (why > 0))[first]
    ended = log.games["ended"].gather(log.rounds["game"])
    seats = log.games["players"].fill_null(SEATS).gather(log.rounds["game"]).to_numpy().astype(np.int64)
    return log.rounds.with_columns(
        pl.lit(None, pl.Int8).alias("seat"),
        goes_on=pl.when(~pl.Series(last)).then(pl.lit(value=True)).otherwise(pl.when(ended).then(pl.lit(value=False))),
        why=pl.when(pl.Series(known)).then(pl.Series(why.astype(np.uint8)).cat.to(WHY)),
        may_end=pl.when(pl.Series(known)).then(pl.Series(may)),
        following_wind=pl.Series(course.following // seats),
        following_dealer=pl.Series(course.following % seats),
    )


def finals(log: Log, played: Replay, flow: Succession, stated: Ends, rules: RuleTable) -> pl.DataFrame:
    """Return one row a game that ended: recorded final scores, points and places, and those that follow.

    ``expected_scores`` follow from the last round, and are null where its changes cannot be known; ``scores_fit``
    by any way of reading it. Points and places follow from the recorded scores.
    """
    game = log.rounds["game"].to_numpy().astype(np.int64)
    last = np.flatnonzero(np.diff(game, append=-1) != 0)
    games = log.games[game[last]].with_columns(round=pl.Series(last, dtype=pl.UInt32), seat=pl.lit(None, pl.Int8))
    chosen = (games["ended"].fill_null(value=False) & games["final_scores"].is_not_null()).to_numpy()
    last, games = last[chosen], games.filter(pl.Series(chosen))
    terms = _Terms(
        rule_rows(log, rules, games["game"]).astype(np.int64),
        games["players"].fill_null(SEATS).to_numpy().astype(np.int64),
        rules,
    )
    recorded = points(games["final_scores"])
    basis = _basis(recorded, last, flow, stated, terms)
    due = terms.settle(basis.scores, basis.sticks)
    none = pl.Series([[0.0] * SEATS], dtype=games["final_points"].dtype)
    gained = games["final_points"].fill_null(none).to_numpy().reshape(-1, SEATS)
    points_fit = np.zeros(len(games), dtype=bool)
    for each in terms.roundings():
        points_fit |= _close(gained, each.settle(basis.scores, basis.sticks).points)
        # Where the scores are a slip, the points may have been reckoned from the right ones.
        if not basis.fits.all():
            points_fit |= basis.known & _close(gained, each.settle(basis.first, basis.first_sticks).points)
    return games.join(_last_results(log, played), on="round", how="left", maintain_order="left").with_columns(
        expected_scores=pl.when(pl.Series(basis.known & stated.sure[last])).then(
            pl.Series(basis.expected, dtype=Points)
        ),
        scores_fit=pl.Series(basis.fits),
        expected_points=pl.Series(due.points, dtype=pl.Array(pl.Float64, SEATS)),
        points_fit=pl.when(games["final_points"].is_not_null()).then(pl.Series(points_fit)),
        expected_places=pl.Series(due.place, dtype=pl.Array(pl.UInt8, SEATS)),
    )


def _close(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> Bools:
    """Return in which rows all points are the same but for what a tenth hides."""
    return np.asarray((abs(one - other) < HALF_A_TENTH).all(axis=1))


@dataclass(frozen=True)
class _Terms:
    """Some games' rows of the rule table and players, by which they are settled."""

    rule: Ints
    players: Ints
    rules: RuleTable

    def settle(self, scores: Ints, sticks: Ints) -> Standings:
        """Settle the games."""
        return standings(scores, self.rules, sticks=sticks, players=self.players, rule=self.rule)

    def times(self, count: int) -> _Terms:
        """Return the games repeated, all of them and then all again."""
        return _Terms(np.tile(self.rule, count), np.tile(self.players, count), self.rules)

    def roundings(self) -> Iterator[_Terms]:
        """Yield the same under each way that final points may be rounded: one, if the rules say which."""
        if not _unknown(self.rules, "final_points_rounding")[self.rule].any():
            yield self
            return
        for rounding in _EITHER:
            sets = [
                replace(each, final_points_rounding=rounding) if each.final_points_rounding is None else each
                for each in self.rules.rule_sets
            ]
            rules = RuleTable.from_rules(sets)
            yield _Terms(rules.row_of[self.rule].astype(np.int64), self.players, rules)


@dataclass(frozen=True)
class _Basis:
    """What final scores come from: scores and leftover sticks of the reading of the last round that fits them.

    ``expected`` are the final scores of the ``first`` reading that is ``known``. Where none ``fits``, ``scores`` are
    the recorded final ones, without sticks.
    """

    known: Bools
    fits: Bools
    expected: Ints
    first: Ints
    first_sticks: Ints
    scores: Ints
    sticks: Ints


def _basis(recorded: Ints, last: Ints, flow: Succession, stated: Ends, terms: _Terms) -> _Basis:
    """Try all readings of the games' last rounds."""
    on_table = flow.left[last]
    named = np.where(flow.out.won, 0, flow.out.sticks)[last]
    ways = [(each, sticks) for sticks in (on_table, np.where(named < 0, on_table, named)) for each in stated.own]
    scores, left = np.stack([each.scores[last] for each, _ in ways]), np.stack([sticks for _, sticks in ways])
    here = np.stack([each.known[last] for each, _ in ways])
    ended = terms.times(len(ways)).settle(scores.reshape(-1, SEATS), left.ravel()).scores.reshape(scores.shape)
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


def _last_results(log: Log, played: Replay) -> pl.DataFrame:
    """Return where each round's last result stands."""
    return (
        log.claims.select("round", "event")
        .with_columns(pos=log.events["pos"].gather(result_rows(played)))
        .group_by("round", maintain_order=True)
        .last()
    )

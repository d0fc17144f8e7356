"""The end of a game: the rounds after which it must or can end.

RULES.md 1, 1.2, 2.12, 4.2, 5.28, 5.29. A log can state the scores at a round's end at several places that contradict
each other. Other checks report that; here each of these scores can end the game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import tables as canonical
from auditor.log.arrays import filled, gathered, is_known, points_by_seat, where_known
from auditor.log.tables import SEATS
from auditor.replay.columns import PLACE, Columns
from auditor.scoring.succession import UNKNOWN, is_last_of_game, no_seat, of_rounds, players_by_round, sum_by_round

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.scoring.succession import Succession

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

LAST_WIND = 4
"""How many winds a game has at most."""
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
"""Why a game must end, in the order of the numbers above; of several reasons, the first one is given."""
_WHY = pl.Series(WHY.categories, dtype=WHY)


@dataclass(frozen=True)
class Stated:
    """Scores at each round's end by one way of reading the log, int64[rounds, 4]; ``known`` bool[rounds]."""

    scores: Ints
    known: Bools


def _stated(round_: Ints, scores: pl.Series, count: int) -> Stated:
    """Return a column of scores as those of these rounds, of ``count`` in all; no round may occur twice."""
    found = Stated(np.zeros((count, SEATS), dtype=np.int64), np.zeros(count, dtype=bool))
    found.scores[round_], found.known[round_] = points_by_seat(scores), is_known(scores)
    return found


def _summed(log: Log, changes: pl.Series) -> Stated:
    """Return the sum of each round's changes of score; known where no result's changes are null."""
    round_, known = log.claims["round"].to_numpy(), np.zeros(len(log.rounds), dtype=bool)
    known[round_] = True
    known[round_[~is_known(changes)]] = False
    return Stated(sum_by_round(log, points_by_seat(changes)), known)


@dataclass(frozen=True)
class Ends:
    """The scores at each round's end, by several readings of the log.

    ``own`` are the readings from the round itself: the scores before the result, at the start, or carried over from
    earlier rounds, each with the recorded changes and, if any are wrong, with the corrected ones. ``by_next`` is the
    start of the next round, or the final scores. ``right_known`` is false where a result's changes are wrong and the
    right ones unknown.
    """

    own: tuple[Stated, ...]
    by_next: Stated
    right_known: Bools

    def without(self, rounds: Bools) -> Ends:
        """Return the same, but with only ``by_next`` known for these rounds (bool[rounds])."""
        return Ends(
            tuple(Stated(each.scores, each.known & ~rounds) for each in self.own), self.by_next, self.right_known
        )


def ends(log: Log, succession: Succession, payments: pl.DataFrame, scores: pl.DataFrame, rules: RulesByRow) -> Ends:
    """Return the scores at every round's end; ``scores`` (payments.py) has those carried over to a round's start."""
    count = len(log.rounds)
    recorded = amended = _summed(log, payments["deltas"])
    if payments["fault"].null_count() < len(payments):
        right = payments["deltas"].zip_with(payments["fault"].is_null(), payments["expected_deltas"])
        amended = _summed(log, right)
    paid = succession.out.deposits * rules.assumed("riichi_stick_value")[:, None]
    first, begins = payments["nth"] == 0, scores["begins"]
    before, start, carried = (
        _stated(round_.to_numpy(), stated, count)
        for round_, stated in (
            (payments["round"].filter(first), payments["before"].filter(first)),
            (log.rounds["round"], log.rounds["start"]),
            (scores["round"].filter(begins), scores["expected"].filter(begins)),
        )
    )
    start.scores[:] -= paid
    carried.scores[:] -= paid
    results = (recorded,) if amended is recorded else (recorded, amended)
    return Ends(
        own=tuple(_added(basis, changes) for basis in (before, start, carried) for changes in results),
        by_next=_stated_next(log, succession, rules),
        right_known=amended.known,
    )


def _added(scores: Stated, changes: Stated) -> Stated:
    return Stated(scores.scores + changes.scores, scores.known & changes.known)


def _stated_next(log: Log, succession: Succession, rules: RulesByRow) -> Stated:
    """Return the scores at the next round's start; after the last round, the final scores.

    From these it subtracts the leftover sticks, if the rules give them to first place.
    """
    last = np.flatnonzero(is_last_of_game(log))
    game = log.rounds["game"].to_numpy()[last]
    final = points_by_seat(log.games["final_scores"])[game].astype(np.int64)
    left = (succession.left * rules.assumed("riichi_stick_value"))[last]
    final[np.arange(len(last)), final.argmax(axis=1)] -= np.where(
        rules.of(last).assumes("leftover_riichi_sticks", "first_place"), left, 0
    )
    start = log.rounds["start"]
    scores, known = np.roll(points_by_seat(start).astype(np.int64), -1, axis=0), np.roll(is_known(start), -1)
    scores[last], known[last] = final, is_known(log.games["final_scores"])[game]
    return Stated(scores, known)


@dataclass(frozen=True)
class _Course:
    """The facts about each round, beside the scores, that decide whether the game ends.

    ``place`` counts rounds from East 1 (0), without repeats; ``following`` is the place of the next round if there is
    one. ``scheduled`` is the last scheduled place, ``latest`` the last place of an extension, ``closing`` the place
    whose leading dealer can stop. ``dealer`` is the dealer's seat; -1 where the dealer does not stay, or stays because
    of an abort. ``nth`` counts all rounds of the game from 0. ``seated``
    bool[rounds, 4] are the seats that exist.
    """

    known: Bools
    place: Ints
    following: Ints
    scheduled: Ints
    latest: Ints
    closing: Ints
    dealer: Ints
    won: Bools
    nth: Ints
    seated: Bools


def _course(log: Log, succession: Succession, rules: RulesByRow) -> _Course:
    out = succession.out
    seats = players_by_round(log)
    place = succession.order.clip(0)
    stays = out.dealer_stays[np.arange(len(place)), place % seats]
    winds, mode = rules.assumed("game_length"), rules.assumed("extension_mode")
    scheduled = np.where(winds == 0, 0, winds * seats - 1)
    extended = place > scheduled
    # In mode 2 each extension round can be the last; in mode 3 only the last round of the extension's wind.
    closing = np.select([extended & (mode == 2), extended & (mode == 3)], [place, scheduled + seats], scheduled)
    return _Course(
        known=out.known & (succession.order >= 0) & succession.order_fits,
        place=place,
        following=place + ~stays,
        scheduled=scheduled,
        latest=np.minimum((winds + 1) * seats, LAST_WIND * seats) - 1,
        closing=closing,
        dealer=np.where(stays & ~out.abort, place % seats, UNKNOWN),
        won=out.won,
        nth=log.rounds["nth"].to_numpy().astype(np.int64),
        seated=log.seated.reshape(-1, SEATS),
    )


def _over(scores: Ints, course: _Course, rules: RulesByRow) -> tuple[npt.NDArray[np.uint8], Bools]:
    """Return why each round must be the last (a place in :data:`WHY`), uint8[n], and whether it can be."""
    scores = np.where(course.seated, scores, scores[:, :1])  # a seat that does not exist decides nothing
    lowest, highest, leader = scores.min(axis=1), scores.max(axis=1), scores.argmax(axis=1)
    bust = (lowest < 0) | (rules.assumes("bust_threshold", "zero_or_less") & (lowest <= 0))
    bust &= ~rules.assumes("bust_threshold", "off") & ~rules.unknown("bust_threshold")
    maybe_bust = (lowest <= 0) & rules.unknown("bust_threshold")
    ceiling, most = rules.assumed("score_ceiling"), rules.assumed("max_rounds")
    reached = highest >= rules.assumed("target_points")
    beyond = course.following > course.closing
    no_more = rules.assumes("extension_mode", 0) | rules.assumes("game_length", 0)
    leads = (course.following == course.closing) & (leader == course.dealer)
    stops = leads & reached
    automatic, chosen = (
        np.where(course.won, _stops(rules, "agari_yame", how), _stops(rules, "tenpai_yame", how))
        for how in ("automatic", "chosen")
    )
    must = np.select(
        [
            bust,
            (ceiling > 0) & (highest >= ceiling),
            (most > 0) & (course.nth + 1 >= most),
            course.known & ((course.following > course.latest) | (beyond & no_more)),
            course.known & beyond & reached,
            course.known & stops & automatic,
        ],
        [BUST, CEILING, ROUNDS, SCHEDULE, TARGET, DEALER],
        NOT_OVER,
    ).astype(np.uint8)
    # Sources differ about a dealer who leads and stays in the very last round without the points to stop (RULES.md 4.2,
    # 5.28).
    undecided = leads & ~reached & (course.following == course.latest) & (course.latest > course.scheduled)
    # No log of three players shows whether a dealer who stays in an extension plays on once another seat has the
    # points.
    unseen = reached & (course.following == course.closing) & (course.closing > course.scheduled)
    undecided |= unseen & ~course.seated[:, -1]
    may = (must > 0) | ~course.known | maybe_bust | (stops & chosen) | undecided
    early = course.nth + 1 < rules.assumed("min_rounds")
    return np.where(early, NOT_OVER, must).astype(np.uint8), may & ~early


def _stops(rules: RulesByRow, name: str, how: str) -> Bools:
    """Return where a rule lets a leading dealer stop in this way; an unknown rule counts as ``chosen``."""
    return np.where(rules.unknown(name), how == "chosen", rules.assumes(name, how))


GAME_END_COLUMNS: Columns = {
    **canonical.ROUNDS,
    **PLACE,
    "goes_on": pl.Boolean,  # the log has a further round of the game
    "why": WHY,  # why the game must end
    "may_end": pl.Boolean,  # the rules allow the game to end
    "following_wind": pl.Int64,  # of the next round, if there were one
    "following_dealer": pl.Int64,
}


def rounds(log: Log, succession: Succession, stated: Ends, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each round: whether the game goes on after it, and whether the rules allow that.

    ``goes_on`` is null for the last round of a log that does not say that the game is over. ``why`` (the reason why the
    game must end) and ``may_end`` (whether it can end) are null where no scores are known. ``following_wind`` and
    ``following_dealer`` are those of the next round, if there were one.
    """
    course = _course(log, succession, rules)
    count = len(log.rounds)
    why, known = np.full(count, DEALER, dtype=np.uint8), np.zeros(count, dtype=bool)
    may = np.zeros(count, dtype=bool)
    seen = np.zeros((count, SEATS), dtype=np.int64)
    for each in (*stated.own, stated.by_next):
        # Nearly all readings of a round agree, and the first one decides.
        new = np.flatnonzero(each.known & ~(known & (each.scores == seen).all(axis=1)))
        must, may_here = _over(each.scores[new], of_rounds(course, new), rules.of(new))
        why[new] = np.minimum(why[new], must)
        may[new] |= may_here
        seen[new], known[new] = each.scores[new], True
    game = log.rounds["game"].to_numpy().astype(np.int64)
    last = is_last_of_game(log)
    # A game that went on after it had to end can end after any later round.
    ends_so_far = np.cumsum(known & (why > 0))
    first = np.searchsorted(game, game)
    may |= ends_so_far > ends_so_far[first] - (known & (why > 0))[first]
    over = filled(log.games["ended"], value=False)[game]
    seats = players_by_round(log)
    return log.rounds.hstack([
        no_seat(count),
        where_known(~last, ~last | over).alias("goes_on"),
        gathered(_WHY, why, known).alias("why"),
        where_known(may, known).alias("may_end"),
        pl.Series("following_wind", course.following // seats),
        pl.Series("following_dealer", course.following % seats),
    ])  # fmt: skip

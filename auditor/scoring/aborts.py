"""Abortive draws: whether the condition of a recorded abort is met, and whether play went on where one was due.

RULES.md 2.8, 2.10, 4.2, 4.6. Nine orphans is a choice; the other aborts are automatic. That three seats called ron is
known only from the winners: W110 reports three wins where the rules have an abort.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.arrays import gathered, rows_where, where_known
from auditor.log.columns import REASON
from auditor.log.event_kinds import CODE, KANS
from auditor.log.tables import CLAIMS, SEATS
from auditor.log.tile_ids import KIND, NONE
from auditor.log.words import ABORTS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.furiten import furiten
from auditor.replay.trust import END_HAND_DOUBTS, ROUND_DOUBTS, SCORE_DOUBTS
from auditor.replay.win_context import called_by_three, interruptions
from auditor.scoring.succession import IS_ABORT, UNKNOWN
from engine.scoring.score import score
from engine.tiles.hands import counts_of
from engine.tiles.kinds import EAST, NORTH, ORPHANS, count, kind_mask

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

RULES = {cause: f"abortive_{cause}" for cause in ABORTS}
"""The rule that allows each abort."""
ON_A_KAN = "abortive_triple_ron_on_kan"
"""The rule that allows the abort by three calls of ron if the tile was added to a kan."""
NINE = 9
"""How many different orphans a hand needs for the abort by nine orphans."""
FOUR = 4
"""How many winds, and how many kans, abort a round. With three players there is no abort by winds."""
_NONE = -1


class Moments(NamedTuple):
    """When each round's automatic aborts are due: the row of a discard, unless it is won on; -1 if never.

    ``four_riichi``: the declaring discard of the last seat of all, be they four or three. ``four_winds``: the fourth
    discard of the same wind. ``four_kans``: the first discard after the fourth kan; a kita is no kan.
    """

    four_riichi: Ints
    four_winds: Ints
    four_kans: Ints


def moments(played: Replay, ends: LastStates, players: npt.NDArray[np.int8], rules: RulesByRow) -> Moments:
    """Return the moments of the automatic aborts; ``players`` int8[rounds] is how many play."""
    return Moments(
        four_riichi=_last_riichi(ends, played, players),
        four_winds=_fourth_wind(played, ends, players, rules),
        four_kans=_after_fourth_kan(played, len(players)),
    )


def _between(calls: Ints, start: Ints, end: Ints) -> Bools:
    """Return for each pair of rows whether one of these ``calls`` (rows) lies between them, bool[n]."""
    between: Bools = np.searchsorted(calls, start) < np.searchsorted(calls, end)
    return between


def _last_riichi(ends: LastStates, played: Replay, players: npt.NDArray[np.int8]) -> Ints:
    """Return the row of the declaring discard after which all seats are in riichi; or -1."""
    found = np.full(len(players), _NONE, dtype=np.int64)
    declared = ends.riichi.reshape(-1, SEATS)
    every = np.flatnonzero((declared >= 0).sum(axis=1) == players)
    declared = declared[every]
    found[every] = ends.discard(every * SEATS + declared.argmax(axis=1), played.discards[declared.max(axis=1)] + 1)
    return found


def _fourth_wind(played: Replay, ends: LastStates, players: npt.NDArray[np.int8], rules: RulesByRow) -> Ints:
    """Return the row of the fourth discard if the first discards of four seats are one wind, without a call; or -1."""
    found = np.full(len(players), _NONE, dtype=np.int64)
    discards = played.rows("discard")
    first = np.searchsorted(discards, ends.start)
    round_ = np.flatnonzero((first + FOUR <= len(discards)) & (players == FOUR))
    four = discards[first[round_, None] + np.arange(FOUR)]
    kind = KIND[played.tile_id[four]]
    alike = (kind == kind[:, :1]).all(axis=1) & (kind[:, 0] >= EAST) & (kind[:, 0] <= NORTH)
    round_, four = round_[alike], four[alike]
    same = (played.round[four] == round_[:, None]).all(axis=1) & (played.discards[four] == 1).all(axis=1)
    same &= ~_between(interruptions(played, rules), ends.start[round_], four[:, -1])
    found[round_[same]] = four[same, -1]
    return found


def _after_fourth_kan(played: Replay, rounds: int) -> Ints:
    """Return the row of the first discard after a fourth kan, if several seats made the four kans; or -1."""
    found = np.full(rounds, _NONE, dtype=np.int64)
    discards = played.rows("discard")
    fourth, several = _fourth_kan(played, rounds)
    due = np.flatnonzero((fourth >= 0) & several)
    place = np.searchsorted(discards, fourth[due], side="right")
    due, place = due[place < len(discards)], place[place < len(discards)]
    same = played.round[discards[place]] == due
    found[due[same]] = discards[place[same]]
    return found


def _fourth_kan(played: Replay, rounds: int) -> tuple[Ints, Bools]:
    """Return the row of each round's fourth kan, -1 if there is none, and whether several seats made the four."""
    fourth, several = np.full(rounds, _NONE, dtype=np.int64), np.zeros(rounds, dtype=bool)
    kans = played.rows(*KANS)
    if len(kans) < FOUR:
        return fourth, several
    four = kans[np.arange(len(kans) - FOUR + 1)[:, None] + np.arange(FOUR)]
    round_ = played.round[four]
    begins = np.diff(played.round[kans], prepend=_NONE)[: len(four)] != 0
    four = four[begins & (round_[:, 0] == round_[:, -1])]
    which = played.round[four[:, 0]]
    fourth[which] = four[:, -1]
    several[which] = (played.seat[four] != played.seat[four[:, :1]]).any(axis=1)
    return fourth, several


ABORT_COLUMNS: Columns = {
    **PLACE,
    "reason": CLAIMS["reason"],
    "allowed": pl.Boolean,  # the rules have this abort
    "met": pl.Boolean,  # its condition is met
}


def aborts(  # noqa: PLR0917
    log: Log, played: Replay, ends: LastStates, due: Moments, yakuless: Bools, rules: RulesByRow
) -> pl.DataFrame:
    """Return one row for each recorded abort: ``allowed`` by the rules, and its condition ``met``; null where unknown.

    ``yakuless`` is that of :func:`yakuless`: three entries for each abort by three calls of ron.
    """
    claims = rows_where(log.claims[["round", "event", "reason"]], IS_ABORT[log.reasons])
    if not len(claims):
        return pl.DataFrame(schema=ABORT_COLUMNS)
    round_ = claims["round"].to_numpy().astype(np.int64)
    last = ends.last[round_]
    reason = claims["reason"].cast(pl.String).to_numpy()
    met = np.zeros(len(claims), dtype=bool)
    known = ends.trust.rounds.free_of(ROUND_DOUBTS)[round_]
    if (reason == "four_winds").any():
        unread = played.rows("discard")[played.tile_id[played.rows("discard")] == NONE]
        known &= ~((reason == "four_winds") & np.isin(round_, played.round[unread]))
    for name, moment in due._asdict().items():
        met |= (reason == name) & (moment[round_] == last)
    fourth, several = _fourth_kan(played, len(log.rounds))
    # RULES.md does not exclude an abort directly after the fourth kan or after its replacement draw.
    met |= (reason == "four_kans") & (fourth[round_] >= 0) & several[round_] & (last >= fourth[round_])
    nine = np.flatnonzero((reason == "kyuushu") & known)
    met[nine], known[nine] = _nine_orphans(played, ends, last[nine], rules)
    # What an abort by winds would ask for with three players, no source says.
    known &= ~((reason == "four_winds") & (log.players[round_] < FOUR))
    called = np.flatnonzero((reason == "triple_ron") & (log.players[round_] == SEATS))
    without_yaku: Bools = np.asarray(yakuless.reshape(-1, SEATS - 1).any(axis=1))[known[called]]
    three = called[known[called]]
    met[three], known[three] = _three_calls(played, ends, last[three], rules)
    met[three] &= ~without_yaku
    ruled = np.array([RULES[name] for name in reason])
    ruled[(reason == "triple_ron") & (played.kind[last] == CODE["kakan"])] = ON_A_KAN
    return pl.DataFrame({
        "round": claims["round"],
        "event": claims["event"],
        "pos": gathered(log.events["pos"], ends.result[round_]),
        "seat": played.seat[last],
        "reason": claims["reason"],
        "allowed": _allowed(rules.of(round_), ruled),
        "met": where_known(met, known),
    })  # fmt: skip


def _allowed(rules: RulesByRow, ruled: npt.NDArray[np.str_]) -> pl.Series:
    """Return whether the rule that each row names allows its abort, as a column; null where it is unknown."""
    allowed, known = np.zeros(len(ruled), dtype=bool), np.zeros(len(ruled), dtype=bool)
    for name in np.unique(ruled).tolist():
        allowed |= (ruled == name) & rules.holds(name)
        known |= (ruled == name) & ~rules.unknown(name)
    return where_known(allowed, known)


def yakuless(log: Log, played: Replay, ends: LastStates, rules: RulesByRow) -> Bools:
    """Return which of the hands that abort a round by three calls of ron have no yaku, bool[3 * aborts].

    For each abort these are the other seats, in turn order from the discarder. The value is false where the hand has
    SCORE_DOUBTS. ``log`` must have the corrected honba and sticks (``with_corrected_starts`` in succession.py).
    """
    if REASON["triple_ron"] not in log.reasons:
        return np.zeros(0, dtype=bool)
    case = called_by_three(log, played, ends, rules)
    scored = score(case.wins, rules.table)
    without_yaku: Bools = case.doubts.free_of(SCORE_DOUBTS) & scored.complete & ~scored.has_yaku
    return without_yaku


def _nine_orphans(played: Replay, ends: LastStates, last: Ints, rules: RulesByRow) -> tuple[Bools, Bools]:
    """Return which rows are an uninterrupted first draw of a hand with nine kinds of orphans, and which are known."""
    hand, start = np.where(played.seat[last] >= 0, played.hand[last], 0), ends.start[played.round[last]]
    first = (played.kind[last] == CODE["draw"]) & (played.discards[last] == 0)
    first &= ~_between(interruptions(played, rules), start, last)
    unsettled = rules.of(played.round[last]).unknown("kita_interrupts") & _between(played.rows("kita"), start, last)
    followed = ends.trust.hands.free_of(END_HAND_DOUBTS)[hand]
    kinds = np.zeros(len(last), dtype=np.int64)
    kinds[followed] = count(kind_mask(counts_of(played.keys[last[followed]]) > 0) & ORPHANS)
    return first & (kinds >= NINE), (followed | ~first) & ~unsettled


def _three_calls(played: Replay, ends: LastStates, last: Ints, rules: RulesByRow) -> tuple[Bools, Bools]:
    """Return where the last tile completes the hands of all other seats, none furiten, and where that is known."""
    fits = played.is_kind("discard", "kakan")[last]
    others = (played.seat[last][:, None].astype(np.int64) + np.arange(1, SEATS)) % SEATS
    hand = (played.round[last][:, None] * SEATS + others).ravel()
    followed = ends.trust.hands.free_of(END_HAND_DOUBTS)[hand]
    tile = np.repeat(last, SEATS - 1)
    can = np.zeros(len(hand), dtype=bool)
    found = furiten(played, ends, hand[followed], tile[followed], rules)
    completes = found.waits >> np.minimum(KIND[played.tile_id[tile[followed]]], 63).astype(np.int64) & 1 == 1
    passed = np.where(found.passed_known, found.passed, 0)
    can[followed] = completes & (found.discarded | found.locked | passed == 0)
    known = (followed.reshape(-1, SEATS - 1).all(axis=1)) | ~fits
    return fits & can.reshape(-1, SEATS - 1).all(axis=1), known


OVERRUN_COLUMNS: Columns = {
    **PLACE,
    "reason": CLAIMS["reason"],  # of the round's first result
    "due": pl.String,  # the abort that is due
    "ruled": pl.Boolean,  # the rules have this abort
    "went_on": pl.Boolean,  # the next action is neither an abort nor a win
}


def overrun(  # noqa: PLR0917
    log: Log, played: Replay, ends: LastStates, due: Moments, acts: Ints, rules: RulesByRow
) -> pl.DataFrame:
    """Return one row for each moment at which an automatic abort is due, with the place of the next action.

    ``acts`` has the rows of all actions. :data:`OVERRUN_COLUMNS` says what each column means; ``ruled`` and ``went_on``
    are null where unknown.
    """
    moment = np.stack(due)
    which, round_ = np.nonzero(moment >= 0)
    if not len(which):
        return pl.DataFrame(schema=OVERRUN_COLUMNS)
    place = np.searchsorted(acts, moment[which, round_], side="right")
    after = acts.take(place, mode="clip")
    there = (place < len(acts)) & (played.round[after] == round_)
    which, round_, after = which[there], round_[there], after[there]
    first = np.searchsorted(log.claims["round"].to_numpy(), round_)
    has_result = np.append(log.claims["round"].to_numpy(), UNKNOWN)[first] == round_
    code = np.append(log.reasons, UNKNOWN)[first]
    rightly = (played.kind[after] == CODE["result"]) & (IS_ABORT[code] | (code == REASON["win"]) | (code == UNKNOWN))
    places: pl.DataFrame = log.events[["round", "event", "pos", "seat"]][after]
    return places.hstack([
        gathered(log.claims["reason"], first, has_result),
        pl.Series("due", np.array(due._fields)[which]),
        _allowed(rules.of(round_), np.array([RULES[name] for name in due._fields])[which]).alias("ruled"),
        where_known(~rightly, ends.trust.rounds.free_of(ROUND_DOUBTS)[round_]).alias("went_on"),
    ])  # fmt: skip

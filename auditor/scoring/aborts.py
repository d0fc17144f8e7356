"""Abortive draws: whether the condition of a recorded abort is met, and whether play went on where one was due.

RULES.md 2.8, 2.10, 4.2. Nine orphans is a choice; the other aborts are automatic. That three seats called ron is known
only from the winners: W110 reports three wins where the rules have an abort.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.event_kinds import CODE, KANS
from auditor.log.tables import CALLS, CLAIMS, SEATS
from auditor.log.tile_ids import KIND, NONE
from auditor.log.words import ABORTS
from auditor.replay.columns import PLACE, Columns
from auditor.replay.furiten import furiten
from auditor.replay.running_sums import first_rows
from auditor.replay.trust import END_HAND_DOUBTS, ROUND_DOUBTS, SCORE_DOUBTS
from auditor.replay.win_context import called_by_three
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
AUTOMATIC = ("four_riichi", "four_winds", "four_kans")
"""Aborts that no player chooses."""
NINE = 9
"""How many different orphans a hand needs for the abort by nine orphans."""
_NONE = -1


class Moments(NamedTuple):
    """When each round's automatic aborts are due: the row of a discard, unless it is won on; -1 if never.

    ``four_riichi``: the fourth seat's declaring discard. ``four_winds``: the fourth discard of the same wind.
    ``four_kans``: the first discard after the fourth kan.
    """

    four_riichi: Ints
    four_winds: Ints
    four_kans: Ints


def moments(played: Replay, ends: LastStates, rounds: int) -> Moments:
    """Return the moments of the automatic aborts; ``rounds`` is the number of rounds."""
    rows = np.arange(len(played.kind))
    discards = np.flatnonzero(played.kind == CODE["discard"])
    return Moments(
        four_riichi=_fourth_riichi(ends, played, rounds),
        four_winds=_fourth_wind(played, discards, _firsts(played, rows[played.is_kind(*CALLS)], rounds), rounds),
        four_kans=_after_fourth_kan(played, discards, rounds),
    )


def _firsts(played: Replay, rows: Ints, rounds: int) -> Ints:
    """Return the first of these rows in each round, int64[rounds]; the number of all rows if there is none."""
    return first_rows(rows, played.round[rows], rounds, none=len(played.kind))


def _fourth_riichi(ends: LastStates, played: Replay, rounds: int) -> Ints:
    declared = ends.riichi.reshape(rounds, SEATS)
    last = declared.max(axis=1, initial=_NONE)
    every = (declared >= 0).all(axis=1)
    hand = np.arange(rounds) * SEATS + declared.argmax(axis=1) if rounds else np.zeros(0, dtype=np.int64)
    return np.where(every, ends.discard(hand, np.where(every, played.discards[last] + 1, 0)), _NONE)


def _fourth_wind(played: Replay, discards: Ints, first_call: Ints, rounds: int) -> Ints:
    """Return the row of the fourth discard if the first discards of all seats are one wind, without a call; or -1."""
    found = np.full(rounds, _NONE, dtype=np.int64)
    if len(discards) < SEATS:
        return found
    round_ = played.round[discards]
    begins = np.flatnonzero(np.diff(round_, prepend=_NONE))
    begins = begins[begins + SEATS - 1 < len(discards)]
    four = discards[begins[:, None] + np.arange(SEATS)]
    kind = KIND[played.tile_id[four]]
    which = played.round[four[:, 0]]
    same = (kind == kind[:, :1]).all(axis=1) & (kind[:, 0] >= EAST) & (kind[:, 0] <= NORTH)
    same &= (played.round[four] == which[:, None]).all(axis=1) & (played.discards[four] == 1).all(axis=1)
    same &= first_call[which] > four[:, -1]
    found[which[same]] = four[same, -1]
    return found


def _after_fourth_kan(played: Replay, discards: Ints, rounds: int) -> Ints:
    """Return the row of the first discard after a fourth kan, if several seats made the four kans; or -1."""
    found = np.full(rounds, _NONE, dtype=np.int64)
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
    if len(kans) < SEATS:
        return fourth, several
    four = kans[np.arange(len(kans) - SEATS + 1)[:, None] + np.arange(SEATS)]
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
    named = log.claims.select(pl.col("reason").is_in(list(RULES)).fill_null(value=False)).to_series()
    claims = log.claims.filter(named)
    round_ = claims["round"].to_numpy().astype(np.int64)
    last = ends.last[round_]
    robbed = played.kind[last] == CODE["kakan"]
    reason = claims["reason"].cast(pl.String).to_numpy()
    rule = {name: rules.of(round_).values(name) for name in (*RULES.values(), ON_A_KAN)}
    met = np.zeros(len(claims), dtype=bool)
    known = ends.trust.rounds.free_of(ROUND_DOUBTS)[round_]
    unread = np.zeros(len(log.rounds), dtype=bool)
    unread[played.round[played.is_kind("discard") & (played.tile_id == NONE)]] = True
    known &= ~(unread[round_] & (reason == "four_winds"))
    for name, moment in due._asdict().items():
        met |= (reason == name) & (moment[round_] == last)
    fourth, several = _fourth_kan(played, len(log.rounds))
    # RULES.md does not exclude an abort directly after the fourth kan or after its replacement draw.
    met |= (reason == "four_kans") & (fourth[round_] >= 0) & several[round_] & (last >= fourth[round_])
    nine = np.flatnonzero((reason == "kyuushu") & known)
    met[nine], known[nine] = _nine_orphans(played, ends, last[nine], len(log.rounds))
    called = np.flatnonzero(reason == "triple_ron")
    without_yaku: Bools = np.asarray(yakuless.reshape(-1, SEATS - 1).any(axis=1))[known[called]]
    three = called[known[called]]
    met[three], known[three] = _three_calls(played, ends, last[three], rules)
    met[three] &= ~without_yaku
    allowed = pl.lit(None, pl.Boolean)
    for name, ruled in RULES.items():
        allowed = pl.when(pl.col("reason").cast(pl.String) == name).then(rule[ruled]).otherwise(allowed)
    on_kan = (pl.col("reason").cast(pl.String) == "triple_ron") & pl.Series(robbed, dtype=pl.Boolean)
    found: pl.DataFrame = claims.select("round", "event", "reason").with_columns(
        seat=pl.Series(played.seat[last], dtype=pl.Int8),
        pos=log.events["pos"].gather(ends.result[round_]),
        allowed=pl.when(on_kan).then(rule[ON_A_KAN]).otherwise(allowed),
        met=pl.when(pl.Series(known, dtype=pl.Boolean)).then(pl.Series(met, dtype=pl.Boolean)),
    )
    return found


def yakuless(log: Log, played: Replay, ends: LastStates, rules: RulesByRow) -> Bools:
    """Return which of the hands that abort a round by three calls of ron have no yaku, bool[3 * aborts].

    For each abort these are the other seats, in turn order from the discarder. The value is false where the hand has
    SCORE_DOUBTS. ``log`` must have the corrected honba and sticks (``with_corrected_starts`` in succession.py).
    """
    if not (log.claims["reason"] == "triple_ron").any():
        return np.zeros(0, dtype=bool)
    case = called_by_three(log, played, ends, rules)
    scored = score(case.wins, rules.table)
    without_yaku: Bools = case.doubts.free_of(SCORE_DOUBTS) & scored.complete & ~scored.has_yaku
    return without_yaku


def _nine_orphans(played: Replay, ends: LastStates, last: Ints, rounds: int) -> tuple[Bools, Bools]:
    """Return which rows are an uninterrupted first draw of a hand with nine kinds of orphans, and which are known."""
    first_call = _firsts(played, played.rows(*CALLS), rounds)
    hand = np.where(played.seat[last] >= 0, played.hand[last], 0)
    first = (played.kind[last] == CODE["draw"]) & (played.discards[last] == 0) & (first_call[played.round[last]] > last)
    followed = ends.trust.hands.free_of(END_HAND_DOUBTS)[hand]
    kinds = np.zeros(len(last), dtype=np.int64)
    kinds[followed] = count(kind_mask(counts_of(played.keys[last[followed]]) > 0) & ORPHANS)
    return first & (kinds >= NINE), followed | ~first


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
    reasons = log.claims.unique("round", keep="first", maintain_order=True).select("round", "reason")
    in_order = ends.trust.rounds.free_of(ROUND_DOUBTS)
    parts = []
    for name in AUTOMATIC:
        moment = getattr(due, name)
        round_ = np.flatnonzero(moment >= 0)
        place = np.searchsorted(acts, moment[round_], side="right")
        round_, place = round_[place < len(acts)], place[place < len(acts)]
        same = played.round[acts[place]] == round_
        round_, after = round_[same], acts[place[same]]
        ends_here = played.kind[after] == CODE["result"]
        parts.append(
            log.events[after]
            .select("round", "event", "pos", "seat")
            .join(reasons, on="round", how="left", maintain_order="left")
            .with_columns(
                due=pl.lit(name),
                ruled=rules.of(round_).values(RULES[name]),
                went_on=pl.when(pl.Series(in_order[round_], dtype=pl.Boolean)).then(
                    ~(
                        pl.Series(ends_here, dtype=pl.Boolean)
                        & pl.col("reason").cast(pl.String).is_in([*RULES, "win"]).fill_null(value=True)
                    )
                ),
            )
        )
    found: pl.DataFrame = pl.concat(parts)
    return found

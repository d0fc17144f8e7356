"""Abortive draws, both ways: whether a recorded one has its condition, and whether play went on past one.

RULES.md 2.8, 2.10, 4.2. Nine orphans are a choice; the others are automatic. Three calls of ron are told by the
winners alone, so that going on past them is W110.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.event_kinds import CODE, KANS
from auditor.log.tables import CALLS, SEATS
from auditor.log.tile_ids import KIND, NONE
from auditor.replay.furiten import furiten
from auditor.replay.running_sums import first_rows
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

RULES = {
    "kyuushu": "abortive_kyuushu",
    "four_winds": "abortive_four_winds",
    "four_riichi": "abortive_four_riichi",
    "four_kans": "abortive_four_kans",
    "triple_ron": "abortive_triple_ron",
}
"""Each abort and the rule that has it."""
ON_A_KAN = "abortive_triple_ron_on_kan"
AUTOMATIC = ("four_riichi", "four_winds", "four_kans")
NINE = 9
_NONE = -1


class Moments(NamedTuple):
    """The rows at which each round's automatic aborts are due, unless that tile is won on; -1 where they never are."""

    four_riichi: Ints
    four_winds: Ints
    four_kans: Ints


def moments(played: Replay, ends: LastStates, rounds: int) -> Moments:
    """Find them: the fourth seat's riichi discard, the fourth first discard, the discard after the fourth kan."""
    rows = np.arange(len(played.kind))
    discards = np.flatnonzero(played.kind == CODE["discard"])
    return Moments(
        four_riichi=_fourth_riichi(ends, played, rounds),
        four_winds=_fourth_wind(played, discards, _firsts(played, rows[played.is_kind(*CALLS)], rounds), rounds),
        four_kans=_after_fourth_kan(played, discards, rounds),
    )


def _firsts(played: Replay, rows: Ints, rounds: int) -> Ints:
    """Return the first of some rows in each round; beyond all rows where there is none."""
    return first_rows(rows, played.round[rows], rounds, none=len(played.kind))


def _fourth_riichi(ends: LastStates, played: Replay, rounds: int) -> Ints:
    declared = ends.riichi.reshape(rounds, SEATS)
    last = declared.max(axis=1, initial=_NONE)
    every = (declared >= 0).all(axis=1)
    hand = np.arange(rounds) * SEATS + declared.argmax(axis=1) if rounds else np.zeros(0, dtype=np.int64)
    return np.where(every, ends.discard(hand, np.where(every, played.discards[last] + 1, 0)), _NONE)


def _fourth_wind(played: Replay, discards: Ints, first_call: Ints, rounds: int) -> Ints:
    """Return the row of the fourth discard where it and the three before, no call between, are of one wind."""
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
    """Return the row of the first discard after a fourth kan, where two seats or more made the four."""
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
    kans = np.flatnonzero(played.is_kind(*KANS))
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


def aborts(  # noqa: PLR0917
    log: Log, played: Replay, ends: LastStates, due: Moments, yakuless: Bools, rules: RulesByRow
) -> pl.DataFrame:
    """Return one row a recorded abort: ``allowed`` by the rules, ``met`` its condition; null where not known.

    ``yakuless`` says for each abort by three calls, seat by seat from the right on, whether that hand has no yaku.
    """
    named = log.claims.select(pl.col("reason").is_in(list(RULES)).fill_null(value=False)).to_series()
    claims = log.claims.filter(named)
    round_ = claims["round"].to_numpy().astype(np.int64)
    last = ends.last[round_]
    robbed = played.kind[last] == CODE["kakan"]
    reason = claims["reason"].cast(pl.String).to_numpy()
    rule = {name: rules.of(round_).values(name) for name in (*RULES.values(), ON_A_KAN)}
    met = np.zeros(len(claims), dtype=bool)
    known = ends.settled[round_].copy()
    unread = np.zeros(len(log.rounds), dtype=bool)
    unread[played.round[played.is_kind("discard") & (played.tile_id == NONE)]] = True
    known &= ~(unread[round_] & (reason == "four_winds"))
    for name, moment in due._asdict().items():
        met |= (reason == name) & (moment[round_] == last)
    fourth, several = _fourth_kan(played, len(log.rounds))
    # Where the abort comes at once with the kan, or after its draw, the notes have no word against it.
    met |= (reason == "four_kans") & (fourth[round_] >= 0) & several[round_] & (last >= fourth[round_])
    nine = np.flatnonzero((reason == "kyuushu") & known)
    met[nine], known[nine] = _nine_orphans(played, ends, last[nine], len(log.rounds))
    called = np.flatnonzero(reason == "triple_ron")
    bare: Bools = np.asarray(yakuless.reshape(-1, SEATS - 1).any(axis=1))[known[called]]
    three = called[known[called]]
    met[three], known[three] = _three_calls(played, ends, last[three], rules)
    met[three] &= ~bare
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


def _nine_orphans(played: Replay, ends: LastStates, last: Ints, rounds: int) -> tuple[Bools, Bools]:
    """Return whether these rows are first draws, nothing called before, of hands with nine kinds of orphans."""
    first_call = _firsts(played, np.flatnonzero(played.is_kind(*CALLS)), rounds)
    hand = np.where(played.seat[last] >= 0, played.hand[last], 0)
    first = (played.kind[last] == CODE["draw"]) & (played.discards[last] == 0) & (first_call[played.round[last]] > last)
    sound = ends.sound[hand]
    kinds = np.zeros(len(last), dtype=np.int64)
    kinds[sound] = count(kind_mask(counts_of(played.keys[last[sound]]) > 0) & ORPHANS)
    return first & (kinds >= NINE), sound | ~first


def _three_calls(played: Replay, ends: LastStates, last: Ints, rules: RulesByRow) -> tuple[Bools, Bools]:
    """Return whether the last tile completes the hands of all other seats, none of them furiten."""
    fits = played.is_kind("discard", "kakan")[last]
    others = (played.seat[last][:, None].astype(np.int64) + np.arange(1, SEATS)) % SEATS
    hand = (played.round[last][:, None] * SEATS + others).ravel()
    sound = ends.sound[hand]
    tile = np.repeat(last, SEATS - 1)
    can = np.zeros(len(hand), dtype=bool)
    found = furiten(played, ends, hand[sound], tile[sound], rules)
    completes = found.waits >> np.minimum(KIND[played.tile_id[tile[sound]]], 63).astype(np.int64) & 1 == 1
    can[sound] = completes & (found.discarded | found.locked | np.where(found.settled, found.passed, 0) == 0)
    known = (sound.reshape(-1, SEATS - 1).all(axis=1)) | ~fits
    return fits & can.reshape(-1, SEATS - 1).all(axis=1), known


def overrun(  # noqa: PLR0917
    log: Log, played: Replay, ends: LastStates, due: Moments, acts: Ints, rules: RulesByRow
) -> pl.DataFrame:
    """Return one row a moment at which an automatic abort is due, placed at what comes next.

    ``acts`` are the rows of all actions. ``ruled`` says whether the rules have it, ``went_on`` that what comes next
    is neither an abort nor a ron. Null where not known.
    """
    reasons = log.claims.unique("round", keep="first", maintain_order=True).select("round", "reason")
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
                went_on=pl.when(pl.Series(ends.settled[round_], dtype=pl.Boolean)).then(
                    ~(
                        pl.Series(ends_here, dtype=pl.Boolean)
                        & pl.col("reason").cast(pl.String).is_in([*RULES, "win"]).fill_null(value=True)
                    )
                ),
            )
        )
    found: pl.DataFrame = pl.concat(parts)
    return found

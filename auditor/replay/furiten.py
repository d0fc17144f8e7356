"""Furiten: whether a hand can win on another seat's tile.

A hand is furiten if it waits for a tile that it has discarded, or that it has let pass since its last discard (a rule
says when this ends), or, in riichi, since the declaring discard. A tile counts if it completes the hand, with or
without yaku. Own discards count even if they were called. A tile that another seat adds to a kan counts as let pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.arrays import hand_numbers
from auditor.log.event_kinds import CODE
from auditor.log.tables import CALLS, CLAIMS, SEATS
from auditor.log.tile_ids import KIND, NONE
from auditor.replay.columns import PLACE, Columns
from auditor.replay.last_states import seen_between, waits_at
from auditor.replay.trust import END_HAND_DOUBTS, ROUND_DOUBTS, SCORE_DOUBTS
from auditor.replay.win_context import result_rows
from engine.tiles.kinds import KINDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay
    from auditor.replay.win_context import WinContexts

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

CALLS_IN_A_ROW = 4
"""After this many calls a hand has no tiles left for another."""

Cause = pl.Enum(["own discard", "passed in riichi", "passed"])


class Furiten(NamedTuple):
    """The furiten of n hands, as masks of kinds, int64[n].

    ``waits`` are the hand's waits. Those among them that make it furiten are ``discarded`` by the hand, ``locked`` (let
    pass in riichi) or ``passed`` (let pass since the last discard). ``passed_known`` is false where an unknown rule
    decides about ``passed``.
    """

    waits: Ints
    discarded: Ints
    locked: Ints
    passed: Ints
    passed_known: Bools


@dataclass(frozen=True)
class _Offers:
    """The tiles of some rounds that other seats can win on: discards and tiles added to kans.

    ``row`` is the row in ``log.events``, ``seat`` the seat that offers the tile, ``bit`` the mask of its kind (0 if
    unknown), ``thrown`` whether it is a discard.
    """

    row: Ints
    seat: npt.NDArray[np.int8]
    bit: Ints
    thrown: Bools

    @classmethod
    def of(cls, played: Replay, rounds: Bools, absent: Ints) -> _Offers:
        """Return the offers of some rounds (bool[rounds]), without the rows ``absent``: tiles that the hand lacked."""
        row = np.flatnonzero(played.is_kind("discard", "kakan") & rounds[played.round])
        row = row[~np.isin(row, absent)] if len(absent) else row
        kind = np.minimum(KIND[played.tile_id[row]], KINDS).astype(np.int64)
        bit = np.where(kind < KINDS, np.int64(1) << kind, 0)
        return cls(row, played.seat[row], bit, played.kind[row] == CODE["discard"])

    def between(self, which: Bools, start: Ints, end: Ints) -> Ints:
        """Return the kinds of the offers ``which`` in each range of rows ``start`` up to ``end``, as masks."""
        edges = np.searchsorted(self.row, np.stack([start, end]))
        return seen_between(np.where(which, self.bit, 0), edges[0], edges[1])


def furiten(played: Replay, ends: LastStates, hand: Ints, tile: Ints, rules: RulesByRow) -> Furiten:
    """Return the furiten of hands (``round * SEATS + seat``) when another seat offers a tile at the row ``tile``."""
    round_, seat = hand // SEATS, hand % SEATS
    asked = np.zeros(len(ends.start), dtype=bool)
    asked[round_] = True
    offers = _Offers.of(played, asked, ends.absent)
    own = ends.own[hand]
    last = _last_discard(played, ends, hand, own)
    of_hand = rules.of(round_)
    whole = of_hand.holds("fifth_tile_wait", "whole_hand")
    waits = waits_at(played, own, whole)
    declared = ends.riichi[hand]
    declared = np.where(declared < tile, declared, -1)
    locked_from = ends.discard(hand, np.where(declared >= 0, played.discards[declared] + 1, 0))
    locked_from = np.where(locked_from >= 0, locked_from, tile)
    rule_unknown = of_hand.unknown("temporary_furiten_end")
    ends_by_call = of_hand.holds("temporary_furiten_end", "any_call")
    ends_by_draw = of_hand.holds("temporary_furiten_end", "own_draw")
    by_call = _since_call(played, last, tile) if (rule_unknown | ends_by_call).any() else last
    since = np.where(ends_by_call, by_call, last)
    discarded, locked, passed, surely = (np.zeros(len(hand), dtype=np.int64) for _ in range(4))
    for here in range(SEATS):
        mine = np.flatnonzero(seat == here)
        others = offers.seat != here
        discarded[mine] = offers.between(~others & offers.thrown, ends.start[round_[mine]], tile[mine])
        locked[mine] = offers.between(others, locked_from[mine], tile[mine])
        passed[mine] = offers.between(others, since[mine], tile[mine]) & waits[mine]
        drawing = mine[ends_by_draw[mine]]
        if len(drawing):
            passed[drawing] |= _since_draw(played, ends, hand[drawing], offers, whole[drawing])
        unruled = mine[rule_unknown[mine]]
        if len(unruled):
            surely[unruled] = offers.between(others, by_call[unruled], tile[unruled]) & waits[unruled]
    # Tiles that count even under the rule that ends furiten soonest count under every rule.
    passed = np.where(surely != 0, surely, passed)
    return Furiten(waits, discarded & waits, locked & waits, passed, ~rule_unknown | (surely != 0))


def _since_call(played: Replay, last: Ints, tile: Ints) -> Ints:
    """Return the row of the last call by any seat before these tiles, or of the hand's last discard if that is later.

    A call takes the tile before it, so tiles count as let pass only after the call.
    """
    calls = np.maximum.accumulate(np.where(played.is_kind(*CALLS), np.arange(len(played.kind)), -1))
    since: Ints = np.maximum(last, calls[tile - 1])
    return since


def _last_discard(played: Replay, ends: LastStates, hand: Ints, own: Ints) -> Ints:
    """Return the row of the hand's last discard at or before the row ``own``; the round's start if there is none."""
    row = ends.discard(hand, played.discards[own].astype(np.int64))
    return np.where(row >= 0, row, ends.start[hand // SEATS])


def _since_draw(played: Replay, ends: LastStates, hand: Ints, offers: _Offers, whole: Bools) -> Ints:
    """Return the waits that hands of one seat let pass between their last draw and their last discard, as masks.

    There are some only if the hand called after that draw. The waits are those that it had at that time.
    """
    found = np.zeros(len(hand), dtype=np.int64)
    drew = np.where(played.kind == CODE["draw"], np.int64(1) << np.maximum(played.seat, 0).astype(np.int64), 0)
    nth = played.discards[ends.own[hand]].astype(np.int64)
    active = np.arange(len(hand))
    for _ in range(CALLS_IN_A_ROW):
        late = ends.discard(hand[active], nth[active])
        early = ends.discard(hand[active], nth[active] - 1)
        early = np.where(early >= 0, early, ends.start[hand[active] // SEATS])
        between = seen_between(drew, early, late)
        called = (late >= 0) & (between >> (hand[active] % SEATS) & 1 == 0)
        active, early, late = active[called], early[called], late[called]
        if not len(active):
            break
        # The round's start is the deal of seat 0; the deals of the other seats follow it.
        row = np.where(played.kind[early] == CODE["deal"], early + hand[active] % SEATS, early)
        others = offers.seat != hand[active[0]] % SEATS
        found[active] |= offers.between(others, early, late) & waits_at(played, row, whole[active])
        nth[active] -= 1
    return found


RON_COLUMNS: Columns = {
    "at": pl.UInt32,  # number of the row
    **CLAIMS,
    **PLACE,
    "waits": pl.Int64,  # of the winner, mask of kinds
    "furiten": pl.Int64,  # the waits that forbid the win, mask of kinds
    "cause": Cause,
    "known": pl.Boolean,  # whether furiten can be judged
}


def rons(log: Log, played: Replay, ends: LastStates, case: WinContexts, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each ron, with ``waits``, ``furiten`` (the waits that forbid it) and ``cause``.

    ``furiten`` is 0 where the win is allowed. It is null where another fault makes it unknown: doubts about the hand, a
    winning tile that is not the last (W109) or does not complete the hand (W101).
    """
    ron = np.flatnonzero(~case.wins.tsumo)
    claims = log.claims[case.claim[ron]]
    hand = hand_numbers(claims, "winner")
    good = case.doubts.free_of(SCORE_DOUBTS | END_HAND_DOUBTS | ROUND_DOUBTS)[ron]
    found = furiten(played, ends, hand[good], case.last[ron][good], rules)
    tile_id = played.tile_id[case.last[ron][good]]
    completes = (tile_id != NONE) & (found.waits >> np.minimum(KIND[tile_id], KINDS).astype(np.int64) & 1 == 1)
    bars = [found.discarded, found.locked, found.passed]
    which = np.select([each != 0 for each in bars], np.arange(3), -1)
    known = completes & ((which != 2) | found.passed_known)
    columns = pl.DataFrame(
        {
            "at": np.flatnonzero(good).astype(np.uint32),
            "waits": found.waits,
            "furiten": np.select([which == place for place in range(3)], bars, 0),
            "cause": which.astype(np.int8),
            "known": known,
        }
    )
    return (
        claims.with_columns(seat="winner", pos=log.events["pos"].gather(ends.result[claims["round"].to_numpy()]))
        .with_row_index("at")
        .join(columns, on="at", how="left", maintain_order="left")
        .with_columns(
            furiten=pl.when("known").then("furiten"),
            cause=pl.when("known").then(
                pl.when(pl.col("cause") >= 0).then(pl.col("cause").clip(0).cast(pl.UInt8).cat.to(Cause))
            ),
        )
    )


WON_TILE_COLUMNS: Columns = {
    **CLAIMS,
    **PLACE,
    "count": pl.Int8,  # seats that win the tile
    "place": pl.Int8,  # of this winner among them, from 0
    "robbed": pl.Boolean,  # the tile was added to a kan
    "max_simultaneous_ron": pl.Int64,  # the rule of this name
    "abortive_triple_ron": pl.Boolean,  # the rule of this name
    "abortive_triple_ron_on_kan": pl.Boolean,  # the rule of this name
    "most": pl.Int8,  # seats that can win the tile by the rules
}


def winners(log: Log, played: Replay, ends: LastStates, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each tile won by ron: how many seats won it (``count``), and how many can (``most``).

    ``most`` is null where the rules do not say. The row has the place of the first winner too many, else of the last
    winner.
    """
    won = log.claims.filter(pl.col("reason") == "win", pl.col("winner") != pl.col("payer"))
    rounds = won["round"]
    row = result_rows(played)[won["claim"].to_numpy()]
    robbed = played.kind[ends.last[rounds.to_numpy()]] == CODE["kakan"]
    rule = {name: rules.of(rounds.to_numpy()).values(name) for name in ("max_simultaneous_ron", *_ABORTS)}
    by_rule = pl.col("max_simultaneous_ron").cast(pl.Int8)
    aborts = pl.when("robbed").then(_ABORTS[1]).otherwise(_ABORTS[0])
    # At most two can win, but a third ron does not abort: on a robbed kan all three win (RULES.md 2.8); otherwise no
    # source says what happens.
    third = pl.when(aborts).then(2).when(~aborts & pl.col("robbed")).then(3)
    most = pl.when((by_rule == 2) & (pl.col("count") > 2)).then(third).otherwise(by_rule)
    return (
        won.with_columns(
            seat="winner",
            pos=log.events["pos"].gather(row),
            count=pl.len().over("round").cast(pl.Int8),
            place=pl.int_range(pl.len()).over("round").cast(pl.Int8),
            robbed=pl.Series(robbed, dtype=pl.Boolean),
            **rule,
        )
        .with_columns(most=pl.when(pl.col("count") == 1).then(1).otherwise(most))
        .filter(pl.col("place") == pl.min_horizontal("most", pl.col("count") - 1))
    )


_ABORTS = ("abortive_triple_ron", "abortive_triple_ron_on_kan")

"""Riichi: every declaration with its conditions, and every later discard of a hand in riichi."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import where_known
from auditor.log.event_kinds import CODE, OPEN_CALLS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import NONE
from auditor.replay.columns import PLACE, Columns
from auditor.replay.last_states import waits_at
from auditor.replay.running_sums import first_rows
from auditor.replay.trust import END_HAND_DOUBTS, ROUND_DOUBTS
from auditor.replay.turns import LIVE_TILES

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_BETWEEN = [CODE[name] for name in ("dora", "leave", "return", "deposit")]
"""Events that can come between a draw and its discard."""


RIICHI_COLUMNS: Columns = {
    **PLACE,
    "nth": pl.Int16,  # which declaration of this hand, from 1
    "open": pl.Boolean,  # the hand has melds other than ankan
    "waits": pl.Int64,  # after the declaring discard, mask of kinds
    "points": pl.Int32,  # the seat's score at the start of the round
    "min_points": pl.Int64,  # the points that the rules require
    "tiles_left": pl.Int16,  # in the wall
    "next_draw": pl.Boolean,  # the rules require that the seat has another draw
    "paid": pl.Boolean,  # the log has the payment of the stick
    "due": pl.Boolean,  # the stick must be paid
}


def declarations(log: Log, played: Replay, ends: LastStates, scores: pl.DataFrame, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each declaration; :data:`RIICHI_COLUMNS` says what each column means.

    Values are null where unknown: because of doubts about the hand or the round, or unknown rules. For a further
    declaration of the same hand, all but ``nth`` and the rules is null. ``scores`` is that of payments.py.
    """
    rows = played.rows("riichi")
    hand, round_ = played.hand[rows], played.round[rows]
    seat = hand % SEATS
    nth = played.riichi[rows]
    first = nth == 1
    opened = _first_open_call(played, len(log.rounds))[hand]
    discard = ends.discard(hand, played.discards[rows].astype(np.int64) + 1)
    followed = first & ends.trust.hands.free_of(END_HAND_DOUBTS)[hand]
    judged = followed & (discard >= 0)
    waits = np.zeros(len(rows), dtype=np.int64)
    whole = rules.of(round_[judged]).holds("fifth_tile_wait", "whole_hand")
    waits[judged] = waits_at(played, discard[judged], whole)
    in_order = first & ends.trust.rounds.free_of(ROUND_DOUBTS)[round_]
    due, due_known = _due(log, ends, discard, round_, rules)
    paid = np.isin(hand, played.hand[played.is_kind("deposit")])
    carried = ~np.isin(round_, scores.filter(~pl.col("carries"))["round"].to_numpy())
    start = log.rounds["start"].gather(round_)
    at = log.events[rows]
    return at.select("round", "event", "pos", "seat").with_columns(
        nth=pl.Series(nth),
        open=where_known(opened < rows, followed),
        waits=where_known(waits, judged),
        points=pl.when(pl.Series(first & carried)).then(start.to_frame("start").select(_of_seat(seat)).to_series()),
        min_points=rules.of(round_).values("riichi_min_points"),
        tiles_left=where_known((LIVE_TILES - played.draws[rows]).astype(np.int16), in_order),
        next_draw=~rules.of(round_).values("riichi_without_next_draw"),
        paid=where_known(paid, first),
        due=where_known(due, first & due_known),
    )


def _of_seat(seat: Ints) -> pl.Expr:
    return pl.col("start").arr.get(pl.Series(seat, dtype=pl.Int64))


def _first_open_call(played: Replay, rounds: int) -> Ints:
    """Return the row of each hand's first chi, pon or daiminkan; the number of all rows if there is none."""
    rows = played.rows(*OPEN_CALLS)
    return first_rows(rows, played.hand[rows], rounds * SEATS, none=len(played.kind))


def _due(log: Log, ends: LastStates, discard: Ints, round_: Ints, rules: RulesByRow) -> tuple[Bools, Bools]:
    """Return whether each declaration's stick must be paid, and whether that is known (RULES.md 2.5, 4.2).

    A ron on the declaring discard takes no stick. For an abort on it a rule decides.
    """
    if not len(round_):
        return np.zeros(0, dtype=bool), np.zeros(0, dtype=bool)
    claims = log.claims.filter(pl.col("nth") == 0)
    reason = pl.Series([None], dtype=pl.String).extend_constant(None, len(log.rounds) - 1)
    reason = reason.scatter(claims["round"], claims["reason"].cast(pl.String)).gather(round_)
    last = discard == ends.last[round_]
    ronned = last & reason.is_in(["win", "triple_ron"]).fill_null(value=False).to_numpy()
    aborted = last & reason.is_in(["four_winds", "four_kans"]).fill_null(value=False).to_numpy()
    taken = rules.of(round_).values("abort_takes_riichi_stick")
    due = ~ronned & (~aborted | taken.fill_null(value=True).to_numpy())
    stated = ~log.deposits_inferred[round_]
    known = (
        stated
        & ends.trust.rounds.free_of(ROUND_DOUBTS)[round_]
        & (discard >= 0)
        & (~last | reason.is_not_null().to_numpy())
    )
    return due, known & (~aborted | taken.is_not_null().to_numpy())


LOCKED_DISCARD_COLUMNS: Columns = {
    **PLACE,
    "tile_id": pl.Int16,  # the tile discarded
    "drawn": pl.Int16,  # the tile drawn before
}


def locked_discards(log: Log, played: Replay, ends: LastStates) -> pl.DataFrame:
    """Return one row for each discard of a hand in riichi after the declaring one: ``tile_id`` and the ``drawn`` tile.

    ``drawn`` is null where the hand did not draw before, or has END_HAND_DOUBTS.
    """
    hand = played.hand
    rows = np.flatnonzero(played.is_kind("discard") & (played.riichi > 0))
    declared = played.discards[ends.riichi[hand[rows]]] + 1
    rows = rows[played.discards[rows] > declared]
    draw = rows - 1
    for _ in range(SEATS):  # a few such events can follow each other
        draw -= np.isin(played.kind[draw], _BETWEEN)
    fits = (played.kind[draw] == CODE["draw"]) & (hand[draw] == hand[rows])
    fits &= ends.trust.hands.free_of(END_HAND_DOUBTS)[hand[rows]] & (played.tile_id[draw] != NONE)
    return (
        log.events[rows]
        .select("round", "event", "pos", "seat", "tile_id")
        .with_columns(drawn=pl.when(pl.Series(fits)).then(pl.Series(played.tile_id[draw])))
    )

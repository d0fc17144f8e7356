"""Riichi: every declaration with its conditions, and every later discard of a hand in riichi."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import filled, is_known, points_by_seat, where_known
from auditor.log.columns import REASON
from auditor.log.event_kinds import CODE, OPEN_CALLS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import NONE
from auditor.replay.columns import PLACE, Columns
from auditor.replay.last_states import waits_at
from auditor.replay.running_sums import first_rows
from auditor.replay.trust import END_HAND_DOUBTS, ROUND_DOUBTS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_BETWEEN = ("dora", "leave", "return", "deposit")
"""Events that can come between a draw and its discard."""


RIICHI_COLUMNS: Columns = {
    **PLACE,
    "nth": pl.Int16,  # which declaration of this hand, from 1
    "open": pl.Boolean,  # the hand has melds other than ankan
    "waits": pl.Int64,  # after the declaring discard, mask of kinds
    "must_wait": pl.Boolean,  # the rules require that the hand is tenpai
    "points": pl.Int32,  # the seat's score at the start of the round
    "min_points": pl.Int64,  # the points that the rules require
    "tiles_left": pl.Int16,  # in the wall
    "players": pl.Int8,
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
    of_rule = rules.of(round_)
    nth = played.riichi[rows]
    first = nth == 1
    calls = played.rows(*OPEN_CALLS)
    opened = first_rows(calls, played.hand[calls], len(log.rounds) * SEATS, none=len(played.kind))[hand]
    discard = ends.discard(hand, played.discards[rows].astype(np.int64) + 1)
    followed = first & ends.trust.hands.free_of(END_HAND_DOUBTS)[hand]
    judged = followed & (discard >= 0)
    waits = np.zeros(len(rows), dtype=np.int64)
    waits[judged] = waits_at(played, discard[judged], of_rule.holds("fifth_tile_wait", "whole_hand")[judged])
    in_order = first & ends.trust.rounds.free_of(ROUND_DOUBTS)[round_]
    due, due_known = _due(log, ends, discard, round_, of_rule)
    paid = np.zeros(len(log.rounds) * SEATS, dtype=bool)
    paid[played.hand[played.rows("deposit")]] = True
    start = log.rounds["start"]
    start_known = is_known(start)
    start_known[scores["round"].to_numpy()[~filled(scores["carries"], value=True)]] = False
    return log.events[[*PLACE]][rows].hstack(
        pl.DataFrame(
            {
                "nth": nth,
                "open": where_known(opened < rows, followed),
                "waits": where_known(waits, judged),
                "must_wait": where_known(
                    ~of_rule.holds("riichi_without_tenpai"), ~of_rule.unknown("riichi_without_tenpai")
                ),
                "points": where_known(points_by_seat(start)[round_, hand % SEATS], first & start_known[round_]),
                "min_points": of_rule.values("riichi_min_points"),
                "tiles_left": where_known(played.left[rows].astype(np.int16), in_order),
                "players": log.players[round_],
                "next_draw": where_known(
                    ~of_rule.holds("riichi_without_next_draw"), ~of_rule.unknown("riichi_without_next_draw")
                ),
                "paid": where_known(paid[hand], first),
                "due": where_known(due, first & due_known),
            }
        )
    )


def _due(log: Log, ends: LastStates, discard: Ints, round_: Ints, rules: RulesByRow) -> tuple[Bools, Bools]:
    """Return whether each declaration's stick must be paid, and whether that is known (RULES.md 2.5, 4.2).

    A ron on the declaring discard takes no stick. For an abort on it a rule decides: ``rules`` are those of each
    declaration.
    """
    unknown = -1
    reason = np.full(len(log.rounds), unknown)
    first = log.claims["nth"].to_numpy() == 0
    reason[log.claims["round"].to_numpy()[first]] = log.reasons[first]
    reason = reason[round_]
    last = discard == ends.last[round_]
    ronned = last & ((reason == REASON["win"]) | (reason == REASON["triple_ron"]))
    aborted = last & ((reason == REASON["four_winds"]) | (reason == REASON["four_kans"]))
    rule = "abort_takes_riichi_stick"
    due = ~ronned & ~(aborted & rules.holds(rule, value=False))
    known = ~log.deposits_inferred[round_] & ends.trust.rounds.free_of(ROUND_DOUBTS)[round_] & (discard >= 0)
    return due, known & ~(last & (reason == unknown)) & ~(aborted & rules.unknown(rule))


LOCKED_DISCARD_COLUMNS: Columns = {
    **PLACE,
    "tile_id": pl.Int16,  # the tile discarded
    "drawn": pl.Int16,  # the tile drawn before
}


def locked_discards(log: Log, played: Replay, ends: LastStates) -> pl.DataFrame:
    """Return one row for each discard of a hand in riichi after the declaring one: ``tile_id`` and the ``drawn`` tile.

    ``drawn`` is null where the hand did not draw before, or has END_HAND_DOUBTS.
    """
    rows = played.rows("discard")
    rows = rows[played.riichi[rows] > 0]
    rows = rows[played.discards[rows] - 1 > played.discards[ends.riichi[played.hand[rows]]]]
    hand, draw = played.hand[rows], rows - 1
    for _ in range(SEATS):  # a few such events can follow each other
        draw -= played.is_kind(*_BETWEEN)[draw]
    fits = (played.kind[draw] == CODE["draw"]) & (played.hand[draw] == hand)
    fits &= ends.trust.hands.free_of(END_HAND_DOUBTS)[hand] & (played.tile_id[draw] != NONE)
    drawn = where_known(played.tile_id[draw], fits).alias("drawn")
    return log.events[[*PLACE, "tile_id"]][rows].hstack([drawn])

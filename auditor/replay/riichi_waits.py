"""The dataset's table of riichi declarations: waits, and how many of the awaited tiles the hand does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import expanded, filled, is_known, where_known
from auditor.log.event_kinds import NEW_MELDS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import BIT, COPIES, NONE
from auditor.replay.trust import HAND_DOUBTS, ORDER_DOUBTS, TABLE_DOUBTS, Doubt
from auditor.replay.win_context import interruptions
from engine.tiles.kinds import SUIT, UNIT

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_LAID = ("kakan", "ankan", "kita", "dora")
"""Events other than discards that put their own tile on the table; a chi, pon or daiminkan takes one that is there."""


def riichi_waits(log: Log, played: Replay, ends: LastStates, declared: pl.DataFrame, rules: RulesByRow) -> pl.DataFrame:
    """Return one row for each riichi declaration; ``declared`` has the declarations of riichi.py.

    ``turn`` counts from 1, ``tile_id`` is the declaring discard. ``double`` (double riichi), ``waits`` (mask of kinds,
    after that discard), ``unseen`` (how many tiles of these kinds the hand does not see then), ``furiten`` (whether the
    hand has discarded one of these kinds) and ``paid`` are null where unknown.
    """
    rows = played.rows("riichi")
    hand, round_ = played.hand[rows], played.round[rows]
    discard = ends.discard(hand, played.discards[rows].astype(np.int64) + 1)
    there = discard >= 0
    rounds, hands = ends.trust.rounds, ends.trust.hands
    table_known = rounds.free_of(TABLE_DOUBTS) & hands.free_of(HAND_DOUBTS).reshape(-1, SEATS).all(axis=1)
    judged = there & table_known[round_] & is_known(declared["waits"])
    unseen = np.zeros(len(rows), dtype=np.uint8)
    unseen[judged] = _unseen(log, played, ends, discard[judged], filled(declared["waits"], 0)[judged])
    # In a round without a result, a missing payment may have been lost with the rest of the log.
    payments_known = rounds.free_of(Doubt.NO_RESULT | Doubt.STICKS_UNKNOWN)[round_]
    paid = filled(declared["paid"], value=False)
    return pl.DataFrame(
        {
            **{name: declared[name] for name in ("round", "event", "seat", "waits")},
            "paid": where_known(paid, is_known(declared["paid"]) & (payments_known | paid)),
            "turn": (played.discards[rows] + 1).astype(np.uint8),
            "tile_id": where_known(played.tile_id[discard], there & (played.tile_id[discard] < NONE)),
            "double": where_known(*_untouched(played, ends, rows, rules)),
            "unseen": where_known(unseen, judged),
            "furiten": where_known(
                _discarded(played, ends, discard) & filled(declared["waits"], 0) != 0,
                there & is_known(declared["waits"]),
            ),
        }
    )


def _untouched(played: Replay, ends: LastStates, rows: Ints, rules: RulesByRow) -> tuple[Bools, Bools]:
    """Return which declarations come before any call of the round and any discard of the hand (RULES.md 2.5, 4.6).

    Return also for which that is known; whether a kita is such a call, a rule decides.
    """
    round_ = played.round[rows]
    start = ends.start[round_]
    called, set_aside = (
        np.searchsorted(calls, rows) > np.searchsorted(calls, start)
        for calls in (interruptions(played, rules), played.rows("kita"))
    )
    unsettled = set_aside & rules.of(round_).unknown("kita_interrupts")
    return ~called & (played.discards[rows] == 0), ends.trust.rounds.free_of(ORDER_DOUBTS)[round_] & ~unsettled


def _discarded(played: Replay, ends: LastStates, rows: Ints) -> Ints:
    """Return the kinds that each acting hand has discarded up to these discards, as masks; nothing where the row is -1.

    A discard counts even if it was called (RULES.md 2.7).
    """
    count = np.where(rows >= 0, played.discards[rows], 0)
    place, nth = expanded(np.ones_like(count), count)
    found = np.zeros(len(rows), dtype=np.int64)
    np.bitwise_or.at(found, place, BIT[played.tile_id[ends.discard(played.hand[rows][place], nth)]])
    return found


def _unseen(log: Log, played: Replay, ends: LastStates, rows: Ints, waits: Ints) -> npt.NDArray[np.uint8]:
    """Return how many tiles of the awaited kinds each acting hand does not see after these events, uint8[n].

    It sees its own tiles, all discards and melds, and the indicators turned so far. ``waits`` are masks of kinds.
    """
    round_ = played.round[rows]
    start = ends.start[round_]
    bits = np.unpackbits(waits.astype("<i8").view(np.uint8), bitorder="little").view(bool)
    which, kind = np.divmod(np.flatnonzero(bits), 64)
    own = played.keys[rows[which], SUIT[kind]] // UNIT[kind] % (COPIES + 1)
    left = np.bincount(which, weights=COPIES - own, minlength=len(rows)).astype(np.int64)
    discards, laid = played.rows("discard"), played.rows(*_LAID)
    made = played.made[played.is_kind(*NEW_MELDS)[played.made.row]]
    others = made.tile_ids[:, 1:]
    seen = _hits(waits, start, rows, discards, lambda place: played.tile_id[discards[place]])
    seen += _hits(waits, start, rows, laid, lambda place: played.tile_id[laid[place]])
    seen += _hits(waits, start, rows, np.repeat(made.row, others.shape[1]), others.ravel().take)
    seen += (waits & BIT[filled(log.rounds["dora"], NONE)[round_]]) != 0
    return (left - seen).astype(np.uint8)


def _hits(waits: Ints, start: Ints, end: Ints, row: Ints, tile_of: Callable[[Ints], npt.NDArray[np.int16]]) -> Ints:
    """Return, for each mask of waits, how many tiles with these kinds appear from row ``start`` to row ``end``.

    ``row`` has the events, ascending, by which tiles become visible; ``tile_of`` gives the tiles of some of these.
    """
    begin, done = np.searchsorted(row, start), np.searchsorted(row, end, side="right")
    which, place = expanded(begin, done - begin)
    hit = waits[which] & BIT[tile_of(place)] != 0
    return np.bincount(which[hit], minlength=len(waits))

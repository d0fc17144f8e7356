"""The dataset's table of riichi declarations: waits, and how many of the awaited tiles the hand does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import where_known
from auditor.log.event_kinds import NEW_MELDS
from auditor.log.tables import CALLS, SEATS
from auditor.log.tile_ids import COPIES, KIND, NONE, TILE_IDS
from auditor.replay.trust import HAND_DOUBTS, ORDER_DOUBTS, TABLE_DOUBTS, Doubt
from engine.tiles.hands import counts_of
from engine.tiles.kinds import KINDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_LAID = ("discard", "kakan", "ankan", "kita")
"""Events that put their own tile on the table; the tile that a chi, pon or daiminkan takes is there already."""
_BIT: npt.NDArray[np.int64] = np.append(np.int64(1) << KIND[:TILE_IDS].astype(np.int64), 0)
"""The mask of each tile id's kind; 0 for NONE."""


def riichi_waits(log: Log, played: Replay, ends: LastStates, declared: pl.DataFrame) -> pl.DataFrame:
    """Return one row for each riichi declaration; ``declared`` has the declarations of riichi.py.

    ``turn`` counts from 1, ``tile_id`` is the declaring discard. ``double`` (double riichi), ``waits`` (mask of kinds,
    after that discard), ``unseen`` (how many tiles of these kinds the hand does not see then) and ``paid`` are null
    where unknown.
    """
    rows = played.rows("riichi")
    hand, round_ = played.hand[rows], played.round[rows]
    discard = ends.discard(hand, played.discards[rows].astype(np.int64) + 1)
    there = discard >= 0
    rounds, hands = ends.trust.rounds, ends.trust.hands
    table_known = rounds.free_of(TABLE_DOUBTS) & hands.free_of(HAND_DOUBTS).reshape(-1, SEATS).all(axis=1)
    judged = there & table_known[round_] & declared["waits"].is_not_null().to_numpy()
    unseen = np.zeros(len(rows), dtype=np.uint8)
    unseen[judged] = _unseen(log, played, ends, discard[judged], declared["waits"].filter(pl.Series(judged)).to_numpy())
    # In a round without a result, a missing payment may have been lost with the rest of the log.
    payments_known = rounds.free_of(Doubt.NO_RESULT | Doubt.STICKS_UNKNOWN)[round_]
    paid = pl.col("paid")
    return declared.select("round", "event", "seat", "waits", "paid").with_columns(
        turn=pl.Series((played.discards[rows] + 1).astype(np.uint8)),
        tile_id=where_known(pl.Series(played.tile_id[discard]), there & (played.tile_id[discard] < NONE)),
        double=where_known(pl.Series(_untouched(played, ends, rows)), rounds.free_of(ORDER_DOUBTS)[round_]),
        unseen=where_known(pl.Series(unseen), judged),
        paid=pl.when(pl.Series(payments_known) | paid).then(paid),
    )


def _untouched(played: Replay, ends: LastStates, rows: Ints) -> Bools:
    """Return which declarations come before any call of the round and any discard of the hand (RULES.md 2.5)."""
    calls = np.cumsum(played.is_kind(*CALLS))
    untouched: Bools = (calls[rows] == calls[ends.start[played.round[rows]]]) & (played.discards[rows] == 0)
    return untouched


def _unseen(log: Log, played: Replay, ends: LastStates, rows: Ints, waits: Ints) -> npt.NDArray[np.uint8]:
    """Return how many tiles of the awaited kinds each acting hand does not see after these events, uint8[n].

    It sees its own tiles, all discards and melds, and the indicators turned so far. ``waits`` are masks of kinds.
    """
    round_ = played.round[rows]
    start = ends.start[round_]
    own = counts_of(played.keys[rows])
    left = (waits[:, None] >> np.arange(KINDS) & 1) * (COPIES - own.astype(np.int64))
    made = played.made[played.is_kind(*NEW_MELDS)[played.made.row]]
    others = made.tile_ids[:, 1:]
    seen = _hits(waits, start, rows, np.repeat(made.row, others.shape[1]), others.ravel())
    for mask in (played.is_kind(*_LAID), played.is_kind("dora")):
        laid = np.flatnonzero(mask)
        seen += _hits(waits, start, rows, laid, played.tile_id[laid])
    seen += (waits & _BIT[log.rounds["dora"].gather(round_).fill_null(NONE).to_numpy()]) != 0
    count: npt.NDArray[np.uint8] = (left.sum(axis=1) - seen).astype(np.uint8)
    return count


def _hits(waits: Ints, start: Ints, end: Ints, row: Ints, tile_id: npt.NDArray[np.int16]) -> Ints:
    """Return, for each mask of waits, how many tiles with these kinds appear from row ``start`` to row ``end``.

    ``row`` and ``tile_id`` are the tiles that become visible, and their event rows in ascending order.
    """
    begin, done = np.searchsorted(row, start), np.searchsorted(row, end, side="right")
    many = done - begin
    ends = np.cumsum(many)
    place = np.arange(many.sum()) + np.repeat(begin - ends + many, many)
    hit = np.cumsum(np.append(0, (np.repeat(waits, many) & _BIT[tile_id[place]]) != 0))
    found: Ints = hit[ends] - hit[ends - many]
    return found

"""Hands that declare riichi, as the dataset has them: waits, and how many of those tiles the hand does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import where_known
from auditor.log.event_kinds import NEW_MELDS
from auditor.log.tables import CALLS, SEATS
from auditor.log.tile_ids import COPIES, KIND, NONE, TILE_IDS
from engine.tiles.hands import counts_of
from engine.tiles.kinds import KINDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.holdings import Holdings
    from auditor.replay.last_states import LastStates
    from auditor.replay.running_sums import Replay
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_LAID = ("discard", "kakan", "ankan", "kita")
"""Events that lay their own tile open; what a chi, pon or daiminkan takes lies open already."""
_BIT: npt.NDArray[np.int64] = np.append(np.int64(1) << KIND[:TILE_IDS].astype(np.int64), 0)
"""The bit of each tile's kind; none for NONE."""


def riichi_waits(  # noqa: PLR0917
    log: Log, played: Replay, held: Holdings, order: TurnOrder, ends: LastStates, declared: pl.DataFrame, odd: Bools
) -> pl.DataFrame:
    """Return one row a riichi declaration: its place, ``turn``, ``tile_id`` discarded, ``double``, waits.

    Null where not known: ``double``, ``waits`` (mask, after the declaring discard), ``unseen`` (tiles of these kinds
    that the hand does not see then) and ``paid``. ``declared`` are the declarations of riichi.py, ``odd`` bool[rounds]
    those rounds whose indicators were not turned as they should be.
    """
    rows = np.flatnonzero(played.is_kind("riichi"))
    hand, round_ = played.hand[rows], played.round[rows]
    discard = ends.discard(hand, played.discards[rows].astype(np.int64) + 1)
    there = discard >= 0
    in_order = np.ones(len(log.rounds), dtype=bool)
    in_order[order.misplaced["round"].to_numpy()] = False
    in_order[log.disturbed] = False
    open_ = in_order & ~odd & log.rounds["dora"].is_not_null().to_numpy()
    open_ &= held.sound.reshape(-1, SEATS).all(axis=1)
    open_[held.twice["round"].to_numpy()] = False
    judged = there & open_[round_] & declared["waits"].is_not_null().to_numpy()
    unseen = np.zeros(len(rows), dtype=np.uint8)
    unseen[judged] = _unseen(log, played, ends, discard[judged], declared["waits"].filter(pl.Series(judged)).to_numpy())
    # Of a round that breaks off nobody knows whether the stick was still to be paid.
    told = (ends.result[round_] >= 0) & ~log.sticks_unknown[round_]
    paid = pl.col("paid")
    return declared.select("round", "event", "seat", "waits", "paid").with_columns(
        turn=pl.Series((played.discards[rows] + 1).astype(np.uint8)),
        tile_id=where_known(pl.Series(played.tile_id[discard]), there & (played.tile_id[discard] < NONE)),
        double=where_known(pl.Series(_untouched(played, ends, rows)), in_order[round_]),
        unseen=where_known(pl.Series(unseen), judged),
        paid=pl.when(pl.Series(told) | paid).then(paid),
    )


def _untouched(played: Replay, ends: LastStates, rows: Ints) -> Bools:
    """Return which declarations come before any call of the round and any discard of the hand (RULES.md 2.5)."""
    calls = np.cumsum(played.is_kind(*CALLS))
    untouched: Bools = (calls[rows] == calls[ends.start[played.round[rows]]]) & (played.discards[rows] == 0)
    return untouched


def _unseen(log: Log, played: Replay, ends: LastStates, rows: Ints, waits: Ints) -> npt.NDArray[np.uint8]:
    """Return how many tiles of the kinds waited for each acting hand does not see after these events.

    It sees its own tiles, all rivers and melds, and the indicators turned so far.
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
    """Return how many of the tiles that are laid open at events ``row``, from ``start`` to ``end``, are waits."""
    begin, done = np.searchsorted(row, start), np.searchsorted(row, end, side="right")
    many = done - begin
    ends = np.cumsum(many)
    place = np.arange(many.sum()) + np.repeat(begin - ends + many, many)
    hit = np.cumsum(np.append(0, (np.repeat(waits, many) & _BIT[tile_id[place]]) != 0))
    found: Ints = hit[ends] - hit[ends - many]
    return found

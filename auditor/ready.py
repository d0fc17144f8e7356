"""Hands that declare riichi, as the dataset has them: waits, and how many of those tiles the hand does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import CALLS, SEATS
from auditor.pieces import NONE
from auditor.replay import CALLED, UNITS
from engine.hands import counts_of
from engine.tiles import KINDS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.actions import Actions
    from auditor.endings import Endings
    from auditor.log import Log
    from auditor.possession import Possession
    from auditor.replay import Replay

    Ints = npt.NDArray[np.int64]
    Keys = npt.NDArray[np.int32]
    Bools = npt.NDArray[np.bool_]

COPIES = 4
_LAID = ("discard", "kakan", "ankan", "kita", "dora")
"""Events after which their own tile lies open; what a call takes does already."""


def ready(  # noqa: PLR0917
    log: Log, played: Replay, held: Possession, order: Actions, ends: Endings, declared: pl.DataFrame, odd: Bools
) -> pl.DataFrame:
    """Return one row a riichi declaration: its place, ``turn``, ``piece`` discarded, ``double``, waits.

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
        piece=_known(pl.Series(played.piece[discard]), there & (played.piece[discard] < NONE)),
        double=_known(pl.Series(_untouched(played, ends, rows)), in_order[round_]),
        unseen=_known(pl.Series(unseen), judged),
        paid=pl.when(pl.Series(told) | paid).then(paid),
    )


def _known(values: pl.Series, where: Bools) -> pl.Expr:
    return pl.when(pl.Series(where)).then(values)


def _untouched(played: Replay, ends: Endings, rows: Ints) -> Bools:
    """Return which declarations come before any call of the round and any discard of the hand (RULES.md 2.5)."""
    calls = np.cumsum(played.is_kind(*CALLS))
    untouched: Bools = (calls[rows] == calls[ends.start[played.round[rows]]]) & (played.discards[rows] == 0)
    return untouched


def _unseen(log: Log, played: Replay, ends: Endings, rows: Ints, waits: Ints) -> npt.NDArray[np.uint8]:
    """Return how many tiles of the kinds waited for each acting hand does not see after these events.

    It sees its own tiles, all rivers and melds, and the indicators turned so far.
    """
    seen = counts_of(played.keys[rows] + _laid_open(log, played, ends, rows))
    waited = (waits[:, None] >> np.arange(KINDS) & 1).astype(bool)
    count: npt.NDArray[np.uint8] = np.where(waited, COPIES - seen.astype(np.int8), 0).sum(axis=1).astype(np.uint8)
    return count


def _laid_open(log: Log, played: Replay, ends: Endings, rows: Ints) -> Keys:
    """Return the tiles on the table after these events, as suit keys int32[n, 4]: rivers, melds and indicators."""
    if not len(rows):
        return np.zeros((0, UNITS.shape[1]), dtype=np.int32)
    laid = np.flatnonzero(played.is_kind(*_LAID, *CALLED))
    change = np.where(played.is_kind(*_LAID)[laid, None], UNITS[played.piece[laid]], 0)
    called = played.is_kind(*CALLED)[played.made.row]
    change[np.searchsorted(laid, played.made.row[called])] += UNITS[played.made.pieces[called, 1:]].sum(
        axis=1, dtype=np.int32
    )
    # The sum over a whole batch may wrap around; differences of it are right all the same.
    sums = np.zeros((len(laid) + 1, UNITS.shape[1]), dtype=np.int32)
    np.cumsum(change, axis=0, dtype=np.int32, out=sums[1:])
    round_ = played.round[rows]
    first: Keys = UNITS[log.rounds["dora"].gather(round_).fill_null(NONE).to_numpy()]
    begun, done = (np.searchsorted(laid, at, side="right") for at in (ends.start[round_], rows))
    return sums[done] - sums[begun] + first

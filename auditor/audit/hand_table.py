"""The output table ``hands``: one row for each seat in each round, with its deal, its calls and its outcome.

All arrays have an entry for each hand, ``round * SEATS + seat``; the hands of a seat that does not exist are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.audit.report import of_round, table
from auditor.audit.rivers import rivers
from auditor.log.arrays import filled, gathered, is_known, points_by_seat, where_known
from auditor.log.columns import CALLS, KINDS, REASON
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE
from auditor.log.words import tile_codes, tile_lists
from auditor.replay.running_sums import first_rows
from auditor.replay.trust import Doubt
from engine.shapes.shanten import shanten

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.audit.frames import Frames

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Columns = dict[str, pl.Series]

NEVER = -1


def hands(frames: Frames) -> pl.DataFrame:
    """Return the table of hands."""
    log = frames.log
    seats = np.arange(SEATS)
    there = np.flatnonzero((seats < log.players[:, None]).ravel())
    round_ = (there // SEATS).astype(np.uint32)
    rows = pl.DataFrame({"round": round_, "seat": (there % SEATS).astype(np.int8)})
    dealer = log.rounds["dealer"]
    return table("hands", rows, {
        **of_round(frames, rows, pl.Categorical),
        "dealer": where_known((filled(dealer, NEVER)[:, None] == seats).ravel()[there], is_known(dealer)[round_]),
        **_dealt(frames, there),
        **rivers(frames, there),
        **_played(frames, there),
        **_ended(frames, there),
    })  # fmt: skip


def _dealt(frames: Frames, there: Ints) -> Columns:
    """Return the tiles of the deal and their shanten."""
    log, played = frames.log, frames.played
    whole = log.dealt == HAND_SIZE
    round_ = there // SEATS
    here = np.zeros(len(log.dealt), dtype=bool)
    here[there] = whole[there]
    tile_ids = log.deals["tile_id"].to_numpy()[here.repeat(log.dealt)].reshape(-1, HAND_SIZE)
    reds = frames.rules.of(round_[whole[there]]).may_have_red_fives()
    # Arrays of 16 bits are sorted many times as fast as those of 8.
    codes = np.sort(tile_codes(tile_ids, reds[:, None]).astype(np.int16), axis=1).astype(np.uint8)
    followed = whole & frames.trust.hands.free_of(Doubt.NOT_DEALT | Doubt.HOLDS_EXTRA_COPY)
    keys = played.keys.take((played.start[:, None] + np.arange(SEATS)).ravel()[there], axis=0)
    keys[~followed[there]] = 0
    three = (log.players < SEATS)[round_]
    distance = shanten(keys, np.zeros(len(there), dtype=np.int64), sanma=three if three.any() else False)
    return {
        "dealt": where_known(tile_lists(codes.ravel(), whole[there] * HAND_SIZE), whole[there]),
        "shanten": where_known(distance, followed[there]),
    }


def _played(frames: Frames, there: Ints) -> Columns:
    """Return what the seats did: calls, riichi, and their first turns."""
    played, turns = frames.played, frames.turns
    hands = played.rounds * SEATS
    hand = turns["round"].to_numpy().astype(np.int64) * SEATS + turns["seat"].to_numpy()
    ready = np.flatnonzero(filled(turns["shanten"], 1) <= 0)
    first = first_rows(ready, hand[ready], hands, none=NEVER)[there]
    calls = np.bincount(
        played.hand[played.rows(*CALLS)] * len(KINDS) + played.kind[played.rows(*CALLS)], minlength=hands * len(KINDS)
    ).reshape(-1, len(KINDS))
    kita = played.rows("kita")
    declared = played.declared.reshape(-1, SEATS)
    before = (declared[:, None, :] >= 0) & (declared[:, None, :] < declared[:, :, None])
    order = (1 + before.sum(axis=2, dtype=np.uint8)).ravel()
    riichi = played.declared[there]
    return {
        "tenpai_turn": gathered(turns["turn"], np.maximum(first, 0), first >= 0),
        **{kind: pl.Series(calls[there, KINDS.index(kind)].astype(np.uint8)) for kind in CALLS},
        "kita_turn": _turn(frames, first_rows(kita, played.hand[kita], hands, none=NEVER)[there]),
        "riichi_turn": _turn(frames, riichi),
        "riichi_order": where_known(order[there], riichi >= 0),
    }


def _turn(frames: Frames, rows: Ints) -> pl.Series:
    """Return the turn of the acting seat at each of these rows of events; null where the row is NEVER."""
    return where_known((frames.played.discards[rows] + 1).astype(np.uint8), rows >= 0)


def _ended(frames: Frames, there: Ints) -> Columns:
    """Return the outcomes, as recorded: wins, points paid for them, tenpai at a draw, change of score."""
    log, claims = frames.log, frames.log.claims
    count = len(log.rounds)
    round_ = claims["round"].to_numpy().astype(np.int64)
    winner, payer = (filled(claims[name], NEVER).astype(np.int64) for name in ("winner", "payer"))
    won, fed = winner >= 0, (winner >= 0) & (payer >= 0) & (winner != payer)
    own_draw = won & (winner == payer)
    claimed = np.bincount(round_, minlength=count)
    end = np.cumsum(claimed)
    result = gathered(claims["reason"], end - claimed, claimed > 0)
    ended = is_known(result).repeat(SEATS)[there]

    def of_hand(claim: Bools, seat: Ints) -> tuple[pl.Series, pl.Series]:
        """Return whether a hand has such a claim, and the sum of the points of these, null where one is not stated."""
        at = round_[claim] * SEATS + seat[claim]
        points = claims["points"].to_numpy() if not claims["points"].null_count() else filled(claims["points"], 0)
        number = np.bincount(at, minlength=count * SEATS)
        stated = np.bincount(at, weights=is_known(claims["points"])[claim], minlength=count * SEATS)
        total = np.bincount(at, weights=points[claim], minlength=count * SEATS).astype(np.int32)
        some = number > 0
        return where_known(some[there], ended), where_known(total[there], (some & (stated == number))[there])

    is_won, points = of_hand(won, winner)
    is_fed, price = of_hand(fed, payer)
    by_draw = np.zeros(count * SEATS, dtype=bool)
    by_draw[round_[own_draw] * SEATS + winner[own_draw]] = True
    before, deltas = (gathered(claims[name], end - 1, claimed > 0) for name in ("before", "deltas"))
    drawn = np.isin(log.reasons, (REASON["exhaustive"], REASON["nagashi"]))
    shown = np.zeros((count, SEATS), dtype=bool)
    np.logical_or.at(shown, round_, log.shown & drawn[:, None])
    told = np.append(drawn & ~log.untold, False)[np.where(claimed > 0, end - claimed, -1)]
    change = before + deltas - log.rounds["start"]
    changes = points_by_seat(change)
    known = is_known(change).repeat(SEATS)
    return {
        "result": result[pl.Series((there // SEATS).astype(np.uint32))],
        "won": is_won,
        "tsumo": where_known(by_draw[there], ended),
        "points": points,
        "dealt_in": is_fed,
        "dealt_points": price,
        "tsumo_paid": _paid(frames, own_draw, winner, there),
        "tenpai": where_known(shown.ravel()[there], told.repeat(SEATS)[there]),
        "change": where_known(changes.ravel()[there].astype(np.int32), known[there]),
    }


def _paid(frames: Frames, own_draw: Bools, winner: Ints, there: Ints) -> pl.Series:
    """Return what each hand paid for another seat's win by own draw; null where there was none, or it is not stated."""
    claims = frames.log.claims
    claim = np.flatnonzero(own_draw & is_known(claims["deltas"]))
    round_ = claims["round"].to_numpy()[claim].astype(np.int64)
    shape = len(frames.log.rounds), SEATS
    paid, pays = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.bool_)
    paid[round_] = -points_by_seat(claims["deltas"])[claim]
    pays[round_] = True
    pays[round_, winner[claim]] = False
    return where_known(paid.ravel()[there], pays.ravel()[there])

"""Flow: what the result of a round leaves to the next, dealer, honba and sticks, and whether the game is over after it.

RULES.md 1 (場数, 連荘方式, 延長戦方式), 1.2, 2.10, 2.12, 4.2. Every array runs along ``log.rounds``. A log can be wrong at
one place and go on rightly, or go on from what it got wrong; so a round may follow from the round before as that
is recorded, or from all results since the game's start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log import SEATS
from auditor.situations import rule_rows

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log import Log
    from auditor.replay import Replay
    from engine.rules import RuleTable

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

ABORTS = ("kyuushu", "four_winds", "four_riichi", "four_kans", "triple_ron")
DRAWS = ("exhaustive", "nagashi")
UNKNOWN = -1


@dataclass(frozen=True)
class Outcomes:
    """How each round came out: ``known`` whether that can be said, ``won`` and ``abort`` what it was.

    ``dealer_won`` and ``dealer_stays`` hold by seat [rounds, 4]: what would be so if that seat were the dealer;
    ``dealer_stays`` is whether the round is played again with the same dealer. ``deposits`` are the riichi sticks paid
    during the round, by seat [rounds, 4]; ``honba`` and ``sticks`` are what the result names, -1 if it names none.
    """

    known: Bools
    won: Bools
    abort: Bools
    dealer_stays: Bools
    deposits: Ints
    honba: Ints
    sticks: Ints


def outcomes(log: Log, played: Replay, rules: RuleTable) -> Outcomes:
    """Read off every round's results."""
    count = len(log.rounds)
    rule = rule_rows(log, rules, log.rounds["game"])
    claims = log.claims
    at = claims["round"].to_numpy().astype(np.int64)
    reason: npt.NDArray[np.object_] = np.full(count, "", dtype=object)
    first = claims["nth"].to_numpy() == 0
    reason[at[first]] = claims["reason"].cast(pl.String).fill_null("").to_numpy()[first]
    winner = _seats(claims, "winner", count)
    shown = np.zeros((count, SEATS), dtype=bool)
    shown[log.shows["round"].to_numpy(), log.shows["seat"].to_numpy()] = True
    change = np.zeros((count, SEATS), dtype=np.int64)
    np.add.at(change, at, points(claims["deltas"]))
    won, abort = reason == "win", np.isin(reason, ABORTS)
    nagashi = reason == "nagashi"
    mode = rules.renchan_mode[rule]
    by_tenpai = (mode == 3)[:, None] | ((mode == 2)[:, None] & shown)
    by_payment = nagashi & (rules.nagashi_renchan[rule] == "nagashi_winner")
    by_draw = np.where(by_payment[:, None], change > 0, by_tenpai)
    stays = np.where(won[:, None], winner & (mode > 0)[:, None], by_draw) | abort[:, None]
    # A single round is over by a win and played again after any draw.
    stays = np.where((rules.game_length[rule] == 0)[:, None], ~won[:, None], stays)
    deposits = np.zeros((count, SEATS), dtype=np.int64)
    paid = np.flatnonzero(played.is_kind("deposit"))
    np.add.at(deposits, (played.round[paid], played.seat[paid]), 1)
    said = {name: np.full(count, UNKNOWN, dtype=np.int64) for name in ("honba", "sticks")}
    for name, value in said.items():
        value[at[first]] = claims[name].fill_null(UNKNOWN).to_numpy()[first]
    unsettled = (reason == "exhaustive") & (mode == 2) & ~_noten_agrees(shown, change, rules.noten_payment[rule])
    named = np.bincount(at[claims["winner"].is_null().to_numpy()], minlength=count) == 0
    return Outcomes(
        known=(reason != "") & ~unsettled & (named | ~won),
        won=won | (nagashi & rules.nagashi_as_win[rule]),
        abort=abort,
        dealer_stays=stays,
        deposits=deposits,
        **said,
    )


def _seats(claims: pl.DataFrame, column: str, count: int) -> Bools:
    """Return which seats a column names in each round, bool[rounds, 4]."""
    found = np.zeros((count, SEATS), dtype=bool)
    named = claims.select("round", column).drop_nulls()
    found[named["round"].to_numpy(), named[column].to_numpy()] = True
    return found


def points(column: pl.Series) -> Ints:
    """Return a column of scores as int64[n, 4], zeros where null."""
    zero = pl.Series([[0] * SEATS], dtype=column.dtype)
    found: Ints = column.fill_null(zero).to_numpy().reshape(-1, SEATS).astype(np.int64)
    return found


def _noten_agrees(shown: Bools, change: Ints, pool: Ints) -> Bools:
    """Return in which draws the seats that show tenpai hands are those that are paid: else X102, X103 or P106 speak."""
    count = shown.sum(axis=1)
    paying = (count > 0) & (count < SEATS) & (pool[np.arange(len(pool)), np.clip(count, 1, 3) - 1] > 0)
    agrees: Bools = ((change > 0) == (shown & paying[:, None])).all(axis=1) | (pool == 0).all(axis=1)
    return agrees


@dataclass(frozen=True)
class Succession:
    """Each round beside what the one before leaves to it; ``known`` where that can be said.

    ``order`` counts dealers from East 1 on (-1 unknown); ``honba`` and ``sticks`` are those that the round has: as
    recorded, or as they follow where only the round's start says otherwise. ``*_fits`` says that the
    recorded ones follow; ``due_*`` are those that do.
    """

    known: Bools
    order: Ints
    honba: Ints
    sticks: Ints
    due_order: Ints
    due_honba: Ints
    due_sticks: Ints
    order_fits: Bools
    honba_fits: Bools
    sticks_fits: Bools


def succession(log: Log, out: Outcomes) -> Succession:
    """Lay each round beside the results before it."""
    rounds = log.rounds
    game = rounds["game"].to_numpy().astype(np.int64)
    count = len(rounds)
    row = np.arange(count)
    before = np.maximum(row - 1, 0)
    follows = (row > 0) & (game == game[before])
    wind, dealer, honba, sticks = (
        rounds[name].fill_null(UNKNOWN).cast(pl.Int64).to_numpy() for name in ("wind", "dealer", "honba", "sticks")
    )
    order = np.where((wind < 0) | (dealer < 0), UNKNOWN, wind * SEATS + dealer)
    said = (order >= 0) & (honba >= 0) & (sticks >= 0)
    known = follows & out.known[before] & said[before] & said
    anchor = np.maximum.accumulate(np.where(known, 0, row))
    stays = out.dealer_stays[row, dealer.clip(0)]

    # The dealer: from the round before, from all since the anchor, and from the dealer whom that makes.
    moved = np.cumsum(~stays) - ~stays
    chained = order[anchor] + moved - moved[anchor]
    due_order = order[before] + ~stays[before]
    other = order[before] != chained[before]
    stays_by_chain = out.dealer_stays[row, chained % SEATS]
    order_fits = ~known | (order == due_order) | (order == chained)
    order_fits |= other & (order == chained[before] + ~stays_by_chain[before])

    # Honba: one more after a draw or a dealer's win; none after another win.
    back = out.won & ~stays
    reset = known & back[before]
    base = np.maximum.accumulate(np.where(reset | ~known, row, 0))
    honba_chained = np.where(reset[base], 0, honba[base]) + row - base
    due_honba = np.where(back[before], 0, honba[before] + 1)
    by_result = np.where(back[before] | (out.honba[before] < 0), due_honba, out.honba[before] + 1)
    doubtful = ~order_fits | ~order_fits[before]
    honba_fits = ~known | (honba == due_honba) | (honba == by_result) | (honba == honba_chained)
    honba_fits |= doubtful & ((honba == honba[before] + 1) | (out.won[before] & (honba == 0)))

    # Sticks: a win takes them all.
    paid = out.deposits.sum(axis=1)
    cleared = known & out.won[before]
    base = np.maximum.accumulate(np.where(cleared | ~known, row, 0))
    total = np.cumsum(paid) - paid
    sticks_chained = np.where(cleared[base], 0, sticks[base]) + total - total[base]
    due_sticks = np.where(out.won[before], 0, sticks[before] + paid[before])
    by_result = np.where(out.won[before] | (out.sticks[before] < 0), due_sticks, out.sticks[before])
    sticks_fits = ~known | (sticks == due_sticks) | (sticks == by_result) | (sticks == sticks_chained)
    return Succession(
        known=known,
        order=order,
        honba=np.where(~honba_fits & (out.honba == honba_chained), honba_chained, honba),
        sticks=np.where(~sticks_fits & (out.sticks == sticks_chained + paid), sticks_chained, sticks),
        due_order=due_order,
        due_honba=due_honba,
        due_sticks=due_sticks,
        order_fits=order_fits,
        honba_fits=honba_fits,
        sticks_fits=sticks_fits,
    )

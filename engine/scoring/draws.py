"""Payments at an exhaustive draw: noten payments, or nagashi mangan (RULES.md 2.10)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from engine.scoring.limits import LIMIT_BASE, MANGAN
from engine.scoring.shares import missing_share, shares

if TYPE_CHECKING:
    from engine.rules.rule_table import RuleTable
    from engine.tiles.arrays import I32, Bools, Ints

SEATS = np.arange(4)


@dataclass(frozen=True, slots=True)
class Draws:
    """n exhaustive draws. With three players the fourth column is ignored.

    Attributes
    ----------
    tenpai
        Which seats count as tenpai; under the rule ``tenpai_declaration_optional`` a seat that did not show its hand
        does not. bool [n, 4].
    nagashi
        Which seats discarded only terminals and honours, and had no discard called; bool [n, 4].
    dealer, players, honba, sticks
        As in `Wins`; [n].
    rule
        Row of the rule table; [n].
    """

    tenpai: Bools
    nagashi: Bools
    dealer: Ints
    players: Ints
    honba: Ints
    sticks: Ints
    rule: Ints

    def of(self, rows: Ints) -> Draws:
        """Return m of these draws, given by number."""
        return Draws(*(getattr(self, each.name)[rows] for each in fields(self)))

    @property
    def seated(self) -> Bools:
        """Which seats have a player; bool [n, 4]."""
        taken: Bools = self.players[:, None] > SEATS
        return taken


def exhaustive_draw(draws: Draws, table: RuleTable) -> I32:
    """Find the payments of draws: nagashi mangan if there is one, else noten payments.

    Parameters
    ----------
    draws
        n draws; ``draws.rule`` are rows of `table`.
    table
        Their rules.

    Returns
    -------
    int32 [n, 4]
        Change of each seat's score, in points.
    """
    instead = (draws.nagashi & draws.seated).any(axis=1) & table.nagashi_mangan[draws.rule]
    moved: I32 = np.where(instead[:, None], nagashi_payments(draws, table), noten_payments(draws, table))
    return moved


def noten_payments(draws: Draws, table: RuleTable) -> I32:
    """Find the noten payments of draws; parameters as `exhaustive_draw`.

    Returns
    -------
    int32 [n, 4]
        Change of each seat's score. 0 where all seats or none are tenpai, or the rules have no noten payments.
    """
    ready = draws.tenpai & draws.seated
    count = ready.sum(axis=1)
    pool = table.noten_payment[draws.rule, np.clip(count, 1, 3) - 1]
    pool = np.where((count == 0) | (count == draws.players), 0, pool)
    gain = pool // np.maximum(count, 1)
    loss = pool // np.maximum(draws.players - count, 1)
    moved: I32 = np.where(draws.seated, np.where(ready, gain[:, None], -loss[:, None]), 0).astype(np.int32)
    return moved


def nagashi_payments(draws: Draws, table: RuleTable) -> I32:
    """Find the payments of nagashi mangan: each is paid like a mangan by tsumo, several add up.

    Under the rule ``nagashi_as_win`` honba and sticks are paid too, to the first seat with nagashi mangan in turn order
    from the dealer. Parameters as `exhaustive_draw`.

    Returns
    -------
    int32 [n, 4]
        Change of each seat's score. 0 where the rules have no nagashi mangan.
    """
    rule, dealer = draws.rule, draws.dealer
    owner = draws.nagashi & draws.seated & table.nagashi_mangan[rule][:, None]
    turn = np.where(owner, (SEATS - dealer[:, None]) % draws.players[:, None], 4)
    as_win = table.nagashi_as_win[rule]
    base = np.full(len(dealer), LIMIT_BASE[MANGAN])
    missing = missing_share(draws.players, rule, table)
    moved = np.zeros((len(dealer), 4), dtype=np.int64)
    for seat in range(4):
        share = shares(base, dealer == seat, draws.players, missing)
        collects = as_win & (turn[:, seat] == turn.min(axis=1))
        each = np.where(dealer[:, None] == SEATS, share.dealer[:, None], share.other[:, None])
        each = each + (collects * draws.honba * table.honba_value[rule])[:, None]
        each = np.where(draws.seated & (seat != SEATS), each, 0)
        change = -each
        change[:, seat] = each.sum(axis=1) + collects * draws.sticks * table.riichi_stick_value[rule]
        moved += np.where(owner[:, seat, None], change, 0)
    return moved.astype(np.int32)

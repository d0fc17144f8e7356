"""What an exhaustive draw moves: noten payments, or those of a nagashi mangan (RULES.md 2.10)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.scoring.limits import LIMIT_BASE, MANGAN
from engine.scoring.payments import shares

if TYPE_CHECKING:
    from engine.rules.rule_table import RuleTable
    from engine.tiles.arrays import I32, Bools, Ints

SEATS = np.arange(4)


@dataclass(frozen=True, slots=True)
class Draws:
    """n exhaustive draws; of three players the fourth column is not looked at.

    Attributes
    ----------
    tenpai
        Whose hand is tenpai, or counts as such: who need not reveal it and did not is noten
        (``tenpai_declaration_optional``); bool [n, 4].
    nagashi
        Whose river is all orphans, none of them called; bool [n, 4].
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

    @property
    def seated(self) -> Bools:
        """Tell which seats are taken; [n, 4]."""
        taken: Bools = self.players[:, None] > SEATS
        return taken


def exhaustive_draw(draws: Draws, table: RuleTable) -> I32:
    """Move the points of draws: a nagashi mangan, where there is one, takes the place of noten payments.

    Returns
    -------
    int32 [n, 4]
    """
    instead = (draws.nagashi & draws.seated).any(axis=1) & table.nagashi_mangan[draws.rule]
    moved: I32 = np.where(instead[:, None], nagashi_payments(draws, table), noten_payments(draws, table))
    return moved


def noten_payments(draws: Draws, table: RuleTable) -> I32:
    """Move the pool from noten to tenpai seats.

    Returns
    -------
    int32 [n, 4]
        Nothing where all or none are tenpai, or where the rules have no such payment.
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
    """Pay each river of orphans as a mangan by tsumo; several are added up.

    Honba and sticks are paid where the rules take it for a win, to the first such seat from the dealer on.

    Returns
    -------
    int32 [n, 4]
        Nothing where the rules have no such payment.
    """
    rule, dealer = draws.rule, draws.dealer
    owner = draws.nagashi & draws.seated & table.nagashi_mangan[rule][:, None]
    turn = np.where(owner, (SEATS - dealer[:, None]) % draws.players[:, None], 4)
    as_win = table.nagashi_as_win[rule]
    base = np.full(len(dealer), LIMIT_BASE[MANGAN])
    moved = np.zeros((len(dealer), 4), dtype=np.int64)
    for seat in range(4):
        share = shares(base, dealer == seat, draws.players, table.tsumo_loss[rule])
        collects = as_win & (turn[:, seat] == turn.min(axis=1))
        each = np.where(dealer[:, None] == SEATS, share.dealer[:, None], share.other[:, None])
        each = each + (collects * draws.honba * table.honba_value[rule])[:, None]
        each = np.where(draws.seated & (seat != SEATS), each, 0)
        change = -each
        change[:, seat] = each.sum(axis=1) + collects * draws.sticks * table.riichi_stick_value[rule]
        moved += np.where(owner[:, seat, None], change, 0)
    return moved.astype(np.int32)

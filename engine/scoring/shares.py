"""Shares: what each seat pays for a win, by base points; with three players also for the seat that is missing."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.scoring.limits import LIMIT_BASE, MANGAN, YAKUMAN_BASE

if TYPE_CHECKING:
    import numpy.typing as npt

    from engine.rules.rule_table import RuleTable
    from engine.tiles.arrays import I64, Bools, Ints

THREE = 3
_FU = (25, *range(20, 201, 10))
_BELOW_MANGAN = {fu << han for fu in _FU for han in range(3, 7) if fu << han < LIMIT_BASE[MANGAN]}
_BASES: I64 = np.array(sorted({*LIMIT_BASE, *(YAKUMAN_BASE * np.arange(2, 17)), *_BELOW_MANGAN}))
"""All base points that a hand can have, up to 16 yakuman."""


@dataclass(frozen=True, slots=True)
class Shares:
    """Payments of n wins in points, without honba and sticks; int64 [n] each.

    Attributes
    ----------
    ron
        Payment of the discarder on ron.
    dealer, other
        Payments of the dealer and of each non-dealer on tsumo; `dealer` is 0 if the dealer wins.
    tsumo
        The sum of all payments on tsumo.
    """

    ron: I64
    dealer: I64
    other: I64
    tsumo: I64


NO_SHARE, HALVED, HALVED_APART, THOUSAND_EACH, RON_VALUE = range(5)
"""What the payers of a tsumo pay for the missing seat: nothing, or as the values of the rule ``missing_share`` say."""
_MISSING_SHARES = ("halved", "halved_apart", "thousand_each", "ron_value")


def missing_share(players: Ints, rule: Ints, table: RuleTable) -> Ints:
    """Find what the payers of a tsumo pay for the missing seat (RULES.md 4.6).

    Parameters
    ----------
    players
        3 or 4; [n].
    rule
        Rows of the table; [n].
    table
        The rules.

    Returns
    -------
    int [n]
        ``NO_SHARE`` with four players and under the rule ``tsumo_loss``, else ``HALVED`` to ``RON_VALUE``.
    """
    if table.tsumo_loss.all():
        return np.zeros(len(rule), dtype=np.int64)
    way = sum(number * (table.missing_share == name) for number, name in enumerate(_MISSING_SHARES, 1))
    found: Ints = np.where(players == THREE, np.where(table.tsumo_loss, NO_SHARE, way)[rule], NO_SHARE)
    return found


def shares(base: Ints, dealer_wins: Bools, players: Ints, missing: Ints | None = None) -> Shares:
    """Compute payments from base points, each rounded up to 100 (RULES.md 3.2).

    Parameters
    ----------
    base
        Base points of each win; [n].
    dealer_wins
        Whether the dealer wins; [n].
    players
        3 or 4; [n].
    missing
        What the payers of a tsumo pay for the missing seat, as `missing_share` gives it; [n]. Without it, nothing.

    Returns
    -------
    Shares
    """
    ron = _round_up(np.where(dealer_wins, 6, 4) * base)
    other = _round_up(np.where(dealer_wins, 2 * base, base))
    dealer = np.where(dealer_wins, 0, _round_up(2 * base))
    if missing is not None and missing.any():
        rows = np.flatnonzero(missing)
        other[rows], dealer[rows] = _with_missing_share(base[rows], dealer_wins[rows], ron[rows], missing[rows])
    payers = players.astype(np.int64) - np.where(dealer_wins, 1, 2)
    return Shares(ron=ron, dealer=dealer, other=other, tsumo=dealer + payers * other)


def _with_missing_share(base: Ints, dealer_wins: Bools, ron: I64, missing: Ints) -> tuple[I64, I64]:
    """Give the payments of each non-dealer and of the dealer for a tsumo whose payers pay for the missing seat too."""
    share = np.where(dealer_wins, 2 * base, base)
    apart = _round_up(share // 2)
    others = (
        _round_up(share + share // 2),
        _round_up(share) + apart,
        _round_up(share) + 1000,
        np.where(dealer_wins, _nearest(ron, 2), _nearest(ron, 3)),
    )
    dealers = (
        _round_up(2 * base + share // 2),
        _round_up(2 * base) + apart,
        _round_up(2 * base) + 1000,
        _nearest(2 * ron, 3),
    )
    way = missing - HALVED
    return np.choose(way, others), np.where(dealer_wins, 0, np.choose(way, dealers))


def _round_up(points: npt.NDArray[Any]) -> I64:
    rounded: I64 = -(-points.astype(np.int64) // 100) * 100
    return rounded


def _nearest(points: I64, divisor: int) -> I64:
    """Divide points, and round to the nearest 100, a half upwards."""
    return (2 * points + 100 * divisor) // (200 * divisor) * 100


def shares_of_points(
    points: Ints, dealer_wins: Bools, players: Ints, missing: Ints | None = None
) -> tuple[Shares, Bools]:
    """Find the payments of a tsumo from their sum.

    A non-dealer's tsumo takes x from each non-dealer, and 2x or 2x - 100 from the dealer. So at most one pair of
    payments has a given sum. Where the payers pay for the missing seat too, the payments of all possible base points
    are tried instead.

    Parameters
    ----------
    points
        Sum of the payments, without honba and sticks; [n].
    dealer_wins, players, missing
        As in `shares`.

    Returns
    -------
    Shares, bool [n]
        The payments, and whether payments with this sum exist.
    """
    hundreds = points.astype(np.int64) // 100
    payers = players.astype(np.int64) - 1
    other = np.where(dealer_wins, hundreds // payers, (hundreds + 1) // (payers + 1))
    dealer = np.where(dealer_wins, 0, hundreds - (payers - 1) * other)
    exact = np.where(dealer_wins, other * payers == hundreds, np.isin(2 * other - dealer, (0, 1)))
    exact &= points % 100 == 0
    other, dealer, total = 100 * other, 100 * dealer, points.astype(np.int64)
    for way, by_dealer in product(range(HALVED, RON_VALUE + 1), (False, True)) if missing is not None else ():
        rows = np.flatnonzero((missing == way) & (dealer_wins == by_dealer))
        if len(rows):
            every = shares(_BASES, *(np.full(len(_BASES), each) for each in (by_dealer, THREE, way)))
            sums, first = np.unique(every.tsumo, return_index=True)
            place = np.minimum(np.searchsorted(sums, total[rows]), len(sums) - 1)
            other[rows], dealer[rows] = every.other[first[place]], every.dealer[first[place]]
            exact[rows] = sums[place] == total[rows]
    return Shares(ron=total, dealer=dealer, other=other, tsumo=total), exact

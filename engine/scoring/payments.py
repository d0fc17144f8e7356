"""Payments of wins: who pays how much, honba and riichi sticks, and the seat that is liable for a yakuman (pao)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from engine.rules.rule_sets import PAO_YAKUMAN
from engine.scoring.shares import missing_share, shares_of_points
from engine.tiles.hands import DAIMINKAN, PON
from engine.tiles.kinds import DRAGONS, WINDS

if TYPE_CHECKING:
    from engine.rules.rule_table import RuleTable
    from engine.scoring.shares import Shares
    from engine.tiles.arrays import I8, I32, I64, Bools, Ints
    from engine.tiles.hands import Hands
    from engine.yaku.wins import Wins

PAO_IDS = (39, 49, 51)
"""Numbers of the yaku in ``PAO_YAKUMAN``."""


def liable(hands: Hands, winner: Ints, rule: Ints, table: RuleTable, last_kan: Ints | None = None) -> tuple[I8, I8]:
    """Find the seat that is liable for a yakuman made of melds (RULES.md 2.11).

    For daisangen the hand needs three melds of dragons, for daisuushi four melds of winds; the seat that fed the last
    one is liable. An ankan counts as a meld, but if it is the last one, nobody is liable. For suukantsu the hand needs
    four kans; the seat that fed the last one is liable if that is a daiminkan. Only the yakuman that the rule
    ``pao_yakuman`` names are looked for.

    Parameters
    ----------
    hands
        n hands.
    winner
        Seat of each; [n].
    rule
        Rows of the table; [n].
    table
        The rules.
    last_kan
        As in `engine.yaku.wins.Wins`; [n]. Where it is -1 or left out, the last kan is assumed to be the last meld.

    Returns
    -------
    seat, yaku
        Liable seat and number of the yaku, -1 where nobody is liable; int8 [n]. Whether the hand wins, and with this
        yakuman, is not checked.
    """
    seat, yaku = np.full((2, len(hands)), -1, dtype=np.int8)
    kind_bit = np.int64(1) << hands.meld_tile.astype(np.int64)
    grouped = hands.meld_type >= PON
    completing = (
        grouped & (kind_bit & DRAGONS != 0),
        grouped & (kind_bit & WINDS != 0),
        hands.meld_type > PON,
    )
    row = np.arange(len(hands))
    for column, members in enumerate(completing):
        last = 3 - np.argmax(members[:, ::-1], axis=1)
        if PAO_YAKUMAN[column] == "suukantsu" and last_kan is not None:
            last = np.where(last_kan >= 0, last_kan, last)
        kind_of_meld, feeder = hands.meld_type[row, last], hands.meld_from[row, last]
        fed = feeder > 0
        if PAO_YAKUMAN[column] == "suukantsu":
            fed &= kind_of_meld == DAIMINKAN
        needed = 3 if PAO_YAKUMAN[column] == "daisangen" else 4
        found = (members.sum(axis=1) == needed) & fed & table.pao_yakuman[rule, column]
        seat[found] = ((winner + feeder) % 4)[found]
        yaku[found] = PAO_IDS[column]
    return seat, yaku


def feeder_of_kan(hands: Hands, winner: Ints, last_kan: Ints) -> Ints:
    """Find the seat that fed the last kan of each hand, the one before a rinshan draw.

    Parameters
    ----------
    hands, winner
        As in `liable`.
    last_kan
        As in `engine.yaku.wins.Wins`. Where it is -1, the function uses the last kan in the order of melds; that is
        wrong only if a kakan on an earlier pon came after a daiminkan.

    Returns
    -------
    int [n]
        -1 where the last kan is not a daiminkan.
    """
    kans = hands.meld_type > PON
    last = np.where(last_kan >= 0, last_kan, 3 - np.argmax(kans[:, ::-1], axis=1))
    row = np.arange(len(hands))
    feeder = hands.meld_from[row, last]
    fed = (hands.meld_type[row, last] == DAIMINKAN) & (feeder > 0)
    seat: Ints = np.where(fed, (winner + feeder) % 4, -1)
    return seat


@dataclass(frozen=True, slots=True)
class Settlement:
    """Everything except the points that the payments of n wins depend on; [n] each.

    Attributes
    ----------
    tsumo, winner, payer, dealer, players, honba, sticks, rule
        As in `engine.yaku.wins.Wins`.
    pao
        Liable seat, -1 for none.
    pao_points
        The part of the points that the liable seat is liable for.
    """

    tsumo: Bools
    winner: Ints
    payer: Ints
    dealer: Ints
    players: Ints
    honba: Ints
    sticks: Ints
    rule: Ints
    pao: Ints
    pao_points: Ints

    def __getitem__(self, rows: slice | Ints | Bools) -> Settlement:
        """Select wins by a slice, an array of rows or flags."""
        return Settlement(*(getattr(self, entry.name)[rows] for entry in fields(self)))

    @classmethod
    def of(cls, wins: Wins, pao: Ints, pao_points: Ints) -> Settlement:
        """Take the fields from wins; `pao` and `pao_points` as the attributes."""
        return cls(
            tsumo=wins.tsumo,
            winner=wins.winner,
            payer=wins.payer,
            dealer=wins.dealer,
            players=wins.players,
            honba=wins.honba,
            sticks=wins.sticks,
            rule=wins.rule,
            pao=pao,
            pao_points=pao_points,
        )


def settle(rest: Shares, case: Settlement, table: RuleTable) -> I32:
    """Compute the change of each seat's score for each win (RULES.md 2.11, 3.2).

    The *part* is ``case.pao_points``. On tsumo the liable seat pays the part alone; on ron it shares the part equally
    with the discarder, if that is another seat. On tsumo it pays the honba too if it is liable for everything; on ron
    the rule ``pao_ron_honba_payer`` decides.

    Parameters
    ----------
    rest
        Payments of the points that nobody is liable for.
    case
        Seats, honba, sticks, and the points that the liable seat is liable for.
    table
        The rules.

    Returns
    -------
    int32 [n, 4]
        Change of each seat's score, with honba and sticks.
    """
    seat = np.arange(4)
    tsumo = case.tsumo[:, None]
    is_winner = seat == case.winner[:, None]
    is_payer = seat == case.payer[:, None]
    opponent = ~is_winner & (seat < case.players[:, None])

    share = np.where(seat == case.dealer[:, None], rest.dealer[:, None], rest.other[:, None])
    paid = np.where(tsumo, opponent * share, is_payer * rest.ron[:, None])
    each = (case.honba * table.honba_value[case.rule])[:, None]
    together = each * (case.players - 1)[:, None]
    honba = np.where(tsumo, opponent * each, is_payer * together)

    rows = np.flatnonzero((case.pao >= 0) & (case.pao_points > 0))
    if len(rows):
        pao, payer, part = case.pao[rows], case.payer[rows], case.pao_points[rows].astype(np.int64)
        of_payer = np.where(case.tsumo[rows] | (pao == payer), 0, part - part // 2)
        paid[rows, pao] += part - of_payer
        paid[rows, payer] += of_payer
        pays_honba = (table.pao_ron_honba_payer == "liable")[case.rule[rows]]
        by_liable = rows[np.where(case.tsumo[rows], rest.tsumo[rows] == 0, pays_honba)]
        honba[by_liable] = np.where(seat == case.pao[by_liable, None], together[by_liable], 0)
    paid += honba

    sticks = case.sticks * table.riichi_stick_value[case.rule]
    gained = is_winner * (paid.sum(axis=1) + sticks)[:, None]
    changes: I32 = (gained - paid).astype(np.int32)
    return changes


def share_deposits(wins: Wins, group: Ints, table: RuleTable) -> tuple[I64, I64]:
    """Divide honba and sticks among the winners of one tile (RULES.md 2.8).

    Parameters
    ----------
    wins
        The wins, each with all the honba and sticks on the table.
    group
        A number that is equal for wins by one tile; [n].
    table
        The rules.

    Returns
    -------
    honba, sticks
        The share of each win; int64 [n]. The first winner in turn order from the payer gets all sticks, and all honba
        unless the rule ``multiple_ron_honba`` is ``"each"``.
    """
    turn = ((wins.winner - wins.payer) % wins.players).astype(np.int64)
    _, place = np.unique(group, return_inverse=True)
    nearest = np.full(place.max(initial=-1) + 1, 4, dtype=np.int64)
    np.minimum.at(nearest, place, turn)
    first = turn == nearest[place]
    each = (table.multiple_ron_honba == "each")[wins.rule]
    return np.where(first | each, wins.honba, 0).astype(np.int64), np.where(first, wins.sticks, 0).astype(np.int64)


def payments_from_points(points: Ints, case: Settlement, table: RuleTable) -> tuple[I32, Bools]:
    """Compute the change of each seat's score from points that a log states.

    Parameters
    ----------
    points
        Points of each win without honba and sticks: the payment of the discarder, or the sum of a tsumo's; [n].
    case
        Seats, honba, sticks; ``pao_points`` is the part of `points` that the liable seat is liable for.
    table
        The rules.

    Returns
    -------
    int32 [n, 4], bool [n]
        Change of each seat's score, and whether payments with this sum exist; where not, the changes are 0.
    """
    remaining = points - np.where(case.pao >= 0, case.pao_points, 0)
    missing = missing_share(case.players, case.rule, table)
    rest, valid = shares_of_points(remaining, case.winner == case.dealer, case.players, missing)
    valid |= ~case.tsumo
    changes = settle(rest, case, table)
    changes[~valid] = 0
    return changes, valid

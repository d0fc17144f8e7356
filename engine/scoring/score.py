"""`score`: the best reading of every win with its yaku, han, fu, limit, points, and the payments of each seat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from engine.scoring.fu import fu as fu_of
from engine.scoring.limits import LIMIT_BASE, MANGAN, NO_LIMIT, YAKUMAN, YAKUMAN_BASE, limit_and_base
from engine.scoring.payments import PAO_IDS, Settlement, feeder_of_kan, liable, settle
from engine.scoring.shares import missing_share, shares
from engine.shapes.readings import Readings, find_readings
from engine.tiles.kinds import DORA_OF, DORA_OF_SANMA, NO_TILE, NORTH
from engine.yaku.all_yaku import han as han_of
from engine.yaku.all_yaku import units as units_of
from engine.yaku.declaration import DORA, RED_FIVE, URA_DORA
from engine.yaku.features import features

if TYPE_CHECKING:
    import numpy.typing as npt

    from engine.rules.rule_table import RuleTable
    from engine.tiles.arrays import I8, I16, I32, I64, U8, Bools, Ints
    from engine.yaku.wins import Wins

T = TypeVar("T", bound=np.generic)

RENHOU, RINSHAN = 36, 4
MANGAN_HAN = 5


@dataclass(frozen=True, slots=True)
class Scores:
    """Values of n wins, each by its best reading: most points, then most han, then most fu (RULES.md 3.2).

    Attributes
    ----------
    complete
        Whether the tiles are a complete hand; bool [n]. Where not, everything else is 0.
    has_yaku
        Whether the hand has the yaku that a win needs (rule ``min_han``); bool [n]. Where not, points and deltas are 0.
    fu
        Fu, rounded; int16 [n].
    fu_settled
        Whether all best readings have these fu. A yakuman can have readings with other fu and the same points, and no
        source says which of them a platform records. bool [n].
    han
        Sum of the han, dora included; 0 for yakuman. int16 [n].
    yaku
        Han of each yaku by its number, dora included; all 0 for yakuman. int8 [n, ``YAKU_COUNT``].
    units
        Units of yakuman; 0 for a counted yakuman. int16 [n].
    yakuman
        Which yakuman the hand has, by number; bool [n, ``YAKU_COUNT``].
    limit
        0 none, 1 mangan, 2 haneman, 3 baiman, 4 sanbaiman, 5 yakuman. Also 0 where the rule ``kiriage_mangan`` rounds
        up to the points of a mangan. uint8 [n].
    points
        Points without honba and sticks: what the discarder pays, or the sum of the payments on tsumo; int32 [n].
    deltas
        Change of each seat's score, with honba and sticks; int32 [n, 4].
    pao, pao_yakuman
        Liable seat, and number of the yaku that it is liable for (4, rinshan, for a seat that fed a daiminkan); -1 for
        none. int8 [n].
    pao_points
        Part of `points` that the liable seat is liable for; int32 [n].
    readings
        All readings of all wins.
    best
        Row of the best reading in `readings`; -1 for a hand that is not complete. int64 [n].
    """

    complete: Bools
    has_yaku: Bools
    fu: I16
    fu_settled: Bools
    han: I16
    yaku: I8
    units: I16
    yakuman: Bools
    limit: U8
    points: I32
    deltas: I32
    pao: I8
    pao_yakuman: I8
    pao_points: I32
    readings: Readings
    best: I64


@dataclass(frozen=True, slots=True)
class _Values:
    """Values of readings; one entry for each, or one column of an array [``YAKU_COUNT``, readings]."""

    fu: I16
    yaku: I8
    yakuman: I8
    han: I16
    units: I16
    has_yaku: Bools
    limit: U8
    base: I64


def score(wins: Wins, table: RuleTable) -> Scores:
    """Score wins.

    Parameters
    ----------
    wins
        n wins; ``wins.rule`` are rows of `table`.
    table
        Their rules. An unknown rule has Tenhou's value.

    Returns
    -------
    Scores
        One entry for each win.

    Raises
    ------
    ValueError
        If a rule that scoring needs is unknown and the preset ``"tenhou"`` does not know it either.
    """
    readings = find_readings(wins.hands, wins.win_kind, ~wins.tsumo)
    values = _value(wins, readings, table)
    best = _best(wins, readings, values)
    return _scores(wins, table, readings, values, best)


@dataclass(frozen=True, slots=True)
class ReadingScores:
    """The values of each reading by itself; fields as in `Scores`, with one entry for each reading."""

    has_yaku: Bools
    fu: I16
    han: I16
    yaku: I8
    units: I16
    yakuman: Bools
    limit: U8
    points: I32


def score_readings(wins: Wins, readings: Readings, table: RuleTable) -> ReadingScores:
    """Score every reading, to show why `score` chose the best.

    Parameters
    ----------
    wins, table
        As in `score`.
    readings
        k readings of these wins, such as ``Scores.readings``.

    Returns
    -------
    ReadingScores
        Arrays [k], and [k, ``YAKU_COUNT``] for yaku and yakuman.
    """
    values, hand = _value(wins, readings, table), readings.hand
    missing = missing_share(wins.players, wins.rule, table)[hand]
    share = shares(values.base, (wins.winner == wins.dealer)[hand], wins.players[hand], missing)
    return ReadingScores(
        has_yaku=values.has_yaku,
        fu=values.fu,
        han=values.han,
        yaku=values.yaku.T,
        units=values.units,
        yakuman=values.yakuman.T > 0,
        limit=np.where(values.has_yaku, values.limit, NO_LIMIT).astype(np.uint8),
        points=np.where(wins.tsumo[hand], share.tsumo, share.ron).astype(np.int32),
    )


def count_dora(wins: Wins, table: RuleTable) -> I64:
    """Count dora, ura dora and red fives of each win under its rules (RULES.md 3.5, 4.6); int64 [n, 3].

    Ura dora count only for a winner in riichi. Norths that the winner set aside are among the dora, as in Tenhou's
    logs: each has the value that the rule ``kita_han`` states, and indicators count it like a tile of the hand.
    Parameters as `score`.
    """
    counts, kita = wins.hands.all_counts(), wins.norths.any()
    if kita:
        counts[:, NORTH] += wins.norths.astype(np.uint8)
    has = [rule[wins.rule] for rule in (table.dora, table.kan_dora, table.ura_dora, table.kan_ura_dora)]
    dora = _shown(counts, wins.dora, wins.players, has[0], has[1])
    if kita:
        dora += wins.norths * table.kita_han[wins.rule]
    ura = _shown(counts, wins.ura, wins.players, has[2], has[1] & has[3])
    return np.stack([dora, np.where(wins.riichi > 0, ura, 0), wins.hands.reds], axis=1).astype(np.int64)


def _shown(counts: U8, indicators: U8, players: Ints, first: Bools, further: Bools) -> I64:
    """Count the tiles that indicators make dora; `first` and `further`: whether the first and the other ones count."""
    total = np.zeros(len(counts), dtype=np.int64)
    for column, indicator in enumerate(indicators.T):
        row = np.flatnonzero((indicator != NO_TILE) & (first if column == 0 else first & further))
        if len(row):  # most batches have few further indicators
            shown = indicator[row]
            kind = np.where(players[row] == 3, DORA_OF_SANMA[shown], DORA_OF[shown])
            total[row] += counts[row, kind]
    return total


def _value(wins: Wins, readings: Readings, table: RuleTable) -> _Values:
    hand = readings.hand
    rule = wins.rule[hand]
    f = features(wins, readings, table)
    yaku = han_of(f)
    yakuman = units_of(f, table.double_yakuman[rule])
    total_units = yakuman.sum(axis=0, dtype=np.int16)
    total_units = np.where(table.yakuman_stacking[rule], total_units, yakuman.max(axis=0))
    own_han = yaku.sum(axis=0, dtype=np.int16)
    has_yaku = (total_units > 0) | (own_han >= table.min_han[rule])
    yaku[DORA], yaku[URA_DORA], yaku[RED_FIVE] = np.where(has_yaku, count_dora(wins, table)[hand].T, 0)
    yaku[:, total_units > 0] = 0
    total_han = yaku.sum(axis=0, dtype=np.int16)
    total_fu = fu_of(f)
    limit, base = limit_and_base(total_fu, total_han, rule, table)
    mangan = (
        f.renhou & (table.renhou == "mangan")[rule] & (total_units == 0) & (~has_yaku | (base < LIMIT_BASE[MANGAN]))
    )
    if mangan.any():
        # Renhou makes a hand that is worth less a mangan; its other yaku and dora do not matter (RULES.md 4.4, 5.22).
        yaku[:, mangan] = 0
        yaku[RENHOU, mangan] = total_han[mangan] = MANGAN_HAN
        has_yaku[mangan], limit[mangan], base[mangan] = True, MANGAN, LIMIT_BASE[MANGAN]
    limit[total_units > 0] = YAKUMAN
    base = np.where(total_units > 0, YAKUMAN_BASE * total_units.astype(np.int64), base)
    return _Values(total_fu, yaku, yakuman, total_han, total_units, has_yaku, limit, np.where(has_yaku, base, 0))


def _best(wins: Wins, readings: Readings, values: _Values) -> I64:
    """Find the row of each win's best reading; -1 for a win without a reading."""
    hand = readings.hand
    # Of equal points, a yakuman goes before a counted yakuman.
    order = np.lexsort((values.fu, values.han, values.units, values.base, hand))
    last = np.flatnonzero(np.diff(hand[order], append=-1))
    best = np.full(len(wins), -1, dtype=np.int64)
    best[hand[order[last]]] = order[last]
    return best


def _scores(wins: Wins, table: RuleTable, readings: Readings, values: _Values, best: I64) -> Scores:
    complete = best >= 0
    chosen = best[complete]

    def spread(column: npt.NDArray[T]) -> npt.NDArray[T]:
        whole = np.zeros(len(wins), dtype=column.dtype)
        whole[complete] = column[chosen]
        return whole

    def spread_worth(worth: I8) -> I8:
        by_win = np.zeros((len(worth), len(wins)), dtype=np.int8)
        for number in np.flatnonzero(worth.any(axis=1)):  # most yaku occur in no win of a batch
            by_win[number] = spread(worth[number])
        return by_win.T

    has_yaku, base, yakuman = spread(values.has_yaku), spread(values.base), spread_worth(values.yakuman)
    total_units = spread(values.units)
    pao, pao_yakuman, covered = _liability(wins, table, yakuman, total_units, base)
    missing = missing_share(wins.players, wins.rule, table)
    whole, free = (shares(part, wins.winner == wins.dealer, wins.players, missing) for part in (base, base - covered))
    points = np.where(wins.tsumo, whole.tsumo, whole.ron)
    pao_points = points - np.where(wins.tsumo, free.tsumo, free.ron)
    return Scores(
        complete=complete,
        has_yaku=has_yaku,
        fu=spread(values.fu),
        fu_settled=(total_units == 0) | (spread(values.fu) == _least_fu(wins, readings, values, base)),
        han=spread(values.han),
        yaku=spread_worth(values.yaku),
        units=total_units,
        yakuman=yakuman > 0,
        limit=np.where(has_yaku, spread(values.limit), NO_LIMIT).astype(np.uint8),
        points=points.astype(np.int32),
        deltas=settle(free, Settlement.of(wins, pao, pao_points), table) * has_yaku[:, None],
        pao=pao,
        pao_yakuman=pao_yakuman,
        pao_points=pao_points.astype(np.int32),
        readings=readings,
        best=best,
    )


def _least_fu(wins: Wins, readings: Readings, values: _Values, base: I64) -> I16:
    """Find the fewest fu among the readings with most base points; int16 [n]."""
    tied = values.base == base[readings.hand]
    least = np.full(len(wins), np.iinfo(np.int16).max, dtype=np.int16)
    np.minimum.at(least, readings.hand[tied], values.fu[tied])
    return least


def _liability(wins: Wins, table: RuleTable, yakuman: I8, total_units: I16, base: I64) -> tuple[I8, I8, I64]:
    """Find the liable seat of hands that have the yakuman in question, and for how many base points it is liable.

    Returns
    -------
    seat, yaku, base
        -1, -1 and 0 where nobody is liable; int8, int8, int64 [n].
    """
    seat, number = np.full((2, len(wins)), -1, dtype=np.int8)
    covered = np.zeros(len(wins), dtype=np.int64)
    rows = np.flatnonzero((yakuman[:, PAO_IDS] > 0).any(axis=1))
    if len(rows):
        case, total = wins[rows], total_units[rows]
        fed_by, fed_for = liable(case.hands, case.winner, case.rule, table, case.last_kan)
        own = np.where(fed_for >= 0, yakuman[rows, fed_for], 0)
        units = np.where((table.pao_scope == "whole_hand")[case.rule], total, np.minimum(own, total))
        found = own > 0
        seat[rows[found]], number[rows[found]] = fed_by[found], fed_for[found]
        covered[rows[found]] = YAKUMAN_BASE * units[found].astype(np.int64)
    fed = (number < 0) & wins.rinshan & ~wins.after_kita & wins.tsumo & table.daiminkan_rinshan_pao[wins.rule]
    if fed.any():
        feeder = np.where(fed, feeder_of_kan(wins.hands, wins.winner, wins.last_kan), -1)
        fed = feeder >= 0
        seat[fed], number[fed], covered[fed] = feeder[fed], RINSHAN, base[fed]
    return seat, number, covered

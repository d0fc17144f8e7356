"""Wins: recorded values beside the values expected by replay and engine, one row for each win.

If there are doubts about the replayed hand, or the hand shown differs from it, the ``expected_`` values that depend on
the hand are null: another check reports that fault, and the rest of the win is not checkable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import entries, filled, gathered, hand_numbers, is_known, lists, where_known
from auditor.log.event_kinds import OFFERED
from auditor.log.tables import CLAIMS, SEATS, Kind
from auditor.log.tile_ids import NONE
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import END_DOUBTS, INDICATOR_DOUBTS, MELD_DOUBTS, ROUND_DOUBTS, SCORE_DOUBTS, Doubt
from auditor.replay.win_context import WinContexts, last_actions, meld_signatures, result_rows, turned
from engine.scoring.points import points_of
from engine.yaku.all_yaku import BY_ID, DOUBLE_FORMS
from engine.yaku.declaration import DORA, RED_FIVE, URA_DORA, YAKU_COUNT

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.round_rules import RulesByRow
    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from engine.scoring.score import Scores

    Ints = npt.NDArray[np.int64]

_DORA = {"dora": DORA, "ura": URA_DORA, "red": RED_FIVE}
_IS_DORA = np.isin(np.arange(256), list(_DORA.values()))
_DOUBLE = np.zeros(YAKU_COUNT, dtype=bool)
_DOUBLE[[number for number, yaku in BY_ID.items() if yaku.double]] = True
_FORM = np.full(YAKU_COUNT, len(DOUBLE_FORMS))
_FORM[[number for number, yaku in BY_ID.items() if yaku.name in DOUBLE_FORMS]] = range(len(DOUBLE_FORMS))
"""The column of ``double_yakuman_forms`` by yaku; for others, a column behind the last."""


def taken_tile_ids(log: Log, played: Replay) -> npt.NDArray[np.int16]:
    """Return the tile that each claim's winner takes from another seat, int16[claims]; NONE for other claims.

    It depends on the play, not on the claim's payer: if the last action is another seat's discard, kakan or kita, its
    tile belongs to the winner's hand.
    """
    last = last_actions(played, result_rows(played))
    winner = filled(log.claims["winner"], -1)
    taken = (winner >= 0) & played.is_kind(*OFFERED)[last] & (played.seat[last] != winner)
    return np.where(taken, played.tile_id[last], NONE).astype(np.int16)


_Yaku = pl.Struct({"yaku": pl.UInt8, "han": pl.Int16})
WIN_COLUMNS: Columns = {
    **CLAIMS,
    **PLACE,
    "hand": pl.Int64,  # round * SEATS + winner
    "recorded_yaku": pl.List(_Yaku),  # without dora; a yakuman has han 0
    "dora_han": pl.Int16,  # recorded
    "ura_han": pl.Int16,  # recorded
    "red_han": pl.Int16,  # recorded
    "listed_han": pl.Int64,  # the sum of the recorded list of han
    "total_of_hand": pl.Int16,  # the han of the hand, if the log lists no yaku; null for a yakuman
    "listed_units": pl.Int64,  # the number of yakuman in the recorded list
    "stated_limit": pl.UInt8,  # follows from the recorded fu and yaku
    "stated_points": pl.Int32,  # follow from the recorded fu and yaku
    "expected_complete": pl.Boolean,  # the replayed hand has a winning shape
    "expected_has_yaku": pl.Boolean,
    "expected_yaku": pl.List(_Yaku),
    "expected_han": pl.Int16,  # with dora; null for a yakuman
    "expected_fu": pl.Int16,
    "expected_limit": pl.UInt8,
    "expected_points": pl.Int32,
    "expected_liable": pl.Int8,
    "liable_stated": pl.Boolean,  # null if the log never states who is liable
    "expected_dora_han": pl.Int8,
    "expected_ura_han": pl.Int8,
    "expected_red_han": pl.Int8,
    "scoreable": pl.Boolean,  # yaku, dora and limit are known
    "expected_win_tile_id": pl.Int16,  # the last tile
    "last_kind": Kind,  # the last action
    "last_seat": pl.Int8,
    "last_fits": pl.Boolean,  # the last action is the winner's draw, or the payer's discard, kakan or kita
    "played_melds": pl.List(pl.Int64),  # signatures
    "turned": pl.List(pl.Int16),  # the round's indicators
}


def wins(
    log: Log, played: Replay, case: WinContexts, scored: Scores, *, shows: pl.DataFrame, below: pl.DataFrame
) -> pl.DataFrame:
    """Return one row for each win.

    In a round with ROUND_DOUBTS a draw or call may be missing. There the expected values are null if they depend on
    the absence of a call or a draw: for double riichi, ippatsu, wins in the first turn, and wins near the last tile.
    ``expected_ura_han`` is null where the ura dora indicators are faulty (W112) or not shown, ``last_fits`` where the
    last action is unknown (END_DOUBTS), ``turned`` where the indicators are (INDICATOR_DOUBTS).

    Parameters
    ----------
    log, played
        the log and its replay
    case, scored
        the wins as the replay gives them, and their scores
    shows
        the shown hands beside the replayed ones (shown_hands.py)
    below
        the ura dora indicators that wins show, with their faults (ura_indicators.py)

    """
    needs_order = (case.wins.riichi == 2) | case.wins.ippatsu | case.wins.first_turn
    needs_order |= played.left[case.last] <= SEATS
    other_shown = np.isin(case.claim, shows["claim"].filter(~shows["agrees"]).to_numpy())
    doubts = case.doubts.plus({Doubt.OTHER_HAND_SHOWN: other_shown})
    agreed = doubts.free_of(SCORE_DOUBTS | Doubt.OTHER_HAND_SHOWN) & (doubts.free_of(ROUND_DOUBTS) | ~needs_order)
    valid = agreed & scored.complete & scored.has_yaku
    recorded = log.claims[case.claim]
    ura_known = is_known(recorded["ura"]) | (case.wins.riichi == 0) | ~case.rules.assumed("ura_dora")
    # Without the indicators below, a win in riichi can be worth more than its hand shows.
    scoreable = valid & doubts.free_of(Doubt.DORA_UNKNOWN) & ura_known
    ura_known &= ~np.isin(case.claim, below["claim"].filter(below["fault"] != "").to_numpy())
    hand = hand_numbers(recorded, "winner")
    listed = _listed(recorded)
    has_list = is_known(recorded["yaku"]) | is_known(recorded["yakuman"])
    stated_limit, stated_points = _stated(recorded, listed, case)
    units, units_known = _listed_units(recorded, case)
    columns = {
        "seat": recorded["winner"],
        "pos": gathered(log.events["pos"], result_rows(played)[case.claim]),
        "hand": pl.Series(hand),
        "recorded_yaku": where_known(listed.without_dora(), has_list),
        **{f"{name}_han": where_known(listed.han_of(yaku), has_list) for name, yaku in _DORA.items()},
        "listed_han": where_known(listed.total_han(), has_list),
        "total_of_hand": where_known(
            scored.han, scoreable & (scored.units == 0) & ~has_list & settled(case.rules, scored)
        ),
        "listed_units": where_known(units, has_list & units_known),
        "stated_limit": stated_limit,
        "stated_points": stated_points,
        "expected_complete": where_known(scored.complete, agreed),
        "expected_has_yaku": where_known(scored.has_yaku, agreed & scored.complete),
        "expected_yaku": where_known(_best(scored).without_dora(), valid),
        "expected_han": where_known(scored.han, scoreable & (scored.units == 0)),
        "expected_fu": where_known(scored.fu, valid & scored.fu_settled),
        "expected_limit": where_known(scored.limit, scoreable),
        "expected_points": where_known(scored.points, scoreable & ~liable_for_tsumo(case, scored)),
        "expected_liable": where_known(scored.pao, valid & (scored.pao >= 0)),
        "liable_stated": where_known(stated := log.liable_stated[recorded["round"].to_numpy()], stated),
        "expected_dora_han": where_known(scored.yaku[:, DORA], scoreable),
        "expected_ura_han": where_known(scored.yaku[:, URA_DORA], valid & ura_known),
        "expected_red_han": where_known(scored.yaku[:, RED_FIVE], valid),
        "scoreable": pl.Series(scoreable),
        "expected_win_tile_id": gathered(log.events["tile_id"], case.last),
        "last_kind": gathered(log.events["kind"], case.last),
        "last_seat": gathered(log.events["seat"], case.last),
        "last_fits": where_known(doubts.free_of(Doubt.TILE_IS_NOT_LAST), doubts.free_of(END_DOUBTS)),
        "played_melds": where_known(meld_signatures(played, hand), doubts.free_of(MELD_DOUBTS)),
        "turned": gathered(turned(log, played), recorded["round"].to_numpy(), doubts.free_of(INDICATOR_DOUBTS)),
    }
    return recorded.hstack([column.alias(name) for name, column in columns.items()])


_VALUE_RULES = (
    "red_fives", "dora", "ura_dora", "kan_dora", "kan_ura_dora", "min_han", "open_tanyao", "ippatsu", "renhou",
    "local_yaku", "chuuren_nine_waits_only", "double_wind_pair_fu", "rinshan_tsumo_fu", "kiriage_mangan",
    "kazoe_yakuman",
)  # fmt: skip
"""The rules that decide what a hand is worth."""
_YAKUMAN_RULES = (
    "double_yakuman", "double_yakuman_forms", "yakuman_stacking", "first_turn_yakuman_stacking",
    "ryuuiisou_requires_hatsu",
)  # fmt: skip
"""The rules that decide what a yakuman is worth."""


def settled(rules: RulesByRow, scored: Scores) -> npt.NDArray[np.bool_]:
    """Return the wins whose value no unknown rule decides, bool[wins].

    Where a log states neither points nor yaku, nothing but the hand says what the win is worth.
    """
    unsettled, of_yakuman = (
        np.logical_or.reduce([rules.unknown(name) for name in names]) for names in (_VALUE_RULES, _YAKUMAN_RULES)
    )
    found: npt.NDArray[np.bool_] = ~(unsettled | (of_yakuman & (scored.units > 0)))
    return found


def liable_for_tsumo(case: WinContexts, scored: Scores) -> npt.NDArray[np.bool_]:
    """Return which wins are a tsumo of three players that one seat must pay in full, bool[wins].

    Whether it pays the shares of the two others or what a ron costs is unknown (RULES.md 4.6).
    """
    alone = (scored.pao >= 0) & (scored.pao_points == scored.points)
    found: npt.NDArray[np.bool_] = alone & case.wins.tsumo & (case.wins.players < SEATS)
    return found


@dataclass(frozen=True)
class _YakuOfWins:
    """The yaku of wins one by one, sorted: the row of the ``win``, the ``yaku``, its ``han`` (0 for a yakuman).

    Arrays int64[m], uint8[m], int16[m]. ``count`` is the number of wins.
    """

    win: Ints
    yaku: npt.NDArray[np.uint8]
    han: npt.NDArray[np.int16]
    count: int

    def __getitem__(self, chosen: npt.NDArray[np.bool_]) -> _YakuOfWins:
        """Return the yaku chosen by a mask."""
        return _YakuOfWins(self.win[chosen], self.yaku[chosen], self.han[chosen], self.count)

    def total_han(self) -> Ints:
        """Return the sum of each win's han, int64[wins]."""
        return np.bincount(self.win, weights=self.han, minlength=self.count).astype(np.int64)

    def han_of(self, yaku: int) -> npt.NDArray[np.int16]:
        """Return the han of one yaku in each win, int16[wins]; 0 for a win without it."""
        return self[self.yaku == yaku].total_han().astype(np.int16)

    def without_dora(self) -> pl.Series:
        """Return each win's list of (yaku, han), without dora."""
        rest = self[~_IS_DORA[self.yaku]]
        return lists({"yaku": rest.yaku, "han": rest.han}, np.bincount(rest.win, minlength=self.count))


def _best(scored: Scores) -> _YakuOfWins:
    """Return the yaku of each win's best reading."""
    held = (scored.yaku > 0) | scored.yakuman
    some = np.flatnonzero(held.any(axis=0))  # a third of all yaku occur in a batch
    win, place = np.nonzero(held[:, some])
    yaku = some[place]
    # A hand with yakuman has no han in ``scored.yaku``.
    return _YakuOfWins(win, yaku.astype(np.uint8), scored.yaku[win, yaku].astype(np.int16), len(held))


def _listed(recorded: pl.DataFrame) -> _YakuOfWins:
    """Return the yaku and yakuman that the log lists."""
    (win, yaku), (_, han) = entries(recorded["yaku"]), entries(recorded["han"])
    win_of_yakuman, yakuman = entries(recorded["yakuman"])
    win, yaku, han = np.append(win, win_of_yakuman), np.append(yaku, yakuman), np.append(han, np.zeros_like(yakuman))
    # One key, not lexsort: most of it is sorted already, which a stable sort makes use of.
    order = np.argsort(win << 8 | yaku, kind="stable")
    return _YakuOfWins(win[order], yaku[order], han[order], len(recorded))


def _stated(recorded: pl.DataFrame, listed: _YakuOfWins, case: WinContexts) -> tuple[pl.Series, pl.Series]:
    """Return the limit and the points that follow from the recorded fu and yaku; null where these are not recorded."""
    listed = listed[listed.yaku < YAKU_COUNT]
    total = listed.total_han()
    units, dearest = np.zeros((2, len(recorded)), dtype=np.int16)
    double = _DOUBLE[listed.yaku] & case.rules.assumed("double_yakuman")[listed.win]
    if double.any():
        forms = np.pad(case.rules.assumed("double_yakuman_forms"), ((0, 0), (0, 1)), constant_values=True)
        double &= forms[listed.win, _FORM[listed.yaku]]
    worth = np.where((listed.han == 0) & (listed.yaku < DORA), 1 + double, 0).astype(np.int16)
    np.add.at(units, listed.win, worth)
    np.maximum.at(dearest, listed.win, worth)
    units = np.where(case.rules.assumed("yakuman_stacking"), units, dearest)
    limit, points = points_of(filled(recorded["fu"], 0), total, units, case.wins, case.rules.table)
    stated = ((total > 0) | (units > 0)) & is_known(recorded["fu"])
    return where_known(limit, stated), where_known(points, stated)


def _listed_units(recorded: pl.DataFrame, case: WinContexts) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return the number of recorded yakuman, int64[wins], and whether it is known how many can count, bool[wins].

    If the rules do not add up yakuman, there is at most one (RULES.md 1, 役満の複合あり).
    """
    win, units = entries(recorded["units"])
    total = np.bincount(win, weights=units, minlength=len(recorded)).astype(np.int64)
    unknown = case.rules.unknown("yakuman_stacking") & (total > 1)
    return np.where(case.rules.assumed("yakuman_stacking"), total, np.minimum(total, 1)), ~unknown

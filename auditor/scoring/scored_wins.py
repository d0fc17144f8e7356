"""Wins: recorded values beside the values expected by replay and engine, one row for each win.

If there are doubts about the replayed hand, or the hand shown differs from it, the ``expected_`` values that depend on
the hand are null: another check reports that fault, and the rest of the win is not checkable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import filled, where_known
from auditor.log.tables import CLAIMS, SEATS, Kind
from auditor.log.tile_ids import NONE
from auditor.replay.columns import PLACE, Columns
from auditor.replay.trust import END_DOUBTS, INDICATOR_DOUBTS, MELD_DOUBTS, ROUND_DOUBTS, SCORE_DOUBTS, Doubt
from auditor.replay.turns import LIVE_TILES
from auditor.replay.win_context import WinContexts, last_actions, meld_signatures, result_rows
from engine.scoring.points import points_of
from engine.yaku.all_yaku import BY_ID
from engine.yaku.declaration import DORA, RED_FIVE, URA_DORA, YAKU_COUNT

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Doubts
    from engine.scoring.score import Scores

_DOUBLE = np.zeros(YAKU_COUNT, dtype=bool)
_DOUBLE[[number for number, yaku in BY_ID.items() if yaku.double]] = True


def taken_tile_ids(log: Log, played: Replay) -> npt.NDArray[np.int16]:
    """Return the tile that each claim's winner takes from another seat, int16[claims]; NONE for other claims.

    It depends on the play, not on the claim's payer: if the last action is a discard or kakan by another seat, its tile
    belongs to the winner's hand.
    """
    last = last_actions(played, result_rows(played))
    winner = filled(log.claims["winner"], -1)
    taken = (winner >= 0) & played.is_kind("discard", "kakan")[last] & (played.seat[last] != winner)
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
    "expected_dora_han": pl.Int8,
    "expected_ura_han": pl.Int8,
    "expected_red_han": pl.Int8,
    "scoreable": pl.Boolean,  # expected points are known
    "expected_win_tile_id": pl.Int16,  # the last tile
    "last_kind": Kind,  # the last action
    "last_seat": pl.Int8,
    "last_fits": pl.Boolean,  # the last action is the winner's draw, or the payer's discard or kakan
    "played_melds": pl.List(pl.Int64),  # signatures
    "turned": pl.List(pl.Int16),  # the round's indicators
}


def wins(log: Log, played: Replay, case: WinContexts, scored: Scores, shows: pl.DataFrame) -> pl.DataFrame:
    """Return one row for each win; ``shows`` are the shown hands beside the replayed ones (shown_hands.py).

    In a round with ROUND_DOUBTS a draw or call may be missing. There the expected values are null if they depend on
    the absence of a call or a draw: for double riichi, ippatsu, wins in the first turn, and wins near the last tile.
    """
    needs_order = (case.wins.riichi == 2) | case.wins.ippatsu | case.wins.first_turn
    needs_order |= played.draws[case.last] >= LIVE_TILES - SEATS
    other_shown = np.isin(case.claim, shows.filter(~pl.col("agrees"))["claim"].to_numpy())
    doubts = case.doubts.plus({Doubt.OTHER_HAND_SHOWN: other_shown})
    agreed = doubts.free_of(SCORE_DOUBTS | Doubt.OTHER_HAND_SHOWN) & (doubts.free_of(ROUND_DOUBTS) | ~needs_order)
    valid = agreed & scored.complete & scored.has_yaku
    scoreable = valid & doubts.free_of(Doubt.DORA_UNKNOWN)
    recorded = log.claims[case.claim]
    at = log.events[case.last]
    recorded_rows = _recorded_rows(recorded)
    stated_limit, stated_points = _stated(recorded, recorded_rows, case)
    listed_han, listed_units = _listed(recorded, case)
    columns = {
        "expected_complete": where_known(scored.complete, agreed),
        "expected_has_yaku": where_known(scored.has_yaku, agreed & scored.complete),
        "expected_fu": where_known(scored.fu, valid & scored.fu_settled),
        "expected_limit": where_known(scored.limit, scoreable),
        "expected_points": where_known(scored.points, scoreable),
        "expected_liable": where_known(scored.pao, valid & (scored.pao >= 0)),
        "expected_yaku": _lists(_yaku_rows(scored), len(recorded), valid),
        "expected_win_tile_id": at["tile_id"],
        "expected_han": where_known(_total_han(scored), scoreable & (scored.units == 0)),
        "stated_limit": stated_limit,
        "stated_points": stated_points,
        "listed_han": listed_han,
        "listed_units": listed_units,
        "scoreable": pl.Series(scoreable),
        "last_fits": pl.Series(doubts.free_of(Doubt.TILE_IS_NOT_LAST)),
        "last_kind": at["kind"],
        "last_seat": at["seat"],
        **{
            f"expected_{name}_han": where_known(scored.yaku[:, number], scoreable if name == "dora" else valid)
            for name, number in (("dora", DORA), ("ura", URA_DORA), ("red", RED_FIVE))
        },
    }
    return (
        recorded.with_columns(**columns)
        .with_columns(
            seat="winner",
            pos=log.events[result_rows(played)[case.claim]]["pos"],
            hand=pl.col("round").cast(pl.Int64) * SEATS + pl.col("winner"),
            recorded_yaku=_recorded_yaku(recorded, recorded_rows),
            **{
                f"{name}_han": _recorded_han(recorded, recorded_rows, number)
                for name, number in (("dora", DORA), ("ura", URA_DORA), ("red", RED_FIVE))
            },
        )
        .join(meld_signatures(played), on="hand", how="left", maintain_order="left")
        .rename({"signatures": "played_melds"})
        .with_columns(
            played_melds=pl.when(pl.Series(doubts.free_of(MELD_DOUBTS))).then(pl.col("played_melds").fill_null([])),
            expected_ura_han=pl.when(pl.col("ura").is_not_null() | pl.Series(~_takes_ura(case))).then(
                "expected_ura_han"
            ),
        )
    )


def with_indicators(
    wins: pl.DataFrame,
    turned: pl.Series,
    below: pl.DataFrame,
    doubts: Doubts,
) -> pl.DataFrame:
    """Return these wins with the indicators ``turned`` in their rounds, and with null in values that are unknown.

    ``expected_ura_han`` becomes null where the ura dora indicators are faulty (W112), ``last_fits`` where the last
    action is unknown (END_DOUBTS), ``turned`` where the indicators are (INDICATOR_DOUBTS).

    Parameters
    ----------
    wins
        as :func:`wins` returns them
    turned
        each round's indicators, as lists
    below
        the ura dora indicators that wins show, with their faults (ura_indicators.py)
    doubts
        the doubts about each win

    """
    last_known, turned_known = doubts.free_of(END_DOUBTS), doubts.free_of(INDICATOR_DOUBTS)
    cannot_be = below.filter(pl.col("fault") != "")["claim"]
    return wins.with_columns(
        expected_ura_han=pl.when(~pl.col("claim").is_in(cannot_be.implode())).then("expected_ura_han"),
        last_fits=pl.when(pl.Series(last_known)).then("last_fits"),
        turned=pl.when(pl.Series(turned_known)).then(turned.gather(wins["round"])),
    )


def _takes_ura(case: WinContexts) -> npt.NDArray[np.bool_]:
    """Return which wins count ura dora, so that their indicators must be shown, bool[wins]."""
    takes: npt.NDArray[np.bool_] = (case.wins.riichi > 0) & case.rules.assumed("ura_dora")
    return takes


def _total_han(scored: Scores) -> npt.NDArray[np.int16]:
    total: npt.NDArray[np.int16] = scored.yaku.sum(axis=1, dtype=np.int16)
    return total


def _yaku_rows(scored: Scores) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return (win, yaku, han) of every yaku but dora; a yakuman has han 0."""
    named = (scored.yaku > 0) | scored.yakuman
    named[:, [DORA, URA_DORA, RED_FIVE]] = False
    row, yaku = np.nonzero(named)
    return row, yaku, np.where(scored.yakuman[row, yaku], 0, scored.yaku[row, yaku])


def _lists(
    rows: tuple[npt.NDArray[np.int64], ...], count: int, valid: npt.NDArray[np.bool_] | None = None
) -> pl.Series:
    """Return, for each win, the list of (yaku, han) from ``rows`` (win, yaku, han), sorted by win and yaku.

    It is empty for a win without rows, and null where ``valid`` is false.
    """
    row, yaku, han = rows
    frame = (
        pl.DataFrame({"row": row.astype(np.int64), "yaku": yaku.astype(np.uint8), "han": han.astype(np.int16)})
        .group_by("row", maintain_order=True)
        .agg(pl.struct("yaku", "han").alias("list"))
    )
    lists = pl.DataFrame({"row": np.arange(count)}).join(frame, on="row", how="left", maintain_order="left")["list"]
    filled = lists.fill_null(pl.Series([[]], dtype=pl.List(_Yaku)))
    return filled if valid is None else pl.select(pl.when(pl.Series(valid)).then(filled)).to_series()


def _recorded_rows(recorded: pl.DataFrame) -> pl.DataFrame:
    """Return (win, yaku, han) of every recorded yaku, sorted; a yakuman has han 0."""
    at = recorded.select("yaku", "han", "yakuman").with_row_index("row")
    listed = at.select("row", "yaku", "han").explode("yaku", "han").drop_nulls("yaku")
    yakuman = at.select("row", yaku="yakuman").explode("yaku").drop_nulls("yaku").with_columns(han=pl.lit(0, pl.Int16))
    return pl.concat([listed, yakuman]).sort("row", "yaku")


def _has_list(recorded: pl.DataFrame) -> npt.NDArray[np.bool_]:
    """Return for which wins the log has a list of yaku or of yakuman, bool[wins]."""
    has: npt.NDArray[np.bool_] = (recorded["yaku"].is_not_null() | recorded["yakuman"].is_not_null()).to_numpy()
    return has


def _recorded_yaku(recorded: pl.DataFrame, rows: pl.DataFrame) -> pl.Series:
    """Return the recorded yaku without dora as lists of (yaku, han); null where the log has no list of yaku.

    ``rows`` are the same yaku one by one, as :func:`_recorded_rows` returns them.
    """
    rows = rows.filter(~pl.col("yaku").is_in([DORA, URA_DORA, RED_FIVE]))
    columns = (rows["row"].to_numpy(), rows["yaku"].to_numpy(), rows["han"].to_numpy())
    return _lists(columns, len(recorded), _has_list(recorded))


def _recorded_han(recorded: pl.DataFrame, rows: pl.DataFrame, number: int) -> pl.Series:
    """Return the recorded han of one yaku, 0 if the list of yaku or yakuman lacks it; null where there is no list."""
    of_yaku = rows["yaku"].to_numpy() == number
    han = np.zeros(len(recorded), dtype=np.int16)
    np.add.at(han, rows["row"].to_numpy()[of_yaku], rows["han"].to_numpy()[of_yaku])
    return where_known(han, _has_list(recorded))


def _stated(recorded: pl.DataFrame, rows: pl.DataFrame, case: WinContexts) -> tuple[pl.Series, pl.Series]:
    """Return the limit and the points that follow from the recorded fu and yaku; null where these are not recorded.

    ``rows`` are the recorded yaku one by one, as :func:`_recorded_rows` returns them.
    """
    row, yaku, han = (rows[name].to_numpy() for name in ("row", "yaku", "han"))
    inside = yaku < YAKU_COUNT
    row, yaku, han = row[inside], yaku[inside], han[inside]
    total = np.zeros(len(recorded), dtype=np.int16)
    np.add.at(total, row, han)
    units, dearest = np.zeros((2, len(recorded)), dtype=np.int16)
    double = _DOUBLE[yaku] & case.rules.assumed("double_yakuman")[row]
    worth = np.where((han == 0) & (yaku < DORA), 1 + double, 0).astype(np.int16)
    np.add.at(units, row, worth)
    np.maximum.at(dearest, row, worth)
    stacking = case.rules.assumed("yakuman_stacking")
    units = np.where(stacking, units, dearest)
    fu = recorded["fu"].fill_null(0).to_numpy()
    limit, points = points_of(fu, total, units, case.wins, case.rules.table)
    stated = (total > 0) | (units > 0)
    stated &= recorded["fu"].is_not_null().to_numpy()
    return where_known(limit, stated), where_known(points, stated)


def _listed(recorded: pl.DataFrame, case: WinContexts) -> tuple[pl.Series, pl.Series]:
    """Return the sum of the recorded han, and the number of recorded yakuman; null where there is no list.

    If the rules do not add up yakuman, there is at most one (RULES.md 1, 役満の複合あり). The number is null where this
    rule is unknown and matters.
    """
    stated = _has_list(recorded)
    han = recorded["han"].list.sum().fill_null(0).to_numpy()
    units = recorded["units"].list.sum().fill_null(0).to_numpy()
    stacking = case.rules.assumed("yakuman_stacking")
    unknown = case.rules.unknown("yakuman_stacking")
    return where_known(han, stated), where_known(
        np.where(stacking, units, np.minimum(units, 1)), stated & ~(unknown & (units > 1))
    )

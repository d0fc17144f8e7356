"""Wins: what the log records beside what replay and engine make of it, one row a win.

Where the replayed hand is not to be trusted, or another hand is shown than was played, every ``expected_``
value is null: that fault has its own finding, and the rest of the win is not checkable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import where_known
from auditor.log.tables import SEATS
from auditor.log.tile_ids import NONE
from auditor.replay.turns import LIVE_TILES
from auditor.replay.win_context import WinContexts, last_actions, meld_signatures, result_rows
from engine.scoring.stated import points_of
from engine.yaku.catalogue import BY_ID
from engine.yaku.registry import DORA, RED_FIVE, URA_DORA, YAKU_COUNT

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from engine.scoring.score import Scores

_DOUBLE = np.zeros(YAKU_COUNT, dtype=bool)
_DOUBLE[[number for number, yaku in BY_ID.items() if yaku.double]] = True


def taken_tile_ids(log: Log, played: Replay) -> npt.NDArray[np.int16]:
    """Return the tile that each claim's winner takes from the table, NONE for all other claims.

    What was played decides, not what the claim calls it: a last discard or kakan of another seat belongs to the
    winner's hand.
    """
    last = last_actions(played, result_rows(played))
    winner = log.claims["winner"].fill_null(-1).to_numpy()
    taken = (winner >= 0) & played.is_kind("discard", "kakan")[last] & (played.seat[last] != winner)
    return np.where(taken, played.tile_id[last], NONE).astype(np.int16)


def wins(
    log: Log, played: Replay, case: WinContexts, scored: Scores, shows: pl.DataFrame, *, settled: npt.NDArray[np.bool_]
) -> pl.DataFrame:
    """Return the wins of a batch.

    ``shows`` are its shown hands beside the replayed ones, ``settled`` bool[rounds] the rounds in order: in others a
    draw or call may be missing, so that what hangs on there being none, or no further tile, is not known.
    """
    hangs = (case.wins.riichi == 2) | case.wins.ippatsu | case.wins.first_turn
    hangs |= played.draws[case.last] >= LIVE_TILES - SEATS
    agreed = _agreed(shows, case) & (settled[log.claims["round"].gather(case.claim).to_numpy()] | ~hangs)
    valid = agreed & scored.complete & scored.has_yaku
    counted = valid & case.counted
    recorded = log.claims[case.claim]
    at = log.events[case.last]
    stated_limit, stated_points = _stated(recorded, case)
    listed_han, listed_units = _listed(recorded, case)
    columns = {
        "expected_complete": where_known(scored.complete, agreed),
        "expected_has_yaku": where_known(scored.has_yaku, agreed & scored.complete),
        "expected_fu": where_known(scored.fu, valid & scored.fu_settled),
        "expected_limit": where_known(scored.limit, counted),
        "expected_points": where_known(scored.points, counted),
        "expected_liable": where_known(scored.pao, valid & (scored.pao >= 0)),
        "expected_yaku": _lists(_yaku_rows(scored), len(recorded), valid),
        "expected_win_tile_id": at["tile_id"],
        "expected_han": where_known(_total_han(scored), counted & (scored.units == 0)),
        "stated_limit": stated_limit,
        "stated_points": stated_points,
        "listed_han": listed_han,
        "listed_units": listed_units,
        "scoreable": pl.Series(counted),
        "last_fits": pl.Series(case.last_fits),
        "last_kind": at["kind"],
        "last_seat": at["seat"],
        **{
            f"expected_{name}_han": where_known(scored.yaku[:, number], counted if name == "dora" else valid)
            for name, number in (("dora", DORA), ("ura", URA_DORA), ("red", RED_FIVE))
        },
    }
    return (
        recorded.with_columns(**columns)
        .with_columns(
            seat="winner",
            pos=log.events[result_rows(played)[case.claim]]["pos"],
            hand=pl.col("round").cast(pl.Int64) * SEATS + pl.col("winner"),
            recorded_yaku=_recorded_yaku(recorded),
            **{
                f"{name}_han": _recorded_han(recorded, number)
                for name, number in (("dora", DORA), ("ura", URA_DORA), ("red", RED_FIVE))
            },
        )
        .join(meld_signatures(played), on="hand", how="left", maintain_order="left")
        .rename({"signatures": "played_melds"})
        .with_columns(
            played_melds=pl.when(pl.Series(case.sound)).then(pl.col("played_melds").fill_null([])),
            expected_ura_han=pl.when(pl.col("ura").is_not_null() | pl.Series(~_takes_ura(case))).then(
                "expected_ura_han"
            ),
        )
    )


def _takes_ura(case: WinContexts) -> npt.NDArray[np.bool_]:
    """Return which wins count ura dora, so that these must be shown."""
    takes: npt.NDArray[np.bool_] = (case.wins.riichi > 0) & case.rules.assumed("ura_dora")
    return takes


def _agreed(shows: pl.DataFrame, case: WinContexts) -> npt.NDArray[np.bool_]:
    """Return which wins have a trusted hand that is also the hand shown, or none shown to the contrary."""
    disputed = shows.filter(~pl.col("agrees"))["claim"].to_numpy()
    return case.trusted & ~np.isin(case.claim, disputed)


def _total_han(scored: Scores) -> npt.NDArray[np.int16]:
    total: npt.NDArray[np.int16] = scored.yaku.sum(axis=1, dtype=np.int16)
    return total


def _yaku_rows(scored: Scores) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return (win, yaku, han) of every yaku but dora; a yakuman has han 0."""
    named = (scored.yaku > 0) | scored.yakuman
    named[:, [DORA, URA_DORA, RED_FIVE]] = False
    row, yaku = np.nonzero(named)
    return row, yaku, np.where(scored.yakuman[row, yaku], 0, scored.yaku[row, yaku])


_Yaku = pl.Struct({"yaku": pl.UInt8, "han": pl.Int16})


def _lists(
    rows: tuple[npt.NDArray[np.int64], ...], count: int, valid: npt.NDArray[np.bool_] | None = None
) -> pl.Series:
    """Gather rows (win, yaku, han), sorted by win and yaku, into a list of (yaku, han) a win."""
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


def _recorded_yaku(recorded: pl.DataFrame) -> pl.Series:
    """Return the recorded yaku without dora as lists of (yaku, han); null where the log names none at all."""
    rows = _recorded_rows(recorded).filter(~pl.col("yaku").is_in([DORA, URA_DORA, RED_FIVE]))
    said = recorded.select(pl.col("yaku").is_not_null() | pl.col("yakuman").is_not_null()).to_series().to_numpy()
    return _lists((rows["row"].to_numpy(), rows["yaku"].to_numpy(), rows["han"].to_numpy()), len(recorded), said)


def _recorded_han(recorded: pl.DataFrame, number: int) -> pl.Series:
    """Return the recorded han of one yaku, 0 where a list of yaku lacks it; null without a list, but 0 for yakuman."""
    rows = _recorded_rows(recorded).filter(pl.col("yaku") == number)
    han = np.zeros(len(recorded), dtype=np.int16)
    np.add.at(han, rows["row"].to_numpy(), rows["han"].to_numpy())
    said = recorded.select(pl.col("yaku").is_not_null() | pl.col("yakuman").is_not_null()).to_series().to_numpy()
    return where_known(han, said)


def _stated(recorded: pl.DataFrame, case: WinContexts) -> tuple[pl.Series, pl.Series]:
    """Return limit and points that follow from the recorded fu and yaku, null where those are not recorded."""
    rows = _recorded_rows(recorded)
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
    said = (total > 0) | (units > 0)
    said &= recorded["fu"].is_not_null().to_numpy()
    return where_known(limit, said), where_known(points, said)


def _listed(recorded: pl.DataFrame, case: WinContexts) -> tuple[pl.Series, pl.Series]:
    """Return han and yakuman that the recorded list adds up to; null without a list, or where rules do not say how.

    Where yakuman do not add up, there is one, whatever the list has (RULES.md 1, 役満の複合あり).
    """
    said = recorded.select(pl.col("yaku").is_not_null() | pl.col("yakuman").is_not_null()).to_series().to_numpy()
    han = recorded["han"].list.sum().fill_null(0).to_numpy()
    units = recorded["units"].list.sum().fill_null(0).to_numpy()
    stacking = case.rules.assumed("yakuman_stacking")
    unknown = case.rules.unknown("yakuman_stacking")
    return where_known(han, said), where_known(
        np.where(stacking, units, np.minimum(units, 1)), said & ~(unknown & (units > 1))
    )

"""AGARI and RYUUKYOKU → claims, shown hands and final scores (auditor/readers/mjlog/FORMAT.md sections 7 and 8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.readers.mjlog.absent import ABSENT
from auditor.readers.mjlog.header import final_scores
from auditor.readers.mjlog.melds import decode
from auditor.readers.mjlog.play import NO_ROUND

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values

_REASON = {
    "nm": "nagashi",
    "yao9": "kyuushu",
    "kaze4": "four_winds",
    "reach4": "four_riichi",
    "kan4": "four_kans",
    "ron3": "triple_ron",
}

_URA = 53


class MjlogResults(NamedTuple):
    """The canonical tables claims and shows, how games end, and problems (row, recorded, expected).

    ``finals`` has game, final_scores, final_points and ended (true), one row for each game with ``owari``.
    """

    claims: pl.DataFrame
    shows: pl.DataFrame
    finals: pl.DataFrame
    problems: pl.DataFrame


def read(tags: Tags, values: Values, round_of: npt.NDArray[np.uint32], unread: npt.NDArray[np.bool_]) -> MjlogResults:
    """Return the results of a batch, except those that are marked in ``unread`` (bool[tags])."""
    wins = _wins(values.wide("AGARI"))
    shown = [pl.Series(f"shown{seat}", values.has("RYUUKYOKU", f"hai{seat}")) for seat in range(tables.SEATS)]
    draws = _draws(values.wide("RYUUKYOKU").with_columns(shown))
    rows = pl.concat([wins, draws], how="diagonal").sort("row")
    rows = rows.filter(~pl.Series(unread[rows["row"].to_numpy()]))
    at = rows["row"].to_numpy()
    rows = rows.with_columns(
        round=pl.Series(round_of[at]), event=pl.Series(tags.event[at]), game=pl.Series(tags.game[at])
    )
    claims = rows.filter(pl.col("round") != int(NO_ROUND))
    claims = (
        claims.with_columns(_scores(claims["sc"]))
        .with_row_index("claim")
        .with_columns(nth=pl.int_range(pl.len()).over("round"))
    )
    finals = final_scores(rows.drop_nulls("owari"))
    unknown = draws.filter(pl.col("reason").is_null(), pl.col("type").is_not_null())
    unreadable = finals.filter(pl.col("final_scores").is_null())
    return MjlogResults(
        claims=tables.conform(claims, tables.CLAIMS, ABSENT["claims"]),
        shows=_shows(claims),
        finals=finals.select("game", "final_scores", "final_points", ended=pl.lit(value=True)).unique(
            "game", keep="last", maintain_order=True
        ),
        problems=pl.concat(
            [
                unknown.select(
                    "row",
                    recorded=pl.format('RYUUKYOKU type="{}"', pl.col("type").str.slice(0, 80)),
                    expected=pl.lit("a known draw"),
                ),
                unreadable.select(
                    "row",
                    recorded=pl.format('owari="{}"', pl.col("owari").str.slice(0, 80)),
                    expected=pl.lit("score and points of each seat"),
                ),
            ]
        ),
    )


def lists_ura() -> pl.Expr:
    """Return whether a win lists ura dora, as every riichi win does. Such a win also has ura dora indicators."""
    return pl.col("yaku").list.gather_every(2).list.contains(_URA).fill_null(value=False)


def _wins(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the attributes of AGARI tags as columns of claims, with ``row``, ``sc``, ``owari`` and ``hai``."""
    ten, ba = pl.col("ten").list, pl.col("ba").list
    # An empty list is the same as none; missing.py reports a win without yaku.
    yaku, yakuman = (pl.when(pl.col(name).list.len() > 0).then(name) for name in ("yaku", "yakuman"))
    return frame.select(
        "row", "sc", "owari", "hai",
        reason=pl.lit("win"),
        winner=pl.col("who").list.first(),
        payer=pl.col("fromWho").list.first(),
        liable=pl.col("paoWho").list.first(),
        honba=ba.get(0),
        sticks=ba.get(1),
        win_tile_id=pl.col("machi").list.first(),
        fu=ten.get(0),
        points=ten.get(1),
        limit=ten.get(2),
        yaku=yaku.list.gather_every(2, 0),
        han=yaku.list.gather_every(2, 1),
        yakuman=yakuman,
        dora="doraHai",
        ura=pl.when((pl.col("doraHaiUra").list.len() > 0) | ~lists_ura()).then("doraHaiUra"),
        melds=_signatures(frame["m"]),
    )  # fmt: skip


def _draws(frame: pl.DataFrame) -> pl.DataFrame:
    ba = pl.col("ba").list
    return frame.select(
        "row", "sc", "owari", "type",
        *(f"hai{seat}" for seat in range(tables.SEATS)),
        *(f"shown{seat}" for seat in range(tables.SEATS)),
        reason=pl.when(pl.col("type").is_null())
        .then(pl.lit("exhaustive"))
        .otherwise(pl.col("type").replace_strict(_REASON, default=None, return_dtype=pl.String)),
        honba=ba.get(0),
        sticks=ba.get(1),
    )  # fmt: skip


def _scores(sc: pl.Series) -> list[pl.Series]:
    """Split ``sc`` into the columns ``before`` and ``deltas``.

    ``sc`` has a pair for each seat, score and change in hundreds; numbers of chips may follow.
    """
    present = sc.is_not_null().to_numpy()
    length = sc.list.len().fill_null(0).to_numpy().astype(np.int64)
    start = np.cumsum(length) - length
    flat = sc.drop_nulls().explode().to_numpy()
    pairs = np.zeros((len(sc), tables.SEATS, 2), dtype=np.int32)
    pairs[present] = flat[start[present, None] + np.arange(2 * tables.SEATS)].reshape(-1, tables.SEATS, 2) * 100
    return [
        pl.select(
            pl.when(pl.Series(present)).then(pl.Series(pairs[:, :, place], dtype=tables.Points)).alias(name)
        ).to_series()
        for place, name in enumerate(("before", "deltas"))
    ]


def _signatures(codes: pl.Series) -> pl.Series:
    """Return each row's meld codes as a list of meld signatures in ascending order; an empty list if there are none."""
    flat = pl.DataFrame({"code": codes}).with_row_index("at").explode("code").drop_nulls()
    melds = decode(flat["code"].to_numpy().astype("int64"))
    grouped = (
        flat.select("at", signature=pl.Series(tables.meld_signature(melds.kind, melds.tile_ids), dtype=pl.Int64))
        .sort("at", "signature")
        .group_by("at", maintain_order=True)
        .agg("signature")
    )
    return (
        pl.DataFrame({"at": pl.Series(range(len(codes)), dtype=pl.UInt32)})
        .join(grouped, on="at", how="left", maintain_order="left")["signature"]
        .fill_null([])
    )


def _shows(claims: pl.DataFrame) -> pl.DataFrame:
    """Return the hands that results show: the winner's, and at a draw those of the seats that show theirs.

    If a hand shown at a draw cannot be read, its ``tile_ids`` are null.
    """
    won = claims.select("claim", "round", "event", seat="winner", tile_ids="hai")
    drawn = [
        claims.filter(f"shown{seat}").select(
            "claim", "round", "event", pl.lit(seat, pl.Int8).alias("seat"), tile_ids=f"hai{seat}"
        )
        for seat in range(tables.SEATS)
    ]
    shows = pl.concat([tables.conform(frame, tables.SHOWS) for frame in (won.drop_nulls(["seat", "tile_ids"]), *drawn)])
    return shows.sort("claim", "seat")

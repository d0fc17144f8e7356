"""hule and pingju events → claims and shown hands (auditor/readers/majiang/FORMAT.md sections 5 and 6)."""

from __future__ import annotations

from typing import NamedTuple

import polars as pl

from auditor.log import tables
from auditor.log.hand_strings import TILE_ID, concealed, melds
from auditor.readers.majiang.absent import ABSENT
from auditor.readers.majiang.play import by_seat, seat_of
from auditor.readers.majiang.yaku_names import YAKU, round_wind, seat_wind

_REASON = {
    "荒牌平局": "exhaustive", "流局": "exhaustive",
    "流し満貫": "nagashi",
    "九種九牌": "kyuushu",
    "四風連打": "four_winds",
    "四家立直": "four_riichi",
    "四開槓": "four_kans", "四槓散了": "four_kans",
    "三家和": "triple_ron", "三家和了": "triple_ron",
}  # fmt: skip
"""The kinds of draws by their names: the engine's first, then that of converted Tenhou logs."""


class PaipuResults(NamedTuple):
    """The canonical tables claims and shows, and problems."""

    claims: pl.DataFrame
    shows: pl.DataFrame
    problems: pl.DataFrame


def read(acts: pl.DataFrame, rounds: pl.DataFrame) -> PaipuResults:
    """Return the results among the events of play.read (its ``acts``); ``rounds`` is the canonical table."""
    wind = rounds.select("round", "wind")
    ends = acts.filter(pl.col("hule").is_not_null() | pl.col("pingju").is_not_null())
    ends = ends.join(wind, on="round", how="left", maintain_order="left").with_row_index("claim")
    ends = ends.with_columns(nth=pl.int_range(pl.len()).over("round"))
    won = _wins(ends.filter(pl.col("hule").is_not_null()))
    drawn, unknown = _draws(ends.filter(pl.col("hule").is_null()))
    claims = pl.concat([tables.conform(won, tables.CLAIMS, ABSENT["claims"]), drawn]).sort("claim")
    shows = pl.concat([_shown(won.select("claim", "round", "event", seat="winner", hand="shoupai")), _opened(ends)])
    return PaipuResults(claims, shows.sort("claim", "seat"), unknown)


def _wins(ends: pl.DataFrame) -> pl.DataFrame:
    wins = ends.select("claim", "round", "event", "nth", "jushu", "wind", pl.col("hule").struct.unnest())
    tile = pl.col("shoupai").str.split(",").list.first().str.extract_all(r"[mpsz]\d+").list.last()
    last = tile.str.head(1) + tile.str.slice(-1)
    wins = wins.with_columns(
        reason=pl.lit("win"),
        winner=seat_of("l"),
        payer=pl.when(pl.col("baojia").is_null())
        .then(seat_of("l"))
        .when(pl.col("baojia").is_between(0, tables.SEATS - 1))
        .then(seat_of("baojia")),
        points="defen",
        total_han="fanshu",
        total_units="damanguan",
        deltas=by_seat(pl.col("fenpei")),
        win_tile_id=last.replace_strict(TILE_ID, default=None, return_dtype=pl.Int16),
        ura=pl.col("fubaopai").list.eval(
            pl.element().str.head(2).replace_strict(TILE_ID, default=None, return_dtype=pl.Int16)
        ),
    ).with_columns(melds=pl.when(pl.col("shoupai").is_not_null()).then(_signatures(wins["shoupai"])))
    return wins.hstack(_yaku(wins))


def _yaku(wins: pl.DataFrame) -> pl.DataFrame:
    """Return the columns yaku, han, yakuman, units and liable of wins; the yaku of an unknown name is 255."""
    listed = (
        wins.select("winner", "wind", "jushu", "hupai")
        .with_row_index("at")
        .explode("hupai")
        .unnest("hupai")
        .drop_nulls("name")
        .with_columns(
            yaku=pl.when(pl.col("name").str.starts_with("自風"))
            .then(seat_wind())
            .when(pl.col("name").str.starts_with("場風"))
            .then(round_wind())
            .otherwise(pl.col("name").replace_strict(YAKU, default=255, return_dtype=pl.UInt8)),
            starred=pl.col("fanshu").str.contains("*", literal=True),
            fed=pl.col("baojia").replace_strict({"+": 1, "=": 2, "-": 3}, default=None, return_dtype=pl.Int8),
        )
    )
    gathered = listed.group_by("at", maintain_order=True).agg(
        yaku=pl.col("yaku").filter(~pl.col("starred")),
        han=pl.col("fanshu").filter(~pl.col("starred")).cast(pl.Int16, strict=False),
        yakuman=pl.col("yaku").filter("starred"),
        units=pl.col("fanshu").filter("starred").str.len_bytes(),
        liable=((pl.col("winner") + pl.col("fed")) % tables.SEATS).drop_nulls().first(),
    )
    whole = pl.DataFrame({"at": range(len(wins))}, schema={"at": pl.UInt32})
    frame = whole.join(gathered, on="at", how="left", maintain_order="left").drop("at")
    return frame.with_columns(
        yaku=pl.when(pl.col("yaku").list.len() > 0).then("yaku"),
        han=pl.when(pl.col("yaku").list.len() > 0).then("han"),
        yakuman=pl.when(pl.col("yakuman").list.len() > 0).then("yakuman"),
        units=pl.when(pl.col("yakuman").list.len() > 0).then("units"),
    )


def _signatures(hands: pl.Series) -> pl.Series:
    """Return the melds of hand strings as lists of meld signatures."""
    listed = (
        pl.DataFrame({"meld": hands.str.split(",").list.slice(1)})
        .with_row_index("at")
        .explode("meld")
        .filter(pl.col("meld").str.len_bytes() > 0)
    )
    decoded = melds(listed["meld"])
    grouped = (
        listed.select("at", signature=pl.Series(tables.meld_signature(decoded.kind, decoded.tile_ids), dtype=pl.Int64))
        .sort("at", "signature")
        .group_by("at", maintain_order=True)
        .agg("signature")
    )
    whole = pl.DataFrame({"at": range(len(hands))}, schema={"at": pl.UInt32})
    return whole.join(grouped, on="at", how="left", maintain_order="left")["signature"].fill_null([])


def _draws(ends: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the claims of draws, and as problems the draws with an unknown name."""
    draws = ends.select(
        "game", "claim", "round", "event", "nth", "jushu", pl.col("pingju").struct.unnest()
    ).with_columns(
        # Noten payments depend on who shows a hand. Without the hands the draw has no reason, so no check judges them.
        reason=pl.when(pl.col("shoupai").is_not_null()).then(
            pl.col("name").replace_strict(_REASON, default=None, return_dtype=pl.String)
        ),
        deltas=by_seat(pl.col("fenpei")),
    )
    named = draws.drop_nulls(["name", "shoupai"])
    unknown = named.filter(pl.col("reason").is_null()).select(
        "game", "round", "event",
        code=pl.lit("L003"), recorded=pl.format("pingju {}", "name"), expected=pl.lit("a known draw"),
    )  # fmt: skip
    return tables.conform(draws, tables.CLAIMS, {*ABSENT["claims"], *tables.WINS_ONLY}), tables.problem_rows(unknown)


def _opened(ends: pl.DataFrame) -> pl.DataFrame:
    """Return the hands shown at draws as rows of shows; an empty text is a hand that is not shown."""
    draws = ends.filter(pl.col("pingju").is_not_null())
    opened = pl.col("pingju").struct.field("shoupai").list
    hands = [
        draws.select(
            "claim", "round", "event", pl.lit(seat, pl.Int8).alias("seat"),
            hand=opened.get((seat - pl.col("jushu")) % tables.SEATS, null_on_oob=True),
        )
        for seat in range(tables.SEATS)
    ]  # fmt: skip
    return _shown(pl.concat(hands).filter(pl.col("hand").str.len_bytes() > 0))


def _shown(hands: pl.DataFrame) -> pl.DataFrame:
    """Return hands (columns claim, round, event, seat, hand) as rows of shows."""
    tile_ids = (
        concealed(hands)
        .group_by("claim", "round", "event", "seat", maintain_order=True)
        .agg(pl.col("tile_id").alias("tile_ids"))
    )
    return tables.conform(tile_ids.filter(pl.col("seat").is_not_null()), tables.SHOWS)

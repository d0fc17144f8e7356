"""Events of decoded paipu → rounds, events, deals, melds (auditor/readers/majiang/FORMAT.md sections 2 to 4).

Within a round all indices count from the dealer; the canonical tables count from the game's first dealer.
Riichi is a mark on the discard; that its stick is paid is inferred: it is, unless that discard is won on.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.hand_strings import concealed, melds, tile_id
from auditor.log.tile_ids import NONE
from auditor.readers.majiang import faults
from auditor.readers.majiang.keys import EVENTS


class PaipuPlay(NamedTuple):
    """What play.read returns; ``acts`` are all events of the batch, a column an event's kind, with ``round``."""

    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    acts: pl.DataFrame
    problems: pl.DataFrame


def seat_of(column: str) -> pl.Expr:
    """Return the seat of a place counted from the round's dealer (a column beside ``jushu``)."""
    return ((pl.col("jushu") + pl.col(column)) % tables.SEATS).cast(pl.Int8)


def by_seat(values: pl.Expr) -> pl.Expr:
    """Return a list counted from the round's dealer as points by seat; null without four values or the dealer."""
    turned = pl.concat_arr(
        [values.list.get((seat - pl.col("jushu")) % tables.SEATS, null_on_oob=True) for seat in range(4)]
    )
    return pl.when(values.list.len() == tables.SEATS, pl.col("jushu").is_not_null()).then(turned)


def read(games: pl.DataFrame, notes: pl.DataFrame) -> PaipuPlay:
    """Return the play of decoded games (a row a game, column ``log``); ``notes`` say what of them was left out."""
    listed = (
        games.select("game", pl.col("log"))
        .filter(pl.col("log").is_not_null())
        .explode("log", empty_as_null=False)
        .with_columns(nth=pl.int_range(pl.len(), dtype=pl.UInt32).over("game"))
        .with_row_index("round")
    )
    noted = _noted(notes, listed)
    told = _acts(listed)
    readable = faults.checked(told)
    said = pl.concat([noted, readable.problems])
    unread = said.filter(pl.col("rest").fill_null(value=False))["round"].drop_nulls()
    begun = listed.drop("log").join(_first(told), on="round", how="left", maintain_order="left")
    dealt = faults.deals(begun, readable.acts, unread)
    rounds = dealt.rounds.unnest("qipai")
    acts = dealt.acts.join(rounds.select("round", "jushu"), on="round", maintain_order="left")
    events = _events(acts, rounds)
    return PaipuPlay(
        rounds=_rounds(rounds),
        events=tables.conform(events, tables.EVENTS),
        melds=_melds(events),
        deals=_deals(rounds),
        acts=acts,
        problems=pl.concat([_unreadable(games), said, dealt.problems]),
    )


def _first(acts: pl.DataFrame) -> pl.DataFrame:
    """Return the first event of each round."""
    return acts.select("round", "event").unique("round", keep="first", maintain_order=True)


def _noted(notes: pl.DataFrame, rounds: pl.DataFrame) -> pl.DataFrame:
    """Return notes as problems (L003)."""
    placed = notes.join(rounds.select("game", "nth", "round"), on=["game", "nth"], how="left", maintain_order="left")
    return tables.conform(placed.with_columns(code=pl.lit("L003")), tables.PROBLEMS)


def _acts(rounds: pl.DataFrame) -> pl.DataFrame:
    """Return one row an event, with game, round (number in the batch), nth (within the game) and event."""
    told = rounds.filter(pl.col("log").is_not_null()).explode("log", empty_as_null=False)
    return told.with_columns(event=pl.int_range(pl.len()).over("game")).unnest("log")


def _rounds(rounds: pl.DataFrame) -> pl.DataFrame:
    return tables.conform(
        rounds.with_columns(
            wind="zhuangfeng",
            dealer="jushu",
            honba="changbang",
            sticks="lizhibang",
            start=by_seat(pl.col("defen")),
            dora=tile_id(pl.col("baopai")),
        ),
        tables.ROUNDS,
    )


def _deals(rounds: pl.DataFrame) -> pl.DataFrame:
    hands = [
        rounds.select(
            "round",
            pl.lit(seat, pl.Int8).alias("seat"),
            hand=pl.col("shoupai").list.get((seat - pl.col("jushu")) % tables.SEATS, null_on_oob=True),
        )
        for seat in range(tables.SEATS)
    ]
    return tables.conform(concealed(pl.concat(hands)).sort("round", "seat", maintain_order=True), tables.DEALS)


_SEATED = {"zimo": "draw", "gangzimo": "draw", "dapai": "discard"}
_RESULTS = ("hule", "pingju")
_STEPS = ("riichi", "act", "deposit")
"""What one event of the paipu can be in the canonical table, in order."""


def _events(acts: pl.DataFrame, rounds: pl.DataFrame) -> pl.DataFrame:
    """Return canonical events with ``meld``, the text of a call; riichi and deposits stand as events of their own.

    Every round begins with a deal to each seat, told or not.
    """
    told = pl.DataFrame({"round": acts["round"], "event": acts["event"], "jushu": acts["jushu"]}).with_columns(
        name=acts.select(_name()).to_series(),
        l=acts.select(pl.coalesce(pl.col(name).struct.field("l") for name in (*_SEATED, "fulou", "gang"))).to_series(),
        text=acts.select(
            pl.coalesce(
                *(pl.col(name).struct.field("p") for name in _SEATED),
                pl.col("kaigang").struct.field("baopai"),
            )
        ).to_series(),
        meld=acts.select(pl.coalesce(pl.col(name).struct.field("m") for name in ("fulou", "gang"))).to_series(),
        ron=acts.select(
            pl.col("hule").struct.field("baojia").is_not_null()
            | (pl.col("pingju").struct.field("name").str.starts_with("三家和"))
        ).to_series(),
    )
    is_call = told["meld"].is_not_null().to_numpy()
    decoded = melds(told["meld"].filter(pl.Series(is_call)))
    called = np.full(len(told), NONE, dtype=np.int16)
    called[is_call] = decoded.tile_ids[:, 0]
    code = np.zeros(len(told), dtype=np.uint8)
    code[is_call] = decoded.kind
    kinds = pl.Series(code).cat.to(tables.Kind).cast(pl.String)
    told = told.with_columns(
        kind=pl.when(pl.Series(is_call))
        .then(kinds)
        .otherwise(pl.col("name").replace_strict(_KIND, default=None, return_dtype=pl.String)),
        seat=seat_of("l"),
        tile_id=pl.when(pl.Series(is_call)).then(pl.Series(called)).otherwise(tile_id(pl.col("text"))),
        riichi=(pl.col("name") == "dapai") & pl.col("text").str.contains("*", literal=True),
        tsumogiri=pl.when(pl.col("name") == "dapai").then(pl.col("text").str.contains("_", literal=True)),
    ).drop_nulls("kind")
    settled = told.filter(pl.col("kind") != "dora")  # an indicator may be turned between a discard and its ron
    ronned = settled.select("round", "event", ronned=pl.col("ron").shift(-1).over("round").fill_null(value=False))
    told = told.join(ronned, on=["round", "event"], how="left", maintain_order="left").with_columns(
        deposit=pl.col("riichi") & ~pl.col("ronned").fill_null(value=False)
    )
    steps = [
        told.filter("riichi").with_columns(step=pl.lit(0), kind=pl.lit("riichi"), tile_id=pl.lit(None, pl.Int16)),
        told.with_columns(step=pl.lit(1)),
        told.filter("deposit").with_columns(step=pl.lit(2), kind=pl.lit("deposit"), tile_id=pl.lit(None, pl.Int16)),
        *(
            rounds.select("round", "event", step=pl.lit(0), kind=pl.lit("deal"), seat=pl.lit(seat, pl.Int8))
            for seat in range(tables.SEATS)
        ),
    ]
    events = pl.concat(steps, how="diagonal_relaxed")
    # A deal comes first, wherever it is told.
    return events.sort(
        "round", pl.col("kind") != "deal", "event", "step", "seat", nulls_last=False, maintain_order=True
    )


_KIND = {
    "zimo": "draw", "gangzimo": "draw", "dapai": "discard", "kaigang": "dora", "hule": "result",
    "pingju": "result",
}  # fmt: skip


def _name() -> pl.Expr:
    """Return which kind of event a row is: the name of its one key."""
    return pl.coalesce(pl.when(pl.col(name).is_not_null()).then(pl.lit(name)) for name in EVENTS)


def _melds(events: pl.DataFrame) -> pl.DataFrame:
    calls = events.with_row_index("row").filter(pl.col("meld").is_not_null())
    decoded = melds(calls["meld"])
    fed = (decoded.feeder > 0) & (calls["kind"] != "kakan").to_numpy()
    source = np.where(fed, (calls["seat"].to_numpy() + decoded.feeder) % tables.SEATS, -1)
    others = {f"p{place}": decoded.tile_ids[:, place] for place in (1, 2, 3)}
    return tables.conform(
        pl.DataFrame({"row": calls["row"], "source": source, **others}).with_columns(
            pl.when(pl.col("source") >= 0).then("source"),
            *(pl.when(pl.col(name) != NONE).then(name) for name in others),
        ),
        tables.MELDS,
    )


def _unreadable(games: pl.DataFrame) -> pl.DataFrame:
    """Return texts that are no game."""
    found = games.filter(pl.col("fault").is_not_null()).select(
        "game", "code", recorded="fault", expected=pl.lit("a whole paipu")
    )
    return tables.conform(found, tables.PROBLEMS)

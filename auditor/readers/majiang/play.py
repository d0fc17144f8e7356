"""Events of decoded paipu → rounds, events, deals, melds (auditor/readers/majiang/FORMAT.md sections 2 to 4).

Within a round a paipu counts seats from the dealer; the canonical tables count from the game's first dealer. Riichi is
a mark on the discard. No event says that its stick is paid: it is inferred to be paid unless that discard is won.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.hand_strings import concealed, melds, tile_id
from auditor.log.tile_ids import NONE
from auditor.readers.majiang import faults
from auditor.readers.majiang.absent import ABSENT
from auditor.readers.majiang.fields import EVENTS


class PaipuPlay(NamedTuple):
    """The canonical tables of a batch's play.

    ``acts`` has all events as decoded: game, round, nth, event, jushu, and a column for each kind of event, which is
    null in the rows of other kinds.
    """

    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    acts: pl.DataFrame
    problems: pl.DataFrame


def seat_of(column: str) -> pl.Expr:
    """Return as a seat (Int8) a column that counts from the round's dealer; the frame must have ``jushu``."""
    return ((pl.col("jushu") + pl.col(column)) % tables.SEATS).cast(pl.Int8)


def by_seat(values: pl.Expr) -> pl.Expr:
    """Turn a list that counts from the round's dealer into one by seat; null without four values or ``jushu``."""
    turned = pl.concat_arr(
        [values.list.get((seat - pl.col("jushu")) % tables.SEATS, null_on_oob=True) for seat in range(4)]
    )
    return pl.when(values.list.len() == tables.SEATS, pl.col("jushu").is_not_null()).then(turned)


def read(games: pl.DataFrame, notes: pl.DataFrame) -> PaipuPlay:
    """Return the play of decoded games (one row each, columns game and log); faults in ``notes`` become problems."""
    listed = (
        games.select("game", pl.col("log"))
        .filter(pl.col("log").is_not_null())
        .explode("log", empty_as_null=False)
        .with_columns(nth=pl.int_range(pl.len(), dtype=pl.UInt32).over("game"))
        .with_row_index("round")
    )
    noted = _noted(notes, listed)
    decoded = _acts(listed)
    readable = faults.checked(decoded)
    problems = pl.concat([noted, readable.problems])
    unread = problems.filter(pl.col("rest").fill_null(value=False))["round"].drop_nulls()
    begun = listed.drop("log").join(_first(decoded), on="round", how="left", maintain_order="left")
    dealt = faults.deals(begun, readable.acts, unread)
    rounds = dealt.rounds.unnest("qipai")
    acts = dealt.acts.join(rounds.select("round", "jushu"), on="round", maintain_order="left")
    events = _events(acts, rounds)
    return PaipuPlay(
        rounds=_rounds(rounds),
        events=tables.conform(events, tables.EVENTS, ABSENT["events"]),
        melds=_melds(events),
        deals=_deals(rounds),
        acts=acts,
        problems=pl.concat([_unreadable(games), problems, dealt.problems]),
    )


def _first(acts: pl.DataFrame) -> pl.DataFrame:
    """Return the first event of each round."""
    return acts.select("round", "event").unique("round", keep="first", maintain_order=True)


def _noted(notes: pl.DataFrame, rounds: pl.DataFrame) -> pl.DataFrame:
    """Return notes as problems (L003)."""
    placed = notes.join(rounds.select("game", "nth", "round"), on=["game", "nth"], how="left", maintain_order="left")
    return tables.problem_rows(placed.with_columns(code=pl.lit("L003")))


def _acts(rounds: pl.DataFrame) -> pl.DataFrame:
    """Return one row for each event: game, round (in the batch), nth (in the game), event, a column for each kind."""
    acts = rounds.filter(pl.col("log").is_not_null()).explode("log", empty_as_null=False)
    return acts.with_columns(event=pl.int_range(pl.len()).over("game")).unnest("log")


def _rounds(rounds: pl.DataFrame) -> pl.DataFrame:
    return tables.conform(
        rounds.with_columns(
            wind="zhuangfeng",
            dealer="jushu",
            honba="changbang",
            sticks="lizhibang",
            start=by_seat(pl.col("defen")),
            dora=tile_id(pl.col("baopai")),
            ordered=pl.lit(value=True),
        ),
        tables.ROUNDS,
        ABSENT["rounds"],
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


def _events(acts: pl.DataFrame, rounds: pl.DataFrame) -> pl.DataFrame:
    """Return the canonical events, with the text of calls in the column ``meld``.

    A discard that declares riichi gives up to three events: riichi, discard, deposit. Every round begins with a deal to
    each seat, even if the log lacks its hands.
    """
    acted = pl.DataFrame({"round": acts["round"], "event": acts["event"], "jushu": acts["jushu"]}).with_columns(
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
    is_call = acted["meld"].is_not_null().to_numpy()
    decoded = melds(acted["meld"].filter(pl.Series(is_call)))
    called = np.full(len(acted), NONE, dtype=np.int16)
    called[is_call] = decoded.tile_ids[:, 0]
    code = np.zeros(len(acted), dtype=np.uint8)
    code[is_call] = decoded.kind
    kinds = pl.Series(code).cat.to(tables.Kind).cast(pl.String)
    acted = acted.with_columns(
        kind=pl.when(pl.Series(is_call))
        .then(kinds)
        .otherwise(pl.col("name").replace_strict(_KIND, default=None, return_dtype=pl.String)),
        seat=seat_of("l"),
        tile_id=pl.when(pl.Series(is_call)).then(pl.Series(called)).otherwise(tile_id(pl.col("text"))),
        riichi=(pl.col("name") == "dapai") & pl.col("text").str.contains("*", literal=True),
        tsumogiri=pl.when(pl.col("name") == "dapai").then(pl.col("text").str.contains("_", literal=True)),
    ).drop_nulls("kind")
    settled = acted.filter(pl.col("kind") != "dora")  # an indicator may be turned between a discard and its ron
    ronned = settled.select("round", "event", ronned=pl.col("ron").shift(-1).over("round").fill_null(value=False))
    acted = acted.join(ronned, on=["round", "event"], how="left", maintain_order="left").with_columns(
        deposit=pl.col("riichi") & ~pl.col("ronned").fill_null(value=False)
    )
    steps = [
        acted.filter("riichi").with_columns(step=pl.lit(0), kind=pl.lit("riichi"), tile_id=pl.lit(None, pl.Int16)),
        acted.with_columns(step=pl.lit(1)),
        acted.filter("deposit").with_columns(step=pl.lit(2), kind=pl.lit("deposit"), tile_id=pl.lit(None, pl.Int16)),
        *(
            rounds.select("round", "event", step=pl.lit(0), kind=pl.lit("deal"), seat=pl.lit(seat, pl.Int8))
            for seat in range(tables.SEATS)
        ),
    ]
    events = pl.concat(steps, how="diagonal_relaxed")
    # A round's deal comes first even if the log has it later.
    return events.sort(
        "round", pl.col("kind") != "deal", "event", "step", "seat", nulls_last=False, maintain_order=True
    )


_KIND = {
    "zimo": "draw", "gangzimo": "draw", "dapai": "discard", "kaigang": "dora", "hule": "result",
    "pingju": "result",
}  # fmt: skip


def _name() -> pl.Expr:
    """Return the name of an event's only key."""
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
    """Return the texts that are no game, or one that is not read, as problems."""
    supported = (
        pl.when(pl.col("code") == "L007").then(pl.lit("four, as in every paipu")).otherwise(pl.lit("a whole paipu"))
    )
    found = games.filter(pl.col("fault").is_not_null()).select("game", "code", recorded="fault", expected=supported)
    return tables.problem_rows(found)

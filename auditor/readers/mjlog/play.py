"""Tags of play → rounds, events, deals and deposits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor import log
from auditor.pieces import NONE
from auditor.readers.mjlog.melds import decode
from auditor.readers.mjlog.tags import NOT_PLAY, PLAY_LETTERS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values

_NO_EVENT = 255
_NO_SEAT = -1
_KIND = {kind: number for number, kind in enumerate(log.KINDS)}


class Play(NamedTuple):
    """What play.read returns; ``round_of`` uint32[tags] is each tag's round, ``NO_ROUND`` before the first."""

    rounds: pl.DataFrame
    events: pl.DataFrame
    deals: pl.DataFrame
    deposits: pl.DataFrame
    problems: pl.DataFrame
    round_of: npt.NDArray[np.uint32]


NO_ROUND = np.uint32(0xFFFFFFFF)


def read(tags: Tags, values: Values) -> Play:
    """Return the play of a batch; problems (row, code, recorded, expected) name tags that could not be placed."""
    inits = values.wide("INIT").sort("row")
    starts = inits["row"].to_numpy()
    round_of = _round_of(tags, starts)
    place = pl.DataFrame(
        {"row": starts, "event": tags.event[starts], "pos": tags.pos[starts], "game": tags.game[starts]}
    )
    inits = inits.join(place, on="row", maintain_order="left").with_row_index("round")
    events, deposits, lost = _events(tags, values, starts, round_of)
    return Play(_rounds(inits), events, _deals(inits), deposits, lost, round_of)


def _round_of(tags: Tags, starts: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    is_init = np.zeros(len(tags), dtype=np.int64)
    is_init[starts] = 1
    round_of = np.cumsum(is_init) - 1
    own = (round_of >= 0) & (tags.game[starts[round_of]] == tags.game) if len(starts) else np.zeros(len(tags), bool)
    return np.where(own, round_of, NO_ROUND).astype(np.uint32)


def _rounds(inits: pl.DataFrame) -> pl.DataFrame:
    seed = pl.col("seed").list
    return log.conform(
        inits.with_columns(
            nth=pl.int_range(pl.len()).over("game"),
            wind=seed.get(0) // 4,
            dealer=pl.col("oya").list.first(),
            honba=seed.get(1),
            sticks=seed.get(2),
            dora=seed.get(5),
            start=points(pl.col("ten")),
        ),
        log.ROUNDS,
    )


def points(hundreds: pl.Expr) -> pl.Expr:
    """Return a list of four scores in hundreds as :data:`auditor.log.Points`; null stays null."""
    return (hundreds * 100).list.to_array(log.SEATS)


def _deals(inits: pl.DataFrame) -> pl.DataFrame:
    return pl.concat(
        [
            inits.select("round", pl.lit(seat, pl.Int8).alias("seat"), pl.col(f"hai{seat}").alias("piece"))
            .explode("piece")
            .drop_nulls("piece")
            .cast(log.DEALS)  # type: ignore[arg-type]
            for seat in range(log.SEATS)
        ]
    ).sort("round", "seat", maintain_order=True)


def _events(
    tags: Tags, values: Values, starts: npt.NDArray[np.uint32], round_of: npt.NDArray[np.uint32]
) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    count = len(tags)
    kind = np.full(count, _NO_EVENT, dtype=np.uint8)
    seat = np.full(count, _NO_SEAT, dtype=np.int8)
    source = np.full(count, _NO_SEAT, dtype=np.int8)
    pieces = np.full((4, count), NONE, dtype=np.int16)

    played = tags.letter != NOT_PLAY
    beyond = played & ((tags.number < 0) | (tags.number >= 136))
    played &= ~beyond
    kind[played] = np.where(tags.letter[played] < 4, _KIND["draw"], _KIND["discard"])
    seat[played] = tags.letter[played] % 4
    pieces[0, played] = tags.number[played]

    kind[starts] = _KIND["deal"]
    _calls(values.wide("N"), kind, seat, source, pieces)
    deposits = _riichi(values.wide("REACH"), kind, seat)
    dora = values.wide("DORA").select("row", pl.col("hai").list.first()).drop_nulls()
    kind[dora["row"]] = _KIND["dora"]
    pieces[0, dora["row"]] = dora["hai"]
    for name in ("AGARI", "RYUUKYOKU"):
        kind[values.rows(name)] = _KIND["result"]
    _absences(values, kind, seat)

    outside = (kind != _NO_EVENT) & (round_of == NO_ROUND)
    absent = np.isin(kind, (_KIND["leave"], _KIND["return"]))
    lost = _lost(np.flatnonzero(beyond), tags, "a tile number in 0..135", "L003")
    early = _lost(np.flatnonzero(outside & ~absent), tags, "INIT before any event of play", "L004")
    kind[outside] = _NO_EVENT

    copies = np.where(kind == _NO_EVENT, 0, np.where(kind == _KIND["deal"], log.SEATS, 1))
    row = np.repeat(np.arange(count), copies)
    seat = seat[row]
    dealt = kind[row] == _KIND["deal"]
    seat[dealt] = np.arange(np.count_nonzero(dealt)) % log.SEATS
    frame = pl.DataFrame(
        {
            "round": round_of[row],
            "event": tags.event[row],
            "pos": tags.pos[row],
            "kind": pl.Series(kind[row]).cat.to(log.Kind),
            "seat": seat,
            "source": source[row],
            **dict(zip(("piece", "p1", "p2", "p3"), pieces[:, row], strict=True)),
        }
    ).with_columns(
        pl.when(pl.col("seat", "source") >= 0).then(pl.col("seat", "source")),
        pl.when(pl.col("piece", "p1", "p2", "p3") != NONE).then(pl.col("piece", "p1", "p2", "p3")),
    )
    deposits = deposits.filter(pl.Series(round_of[deposits["row"]] != NO_ROUND)).with_columns(
        round=pl.Series(round_of)[deposits["row"]] if len(deposits) else pl.lit(0, pl.UInt32),
        event=pl.Series(tags.event)[deposits["row"]] if len(deposits) else pl.lit(0, pl.UInt32),
    )
    return log.conform(frame, log.EVENTS), log.conform(deposits, log.DEPOSITS), pl.concat([lost, early])


def _calls(
    calls: pl.DataFrame,
    kind: npt.NDArray[np.uint8],
    seat: npt.NDArray[np.int8],
    source: npt.NDArray[np.int8],
    pieces: npt.NDArray[np.int16],
) -> None:
    calls = calls.select("row", pl.col("who", "m").list.first()).drop_nulls()
    row, who = calls["row"].to_numpy(), calls["who"].to_numpy()
    melds = decode(calls["m"].to_numpy().astype(np.int64))
    kind[row], seat[row] = melds.kind, who
    fed = (melds.feeder != 0) & (melds.kind != _KIND["kakan"])
    source[row] = np.where(fed, (who + melds.feeder) % log.SEATS, _NO_SEAT)
    pieces[:, row] = melds.pieces.T


def _riichi(reaches: pl.DataFrame, kind: npt.NDArray[np.uint8], seat: npt.NDArray[np.int8]) -> pl.DataFrame:
    """Place riichi declarations and deposits; return the scores that deposits repeat."""
    reaches = reaches.with_columns(pl.col("who", "step").list.first()).drop_nulls(["who", "step"])
    row = reaches["row"].to_numpy()
    kind[row] = np.where(reaches["step"].to_numpy() == 1, _KIND["riichi"], _KIND["deposit"])
    seat[row] = reaches["who"].to_numpy()
    return reaches.filter(pl.col("step") == 2, pl.col("ten").is_not_null()).select(
        "row", pl.col("who").alias("seat"), points(pl.col("ten")).alias("scores")
    )


def _absences(values: Values, kind: npt.NDArray[np.uint8], seat: npt.NDArray[np.int8]) -> None:
    """Place BYE, and UN where it names one returning player rather than the table."""
    gone = values.wide("BYE").select("row", pl.col("who").list.first()).drop_nulls()
    kind[gone["row"]], seat[gone["row"]] = _KIND["leave"], gone["who"]
    named = np.stack([values.has("UN", f"n{who}") for who in range(log.SEATS)], axis=1)
    single = named.sum(axis=1) == 1
    back = values.rows("UN")[single]
    kind[back], seat[back] = _KIND["return"], named[single].argmax(axis=1)


def _lost(rows: npt.NDArray[np.int64], tags: Tags, expected: str, code: str) -> pl.DataFrame:
    letter = pl.Series([*PLAY_LETTERS, ""]).gather(np.minimum(tags.letter[rows], 8))
    recorded = pl.select(pl.format("<{}{}>", letter, pl.Series(tags.number[rows]))).to_series()
    return pl.DataFrame({"row": pl.Series(rows, dtype=pl.UInt32), "recorded": recorded.cast(pl.String)}).with_columns(
        expected=pl.lit(expected), code=pl.lit(code)
    )

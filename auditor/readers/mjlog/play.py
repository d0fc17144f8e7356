"""Tags of play → rounds, events, melds, deals and deposits (auditor/readers/mjlog/FORMAT.md 4, 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.event_kinds import CODE
from auditor.log.tile_ids import NONE, PHYSICAL
from auditor.readers.mjlog.absent import ABSENT
from auditor.readers.mjlog.melds import decode
from auditor.readers.mjlog.tags import NOT_PLAY, PLAY_LETTERS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values

_NO_EVENT = 255
_NO_SEAT = -1

_PLAY_KIND: npt.NDArray[np.uint8] = np.full(256, _NO_EVENT, dtype=np.uint8)
_PLAY_KIND[: len(PLAY_LETTERS)] = [CODE["draw"]] * 4 + [CODE["discard"]] * 4
_PLAY_SEAT: npt.NDArray[np.int8] = np.full(256, _NO_SEAT, dtype=np.int8)
_PLAY_SEAT[: len(PLAY_LETTERS)] = [0, 1, 2, 3] * 2


class MjlogPlay(NamedTuple):
    """The canonical tables of a batch's play.

    ``problems`` has row, code, recorded, expected. ``round_of`` uint32[tags] is each tag's round, ``NO_ROUND`` before
    the first deal of its game.
    """

    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    deposits: pl.DataFrame
    problems: pl.DataFrame
    round_of: npt.NDArray[np.uint32]


NO_ROUND = np.uint32(0xFFFFFFFF)


def read(tags: Tags, values: Values, unread: npt.NDArray[np.bool_]) -> MjlogPlay:
    """Return the play of a batch; its problems are the tags that have no place in a round, or no tile.

    ``unread`` bool[tags] says which tags are not read as play.
    """
    inits = values.wide("INIT").sort("row")
    inits = inits.filter(~pl.Series(unread[inits["row"].to_numpy()]))
    starts = inits["row"].to_numpy()
    round_of = _round_of(tags, starts)
    place = pl.DataFrame(
        {"row": starts, "event": tags.event[starts], "pos": tags.pos[starts], "game": tags.game[starts]}
    )
    inits = inits.join(place, on="row", maintain_order="left").with_row_index("round")
    acted = _acted(tags, values, starts, unread)
    events, lost = _events(tags, acted, round_of)
    melds = acted.melds.with_columns(row=pl.Series(events.row_of).gather(acted.melds["row"])).filter(pl.col("row") >= 0)
    deposits = acted.deposits.filter(~pl.Series(unread[acted.deposits["row"].to_numpy()]))
    deposits = _placed(deposits, tags, round_of)
    return MjlogPlay(
        _rounds(inits), events.frame, tables.conform(melds, tables.MELDS), _deals(inits), deposits, lost, round_of
    )


def _round_of(tags: Tags, starts: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    is_init = np.zeros(len(tags), dtype=np.int64)
    is_init[starts] = 1
    round_of = np.cumsum(is_init) - 1
    own = (round_of >= 0) & (tags.game[starts[round_of]] == tags.game) if len(starts) else np.zeros(len(tags), bool)
    return np.where(own, round_of, NO_ROUND).astype(np.uint32)


def _rounds(inits: pl.DataFrame) -> pl.DataFrame:
    seed = pl.col("seed").list
    # If a round's number and dealer contradict each other (L006), neither is known.
    agree = seed.get(0) % tables.SEATS == pl.col("oya").list.first()
    return tables.conform(
        inits.with_columns(
            nth=pl.int_range(pl.len()).over("game"),
            wind=pl.when(agree.fill_null(value=True)).then(seed.get(0) // tables.SEATS),
            dealer=pl.when(agree.fill_null(value=True)).then(pl.col("oya").list.first()),
            honba=seed.get(1),
            sticks=seed.get(2),
            dora=seed.get(5),
            dice=pl.when(pl.col("seed").is_not_null()).then(pl.concat_arr(seed.get(3), seed.get(4))),
            start=points(pl.col("ten")),
        ),
        tables.ROUNDS,
    )


def points(hundreds: pl.Expr) -> pl.Expr:
    """Return a list of four scores in hundreds as :data:`auditor.log.tables.Points`; null remains null."""
    return (hundreds * 100).list.to_array(tables.SEATS)


def _deals(inits: pl.DataFrame) -> pl.DataFrame:
    hands = [
        inits.select("round", pl.lit(seat, pl.Int8).alias("seat"), tile_id=f"hai{seat}") for seat in range(tables.SEATS)
    ]
    sorted_hands = pl.concat(hands).drop_nulls("tile_id").sort("round", "seat")
    return tables.conform(sorted_hands.explode("tile_id"), tables.DEALS)


class _Acted(NamedTuple):
    """The event that each tag is.

    ``kind`` uint8[tags] is the place in KINDS, 255 for no event; ``seat`` int8[tags] is -1 for nobody; ``tile_id``
    int16[tags] is NONE for no tile. ``melds`` has row, source and the other tiles of calls, ``deposits`` row, seat and
    scores of paid sticks; ``row`` is the tag. ``beyond`` bool[tags] marks draws and discards whose number is no tile.
    """

    kind: npt.NDArray[np.uint8]
    seat: npt.NDArray[np.int8]
    tile_id: npt.NDArray[np.int16]
    melds: pl.DataFrame
    deposits: pl.DataFrame
    beyond: npt.NDArray[np.bool_]


def _acted(tags: Tags, values: Values, starts: npt.NDArray[np.uint32], unread: npt.NDArray[np.bool_]) -> _Acted:
    kind = _PLAY_KIND[tags.letter]
    seat = _PLAY_SEAT[tags.letter]
    beyond = (tags.letter != NOT_PLAY) & ((tags.number < 0) | (tags.number >= PHYSICAL))
    tile_id = np.where((tags.letter == NOT_PLAY) | beyond, NONE, tags.number).astype(np.int16)

    kind[starts] = CODE["deal"]
    melds = _calls(values.wide("N"), kind, seat, tile_id)
    deposits = _riichi(values.wide("REACH"), kind, seat)
    dora = values.wide("DORA").select("row", pl.col("hai").list.first()).drop_nulls()
    kind[dora["row"]] = CODE["dora"]
    tile_id[dora["row"]] = dora["hai"]
    for name in ("AGARI", "RYUUKYOKU"):
        kind[values.rows(name)] = CODE["result"]
    _absences(values, kind, seat)
    kind[unread] = _NO_EVENT
    return _Acted(kind, seat, tile_id, melds, deposits, beyond & ~unread)


class _Events(NamedTuple):
    """The events table, and for each tag its first row in that table; -1 for tags that are no event."""

    frame: pl.DataFrame
    row_of: npt.NDArray[np.int64]


def _events(tags: Tags, acted: _Acted, round_of: npt.NDArray[np.uint32]) -> tuple[_Events, pl.DataFrame]:
    """Return the events, and as problems the tags of play before the first deal and the tags without a tile."""
    outside = (acted.kind != _NO_EVENT) & (round_of == NO_ROUND)
    absent = np.isin(acted.kind, (CODE["leave"], CODE["return"]))
    lost = pl.concat([_beyond(acted, tags), _early(outside & ~absent, tags)])
    copies = np.where(acted.kind == CODE["deal"], tables.SEATS, 1)
    copies[(acted.kind == _NO_EVENT) | outside] = 0
    row = np.repeat(np.arange(len(tags)), copies)
    seat = acted.seat[row]
    dealt = acted.kind[row] == CODE["deal"]
    seat[dealt] = np.arange(np.count_nonzero(dealt)) % tables.SEATS
    frame = pl.DataFrame(
        {
            "round": round_of[row],
            "event": tags.event[row],
            "pos": tags.pos[row],
            "kind": pl.Series(acted.kind[row]).cat.to(tables.Kind),
            "seat": seat,
            "tile_id": acted.tile_id[row],
        }
    ).with_columns(
        pl.when(pl.col("seat") >= 0).then("seat"),
        pl.when(pl.col("tile_id") != NONE).then("tile_id"),
    )
    return _Events(
        tables.conform(frame, tables.EVENTS, ABSENT["events"]), np.where(copies > 0, np.cumsum(copies) - copies, -1)
    ), lost


def _placed(deposits: pl.DataFrame, tags: Tags, round_of: npt.NDArray[np.uint32]) -> pl.DataFrame:
    """Return the deposits that are within a round, with their rounds and events."""
    row = deposits["row"]
    frame = deposits.with_columns(round=pl.Series(round_of[row], dtype=pl.UInt32), event=pl.Series(tags.event[row]))
    return tables.conform(frame.filter(pl.col("round") != int(NO_ROUND)), tables.DEPOSITS)


def _calls(
    calls: pl.DataFrame, kind: npt.NDArray[np.uint8], seat: npt.NDArray[np.int8], tile_id: npt.NDArray[np.int16]
) -> pl.DataFrame:
    """Write calls into kind, seat and tile_id; return their sources and other tiles."""
    calls = calls.select("row", pl.col("who", "m").list.first()).drop_nulls()
    row, who = calls["row"].to_numpy(), calls["who"].to_numpy()
    decoded = decode(calls["m"].to_numpy().astype(np.int64))
    kind[row], seat[row], tile_id[row] = decoded.kind, who, decoded.tile_ids[:, 0]
    fed = (decoded.feeder != 0) & (decoded.kind != CODE["kakan"])
    source = np.where(fed, (who + decoded.feeder) % tables.SEATS, _NO_SEAT)
    others = {f"p{place}": decoded.tile_ids[:, place] for place in (1, 2, 3)}
    return pl.DataFrame({"row": calls["row"], "source": source, **others}).with_columns(
        pl.when(pl.col("source") >= 0).then("source"),
        *(pl.when(pl.col(name) != NONE).then(name) for name in others),
    )


def _riichi(reaches: pl.DataFrame, kind: npt.NDArray[np.uint8], seat: npt.NDArray[np.int8]) -> pl.DataFrame:
    """Write riichi declarations and deposits into kind and seat; return the scores that deposits repeat."""
    reaches = reaches.with_columns(pl.col("who", "step").list.first()).drop_nulls(["who", "step"])
    row = reaches["row"].to_numpy()
    kind[row] = np.where(reaches["step"].to_numpy() == 1, CODE["riichi"], CODE["deposit"])
    seat[row] = reaches["who"].to_numpy()
    return reaches.filter(pl.col("step") == 2, pl.col("ten").is_not_null()).select(
        "row", pl.col("who").alias("seat"), points(pl.col("ten")).alias("scores")
    )


def _absences(values: Values, kind: npt.NDArray[np.uint8], seat: npt.NDArray[np.int8]) -> None:
    """Write BYE into kind and seat, and each UN that names only one player, who returns."""
    gone = values.wide("BYE").select("row", pl.col("who").list.first()).drop_nulls()
    kind[gone["row"]], seat[gone["row"]] = CODE["leave"], gone["who"]
    named = np.stack([values.has("UN", f"n{who}") for who in range(tables.SEATS)], axis=1)
    single = named.sum(axis=1) == 1
    back = values.rows("UN")[single]
    kind[back], seat[back] = CODE["return"], named[single].argmax(axis=1)


def _beyond(acted: _Acted, tags: Tags) -> pl.DataFrame:
    """Return the draws and discards whose number is no tile as problems (row, code, recorded, expected)."""
    rows = np.flatnonzero(acted.beyond)
    letter = pl.Series([*PLAY_LETTERS]).gather(tags.letter[rows])
    frame = pl.DataFrame({"row": rows.astype(np.uint32), "letter": letter, "number": tags.number[rows]})
    return frame.join(tags.unnumbered, on="row", how="left", maintain_order="left").select(
        "row",
        recorded=pl.coalesce(pl.col("text").str.slice(0, 40), pl.format("<{}{}>", "letter", "number")),
        expected=pl.lit("a tile number in 0..135"),
        code=pl.lit("L003"),
    )


def _early(outside: npt.NDArray[np.bool_], tags: Tags) -> pl.DataFrame:
    """Return one problem for each game with play before its first deal: the first such tag, and how many there are."""
    rows = np.flatnonzero(outside)
    _, first, count = np.unique(tags.game[rows], return_index=True, return_counts=True)
    return pl.DataFrame({"row": rows[first].astype(np.uint32), "count": count}).select(
        "row",
        recorded=pl.format("play of {} tags", "count"),
        expected=pl.lit("the start of a file: INIT comes first"),
        code=pl.lit("L004"),
    )

"""Tags of play → rounds, events, melds, deals and deposits (auditor/readers/mjlog/FORMAT.md 4, 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import where_known
from auditor.log.event_kinds import CODE
from auditor.log.tile_ids import HAND_SIZE, NONE, PHYSICAL
from auditor.readers.mjlog.absent import ABSENT
from auditor.readers.mjlog.found import problems_at
from auditor.readers.mjlog.lists import Lists, arrays
from auditor.readers.mjlog.melds import decode
from auditor.readers.mjlog.players import WHO_PLAYS, by_nobody
from auditor.readers.mjlog.tags import NOT_PLAY, PLAY_LETTERS

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mjlog.tags import Tags
    from auditor.readers.mjlog.values import Values

_NO_EVENT = 255
_NOBODY = _NO_TILE = -1

_PLAY_KIND: npt.NDArray[np.uint8] = np.full(256, _NO_EVENT, dtype=np.uint8)
_PLAY_KIND[: len(PLAY_LETTERS)] = [CODE["draw"]] * 4 + [CODE["discard"]] * 4
_PLAY_SEAT: npt.NDArray[np.int8] = np.full(256, _NOBODY, dtype=np.int8)
_PLAY_SEAT[: len(PLAY_LETTERS)] = [0, 1, 2, 3] * 2


class MjlogPlay(NamedTuple):
    """The canonical tables of a batch's play.

    ``problems`` are frames with row, code, recorded, expected. ``round_of`` uint32[tags] is each tag's round,
    ``NO_ROUND`` before the first deal of its game.
    """

    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    deposits: pl.DataFrame
    problems: list[pl.DataFrame]
    round_of: npt.NDArray[np.uint32]


NO_ROUND = np.uint32(0xFFFFFFFF)


def read(tags: Tags, values: Values, unread: npt.NDArray[np.bool_]) -> MjlogPlay:
    """Return the play of a batch; its problems are tags without a place in a round or a tile, and deals by wrong seats.

    ``unread`` bool[tags] says which tags are not read as play.
    """
    dealt = np.flatnonzero(~unread[values.rows("INIT")])
    starts = values.rows("INIT")[dealt]
    round_of = _round_of(tags, starts)
    acted = _acted(tags, values, starts, unread)
    early = _early(acted.kind, tags, round_of)
    events, row_of = _events(tags, acted, starts)
    rounds, wrong = _rounds(tags, values, dealt)
    return MjlogPlay(
        rounds=rounds,
        events=events,
        melds=_melds(acted, row_of),
        deals=_deals(values, dealt),
        deposits=_deposits(tags, values, round_of, unread),
        problems=[*wrong, *acted.faults, *_beyond(acted.beyond, tags), *early],
        round_of=round_of,
    )


def _round_of(tags: Tags, starts: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    ends = tags.last_rows + 1
    begins = np.concatenate([ends - np.diff(ends, prepend=0), starts])
    rounds = np.append(np.full(len(ends), NO_ROUND), np.arange(len(starts), dtype=np.uint32))
    order = np.argsort(begins, kind="stable")  # a game that begins with a deal has no tag before it
    return np.repeat(rounds[order], np.diff(begins[order], append=len(tags)))


def _rounds(tags: Tags, values: Values, dealt: npt.NDArray[np.int64]) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """Return the rounds, and as problems the deals whose ``oya`` is not the dealer that follows from ``seed``."""
    rows = values.rows("INIT")[dealt]
    game = tags.game[rows]
    seed, oya, ten = (values.lists("INIT", name)[dealt] for name in ("seed", "oya", "ten"))
    place, dealer = seed.number(), oya.number()
    place = np.where(place % tables.SEATS < values.players[game], place, -1)  # seat 3 of three players never deals
    # If a round's number and dealer contradict each other, neither is known.
    agree = (place < 0) | (dealer < 0) | (place % tables.SEATS == dealer)
    frame = {
        "round": np.arange(len(rows)),
        "game": game,
        "nth": np.arange(len(rows)) - np.searchsorted(game, game),
        "wind": where_known(place // tables.SEATS, agree & (place >= 0)),
        "dealer": where_known(dealer, agree & (dealer >= 0)),
        "honba": where_known(seed.number(1), seed.known),
        "sticks": where_known(seed.number(2), seed.known),
        "start": ten.points(values.players[game]),
        "dora": where_known(seed.number(5), seed.known),
        "dice": arrays(seed.first(5)[:, 3:], seed.known),
        "shuffle": values.texts_at(values.places("INIT", "shuffle")[dealt]),
        "event": tags.event[rows],
        "pos": tags.pos[rows],
    }
    recorded = [f"INIT oya={oya}" for oya in dealer[~agree].tolist()]
    expected = [f"seat {at % tables.SEATS}, as round {at} of seed has it" for at in place[~agree].tolist()]
    return tables.conform(frame, tables.ROUNDS, ABSENT["rounds"]), problems_at(rows[~agree], recorded, expected, "L006")


def _deals(values: Values, dealt: npt.NDArray[np.int64]) -> pl.DataFrame:
    by_seat = [values.lists("INIT", f"hai{seat}")[dealt] for seat in range(tables.SEATS)]
    start, count = (np.stack([getattr(each, name) for each in by_seat], axis=1).ravel() for name in ("start", "count"))
    hands = Lists(by_seat[0].flat, start, count)
    round_, seat = np.divmod(np.flatnonzero(hands.count > 0).astype(np.uint32), tables.SEATS)
    frame = {
        "round": np.repeat(round_, HAND_SIZE),
        "seat": np.repeat(seat.astype(np.int8), HAND_SIZE),
        "tile_id": hands[hands.count > 0].first(HAND_SIZE).astype(np.int16).ravel(),
    }
    return tables.conform(frame, tables.DEALS)


class _Acted(NamedTuple):
    """The event that each tag is.

    ``kind`` uint8[tags] is the place in KINDS, 255 for no event; ``seat`` int8[tags] is -1 for nobody; ``tile_id``
    int16[tags] is -1 for no tile. ``calls`` are the rows of calls, ``source`` int8[calls] the seats that fed them,
    -1 for none, and ``pieces`` int16[calls, 3] their other tiles, NONE for none. ``beyond`` are the rows of draws and
    discards whose number is no tile. ``faults`` are calls of tiles of seat 3, and its return, where three play.
    """

    kind: npt.NDArray[np.uint8]
    seat: npt.NDArray[np.int8]
    tile_id: npt.NDArray[np.int16]
    calls: npt.NDArray[np.uint32]
    source: npt.NDArray[np.int8]
    pieces: npt.NDArray[np.int16]
    beyond: npt.NDArray[np.int64]
    faults: list[pl.DataFrame]


def _acted(tags: Tags, values: Values, starts: npt.NDArray[np.uint32], unread: npt.NDArray[np.bool_]) -> _Acted:
    kind = _PLAY_KIND.take(tags.letter)
    seat = _PLAY_SEAT.take(tags.letter)
    beyond = np.flatnonzero(((tags.number < 0) | (tags.number >= PHYSICAL)) & (tags.letter != NOT_PLAY))
    tile_id = tags.number.astype(np.int16)
    tile_id[beyond] = _NO_TILE

    kind[starts] = CODE["deal"]
    calls, (who, code) = _numbers(values, "N", "who", "m")
    decoded = decode(code.astype(np.int64))
    kind[calls], seat[calls], tile_id[calls] = decoded.kind, who, decoded.tile_ids[:, 0]
    fed = (decoded.feeder != 0) & (decoded.kind != CODE["kakan"])
    feeder = (who + decoded.feeder) % tables.SEATS
    unfed = fed & (feeder >= values.players[tags.game[calls]])
    source = np.where(fed & ~unfed, feeder, _NOBODY).astype(np.int8)
    rows, (who, step) = _numbers(values, "REACH", "who", "step")
    kind[rows], seat[rows] = np.where(step == 1, CODE["riichi"], CODE["deposit"]), who
    rows, (tile,) = _numbers(values, "DORA", "hai")
    kind[rows], tile_id[rows] = CODE["dora"], tile
    for name in ("AGARI", "RYUUKYOKU"):
        kind[values.rows(name)] = CODE["result"]
    rows, (who,) = _numbers(values, "BYE", "who")
    kind[rows], seat[rows] = CODE["leave"], who
    # A UN that names only one player says that this player is back.
    named = np.stack([values.has("UN", f"n{who}") for who in range(tables.SEATS)], axis=1)
    single = named.sum(axis=1) == 1
    rows, who = values.rows("UN")[single], named[single].argmax(axis=1)
    exists = who < values.players[tags.game[rows]]
    kind[rows[exists]], seat[rows[exists]] = CODE["return"], who[exists]
    kind[unread] = _NO_EVENT
    kind[by_nobody(tags, values.players)] = _NO_EVENT
    faults = [
        *problems_at(calls[unfed], [f'N m="{each}"' for each in code[unfed]], f"a tile of seat 0, 1 or 2: {WHO_PLAYS}"),
        *problems_at(rows[~exists], "UN of seat 3 alone", f"seat 0, 1 or 2: {WHO_PLAYS}"),
    ]
    return _Acted(kind, seat, tile_id, calls, source, decoded.tile_ids[:, 1:], beyond[~unread[beyond]], faults)


def _numbers(values: Values, name: str, *attributes: str) -> tuple[npt.NDArray[np.uint32], list[npt.NDArray[np.int32]]]:
    """Return the rows of the tags of this name that have all these attributes, and the first number of each."""
    numbers = [values.lists(name, attribute).number() for attribute in attributes]
    known = np.all([each >= 0 for each in numbers], axis=0)
    return values.rows(name)[known], [each[known] for each in numbers]


def _events(tags: Tags, acted: _Acted, starts: npt.NDArray[np.uint32]) -> tuple[pl.DataFrame, npt.NDArray[np.uint32]]:
    """Return the events, and the row in that table of each tag that is an event, uint32[tags]."""
    copies = (acted.kind != _NO_EVENT).astype(np.uint8)
    copies[starts] = tables.SEATS  # a deal for each seat
    row_of = np.cumsum(copies, dtype=np.uint32) - copies
    row = np.repeat(np.arange(len(tags)), copies)
    seat, tile_id = acted.seat.take(row), acted.tile_id.take(row)
    seat[row_of[starts, None] + np.arange(tables.SEATS)] = np.arange(tables.SEATS)
    frame = {
        "round": np.repeat(np.arange(len(starts), dtype=np.uint32), np.diff(row_of[starts], append=len(row))),
        "event": tags.event.take(row),
        "pos": tags.pos.take(row),
        "kind": pl.Series(acted.kind.take(row)).cat.to(tables.Kind),
        "seat": where_known(seat, seat >= 0),
        "tile_id": where_known(tile_id, tile_id >= 0),
    }
    return tables.conform(frame, tables.EVENTS, ABSENT["events"]), row_of


def _melds(acted: _Acted, row_of: npt.NDArray[np.uint32]) -> pl.DataFrame:
    placed = acted.kind[acted.calls] != _NO_EVENT
    source = acted.source[placed]
    others = {f"p{place}": piece for place, piece in enumerate(acted.pieces[placed].T.copy(), start=1)}
    frame = {
        "row": row_of[acted.calls[placed]],
        "source": where_known(source, source >= 0),
        **{name: where_known(piece, piece != NONE) for name, piece in others.items()},
    }
    return tables.conform(frame, tables.MELDS)


def _deposits(
    tags: Tags, values: Values, round_of: npt.NDArray[np.uint32], unread: npt.NDArray[np.bool_]
) -> pl.DataFrame:
    """Return the paid sticks within rounds whose tags repeat the scores."""
    rows = values.rows("REACH")
    who, step, ten = (values.lists("REACH", name) for name in ("who", "step", "ten"))
    placed = ~unread[rows] & (round_of[rows] != NO_ROUND)
    paid = placed & (step.number() == 2) & who.known & ten.known
    rows = rows[paid]
    frame = {
        "round": round_of[rows],
        "event": tags.event[rows],
        "seat": who[paid].number(),
        "scores": ten[paid].points(values.players[tags.game[rows]]),
    }
    return tables.conform(frame, tables.DEPOSITS)


def _beyond(rows: npt.NDArray[np.int64], tags: Tags) -> list[pl.DataFrame]:
    """Return the draws and discards whose number is no tile as problems."""
    texts = dict(tags.unnumbered.iter_rows())
    numbered = zip(rows.tolist(), tags.letter[rows].tolist(), tags.number[rows].tolist(), strict=True)
    recorded = [texts.get(row, f"<{PLAY_LETTERS[letter]}{number}>")[:40] for row, letter, number in numbered]
    return problems_at(rows, recorded, "a tile number in 0..135")


def _early(kind: npt.NDArray[np.uint8], tags: Tags, round_of: npt.NDArray[np.uint32]) -> list[pl.DataFrame]:
    """Make the tags before the first deal of a game no events in ``kind``.

    Return one problem for each game with play there: the first such tag, and how many there are.
    """
    before = np.flatnonzero(round_of == NO_ROUND)
    acted = kind[before]
    kind[before] = _NO_EVENT
    rows = before[~np.isin(acted, (_NO_EVENT, CODE["leave"], CODE["return"]))]
    _, first, count = np.unique(tags.game[rows], return_index=True, return_counts=True)
    recorded = [f"play of {tags_there} tags" for tags_there in count.tolist()]
    return problems_at(rows[first], recorded, "the start of a file: INIT comes first", "L004")

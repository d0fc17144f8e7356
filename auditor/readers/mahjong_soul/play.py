"""Records → rounds, events, melds, deals and deposits (auditor/readers/mahjong_soul/FORMAT.md section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import expanded, gathered, where_known
from auditor.log.event_kinds import CODE
from auditor.log.ranges import bounded
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE, KIND, NONE, PHYSICAL
from auditor.readers.mahjong_soul.absent import ABSENT
from auditor.readers.mahjong_soul.fields import NO_TILE, TILES, by_place, nth_of
from auditor.readers.mahjong_soul.melds import MeldKeys, key_of, plain
from auditor.readers.mahjong_soul.records import (
    ABORT,
    CALL,
    DEAL,
    DISCARD,
    DRAWN,
    KAN,
    KITA,
    NEW_ROUND,
    NO_ROUND,
    WIN,
    Fault,
)

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mahjong_soul.fields import Messages
    from auditor.readers.mahjong_soul.records import Records

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Tiles = npt.NDArray[np.int16]

_CALLS = np.array([CODE["chi"], CODE["pon"], CODE["daiminkan"]])
_KAKAN, _ANKAN = 2, 3
_KINDS = pl.Series(tables.KINDS, dtype=tables.Kind)
_NORTH = TILES["4z"]
_FIVES = {4: 0, 13: 1, 22: 2}
"""The kinds of fives, with the place of their red tile after the 34 kinds."""
_RED_FIVE = PHYSICAL + 34


class SoulPlay(NamedTuple):
    """The canonical tables of a batch's play. ``players`` int8[rounds] is the number of players of each round.

    ``dealt_last`` int16[rounds] is the dealer's fourteenth tile, NO_TILE for none.
    """

    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    deposits: pl.DataFrame
    problems: list[pl.DataFrame]


@dataclass
class _Acts:
    """What each record adds to the events, by its row: int64[n] each, except where noted.

    ``main`` code of its event, -1 for none; ``times`` how many such events it makes. ``seat``, ``tile`` int16[n].
    ``tsumogiri`` int8[n], -1 if not told. ``stick`` the seat whose stick is paid before it, -1 for none. ``riichi``
    bool[n]. ``turned`` how many indicators it turns, ``turned_late`` bool[n]: after its event, not before.
    """

    main: Ints
    times: Ints
    seat: Ints
    tile: Tiles
    tsumogiri: npt.NDArray[np.int8]
    stick: Ints
    riichi: Bools
    turned: Ints
    turned_late: Bools

    @classmethod
    def none(cls, count: int) -> _Acts:
        low = np.full(count, -1, dtype=np.int64)
        zero, never = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=bool)
        return cls(
            low.copy(), zero.copy(), low.copy(), low.astype(np.int16), low.astype(np.int8), low.copy(), never.copy(),
            zero.copy(), never.copy(),
        )  # fmt: skip


def players_of(records: Records, headed: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return how many play each game, int8[games]: as many as have scores; ``headed`` is what the head says, 0 if not.

    Where neither tells it, there are four.
    """
    rows, messages = records.of(NEW_ROUND)
    owner, _ = messages.number_lists("scores")
    size = np.bincount(owner, minlength=messages.count)
    most = np.zeros(len(headed), dtype=np.int64)
    np.maximum.at(most, records.game[rows], size)
    return np.where(most == 3, 3, np.where(most == SEATS, SEATS, np.where(headed == 3, 3, SEATS))).astype(np.int8)


def read(records: Records, players: npt.NDArray[np.int8]) -> SoulPlay:
    """Return the play of a batch; ``players`` int8[games] is the number of players of each game."""
    faults: list[Fault] = []
    rows, starts = records.of(NEW_ROUND)
    of_round = players[records.game[rows]]
    rounds, problems = _rounds(records, starts, of_round)
    hands = _hands(records, starts, of_round, faults)
    acts = _Acts.none(len(records.game))
    melds = _play(records, acts, players, faults)
    turned = _indicators(records, acts, starts)
    _closed_kans(records, acts, hands, melds)
    _added(records, acts, melds)
    made = _events(records, acts, hands, turned)
    problems += [fault_rows(records, faults)]
    events = tables.conform(made.events, tables.EVENTS, ABSENT["events"])
    return SoulPlay(
        rounds=rounds,
        events=events,
        melds=_melds(made, melds),
        deals=hands.deals,
        deposits=_deposits(made),
        problems=problems,
    )


def fault_rows(records: Records, faults: list[Fault]) -> pl.DataFrame:
    """Return faults as rows of the table of problems."""
    if not faults:
        return pl.DataFrame(schema=tables.PROBLEMS)
    first = np.searchsorted(records.game, [each.game for each in faults])
    rows = first + np.array([max(each.number, 1) - 1 for each in faults])
    round_ = np.append(records.round, NO_ROUND)[np.minimum(rows, len(records.game))]
    whole = np.array([each.number == 0 for each in faults])
    # A fault of the whole game has no round; what breaks off belongs to the last one.
    last = np.searchsorted(records.game, [each.game for each in faults], side="right") - 1
    ends = np.array([each.rest for each in faults]) & whole & (last >= first)
    round_ = np.where(ends, np.append(records.round, NO_ROUND)[last], np.where(whole, NO_ROUND, round_))
    frame = pl.DataFrame({
        "code": [each.code for each in faults], "game": [each.game for each in faults],
        "round": where_known(round_, round_ != NO_ROUND),
        "event": where_known(np.array([each.number for each in faults]), ~whole),
        "recorded": [each.recorded for each in faults], "expected": [each.expected for each in faults],
        "play": [each.play or None for each in faults], "rest": [each.rest or None for each in faults],
    })  # fmt: skip
    return tables.problem_rows(frame)


def place_of(records: Records, rows: Ints) -> dict[str, pl.Series]:
    """Return the columns game, round and event of records, by row."""
    return {
        "game": pl.Series(records.game[rows].astype(np.uint32)),
        "round": pl.Series(records.round[rows].astype(np.uint32)),
        "event": pl.Series(records.number[rows].astype(np.uint32)),
    }


def points_at(
    owner: Ints, value: Ints, players: npt.NDArray[np.integer], table: str, column: str, place: dict[str, pl.Series]
) -> tuple[pl.Series, list[pl.DataFrame]]:
    """Return lists of points by seat as a column; null where a list has not a number for each player.

    Also return the problems: numbers that are impossible. ``place`` places the rows.
    """
    count = len(players)
    points, size = by_place(owner, value, count, SEATS)
    known = size == players
    wide = by_seat(points, players, known).alias(column)
    checked, problems = bounded(pl.DataFrame(place).with_columns(wide), table)
    return checked[column].cast(tables.Points), [problems] if len(problems) else []


def _rounds(
    records: Records, starts: Messages, players: npt.NDArray[np.int8]
) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    rows, _ = records.of(NEW_ROUND)
    game = records.game[rows]
    place = place_of(records, rows)
    scores, problems = points_at(*starts.number_lists("scores"), players, "rounds", "start", place)
    dealer = starts.numbers("ju")
    # A dealer who does not sit at the table is unknown: bounded() knows four seats.
    dealer = np.where((dealer >= players) & (dealer < SEATS), SEATS, dealer)
    frame = pl.DataFrame({
        **place,
        "nth": np.arange(len(rows)) - np.searchsorted(game, game),
        "wind": starts.numbers("chang"), "dealer": dealer, "honba": starts.numbers("ben"),
        "sticks": starts.numbers("liqibang"),
    })  # fmt: skip
    names = {"wind": "chang", "dealer": "ju", "honba": "ben", "sticks": "liqibang"}
    frame, found = bounded(frame, "rounds", names)
    first = _first_indicators(starts)
    frame = frame.with_columns(start=scores, dora=where_known(first, first != NO_TILE), **_walls(starts))
    return tables.conform(frame, tables.ROUNDS, ABSENT["rounds"]), [*problems, found]


def _walls(starts: Messages) -> dict[str, pl.Series]:
    """Return the columns of the wall: its tiles, its hash, the salt and its hash."""
    wall, md5, sha256, salt, salted = (
        starts.texts(name) for name in ("paishan", "md5", "sha256", "salt", "saltSha256")
    )  # fmt: skip
    hashes = [
        f"sha256:{new.lower()}" if new else f"md5:{old.lower()}" if old else None
        for new, old in zip(sha256, md5, strict=True)
    ]
    return {
        "wall": _said(wall), "wall_hash": pl.Series(hashes, dtype=pl.String), "salt": _said(salt),
        "salt_hash": pl.Series([f"sha256:{each.lower()}" if each else None for each in salted], dtype=pl.String),
    }  # fmt: skip


def _said(texts: list[str]) -> pl.Series:
    return pl.Series([text or None for text in texts], dtype=pl.String)


def _first_indicators(starts: Messages) -> Tiles:
    owner, tile = starts.tile_lists("doras")
    found = starts.tiles("dora")
    begins = nth_of(owner) == 0
    found[owner[begins]] = tile[begins]
    return found


class _Hands(NamedTuple):
    """The hands dealt. ``drawn`` int16[rounds] is the fourteenth tile of the ``dealer`` int64[rounds], or NO_TILE."""

    deals: pl.DataFrame
    drawn: Tiles
    dealer: Ints


def _hands(records: Records, starts: Messages, players: npt.NDArray[np.int8], faults: list[Fault]) -> _Hands:
    rows, _ = records.of(NEW_ROUND)
    dealer = starts.numbers("ju")
    owners, seats, tiles = [], [], []
    drawn = np.full(starts.count, NO_TILE, dtype=np.int16)
    for seat in range(SEATS):
        owner, tile = starts.tile_lists(f"tiles{seat}")
        size = np.bincount(owner, minlength=starts.count)
        unread = np.bincount(owner[tile == NO_TILE], minlength=starts.count) > 0
        extra = (dealer == seat) & (size == HAND_SIZE + 1)
        good = ((size == HAND_SIZE) | extra) & ~unread & (seat < players)
        for at in np.flatnonzero(~good & ((seat < players) | (size > 0))).tolist():
            row = rows[at]
            recorded = f"tiles{seat} of {size[at]} tiles" + (", not all of which can be read" if unread[at] else "")
            faults.append(Fault(int(records.game[row]), int(records.number[row]), "L003", recorded,
                                "hands of 13 tiles, and 14 of the dealer", play=True))  # fmt: skip
        nth = nth_of(owner)
        kept = good[owner] & (nth < HAND_SIZE)
        owners.append(owner[kept])
        seats.append(np.full(int(kept.sum()), seat, dtype=np.int8))
        tiles.append(tile[kept])
        last = good[owner] & (nth == HAND_SIZE)
        drawn[owner[last]] = tile[last]
    owner, seat_, tile = np.concatenate(owners), np.concatenate(seats), np.concatenate(tiles)
    order = np.argsort(owner * SEATS + seat_, kind="stable")
    deals = {"round": owner[order], "seat": seat_[order], "tile_id": tile[order]}
    return _Hands(tables.conform(deals, tables.DEALS), drawn, dealer)


@dataclass
class _Melds:
    """Melds by the rows of their records: ``source`` int64[k], -1 for none; ``others`` int16[k, 3], NONE pads them."""

    row: Ints
    source: Ints
    others: npt.NDArray[np.int16]


def _play(records: Records, acts: _Acts, players: npt.NDArray[np.int8], faults: list[Fault]) -> _Melds:
    """Fill in what the records of play do; return the melds of calls, kans and kitas."""
    game_players = players[records.game]

    def seated(rows: Ints, messages: Messages) -> Bools:
        seat = messages.numbers("seat")
        acts.seat[rows] = seat
        there: Bools = (seat >= 0) & (seat < game_players[rows])
        wrong(rows[~there], [f"seat {each}" for each in seat[~there].tolist()], "a player's seat")
        return there

    def wrong(rows: Ints, recorded: list[str], expected: str) -> None:
        for row, text in zip(rows.tolist(), recorded, strict=True):
            faults.append(
                Fault(int(records.game[row]), int(records.number[row]), "L003", text[:80], expected, play=True)
            )

    def tiled(rows: Ints, messages: Messages, name: str, there: Bools) -> None:
        tile = messages.tiles(name)
        acts.tile[rows] = tile
        lost = np.flatnonzero((tile == NO_TILE) & there)
        if len(lost):
            texts = messages.texts(name)
            wrong(rows[lost], [f"{name} {texts[at]!r}" for at in lost.tolist()], "a tile")

    rows, messages = records.of(DEAL)
    there = seated(rows, messages)
    tiled(rows, messages, "tile", there)
    acts.main[rows], acts.times[rows] = CODE["draw"], there
    _sticks(acts, rows, messages, game_players)

    rows, messages = records.of(DISCARD)
    there = seated(rows, messages)
    tiled(rows, messages, "tile", there)
    acts.main[rows], acts.times[rows] = CODE["discard"], there
    acts.riichi[rows] = ((messages.numbers("is_liqi") != 0) | (messages.numbers("is_wliqi") != 0)) & there
    acts.tsumogiri[rows] = messages.numbers("moqie") != 0
    # Whether the dealer's fourteenth tile counts as drawn differs from year to year.
    after_deal = records.kind[np.maximum(rows - 1, 0)] == NEW_ROUND
    acts.tsumogiri[rows[after_deal]] = -1

    called = _calls(records, acts, seated, wrong)
    rows, messages = records.of(KAN)
    there = seated(rows, messages)
    tiled(rows, messages, "tiles", there)
    kind = messages.numbers("type")
    known = (kind == _KAKAN) | (kind == _ANKAN)
    wrong(rows[there & ~known], [f"kan of type {each}" for each in kind[there & ~known].tolist()], "2 kakan, 3 ankan")
    acts.main[rows] = np.where(kind == _KAKAN, CODE["kakan"], CODE["ankan"])
    good = there & known & (acts.tile[rows] != NO_TILE)
    acts.times[rows] = good
    acts.turned_late[rows] = kind == _KAKAN
    kans = rows[good]

    rows, messages = records.of(KITA)
    there = seated(rows, messages)
    acts.main[rows], acts.times[rows], acts.tile[rows] = CODE["kita"], there, _NORTH
    acts.turned_late[rows] = True
    alone = np.concatenate([kans, rows[there]])
    none = np.full((len(alone), 3), NONE, dtype=np.int16)

    rows, messages = records.of(WIN)
    owner, _, _ = messages.entries("hules")
    acts.main[rows], acts.times[rows] = CODE["result"], np.bincount(owner, minlength=messages.count)
    for kind_ in (DRAWN, ABORT):
        rows, messages = records.of(kind_)
        acts.main[rows], acts.times[rows] = CODE["result"], 1
    _sticks(acts, rows, messages, game_players)
    return _Melds(
        np.append(called.row, alone), np.append(called.source, np.full(len(alone), -1)),
        np.concatenate([called.others, none]),
    )  # fmt: skip


def _closed_kans(records: Records, acts: _Acts, hands: _Hands, melds: _Melds) -> None:
    """Fill in the four tiles of each ankan: a record names one of them. Of fives, the hand tells how many are red."""
    at = np.flatnonzero(acts.main[melds.row] == CODE["ankan"])
    kind = KIND[acts.tile[melds.row[at]]]
    acts.tile[melds.row[at]] = PHYSICAL + kind
    melds.others[at] = (PHYSICAL + kind.astype(np.int16))[:, None]
    for place, five in zip(at.tolist(), kind.tolist(), strict=True):
        if five in _FIVES:
            red = _RED_FIVE + _FIVES[five]
            count = _held(records, acts, hands, melds, int(melds.row[place]), red)
            melds.others[place, : min(max(count, 0), 3)] = red


def _added(records: Records, acts: _Acts, melds: _Melds) -> None:
    """Fill in the tiles of each kakan: those of its pon."""

    def key(at: Ints) -> Ints:
        row = melds.row[at]
        return key_of(records.round[row], acts.seat[row], KIND[acts.tile[row]])

    grown = np.flatnonzero(acts.main[melds.row] == CODE["kakan"])
    if not len(grown):
        return
    pons = np.flatnonzero(acts.main[melds.row] == CODE["pon"])
    keys = key(pons)
    order = np.argsort(keys, kind="stable")
    found = MeldKeys(keys[order], pons[order]).find(key(grown))
    melds.others[grown] = plain(KIND[acts.tile[melds.row[grown]]])[:, None]
    there = found >= 0
    melds.others[grown[there], 0] = acts.tile[melds.row[found[there]]]
    melds.others[grown[there], 1:] = melds.others[found[there], :2]


def _held(records: Records, acts: _Acts, hands: _Hands, melds: _Melds, row: int, tile: int) -> int:  # noqa: PLR0917
    """Return how many of a tile the seat that acts in a record holds then."""
    seat, round_ = int(acts.seat[row]), int(records.round[row])
    first = int(np.searchsorted(records.round[:row], round_))
    span = slice(first, row)
    own = (acts.seat[span] == seat) & (acts.tile[span] == tile)
    main = acts.main[span]
    dealt = hands.deals.filter((pl.col("round") == round_) & (pl.col("seat") == seat) & (pl.col("tile_id") == tile))
    called = (melds.row >= first) & (melds.row < row)
    used = acts.seat[melds.row[called]] == seat
    fourteenth = hands.drawn[round_] == tile and int(hands.dealer[round_]) == seat
    return (
        len(dealt) + int(fourteenth) + int((own & (main == CODE["draw"])).sum())
        - int((own & (main == CODE["discard"])).sum()) - int((melds.others[called][used] == tile).sum())
    )  # fmt: skip


def _sticks(acts: _Acts, rows: Ints, messages: Messages, players: npt.NDArray[np.int8]) -> None:
    """Note the sticks that are paid just before records: what their field ``liqi`` says, unless it failed."""
    owner, paid = messages.parts("liqi")
    if paid.count:
        seat = paid.numbers("seat")
        good = (paid.numbers("failed") == 0) & (seat >= 0) & (seat < players[rows[owner]])
        acts.stick[rows[owner[good]]] = seat[good]


def _calls(records: Records, acts: _Acts, seated: object, wrong: object) -> _Melds:
    rows, messages = records.of(CALL)
    there: Bools = seated(rows, messages)  # type: ignore[operator]
    _sticks(acts, rows, messages, np.full(len(records.game), SEATS, dtype=np.int8))
    owner, tile = messages.tile_lists("tiles")
    of_froms, froms = messages.number_lists("froms")
    kind = messages.numbers("type")
    due = np.where(kind == 2, 4, 3)
    tiles, size = by_place(owner, tile.astype(np.int64), messages.count, 4)
    sources, sized = by_place(of_froms, froms, messages.count, 4)
    seat = messages.numbers("seat")
    other = (sources != seat[:, None]) & (np.arange(4) < sized[:, None])
    unread = ((tiles == NO_TILE) & (np.arange(4) < size[:, None])).any(axis=1)
    one = other.sum(axis=1) == 1
    known = (kind <= 2) & (size == due) & (sized == due) & one & ~unread
    bad = np.flatnonzero(there & ~known)
    recorded = [f"call of type {kind[at]} with {size[at]} tiles from {sources[at, : min(sized[at], 4)].tolist()}"
                for at in bad.tolist()]  # fmt: skip
    wrong(rows[bad], recorded, "0 chi, 1 pon, 2 daiminkan: its tiles, one of them another seat's")  # type: ignore[operator]
    good = there & known
    called = np.argmax(other, axis=1)
    order = np.argsort(np.arange(4) != called[:, None], axis=1, kind="stable")
    tiles = np.take_along_axis(np.where(np.arange(4) < size[:, None], tiles, NONE), order, axis=1)
    acts.main[rows] = _CALLS[np.minimum(kind, 2)]
    acts.times[rows] = good
    acts.tile[rows] = tiles[:, 0]
    source = sources[np.arange(len(rows)), called]
    good &= source < SEATS
    return _Melds(rows[good], source[good], tiles[good, 1:].astype(np.int16))


class _Turned(NamedTuple):
    """The indicators that records turn: ``row`` of the record int64[k], ascending, and ``tile`` int16[k]."""

    row: Ints
    tile: Tiles


def _indicators(records: Records, acts: _Acts, starts: Messages) -> _Turned:
    """Note the new indicators: a record's list is longer than every list before it in its round."""
    owners, tiles = [], []
    for kind in (NEW_ROUND, DEAL, DISCARD, KAN, KITA):
        rows, messages = records.of(kind)
        owner, tile = messages.tile_lists("doras")
        owners.append(rows[owner])
        tiles.append(tile)
    row, tile = np.concatenate(owners), np.concatenate(tiles)
    order = np.argsort(row, kind="stable")
    row, tile = row[order], tile[order]
    length = np.bincount(row, minlength=len(records.game))
    first, _ = records.of(NEW_ROUND)
    length[first] = np.maximum(length[first], starts.has("dora"))
    listed = np.flatnonzero(length)
    step = int(length.max(initial=0)) + 1
    highest = np.maximum.accumulate(records.round[listed] * step + length[listed]) - records.round[listed] * step
    before = np.append(0, highest[:-1])[: len(listed)]
    same = np.append(False, records.round[listed][1:] == records.round[listed][:-1])[: len(listed)]
    known = np.zeros(len(records.game), dtype=np.int64)
    known[listed] = np.where(same, before, length[listed])
    new = nth_of(row) >= known[row]
    found = _Turned(row[new], tile[new])
    acts.turned += np.bincount(found.row, minlength=len(acts.turned))
    return found


class _Made(NamedTuple):
    """The events, and for each record the row of its first and of its own event, int64[n]."""

    events: dict[str, object]
    main: Ints


def _events(records: Records, acts: _Acts, hands: _Hands, turned: _Turned) -> _Made:
    """Return the events: for each record a stick, indicators, a riichi, its own event, and indicators after it."""
    count = len(records.game)
    starts, _ = records.of(NEW_ROUND)
    extra = np.zeros(count, dtype=np.int64)
    extra[starts] = SEATS + (hands.drawn != NO_TILE)
    played = records.round != NO_ROUND
    times = np.where(played, acts.times, 0)
    stick = (acts.stick >= 0) & played
    early = np.where(acts.turned_late, 0, acts.turned)
    before = extra + stick + early + acts.riichi
    size = before + times + (acts.turned - early)
    begin = np.cumsum(size) - size
    total = int(size.sum())
    of = np.repeat(np.arange(count), size)
    kind, seat = np.zeros(total, dtype=np.uint8), np.full(total, -1, dtype=np.int8)
    tile, tsumogiri = np.full(total, NO_TILE, dtype=np.int16), np.full(total, -1, dtype=np.int8)

    for nth in range(SEATS):
        kind[begin[starts] + nth], seat[begin[starts] + nth] = CODE["deal"], nth
    drawn = hands.drawn != NO_TILE
    at = begin[starts[drawn]] + SEATS
    kind[at], tile[at] = CODE["draw"], hands.drawn[drawn]
    seat[at] = hands.dealer[drawn]

    rows = np.flatnonzero(stick)
    at = begin[rows]
    kind[at], seat[at] = CODE["deposit"], acts.stick[rows]

    main = begin + before
    nth_turned = nth_of(turned.row)
    after = np.where(acts.turned_late, main + times, begin + stick)
    at = after[turned.row] + nth_turned
    kind[at], tile[at] = CODE["dora"], turned.tile

    rows = np.flatnonzero(acts.riichi)
    kind[main[rows] - 1], seat[main[rows] - 1] = CODE["riichi"], acts.seat[rows]

    row, place = expanded(main, times)
    kind[place] = acts.main[row]
    is_result = acts.main[row] == CODE["result"]
    seat[place] = np.where(is_result, -1, acts.seat[row])
    tile[place] = np.where(is_result, NO_TILE, acts.tile[row])
    tsumogiri[place] = acts.tsumogiri[row]

    events: dict[str, object] = {
        "round": records.round[of],
        "event": records.number[of],
        "kind": gathered(_KINDS, kind),
        "seat": where_known(seat, seat >= 0),
        "tile_id": where_known(tile, tile >= 0),
        "tsumogiri": where_known(tsumogiri == 1, tsumogiri >= 0),
    }
    return _Made(events, np.where(times > 0, main, -1))


def _melds(made: _Made, melds: _Melds) -> pl.DataFrame:
    order = np.argsort(melds.row, kind="stable")
    at = made.main[melds.row[order]]
    there = at >= 0
    at, source, others = at[there], melds.source[order][there], melds.others[order][there]
    frame = {"row": at, "source": where_known(source.astype(np.int8), source >= 0)}
    for nth, name in enumerate(("p1", "p2", "p3")):
        frame[name] = where_known(others[:, nth], others[:, nth] != NONE)
    return tables.conform(frame, tables.MELDS)


def _deposits(made: _Made) -> pl.DataFrame:
    kinds = made.events["kind"].to_physical().to_numpy()  # type: ignore[attr-defined]
    at = np.flatnonzero(kinds == CODE["deposit"])
    frame = {
        "round": np.asarray(made.events["round"])[at], "event": np.asarray(made.events["event"])[at],
        "seat": made.events["seat"].to_numpy()[at] if len(at) else np.zeros(0, dtype=np.int8),  # type: ignore[attr-defined]
    }  # fmt: skip
    return tables.conform(frame, tables.DEPOSITS, ABSENT["deposits"])

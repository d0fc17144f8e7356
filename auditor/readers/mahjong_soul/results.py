"""Wins and draws → claims and shown hands (auditor/readers/mahjong_soul/FORMAT.md section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import filled, gathered, lists, points_by_seat, where_known
from auditor.log.columns import REASON, REASONS, WINS_ONLY
from auditor.log.ranges import bounded
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS
from auditor.log.tile_ids import KIND
from auditor.readers.mahjong_soul import melds, yaku
from auditor.readers.mahjong_soul.absent import ABSENT
from auditor.readers.mahjong_soul.fields import NO_TILE, nth_of
from auditor.readers.mahjong_soul.places import fault_rows, place_of, points_at
from auditor.readers.mahjong_soul.records import ABORT, DISCARD, DRAWN, KAN, KITA, WIN, Fault

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mahjong_soul.fields import Messages
    from auditor.readers.mahjong_soul.records import Records

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_ABORTS = {1: "kyuushu", 2: "four_winds", 3: "four_kans", 4: "four_riichi", 5: "triple_ron"}
_TITLES = {"满贯": 1, "跳满": 2, "倍满": 3, "三倍满": 4, "役满": 5, "累计役满": 5}
YAKUMAN = 5
"""The limit of a yakuman, from which on titles count its units."""
_REASONS = pl.Series([*REASONS, None], dtype=pl.Enum(REASONS))
_UNKNOWN = len(REASONS)
_FEEDS = (DISCARD, KAN, KITA)


class SoulResults(NamedTuple):
    """The canonical tables claims and shows, and problems."""

    claims: pl.DataFrame
    shows: pl.DataFrame
    problems: list[pl.DataFrame]


class _Shown(NamedTuple):
    """Hands that results show: ``claim`` and ``seat`` int64[k], and the hands."""

    claim: Ints
    seat: Ints
    hand: pl.Series


def read(records: Records, players: npt.NDArray[np.int8], rounds: pl.DataFrame) -> SoulResults:
    """Return the results of a batch; ``players`` int8[games] is the number of players of each game."""
    faults: list[Fault] = []
    rows, wins = records.of(WIN)
    owner, hules = wins.parts("hules")
    drawn_rows, drawn = records.of(DRAWN)
    abort_rows, aborts = records.of(ABORT)
    row = np.concatenate([rows[owner], drawn_rows, abort_rows])
    order = np.argsort(row, kind="stable")
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    of_win, of_drawn, of_abort = np.split(place, np.cumsum([len(owner), len(drawn_rows)]))
    row = row[order]
    seats = players[records.game[row]]
    at = place_of(records, row)
    reason = np.full(len(row), REASON["win"], dtype=np.uint8)
    reason[of_drawn] = np.where(drawn.numbers("liujumanguan") != 0, REASON["nagashi"], REASON["exhaustive"])
    reason[of_abort] = _reasons(records, abort_rows, aborts, faults)
    won, problems = _wins(records, rows, owner, (wins, hules), players, rounds)
    before, deltas, found = _points(records, (rows, wins, owner, hules), (drawn_rows, drawn), abort_rows, players)
    problems += found
    scattered = {name: _scattered(column, of_win, len(row), tables.CLAIMS[name]) for name, column in won.items()}
    frame = {
        "claim": np.arange(len(row)),
        "round": at["round"], "event": at["event"], "nth": _nth(at["round"].to_numpy()),
        "reason": _REASONS[reason],
        **scattered,
        "before": gathered(before, np.argsort(place)), "deltas": gathered(deltas, np.argsort(place)),
    }  # fmt: skip
    shows = _shows(
        [_of_wins(hules, of_win), _of_drawn(drawn, of_drawn, players[records.game[drawn_rows]]),
         _of_aborts(aborts, of_abort)], at, seats,
    )  # fmt: skip
    claims = tables.conform(frame, tables.CLAIMS, ABSENT["claims"])
    return SoulResults(claims, shows, [*problems, fault_rows(records, faults)])


def _nth(round_: npt.NDArray[np.integer]) -> Ints:
    return np.arange(len(round_)) - np.searchsorted(round_, round_)


def _scattered(column: pl.Series, rows: Ints, count: int, kind: pl.DataType | type[pl.DataType]) -> pl.Series:
    """Return a column of ``count`` rows that has these values at ``rows``, and null elsewhere."""
    index = np.full(count, len(column), dtype=np.int64)
    index[rows] = np.arange(len(column))
    known = index < len(column)
    return (
        gathered(column.cast(kind), np.where(known, index, 0), known)
        if len(column)
        else (pl.Series([None], dtype=kind).new_from_index(0, count))
    )


def _reasons(records: Records, rows: Ints, aborts: Messages, faults: list[Fault]) -> npt.NDArray[np.uint8]:
    kind = aborts.numbers("type")
    found = np.full(len(rows), _UNKNOWN, dtype=np.uint8)
    for number, name in _ABORTS.items():
        found[kind == number] = REASON[name]
    known = "a known draw: a type from 1 to 5"
    faults += [
        Fault(
            int(records.game[rows[at]]), int(records.number[rows[at]]), "L003", f"RecordLiuJu of type {kind[at]}", known
        )
        for at in np.flatnonzero(found == _UNKNOWN).tolist()
    ]
    return found


def _wins(  # noqa: PLR0917
    records: Records, rows: Ints, owner: Ints, messages: tuple[Messages, Messages],
    players: npt.NDArray[np.int8], rounds: pl.DataFrame,
) -> tuple[dict[str, pl.Series], list[pl.DataFrame]]:  # fmt: skip
    """Return the columns of wins, one row a win in the order of the file; ``owner`` is its record among ``rows``."""
    wins, hules = messages
    row = rows[owner]
    seats = players[records.game[row]].astype(np.int64)
    round_ = records.round[row]
    dealer, wind = (filled(rounds[name], 0).astype(np.int64)[round_] for name in ("dealer", "wind"))
    winner, tsumo = hules.numbers("seat"), hules.numbers("zimo") != 0
    seated = (winner >= 0) & (winner < seats)
    before = np.maximum(row - 1, 0)
    feeder = records.seat_of(before)
    fed = np.isin(records.kind[before], _FEEDS) & (feeder >= 0) & (feeder < seats)
    payer = np.where(tsumo, winner, feeder)
    limit = hules.numbers("title_id").copy()
    untitled = np.flatnonzero((limit == 0) & hules.has("title"))
    if len(untitled):
        titles = hules.texts("title")
        limit[untitled] = [_TITLES.get(titles[at], YAKUMAN if "役满" in titles[at] else 0) for at in untitled.tolist()]
    yiman, count, fu = hules.numbers("yiman") != 0, hules.numbers("count"), hules.numbers("fu")
    big, small = hules.numbers("point_zimo_qin"), hules.numbers("point_zimo_xian")
    own = np.where(winner == dealer, small * (seats - 1), big + small * (seats - 2))
    points = np.where(tsumo, own, hules.numbers("point_rong"))
    # A title of 0 is a win below mangan; but one that has neither a title nor han says nothing of limits.
    titled = (limit != 0) | (count != 0)
    limit = np.where((limit > YAKUMAN) & (limit <= 11), YAKUMAN, limit)
    frame = pl.DataFrame({
        **place_of(records, row),
        "fu": where_known(fu, fu != 0), "points": where_known(points, points != 0),
        "limit": where_known(limit, titled),
        "total_han": where_known(count, ~yiman & (count > 0)), "total_units": where_known(count, yiman & (count > 0)),
    })  # fmt: skip
    names = {"points": "point_rong or point_zimo", "limit": "title_id", "total_han": "count", "total_units": "count"}
    frame, problems = bounded(frame, "claims", names)
    tile = hules.tiles("hu_tile")
    in_riichi = hules.numbers("liqi") != 0
    dora, ura = (_tiles_of(hules, name) for name in ("doras", "li_doras"))
    liable = _liable(wins, owner, hules, seats)
    found = {
        "winner": where_known(winner, seated),
        "payer": where_known(payer, np.where(tsumo, seated, fed)),
        "liable": where_known(liable, liable >= 0),
        "win_tile_id": where_known(tile, tile != NO_TILE),
        **{name: frame[name] for name in ("fu", "points", "limit", "total_han", "total_units")},
        "melds": melds.listed(hules, round_, seats, _kakans(records)),
        **yaku.columns(hules, winner, dealer, wind, seats),
        "dora": dora,
        "ura": where_known(ura, in_riichi | hules.has("li_doras")),
    }
    assert {*found} == {*WINS_ONLY}
    return found, [problems] if len(problems) else []


def _kakans(records: Records) -> melds.MeldKeys:
    rows, messages = records.of(KAN)
    tile = messages.tiles("tiles")
    added = np.flatnonzero((messages.numbers("type") == 2) & (tile != NO_TILE))
    return melds.MeldKeys.of(records.round[rows[added]], messages.numbers("seat")[added], KIND[tile[added]], added)


def _liable(wins: Messages, owner: Ints, hules: Messages, seats: Ints) -> Ints:
    """Return the seat that is liable for each win, int64[wins], -1 for none.

    A win states it by a list of seats or by a seat, counted from 1; old records state one for all winners.
    """
    found = np.full(len(owner), -1, dtype=np.int64)
    old = wins.numbers("baopai")[owner]
    row, listed = hules.number_lists("baopai_seats")
    for value in (old, hules.numbers("baopai")):
        found = np.where((value >= 1) & (value <= seats), value - 1, found)
    first = nth_of(row) == 0
    fits = first & (listed >= 0)
    found[row[fits]] = np.where(listed[fits] < seats[row[fits]], listed[fits], found[row[fits]])
    return found


def _tiles_of(messages: Messages, name: str) -> pl.Series:
    """Return lists of tiles as a column; null where one of them is none."""
    owner, tile = messages.tile_lists(name)
    unread = np.bincount(owner[tile == NO_TILE], minlength=messages.count) > 0
    good = tile != NO_TILE
    return where_known(lists(tile[good], np.bincount(owner[good], minlength=messages.count)), ~unread)


def _points(
    records: Records, won: tuple[Ints, Messages, Ints, Messages], undecided: tuple[Ints, Messages], aborted: Ints,
    players: npt.NDArray[np.int8],
) -> tuple[pl.Series, pl.Series, list[pl.DataFrame]]:  # fmt: skip
    """Return the scores before and the changes of wins, draws and aborts, in this order; and problems."""
    rows, wins, owner, hules = won
    seats = players[records.game[rows]]
    place = place_of(records, rows)
    before, problems = points_at(wins.number_lists("old_scores"), seats, "claims", "before", place)
    deltas, found = points_at(wins.number_lists("delta_scores"), seats, "claims", "deltas", place)
    problems += found
    before = gathered(before, owner, nth_of(owner) == 0)
    shared = gathered(deltas, owner)
    several = np.bincount(owner, minlength=len(rows))[owner] > 1
    if several.any():
        shared = _apart(owner, shared, records, (rows, hules), players, several)
    draw_rows, drawn = undecided
    of_draw = players[records.game[draw_rows]]
    row, scored = drawn.parts("scores")
    drawn_place = place_of(records, draw_rows[row])
    old, found = points_at(scored.number_lists("old_scores"), of_draw[row], "claims", "before", drawn_place)
    problems += found
    has_change = scored.has("delta_scores")
    change, found = points_at(scored.number_lists("delta_scores"), of_draw[row], "claims", "deltas", drawn_place)
    problems += found
    summed = np.zeros((len(draw_rows), SEATS), dtype=np.int32)
    np.add.at(summed, row, points_by_seat(change))
    lost = np.zeros(len(draw_rows), dtype=bool)
    lost[row[has_change & change.is_null().to_numpy()]] = True
    first = np.full(len(draw_rows), -1, dtype=np.int64)
    first[row[::-1]] = np.arange(len(row))[::-1]
    none = np.zeros((len(aborted), SEATS), dtype=np.int32)
    of_abort = players[records.game[aborted]]
    befores = [before, gathered(old, np.maximum(first, 0), first >= 0) if len(old) else _null(len(draw_rows)),
               _null(len(aborted))]  # fmt: skip
    # A draw without changes, and every abort, moves no points.
    changes = [shared, by_seat(summed, of_draw, ~lost), by_seat(none, of_abort)]
    return (
        pl.concat([each.cast(tables.Points).alias("before") for each in befores]),
        pl.concat([each.cast(tables.Points).alias("deltas") for each in changes]),
        problems,
    )


def _null(count: int) -> pl.Series:
    return pl.Series([None], dtype=tables.Points).new_from_index(0, count)


def _apart(  # noqa: PLR0917
    owner: Ints, deltas: pl.Series, records: Records, won: tuple[Ints, Messages], players: npt.NDArray[np.int8],
    several: Bools,
) -> pl.Series:  # fmt: skip
    """Return the changes by each of several winners: a record has only their sum.

    What a winner gets is the winner's own number in the sum. The seat that fed the tile pays as much, less the sticks
    on the table, which only the first winner gets: so the first one's payment is what is left of the sum.
    """
    rows, hules = won
    total, winner = points_by_seat(deltas), hules.numbers("seat")
    seats = players[records.game[rows[owner]]]
    feeder = records.seat_of(np.maximum(rows[owner] - 1, 0))
    good = several & (winner < seats) & (feeder >= 0) & (feeder < seats) & (winner != feeder)
    at = np.arange(len(owner))
    inside = np.clip(winner, 0, SEATS - 1)
    pays = np.clip(feeder, 0, SEATS - 1)
    split = np.zeros((len(owner), SEATS), dtype=np.int32)
    gain = total[at, inside]
    later = several & (nth_of(owner) > 0)
    split[at[later], inside[later]] = gain[later]
    split[at[later], pays[later]] -= gain[later]
    others = np.zeros((len(rows), SEATS), dtype=np.int32)
    np.add.at(others, owner, split)
    first = several & ~later
    split[first] = total[first] - others[owner[first]]
    result = np.where(several[:, None], split, total)
    bad = np.bincount(owner[several & ~good], minlength=len(rows))[owner] > 0
    return by_seat(result, seats, deltas.is_not_null().to_numpy() & ~bad)


def _of_wins(hules: Messages, claim: Ints) -> _Shown:
    """Return the winners' hands with the winning tile, which a record leaves out."""
    owner, tile = hules.tile_lists("hand")
    last = hules.tiles("hu_tile")
    row, tile = np.append(owner, np.arange(hules.count)), np.append(tile, last)
    order = np.argsort(row, kind="stable")
    seat = hules.numbers("seat")
    kept = (seat >= 0) & (seat < SEATS)
    hand = _hands(row[order], tile[order], hules.count)
    rows = np.flatnonzero(kept)
    return _Shown(claim[rows], seat[rows], gathered(hand, rows))


def _hands(owner: Ints, tile: npt.NDArray[np.int16], count: int) -> pl.Series:
    unread = np.bincount(owner[tile == NO_TILE], minlength=count) > 0
    good = tile != NO_TILE
    return where_known(lists(tile[good], np.bincount(owner[good], minlength=count)), ~unread)


def _of_drawn(drawn: Messages, claim: Ints, players: npt.NDArray[np.int8]) -> _Shown:
    """Return the hands that are tenpai at exhaustive draws: players are listed by seat."""
    owner, listed = drawn.parts("players")
    seat = nth_of(owner)
    hand = _hands(*listed.tile_lists("hand"), listed.count)
    rows = np.flatnonzero((listed.numbers("tingpai") != 0) & (seat < players[owner]))
    # Dumps say who is tenpai, and leave the hands out.
    return _Shown(claim[owner[rows]], seat[rows], gathered(hand, rows, listed.has("hand")[rows]))


def _of_aborts(aborts: Messages, claim: Ints) -> _Shown:
    """Return the hand of the seat that aborts by nine orphans."""
    hand = _hands(*aborts.tile_lists("tiles"), aborts.count)
    seat = aborts.numbers("seat")
    rows = np.flatnonzero((aborts.numbers("type") == 1) & aborts.has("tiles") & (seat >= 0) & (seat < SEATS))
    return _Shown(claim[rows], seat[rows], gathered(hand, rows))


def _shows(parts: list[_Shown], at: dict[str, pl.Series], players: npt.NDArray[np.int8]) -> pl.DataFrame:
    claim, seat = (np.concatenate(each) for each in (tuple(p.claim for p in parts), tuple(p.seat for p in parts)))
    hand = pl.concat([part.hand.cast(tables.TileIds) for part in parts])
    order = np.argsort(claim * SEATS + seat, kind="stable")
    order = order[seat[order] < players[claim[order]]]
    frame = {
        "claim": claim[order],
        "round": gathered(at["round"], claim[order]), "event": gathered(at["event"], claim[order]),
        "seat": seat[order], "tile_ids": gathered(hand, order),
    }  # fmt: skip
    return tables.conform(frame, tables.SHOWS)

"""Records → rounds, events, melds, deals and deposits (auditor/readers/mahjong_soul/FORMAT.md section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import where_known
from auditor.log.event_kinds import CODE
from auditor.log.ranges import bounded
from auditor.log.tables import SEATS
from auditor.log.tile_ids import HAND_SIZE, NONE
from auditor.readers.mahjong_soul.absent import ABSENT
from auditor.readers.mahjong_soul.acts import Acts, Hands, Melds, Turned
from auditor.readers.mahjong_soul.acts import read as read_acts
from auditor.readers.mahjong_soul.fields import NO_TILE, nth_of
from auditor.readers.mahjong_soul.places import fault_rows, place_of, points_at
from auditor.readers.mahjong_soul.records import NEW_ROUND, NO_ROUND, Fault

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.mahjong_soul.fields import Messages
    from auditor.readers.mahjong_soul.records import Records

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Tiles = npt.NDArray[np.int16]


class SoulPlay(NamedTuple):
    """The canonical tables of a batch's play, and problems."""

    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    deposits: pl.DataFrame
    problems: list[pl.DataFrame]


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
    acts, melds, turned = read_acts(records, hands, players, faults)
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


def _rounds(
    records: Records, starts: Messages, players: npt.NDArray[np.int8]
) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    rows, _ = records.of(NEW_ROUND)
    game = records.game[rows]
    place = place_of(records, rows)
    scores, problems = points_at(starts.number_lists("scores"), players, "rounds", "start", place)
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
    found = starts.tiles("dora").copy()
    begins = nth_of(owner) == 0
    found[owner[begins]] = tile[begins]
    return found


def _hands(records: Records, starts: Messages, players: npt.NDArray[np.int8], faults: list[Fault]) -> Hands:
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
    return Hands(tables.conform(deals, tables.DEALS), drawn, dealer)


class _Made(NamedTuple):
    """The events, and for each record the row of its first and of its own event, int64[n]."""

    events: dict[str, object]
    main: Ints


def _events(records: Records, acts: Acts, hands: Hands, turned: Turned) -> _Made:
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

    some = np.flatnonzero(times)
    row = np.repeat(some, times[some])
    place = main[row]
    if len(row) > len(some):  # several winners of one tile
        place += nth_of(row)
    code = acts.main[row]
    is_result = code == CODE["result"]
    kind[place] = code
    seat[place] = np.where(is_result, -1, acts.seat[row])
    tile[place] = np.where(is_result, NO_TILE, acts.tile[row])
    tsumogiri[place] = acts.tsumogiri[row]

    events: dict[str, object] = {
        "round": records.round[of],
        "event": records.number[of],
        "kind": pl.Series(kind).cat.to(tables.Kind),
        "seat": where_known(seat, seat >= 0),
        "tile_id": where_known(tile, tile >= 0),
        "tsumogiri": where_known(tsumogiri == 1, tsumogiri >= 0),
    }
    return _Made(events, np.where(times > 0, main, -1))


def _melds(made: _Made, melds: Melds) -> pl.DataFrame:
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

"""What each record does: who acts with which tile, the melds, sticks and indicators (FORMAT.md section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from auditor.log.event_kinds import CODE
from auditor.log.tile_ids import KIND, NONE, PHYSICAL
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
    WIN,
    Fault,
)

if TYPE_CHECKING:
    import numpy.typing as npt
    import polars as pl

    from auditor.readers.mahjong_soul.fields import Messages
    from auditor.readers.mahjong_soul.records import Records

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]
    Tiles = npt.NDArray[np.int16]

_CALLS = np.array([CODE["chi"], CODE["pon"], CODE["daiminkan"]])
_KAKAN, _ANKAN = 2, 3
_NORTH = TILES["4z"]
_FIVES = {4: 0, 13: 1, 22: 2}
"""The kinds of fives, with the place of their red tile after the 34 kinds."""
_RED_FIVE = PHYSICAL + 34


class Hands(NamedTuple):
    """The hands dealt. ``drawn`` int16[rounds] is the fourteenth tile of the ``dealer`` int64[rounds], or NO_TILE."""

    deals: pl.DataFrame
    drawn: Tiles
    dealer: Ints


@dataclass
class Acts:
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
    def none(cls, count: int) -> Acts:
        """Return what records do that do nothing."""
        low = np.full(count, -1, dtype=np.int64)
        zero, never = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=bool)
        return cls(
            low.copy(), zero.copy(), low.copy(), low.astype(np.int16), low.astype(np.int8), low.copy(), never.copy(),
            zero.copy(), never.copy(),
        )  # fmt: skip


class Melds(NamedTuple):
    """Melds by the rows of their records: ``source`` int64[k], -1 for none; ``others`` int16[k, 3], NONE pads them."""

    row: Ints
    source: Ints
    others: npt.NDArray[np.int16]


class Turned(NamedTuple):
    """The indicators that records turn: ``row`` of the record int64[k], ascending, and ``tile`` int16[k]."""

    row: Ints
    tile: Tiles


class _Reading:
    """Fills in what the records of play do. ``players`` int8[n] is the number of players at each record's table."""

    def __init__(self, records: Records, players: npt.NDArray[np.int8], faults: list[Fault]) -> None:
        self.records, self.players, self.faults = records, players, faults
        self.acts = Acts.none(len(records.game))

    def wrong(self, rows: Ints, recorded: list[str], expected: str) -> None:
        """Report records whose play cannot be followed."""
        for row, text in zip(rows.tolist(), recorded, strict=True):
            game, number = int(self.records.game[row]), int(self.records.number[row])
            self.faults.append(Fault(game, number, "L003", text[:80], expected, play=True))

    def seated(self, rows: Ints, messages: Messages) -> Bools:
        """Note who acts; return which of these seats exist."""
        seat = messages.numbers("seat")
        self.acts.seat[rows] = seat
        there: Bools = (seat >= 0) & (seat < self.players[rows])
        self.wrong(rows[~there], [f"seat {each}" for each in seat[~there].tolist()], "a player's seat")
        return there

    def tiled(self, rows: Ints, messages: Messages, name: str, there: Bools) -> None:
        """Note the tile that a field names."""
        tile = messages.tiles(name)
        self.acts.tile[rows] = tile
        lost = np.flatnonzero((tile == NO_TILE) & there)
        if len(lost):
            texts = messages.texts(name)
            self.wrong(rows[lost], [f"{name} {texts[at]!r}" for at in lost.tolist()], "a tile")

    def sticks(self, rows: Ints, messages: Messages) -> None:
        """Note the sticks that are paid just before records: what their field ``liqi`` says, unless it failed."""
        owner, paid = messages.parts("liqi")
        if paid.count:
            seat = paid.numbers("seat")
            good = (paid.numbers("failed") == 0) & (seat >= 0) & (seat < self.players[rows[owner]])
            self.acts.stick[rows[owner[good]]] = seat[good]

    def draws(self) -> None:
        """Read draws and discards."""
        acts = self.acts
        rows, messages = self.records.of(DEAL)
        there = self.seated(rows, messages)
        self.tiled(rows, messages, "tile", there)
        acts.main[rows], acts.times[rows] = CODE["draw"], there
        self.sticks(rows, messages)
        rows, messages = self.records.of(DISCARD)
        there = self.seated(rows, messages)
        self.tiled(rows, messages, "tile", there)
        acts.main[rows], acts.times[rows] = CODE["discard"], there
        acts.riichi[rows] = ((messages.numbers("is_liqi") != 0) | (messages.numbers("is_wliqi") != 0)) & there
        acts.tsumogiri[rows] = messages.numbers("moqie") != 0
        # Whether the dealer's fourteenth tile counts as drawn differs from year to year.
        after_deal = self.records.kind[np.maximum(rows - 1, 0)] == NEW_ROUND
        acts.tsumogiri[rows[after_deal]] = -1

    def kans(self) -> Melds:
        """Read kans but those of discards, and kitas."""
        acts = self.acts
        rows, messages = self.records.of(KAN)
        there = self.seated(rows, messages)
        self.tiled(rows, messages, "tiles", there)
        kind = messages.numbers("type")
        known = (kind == _KAKAN) | (kind == _ANKAN)
        recorded = [f"kan of type {each}" for each in kind[there & ~known].tolist()]
        self.wrong(rows[there & ~known], recorded, "2 kakan, 3 ankan")
        acts.main[rows] = np.where(kind == _KAKAN, CODE["kakan"], CODE["ankan"])
        good = there & known & (acts.tile[rows] != NO_TILE)
        acts.times[rows] = good
        acts.turned_late[rows] = kind == _KAKAN
        kans = rows[good]
        rows, messages = self.records.of(KITA)
        there = self.seated(rows, messages)
        acts.main[rows], acts.times[rows], acts.tile[rows] = CODE["kita"], there, _NORTH
        acts.turned_late[rows] = True
        row = np.concatenate([kans, rows[there]])
        return Melds(row, np.full(len(row), -1), np.full((len(row), 3), NONE, dtype=np.int16))

    def results(self) -> None:
        """Read how many results the last records of rounds make."""
        acts = self.acts
        rows, messages = self.records.of(WIN)
        owner, _, _ = messages.entries("hules")
        acts.main[rows], acts.times[rows] = CODE["result"], np.bincount(owner, minlength=messages.count)
        for kind in (DRAWN, ABORT):
            rows, messages = self.records.of(kind)
            acts.main[rows], acts.times[rows] = CODE["result"], 1
        self.sticks(rows, messages)

    def calls(self) -> Melds:
        """Read calls of discards."""
        rows, messages = self.records.of(CALL)
        there = self.seated(rows, messages)
        self.sticks(rows, messages)
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
        called = np.argmax(other, axis=1)
        source = sources[np.arange(len(rows)), called]
        known = (kind >= 0) & (kind <= 2) & (size == due) & (sized == due) & one & ~unread
        known &= (source >= 0) & (source < self.players[rows])
        bad = np.flatnonzero(there & ~known)
        recorded = [f"call of type {kind[at]} with {size[at]} tiles from {sources[at, : min(sized[at], 4)].tolist()}"
                    for at in bad.tolist()]  # fmt: skip
        self.wrong(rows[bad], recorded, "0 chi, 1 pon, 2 daiminkan: its tiles, one of them another seat's")
        good = there & known
        order = np.argsort(np.arange(4) != called[:, None], axis=1, kind="stable")
        tiles = np.take_along_axis(np.where(np.arange(4) < size[:, None], tiles, NONE), order, axis=1)
        self.acts.main[rows] = _CALLS[np.clip(kind, 0, 2)]
        self.acts.times[rows] = good
        self.acts.tile[rows] = tiles[:, 0]
        return Melds(rows[good], source[good], tiles[good, 1:].astype(np.int16))


def read(
    records: Records, hands: Hands, players: npt.NDArray[np.int8], faults: list[Fault]
) -> tuple[Acts, Melds, Turned]:
    """Return what the records do, the melds, and the indicators that are turned.

    ``players`` int8[games] is the number of players of each game; ``faults`` gets what cannot be read.
    """
    reading = _Reading(records, players[records.game], faults)
    reading.draws()
    parts = reading.calls(), reading.kans()
    reading.results()
    acts = reading.acts
    melds = Melds(
        np.concatenate([part.row for part in parts]),
        np.concatenate([part.source for part in parts]),
        np.concatenate([part.others for part in parts]),
    )
    turned = _indicators(records, acts)
    _closed_kans(records, acts, hands, melds)
    _added(records, acts, melds)
    return acts, melds, turned


def _indicators(records: Records, acts: Acts) -> Turned:
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
    first, starts = records.of(NEW_ROUND)
    length[first] = np.maximum(length[first], starts.has("dora"))
    listed = np.flatnonzero(length)
    step = int(length.max(initial=0)) + 1
    highest = np.maximum.accumulate(records.round[listed] * step + length[listed]) - records.round[listed] * step
    before = np.append(0, highest[:-1])[: len(listed)]
    same = np.append(False, records.round[listed][1:] == records.round[listed][:-1])[: len(listed)]
    known = np.zeros(len(records.game), dtype=np.int64)
    known[listed] = np.where(same, before, length[listed])
    new = nth_of(row) >= known[row]
    found = Turned(row[new], tile[new])
    acts.turned += np.bincount(found.row, minlength=len(acts.turned))
    return found


def _closed_kans(records: Records, acts: Acts, hands: Hands, melds: Melds) -> None:
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


def _added(records: Records, acts: Acts, melds: Melds) -> None:
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


def _held(records: Records, acts: Acts, hands: Hands, melds: Melds, row: int, tile: int) -> int:  # noqa: PLR0917
    """Return how many of a tile the seat that acts in a record holds then."""
    seat, round_ = int(acts.seat[row]), int(records.round[row])
    first = int(np.searchsorted(records.round[:row], round_))
    span = slice(first, row)
    own = (acts.seat[span] == seat) & (acts.tile[span] == tile)
    main = acts.main[span]
    begin, end = np.searchsorted(hands.deals["round"].to_numpy(), np.array([round_, round_ + 1], dtype=np.uint32))
    seats, tiles = (hands.deals[name].slice(begin, end - begin).to_numpy() for name in ("seat", "tile_id"))
    dealt = (seats == seat) & (tiles == tile)
    called = (melds.row >= first) & (melds.row < row)
    used = acts.seat[melds.row[called]] == seat
    fourteenth = hands.drawn[round_] == tile and int(hands.dealer[round_]) == seat
    return (
        int(dealt.sum()) + int(fourteenth) + int((own & (main == CODE["draw"])).sum())
        - int((own & (main == CODE["discard"])).sum()) - int((melds.others[called][used] == tile).sum())
    )  # fmt: skip

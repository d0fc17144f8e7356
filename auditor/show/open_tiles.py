"""The rivers, melds and norths set aside of the seats just before an event of a round."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.event_kinds import CODE, OPEN_CALLS
from auditor.log.tables import KINDS, SEATS
from auditor.log.tile_ids import KIND, PHYSICAL
from auditor.show.actions import tile_ids_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]


class Span(NamedTuple):
    """Rows of ``log.events``: the first of the round, the first of an event, and the one after the event."""

    start: int
    begin: int
    end: int


class Tile(NamedTuple):
    """A tile, and whether the event moves it."""

    tile_id: int
    moved: bool = False


@dataclass(frozen=True)
class Discard:
    """A discard in its river.

    ``tsumogiri``: it was drawn just before (None: not known). ``riichi``: riichi was declared with it. ``called_by``:
    the seat that called it.
    """

    tile: Tile
    tsumogiri: bool | None
    riichi: bool
    called_by: int | None


@dataclass(frozen=True)
class TableMeld:
    """A meld: its kind, its tiles (the called one first, the one that a kakan adds last), and the seat that fed it."""

    kind: str
    tiles: tuple[Tile, ...]
    source: int | None


@dataclass(frozen=True)
class BatchDiscards:
    """The discards of a batch in order: row of ``log.events``, marks, and the row of the call that takes each.

    ``tsumogiri`` is null where the log neither marks it nor distinguishes the copies of a tile. ``called_at`` is the
    number of rows, so beyond all of them, where nobody calls.
    """

    row: Ints
    tsumogiri: pl.Series
    riichi: npt.NDArray[np.bool_]
    called_at: Ints


def discards(log: Log, played: Replay, order: TurnOrder) -> BatchDiscards:
    """Return the discards of a batch."""
    row = played.rows("discard")
    before = order.before(row)
    same = (played.kind[before] == CODE["draw"]) & (played.seat[before] == played.seat[row])
    same &= played.tile_id[before] == played.tile_id[row]
    marks = log.events["tsumogiri"].gather(row)
    unmarked = marks.is_null() & pl.Series(played.tile_id[row] < PHYSICAL, dtype=pl.Boolean)
    tsumogiri = pl.select(pl.when(unmarked).then(pl.Series(same, dtype=pl.Boolean)).otherwise(marks)).to_series()
    called_at = np.full(len(row), len(played.kind), dtype=np.int64)
    calls = played.rows(*OPEN_CALLS)[::-1]
    at = np.searchsorted(row, calls) - 1
    calls, at = calls[at >= 0], at[at >= 0]
    fits = (played.round[row[at]] == played.round[calls]) & (played.tile_id[row[at]] == played.tile_id[calls])
    called_at[at[fits]] = calls[fits]  # calls run backwards, so the first of two calls of one discard is kept
    return BatchDiscards(row, tsumogiri, _with_riichi(played, row), called_at)


def _with_riichi(played: Replay, row: Ints) -> npt.NDArray[np.bool_]:
    """Return which discards are a hand's first after its riichi declaration, as bool[n]."""
    order = np.argsort(played.hand[row], kind="stable")
    hand, declared = played.hand[row][order], played.riichi[row][order]
    before = np.where(np.diff(hand, prepend=-1) != 0, 0, np.roll(declared, 1))
    found = np.zeros(len(row), dtype=bool)
    found[order] = declared > before
    return found


def rivers(played: Replay, found: BatchDiscards, span: Span, taken: int) -> list[tuple[Discard, ...]]:
    """Return the rivers by seat before an event; ``taken`` is the row of the discard that it calls or wins on."""
    laid: list[list[Discard]] = [[] for _ in range(SEATS)]
    for place in range(*np.searchsorted(found.row, (span.start, span.begin))):
        row, call = int(found.row[place]), int(found.called_at[place])
        laid[played.seat[row]].append(
            Discard(
                tile=Tile(int(played.tile_id[row]), row == taken),
                tsumogiri=found.tsumogiri[place],
                riichi=bool(found.riichi[place]),
                called_by=int(played.seat[call]) if call < span.begin else None,
            )
        )
    return [tuple(each) for each in laid]


def melds(played: Replay, span: Span, taken: int) -> list[tuple[TableMeld, ...]]:
    """Return the melds by seat before an event; a kakan replaces its pon.

    ``taken`` is the row of the kakan that the event robs.
    """
    laid: list[list[TableMeld]] = [[] for _ in range(SEATS)]
    made = played.made
    for place in range(*np.searchsorted(made.row, (span.start, span.begin))):
        row, source = int(made.row[place]), int(made.source[place])
        kind, mine = KINDS[played.kind[row]], laid[played.seat[row]]
        if kind == "kita":
            continue
        tiles = tuple(Tile(tile_id) for tile_id in tile_ids_of(made.tile_ids[place]))
        if kind == "kakan" and tiles:
            added = Tile(tiles[0].tile_id, row == taken)
            pon = next((at for at, meld in enumerate(mine) if _is_pon(meld, added.tile_id)), None)
            if pon is not None:
                mine[pon] = replace(mine[pon], kind=kind, tiles=(*mine[pon].tiles, added))
                continue
            tiles = (*tiles[1:], added)
        mine.append(TableMeld(kind, tiles, source if source >= 0 else None))
    return [tuple(each) for each in laid]


def kita(played: Replay, span: Span, taken: int) -> list[tuple[Tile, ...]]:
    """Return the norths set aside by seat before an event; ``taken`` is the row of the kita that it wins on."""
    laid: list[list[Tile]] = [[] for _ in range(SEATS)]
    rows = played.rows("kita")
    for row in rows[slice(*np.searchsorted(rows, (span.start, span.begin)))].tolist():
        laid[played.seat[row]].append(Tile(int(played.tile_id[row]), row == taken))
    return [tuple(each) for each in laid]


def _is_pon(meld: TableMeld, tile_id: int) -> bool:
    return meld.kind == "pon" and bool(KIND[meld.tiles[0].tile_id] == KIND[tile_id])

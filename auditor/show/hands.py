"""The hands at an event, as data: the tiles that each seat holds, and which of them the event moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log.event_kinds import CODE, PLAYS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import NONE, ORDER, TILE_IDS
from auditor.replay.trust import HAND_DOUBTS
from auditor.show.open_tiles import Tile

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.audit.frames import Frames
    from auditor.show.actions import Act
    from auditor.show.open_tiles import BatchDiscards, Span

    Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Hand:
    """The concealed tiles of a seat at an event.

    Parameters
    ----------
    tiles
        all but the tile just drawn, in the order of kinds
    drawn
        the tile just drawn
    won
        the tile that the seat wins by ron
    dealt
        whether the log has the deal of this hand
    trusted
        whether there is no doubt about the hand in the whole round
    lacking
        tiles that the hand gave away, in the event or before, without holding them
    twice
        tiles in the hand that the round has too often
    shown
        the hand that a result shows, if it is another one

    """

    tiles: tuple[Tile, ...]
    drawn: Tile | None
    won: int | None
    dealt: bool
    trusted: bool
    lacking: tuple[int, ...]
    twice: tuple[int, ...]
    shown: tuple[int, ...] | None


ROUND, ROW, SEAT, TILE_ID = range(4)


@dataclass(frozen=True)
class Moved:
    """The moves of tiles in a batch, int64[n, 4]: round, row of ``log.events``, seat (-1: none) and tile id."""

    moves: Ints

    @classmethod
    def from_table(cls, table: pl.DataFrame) -> Moved:
        """Take the moves from a table with these columns; ``seat`` is optional."""
        seat = pl.col("seat") if "seat" in table.columns else pl.lit(-1).alias("seat")
        ordered = table.select(
            pl.col("round", "row").cast(pl.Int64), seat.cast(pl.Int64), pl.col("tile_id").cast(pl.Int64)
        )
        return cls(ordered.sort("round", "row", maintain_order=True).to_numpy())

    def of(self, round_: int) -> Ints:
        """Return the moves of a round."""
        moves: Ints = self.moves[slice(*np.searchsorted(self.moves[:, ROUND], (round_, round_ + 1)))]
        return moves


class _Moving(NamedTuple):
    """The effect of an event on a hand: the tile drawn last, the tiles that leave, and whether the drawn tile moves."""

    drawn: int | None
    gone: list[int]
    fresh: bool


class HandLookup:
    """The hands of one batch, at any event; ``discards`` are the discards of the batch."""

    def __init__(self, frames: Frames, discards: BatchDiscards) -> None:
        self.played = frames.played
        self._trusted = frames.trust.hands.free_of(HAND_DOUBTS)
        self._discards = discards
        moved = frames.holdings.moved
        self.come, self.gone = Moved.from_table(moved.came.table()), Moved.from_table(moved.left.table())
        self._twice = Moved.from_table(frames.holdings.twice)
        self._dealt = frames.log.dealt > 0

    def at(self, round_: int, span: Span, now: tuple[Act, ...]) -> list[Hand]:
        """Return the hands of a round by seat as an event finds them; ``now`` are its acts."""
        come, gone = self.come.of(round_), self.gone.of(round_)
        came, left = come[come[:, ROW] < span.end], gone[gone[:, ROW] < span.begin]
        gone = gone[(gone[:, ROW] >= span.begin) & (gone[:, ROW] < span.end)]
        count = _counts(came) - _counts(left)
        least = np.minimum(count, count - _counts(gone))
        often = self._twice.of(round_)[:, TILE_ID].tolist()
        results = [act.result for act in now if act.result is not None]
        found = []
        for seat in range(SEATS):
            moving = self._moving(span, now, seat, gone[gone[:, SEAT] == seat, TILE_ID].tolist())
            tiles, drawn = _laid(count[seat].clip(0), moving)
            won = [each.tile_id for each in results if each.winner == seat != each.payer and each.tile_id is not None]
            shown = [tuple(each.shown[seat]) for each in results if seat in each.shown]
            whole = [tile.tile_id for tile in (*tiles, *([drawn] if drawn else []))] + won
            found.append(
                Hand(
                    tiles=tiles,
                    drawn=drawn,
                    won=won[0] if won else None,
                    dealt=bool(self._dealt[round_ * SEATS + seat]),
                    trusted=bool(self._trusted[round_ * SEATS + seat]),
                    lacking=tuple(np.flatnonzero(least[seat] < 0).tolist()),
                    twice=tuple(tile_id for tile_id in often if count[seat, tile_id] > 0),
                    shown=next((each for each in shown if sorted(each) != sorted(whole)), None),
                )
            )
        return found

    def _moving(self, span: Span, now: tuple[Act, ...], seat: int, gone: list[int]) -> _Moving:
        """Return the effect of the event on a seat's hand; ``gone`` are the tiles that leave it."""
        rows = np.arange(span.start, span.end)
        draws = self.played.kind[rows] == CODE["draw"]
        acted = (rows < span.begin) & self.played.is_kind(*PLAYS)[rows]
        own = rows[(draws | acted) & (self.played.seat[rows] == seat)]
        last = int(own[-1]) if len(own) else -1
        if last < 0 or self.played.kind[last] != CODE["draw"] or self.played.tile_id[last] >= NONE:
            return _Moving(None, gone, fresh=False)
        drawn = int(self.played.tile_id[last])
        mine = [act for act in now if act.seat == seat]
        comes = any(act.kind == "draw" or (act.result is not None and act.source == seat) for act in mine)
        leaves = any(act.kind == "discard" and act.tile_id == drawn and self._is_tsumogiri(act) for act in mine)
        return _Moving(drawn, gone, fresh=comes or leaves)

    def _is_tsumogiri(self, act: Act) -> bool:
        return bool(self._discards.tsumogiri[int(np.searchsorted(self._discards.row, act.row))])


def _counts(moved: Ints) -> Ints:
    """Return how often each tile id moves, by seat, as int64[SEATS, TILE_IDS]."""
    counts = np.zeros((SEATS, TILE_IDS), dtype=np.int64)
    np.add.at(counts, (moved[:, SEAT], moved[:, TILE_ID]), 1)
    return counts


def _laid(count: Ints, moving: _Moving) -> tuple[tuple[Tile, ...], Tile | None]:
    """Return a hand's tiles in order, a red five before other fives, and the drawn tile apart; mark moved tiles."""
    drawn = moving.drawn if moving.drawn is not None and count[moving.drawn] else None
    tile_ids = np.repeat(np.arange(TILE_IDS), count).tolist()
    gone = list(moving.gone)
    fresh = moving.fresh
    if drawn is not None:
        tile_ids.remove(drawn)
        if fresh and drawn in gone:
            gone.remove(drawn)
    tiles = []
    for tile_id in sorted(tile_ids, key=lambda tile_id: (ORDER[tile_id], tile_id)):
        moved = tile_id in gone
        if moved:
            gone.remove(tile_id)
        tiles.append(Tile(tile_id, moved))
    return tuple(tiles), None if drawn is None else Tile(drawn, fresh or drawn in gone)

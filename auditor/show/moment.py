"""The table at an event of a round, as data: the place of every tile, and the tiles that the event moves.

A tile that the event takes from a hand or a river is still in its old place. A tile that it brings from the wall (a
draw, an indicator, the deal) is already in its new place. Hands that went wrong are shown as far as the log states
them. An event can have several acts: in some logs a riichi, its discard and its stick are one event.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.event_kinds import OFFERED, OPEN_CALLS, PLAYS
from auditor.log.tables import KINDS, SEATS
from auditor.show import open_tiles
from auditor.show.actions import Act, acts
from auditor.show.hands import ROW, TILE_ID, Hand, HandLookup, Moved
from auditor.show.open_tiles import Discard, Span, TableMeld, Tile

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.audit.frames import Frames
    from auditor.log.round_rules import RulesByRow

    Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Seat:
    """A seat at the table: ``kita`` are its norths set aside, ``acts`` says whether it does something in the event."""

    hand: Hand
    melds: tuple[TableMeld, ...]
    kita: tuple[Tile, ...]
    river: tuple[Discard, ...]
    score: int | None
    riichi: bool
    acts: bool


@dataclass(frozen=True)
class Moment:
    """The table at an event.

    ``seats`` has an entry for each player. ``event`` has the acts of the event; ``before`` has the last action before
    it and the acts since. ``sticks`` is the number of riichi sticks on the table, ``left`` the number of tiles left to
    draw; ``reds`` says whether the set has red fives.
    """

    dealer: int | None
    sticks: int | None
    left: int
    indicators: tuple[Tile, ...]
    seats: tuple[Seat, ...]
    before: tuple[Act, ...]
    event: tuple[Act, ...]
    reds: bool


class TableLookup:
    """The tables of one batch, at any event."""

    def __init__(self, frames: Frames) -> None:
        self.log = frames.log
        self.played = frames.played
        self._frames = frames
        self.discards = open_tiles.discards(frames.log, frames.played, frames.turn_order)
        self.hands = HandLookup(frames, self.discards)
        self.indicated = Moved.from_table(frames.holdings.moved.turned.table().drop("seat"))

    def at(self, round_: int, event: int) -> Moment:
        """Return the table at an event (its number in the file) of a round (row of ``log.rounds``).

        An event outside play, such as a tag that cannot be read, has no acts; the table is as it was at that point.
        """
        span = self._span(round_, event)
        now, ended = self._acts(span.begin, span.end), self._results(span)
        said = self.log.rounds.row(round_, named=True)
        paid = np.bincount(self.played.seat[self._rows(span, "deposit")], minlength=SEATS)
        won = any(act.result is not None and act.result.reason == "win" for act in ended)
        return Moment(
            dealer=said["dealer"],
            sticks=None if said["sticks"] is None else 0 if won else said["sticks"] + int(paid.sum()),
            left=max(int(self.played.left[max(span.end - 1, span.start)]), 0),
            indicators=self._indicators(round_, span),
            seats=self._seats(round_, span, now, self._scores(round_, said["start"], paid, ended)),
            before=self._before(round_, span),
            event=now,
            reds=self.has_red_fives(round_),
        )

    def rows_of_round(self, round_: int) -> range:
        """Return the rows of ``log.events`` of a round (row of ``log.rounds``)."""
        return range(*(int(np.searchsorted(self.played.round, round_, side)) for side in ("left", "right")))

    def has_red_fives(self, round_: int) -> bool:
        """Return whether the set of a round may have red fives."""
        return bool(self.rules_of(round_).may_have_red_fives()[0])

    def rules_of(self, round_: int) -> RulesByRow:
        """Return the rules of a round, as one row."""
        return self._frames.rules.of(np.array([round_]))

    def _span(self, round_: int, event: int) -> Span:
        """Return the rows of an event; an event without rows has an empty span at the place where it would be.

        Event numbers need not ascend: log/repair puts an event from a wrong place where it belongs.
        """
        within = self.rows_of_round(round_)
        start = within.start
        numbers = self.log.events["event"][start : within.stop].to_numpy()
        rows = np.flatnonzero(numbers == event)
        if not len(rows):
            before = start + int(np.append(np.flatnonzero(numbers > event), len(numbers))[0])
            return Span(start, before, before)
        together = int(np.count_nonzero(rows == rows[0] + np.arange(len(rows))))
        return Span(start, start + int(rows[0]), start + int(rows[0]) + together)

    def _acts(self, begin: int, end: int) -> tuple[Act, ...]:
        return acts(self.log, self.played, range(begin, end))

    def _rows(self, span: Span, *kinds: str) -> Ints:
        """Return the rows of these kinds in the round before the event."""
        rows: Ints = span.start + np.flatnonzero(self.played.is_kind(*kinds)[span.start : span.begin])
        return rows

    def _results(self, span: Span) -> tuple[Act, ...]:
        """Return the results of the round before the event."""
        return tuple(act for row in self._rows(span, "result") for act in self._acts(row, row + 1))

    def _before(self, round_: int, span: Span) -> tuple[Act, ...]:
        """Return the acts from the last action up to the event; before a deal, the results of the previous round."""
        rows = self._rows(span, "result", *PLAYS)
        if len(rows):
            number = self.log.events["event"][int(rows[-1])]
            return self._acts(self._span(round_, number).begin, span.begin)
        games = self.log.rounds["game"]
        if not round_ or games[round_ - 1] != games[round_]:
            return ()
        start = int(np.searchsorted(self.played.round, round_ - 1, "left"))
        return self._results(Span(start, span.start, span.start))

    def _indicators(self, round_: int, span: Span) -> tuple[Tile, ...]:
        face_up = self.indicated.of(round_)
        face_up = face_up[face_up[:, ROW] < span.end]
        turned = face_up[:, ROW] >= max(span.begin, span.start + 1)
        return tuple(
            Tile(int(tile_id), bool(moved)) for tile_id, moved in zip(face_up[:, TILE_ID], turned, strict=True)
        )

    def _scores(
        self, round_: int, start: list[int | None] | None, paid: Ints, ended: tuple[Act, ...]
    ) -> list[int | None]:
        """Return the scores by seat: those at the deal, less riichi sticks paid since, with the changes by results."""
        return scores(start, paid.tolist(), ended, int(self.rules_of(round_).assumed("riichi_stick_value")[0]))

    def _seats(self, round_: int, span: Span, now: tuple[Act, ...], scores: list[int | None]) -> tuple[Seat, ...]:
        taken = self._taken(span, now)
        hands = self.hands.at(round_, span, now)
        melds = open_tiles.melds(self.played, span, taken)
        rivers = open_tiles.rivers(self.played, self.discards, span, taken)
        aside = open_tiles.kita(self.played, span, taken)
        riichi = self.played.seat[self._rows(span, "riichi")]
        return tuple(
            Seat(
                hand=hands[seat],
                melds=melds[seat],
                kita=aside[seat],
                river=rivers[seat],
                score=scores[seat],
                riichi=seat in riichi,
                acts=any(act.seat == seat for act in now),
            )
            for seat in range(self.log.players[round_])
        )

    def _taken(self, span: Span, now: tuple[Act, ...]) -> int:
        """Return the row of the discard, kakan or kita whose tile the event calls or wins on; -1 if there is none."""
        rows = self._rows(span, *PLAYS)
        last = int(rows[-1]) if len(rows) else -1
        return last if last >= 0 and takes(now, KINDS[self.played.kind[last]], int(self.played.seat[last])) else -1


def takes(now: Sequence[Act], kind: str, seat: int) -> bool:
    """Return whether acts call or win on the tile of the last play, which is of this kind and of this seat."""
    calls = any(act.kind in OPEN_CALLS for act in now)
    won = any(act.result is not None and act.source == seat != act.seat for act in now)
    return (kind == "discard" and calls) or (kind in OFFERED and won)


def scores(start: list[int | None] | None, paid: Sequence[int], ended: Sequence[Act], stick: int) -> list[int | None]:
    """Return the scores by seat: those at the deal, less riichi sticks paid since, with the changes by results."""
    changes = [act.result.deltas for act in ended if act.result is not None]
    if start is None or None in changes:
        return [None] * SEATS
    return [
        None if score is None else score - stick * count + sum(change[seat] for change in changes if change)
        for seat, (score, count) in enumerate(zip(start, paid, strict=True))
    ]

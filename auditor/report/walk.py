"""A walk through a round, event by event: the same rows as of each moment (rows.py), ten times as fast.

A page has a thousand rounds with a hundred events each, and auditor.show.moment builds each table from the beginning of
its round. A walk keeps the table and changes only what an event touches. A test compares both in every event.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from auditor.log.event_kinds import OPEN_CALLS, PLAYS
from auditor.log.tables import CALLS, KINDS, SEATS
from auditor.log.tile_ids import NONE, ORDER, TILE_IDS
from auditor.report.rows import BAR, GAP, MOVED, aside_of, discard_of, score_of
from auditor.show import moment, open_tiles
from auditor.show.actions import acts
from auditor.show.open_tiles import Discard, Span, Tile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from auditor.show.actions import Act
    from auditor.show.moment import TableLookup

_LAID = sorted(range(TILE_IDS), key=lambda tile_id: (int(ORDER[tile_id]), tile_id))
"""Tile ids in the order of a hand."""


class Walk:
    """A round (row of ``log.rounds``) of a batch, from its first event to its last.

    ``letters`` has the character of each tile id.
    """

    def __init__(self, lookup: TableLookup, round_: int, letters: Sequence[str]) -> None:
        played, log, within = lookup.played, lookup.log, lookup.rows_of_round(round_)
        self._played, self._letters, self._start, self._within = played, letters, within.start, within
        self._players = int(log.players[round_])
        cut = slice(within.start, within.stop)
        self._kind = [KINDS[code] for code in played.kind[cut].tolist()]
        self._seat, self._tile = played.seat[cut].tolist(), played.tile_id[cut].tolist()
        self._left, self._events = played.left[cut].tolist(), log.events["event"][cut].to_list()
        self._come, self._gone = lookup.hands.come.of(round_).tolist(), lookup.hands.gone.of(round_).tolist()
        self._indicated = lookup.indicated.of(round_).tolist()
        self._acts: dict[int, list[Act]] = {}
        for act in acts(log, played, within):
            self._acts.setdefault(act.row, []).append(act)
        self._discards = self._of_discards(lookup)
        said = log.rounds.row(round_, named=True)
        self._sticks, self._scores = said["sticks"], said["start"]
        self._stick = int(lookup.rules_of(round_).assumed("riichi_stick_value")[0])
        # The table as it is now.
        self._held = [[0] * TILE_IDS for _ in range(SEATS)]
        self._played_last = [-1] * SEATS
        self._last, self._came, self._left_at = -1, 0, 0
        self._river: list[list[int]] = [[] for _ in range(SEATS)]
        self._riichi: set[int] = set()
        self._paid = [0] * SEATS
        self._ended: list[Act] = []
        self._now = {f"h{seat}": "" for seat in range(self._players)}
        self._aside = [""] * self._players

    def _of_discards(self, lookup: TableLookup) -> dict[int, tuple[Discard, int]]:
        """Return the round's discards by row, and the row of the call that takes each."""
        found, last = lookup.discards, self._within.stop
        first, stop = found.row.searchsorted((self._within.start, last)).tolist()
        columns = zip(
            found.row[first:stop].tolist(), found.tsumogiri[first:stop].to_list(),
            found.riichi[first:stop].tolist(), found.called_at[first:stop].tolist(), strict=True,
        )  # fmt: skip
        seats = self._played.seat
        return {
            row: (
                Discard(Tile(self._tile[row - self._start]), drawn, riichi, int(seats[call]) if call < last else None),
                call,
            )
            for row, drawn, riichi, call in columns
        }

    def steps(self) -> Iterator[tuple[int, list[Act], dict[str, str]]]:
        """Yield each event's number, its acts, and the rows of the table at it."""
        seen, before, touched = set(), self._start, set(range(self._players))
        called = True
        at = self._start
        for event, rows in groupby(self._events):
            begin, at = at, at + len(list(rows))
            if event in seen:
                continue
            seen.add(event)
            span = Span(self._start, begin, at)
            now = [act for row in range(begin, at) for act in self._acts.get(row, ())]
            touched |= self._apply(before, span)
            called |= any(self._kind[row - self._start] in CALLS for row in range(before, begin))
            touched |= {act.seat for act in now if act.seat is not None}
            taken = self._taken(now)
            robs = taken >= 0 and self._kind[taken - self._start] != "discard"
            if called or robs:
                self._lay_aside(span, taken)
                touched = set(range(self._players))
            if any(act.result is not None for act in now):
                touched = set(range(self._players))
            yield event, now, dict(self._rows(span, now, taken, touched))
            # What the event marks must lose its marks in the next one.
            touched = {act.seat for act in now if act.seat is not None} | self._moving(span)
            if taken >= 0:
                touched.add(self._seat[taken - self._start])
            touched = set(range(self._players)) if any(act.result for act in now) else touched
            before, called = begin, robs

    def _apply(self, before: int, span: Span) -> set[int]:
        """Let happen what comes before an event, and take what it brings from the wall; return the seats concerned."""
        touched = set()
        while self._came < len(self._come) and self._come[self._came][1] < span.end:
            _, _, seat, tile_id = self._come[self._came]
            self._held[seat][tile_id] += 1
            touched.add(seat)
            self._came += 1
        while self._left_at < len(self._gone) and self._gone[self._left_at][1] < span.begin:
            _, _, seat, tile_id = self._gone[self._left_at]
            self._held[seat][tile_id] -= 1
            touched.add(seat)
            self._left_at += 1
        for row in range(before, span.begin):
            kind, seat = self._kind[row - self._start], self._seat[row - self._start]
            if kind in PLAYS:
                self._last = row
                self._played_last[seat] = row
                touched.add(seat)
            if kind == "discard":
                self._river[seat].append(row)
            elif kind in OPEN_CALLS:
                touched.update(range(self._players))  # one of them has given the tile
            elif kind == "riichi":
                self._riichi.add(seat)
            elif kind == "deposit":
                self._paid[seat] += 1
            elif kind == "result":
                self._ended += self._acts.get(row, ())
        return touched

    def _moving(self, span: Span) -> set[int]:
        return {self._seat[row - self._start] for row in range(span.begin, span.end)}

    def _taken(self, now: Sequence[Act]) -> int:
        """Return the row of the tile that the event calls or wins on; -1: there is none."""
        at = self._last - self._start
        return self._last if self._last >= 0 and moment.takes(now, self._kind[at], self._seat[at]) else -1

    def _lay_aside(self, span: Span, taken: int) -> None:
        melds = open_tiles.melds(self._played, span, taken)
        kita = open_tiles.kita(self._played, span, taken)
        self._aside = [
            aside_of(kita[seat], melds[seat], seat, self._players, self._letters) for seat in range(self._players)
        ]

    def _rows(self, span: Span, now: Sequence[Act], taken: int, touched: set[int]) -> dict[str, str]:
        """Return the table's rows; only those of the seats concerned are made anew."""
        rows = self._now
        scores = moment.scores(self._scores, self._paid, self._ended, self._stick)
        acting = {act.seat for act in now}
        for seat in range(self._players):
            if seat in touched:
                aside = self._aside[seat]
                rows[f"h{seat}"] = self._hand(span, now, seat) + (BAR + aside if aside else "")
                rows[f"r{seat}"] = "".join(self._discard(row, span, taken) for row in self._river[seat])
            rows[f"s{seat}"] = score_of(scores[seat], acts=seat in acting, riichi=seat in self._riichi)
        first = max(span.begin, span.start + 1)
        rows["dd"] = "".join(
            (MOVED if row >= first else "") + self._letters[tile_id]
            for _, row, _, tile_id in self._indicated
            if row < span.end
        )
        rows["nn"] = str(max(self._left[max(span.end - 1, span.start) - self._start], 0))
        won = any(act.result is not None and act.result.reason == "win" for act in self._ended)
        sticks = None if self._sticks is None else 0 if won else self._sticks + sum(self._paid)
        rows["tt"] = "?" if sticks is None else str(sticks)
        return rows

    def _discard(self, row: int, span: Span, taken: int) -> str:
        discard, call = self._discards[row]
        return discard_of(discard, self._letters, called=call < span.begin, moved=row == taken)

    def _hand(self, span: Span, now: Sequence[Act], seat: int) -> str:
        """Return a hand as auditor.show.hands lays it: in order, the drawn tile apart, moved tiles marked."""
        held, letters = self._held[seat], self._letters
        gone = [tile_id for _, row, whose, tile_id in self._gone[self._left_at :] if row < span.end and whose == seat]
        drawn, fresh = self._drawn(span, now, seat)
        drawn = drawn if drawn is not None and held[drawn] > 0 else None
        tiles = [tile_id for tile_id in _LAID for _ in range(held[tile_id])]
        if drawn is not None:
            tiles.remove(drawn)
            if fresh and drawn in gone:
                gone.remove(drawn)
        text = ""
        for tile_id in tiles:
            if tile_id in gone:
                gone.remove(tile_id)
                text += MOVED
            text += letters[tile_id]
        if drawn is not None:
            text += GAP + (MOVED if fresh or drawn in gone else "") + letters[drawn]
        wins = [act.result for act in now if act.result is not None]
        won = [win.tile_id for win in wins if win.winner == seat != win.payer and win.tile_id is not None]
        return text + (f"{GAP}{MOVED}{letters[won[0]]}" if won else "")

    def _drawn(self, span: Span, now: Sequence[Act], seat: int) -> tuple[int | None, bool]:
        """Return the tile that the seat has drawn last, and whether the event brings it, wins on it or discards it."""
        last = self._played_last[seat]
        for row in range(span.begin, span.end):
            at = row - self._start
            last = row if self._kind[at] == "draw" and self._seat[at] == seat else last
        at = last - self._start
        if last < 0 or self._kind[at] != "draw" or self._tile[at] >= NONE:
            return None, False
        drawn: int = self._tile[at]
        mine = [act for act in now if act.seat == seat]
        comes = any(act.kind == "draw" or (act.result is not None and act.source == seat) for act in mine)
        leaves = any(
            act.kind == "discard" and act.tile_id == drawn and bool(self._discards[act.row][0].tsumogiri)
            for act in mine
        )
        return drawn, comes or leaves

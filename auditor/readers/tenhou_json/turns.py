"""Lists of takes and discards → turns: each a take and what follows it (auditor/readers/tenhou_json/FORMAT.md 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from auditor.log.arrays import expanded
from auditor.log.columns import SEATS
from auditor.log.event_kinds import CODE
from auditor.log.tile_ids import NONE
from auditor.readers.tenhou_json.rounds import Fault
from auditor.readers.tenhou_json.tiles import NOTHING, UNREAD, Entries

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.tenhou_json.rounds import Lists, Rounds
    from auditor.readers.tenhou_json.tiles import Table

    Ints = npt.NDArray[np.int32]
    Kinds = npt.NDArray[np.uint8]
    Tiles = npt.NDArray[np.int16]
    Bools = npt.NDArray[np.bool_]

_SHOWN = 40


@dataclass(frozen=True)
class Turns:
    """The n turns of a batch, seat by seat and round by round.

    ``first`` and ``count`` int32[rounds * 4] are each seat's first turn and how many it has, ``lack`` how many turns
    more than discards. ``round`` and ``seat`` (int[n]) are of each turn. ``take`` and ``discard`` int32[n] are rows of
    the tables ``takes`` and ``discards``. ``took`` and ``did`` uint8[n] are codes of event kinds, ``taken`` and
    ``given`` int16[n] the tile drawn or called, and the tile discarded. ``feeder`` int8[n] is the seat that fed a call,
    relative to the caller in a table of four, 0 for a draw.
    """

    first: Ints
    count: Ints
    lack: Ints
    round: Ints
    seat: npt.NDArray[np.int8]
    take: Ints
    discard: Ints
    took: Kinds
    did: Kinds
    taken: Tiles
    given: Tiles
    feeder: npt.NDArray[np.int8]
    takes: Table
    discards: Table
    texts: list[str]

    def take_text(self, turn: int) -> str:
        """Return the take of a turn as the file has it."""
        return self.texts[int(self.take[turn])]


def read(rounds: Rounds) -> tuple[Turns, list[Fault], list[Fault]]:
    """Return the turns of all rounds, the entries that cannot be read, and those that stand where they cannot."""
    of_takes, of_discards = Entries(takes=True), Entries(takes=False)
    take, numbers = of_takes.numbers(rounds.takes.flat), of_discards.numbers(rounds.discards.flat)
    takes, discards = of_takes.table(), of_discards.table()
    first, count = rounds.takes.first, rounds.takes.lengths
    place = _beside(rounds.takes, rounds.discards)
    discard = np.append(numbers, np.int32(-1))[place]
    hand = np.repeat(np.arange(len(count), dtype=np.int32), count)
    seat = (hand % SEATS).astype(np.int8)
    took, did = takes.kind[take], discards.kind[discard]
    taken, given = takes.tile_ids[:, 0][take], discards.tile_ids[:, 0][discard]
    # An entry that cannot be read counts as a draw or a discard of an unknown tile.
    took[took == UNREAD] = CODE["draw"]
    did[(did == UNREAD) & (discard >= 0)] = CODE["discard"]
    drawn = took == CODE["draw"]
    as_drawn = np.flatnonzero(discards.tsumogiri[discard])
    given[as_drawn] = np.where(drawn[as_drawn], taken[as_drawn], NONE)
    lone = np.flatnonzero((did == NOTHING) & (took != CODE["daiminkan"]))
    did[lone] = CODE["discard"]
    turns = Turns(
        first, count, count - rounds.discards.lengths, hand // SEATS, seat, take, discard, took, did, taken, given,
        takes.feeder[take], takes, discards, of_takes.texts,
    )  # fmt: skip
    unread = [
        *_unread("takes", rounds.takes, np.flatnonzero(takes.kind[take] == UNREAD), take, of_takes),
        *_unread("discards", rounds.discards, np.flatnonzero(discards.kind[numbers] == UNREAD), numbers, of_discards),
    ]
    return turns, unread, _unnamed(turns, lone, as_drawn[~drawn[as_drawn]])


def _beside(takes: Lists, discards: Lists) -> Ints:
    """Return for each take the place of the discard with the same number in its list, -1 for none: int32[takes]."""
    first, count = takes.first, takes.lengths
    place = np.arange(len(takes.flat), dtype=np.int32) + np.repeat(discards.first - first, count)
    _, without = expanded(first + discards.lengths, np.maximum(count - discards.lengths, 0))
    place[without] = -1
    return place


def _unread(name: str, lists: Lists, places: npt.NDArray[np.intp], number: Ints, entries: Entries) -> list[Fault]:
    """Return one fault for each entry that cannot be read."""
    faults, first = [], lists.first
    for place in places.tolist():
        hand = int(np.searchsorted(first, place, side="right")) - 1
        text = entries.texts[number[place]][:_SHOWN]
        recorded = f"{name} of seat {hand % SEATS}, entry {place - first[hand] + 1}: {text}"
        faults.append(Fault(hand // SEATS, recorded, "a tile, a call, or a kan", play=True))
    return faults


def _unnamed(turns: Turns, lone: npt.NDArray[np.intp], after_call: npt.NDArray[np.intp]) -> list[Fault]:
    """Return one fault for each entry that can stand only behind a daiminkan, or only behind a draw."""
    return [
        Fault(int(turns.round[turn]), f"{entry} in the discards of seat {turns.seat[turn]}", expected, play=True)
        for places, entry, expected in ((lone, "0", "a tile: no open kan"), (after_call, "60", "a tile: nothing drawn"))
        for turn in places.tolist()
    ]

"""Rounds → rounds, events, melds and deals of the canonical log (auditor/readers/tenhou_json/FORMAT.md 3, 4).

The format states no order of turns (order.py), no time at which an indicator is turned, and no payment of a riichi
stick. An indicator of a concealed kan is put directly behind it, and that of another kan behind its replacement draw.
A stick counts as paid unless the declaring discard is won.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from auditor.log import tables
from auditor.log.arrays import expanded, repeated, where_known
from auditor.log.event_kinds import CODE, NEW_MELDS, is_kind
from auditor.log.seats import by_seat
from auditor.log.tables import SEATS
from auditor.log.tile_ids import NONE
from auditor.readers.tenhou_json.absent import ABSENT
from auditor.readers.tenhou_json.order import Turns, order
from auditor.readers.tenhou_json.rounds import Fault, Numbered
from auditor.readers.tenhou_json.tiles import NOT_AN_ENTRY, NOTHING

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.readers.tenhou_json.order import Order
    from auditor.readers.tenhou_json.rounds import Rounds

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]

_TAKE, _TURNED_BEFORE, _RIICHI, _ACT, _DEPOSIT, _TURNED_AFTER = range(6)
"""The events that a turn can have, in their order."""
_STEPS = 6


class JsonPlay(NamedTuple):
    """The canonical tables of a batch's play, and what is wrong with it.

    ``first`` int64[rounds] is the first row of events of each round; ``result`` int64[results] the row of each result.
    """

    rounds: pl.DataFrame
    events: pl.DataFrame
    melds: pl.DataFrame
    deals: pl.DataFrame
    first: Ints
    result: Ints
    faults: list[Fault]


class Ending(NamedTuple):
    """How each round ends: ``results`` int64[rounds] results, and whether the last discard is ``won``, bool[rounds]."""

    results: Ints
    won: Bools


def read(rounds: Rounds, players: npt.NDArray[np.int8], ending: Ending) -> JsonPlay:
    """Return the play of all rounds; ``players`` int8[rounds] is how many play."""
    takes, discards = Numbered.of(rounds.takes, takes=True), Numbered.of(rounds.discards, takes=False)
    place = np.array(rounds.place, dtype=np.int64)
    dealer = np.where(place >= 0, place % SEATS, -1)
    turns, entry = _turns(rounds, takes, discards)
    found = order(turns, dealer, players.astype(np.int64))
    events = _Events.of(rounds, turns, entry, discards, found, ending)
    return JsonPlay(
        rounds=_rounds(rounds, players, dealer, found.unique, events.number[events.first]),
        events=events.table(),
        melds=events.melds(takes, discards, players),
        deals=_deals(rounds),
        first=events.first,
        result=np.flatnonzero(events.kind == CODE["result"]),
        faults=[*_unreadable(rounds, takes, discards), *_unplaced(rounds, turns, found, takes)],
    )


class _Entry(NamedTuple):
    """For each turn, the place of its take in ``takes.number`` and of what follows in ``discards.number``; -1 none."""

    take: Ints
    discard: Ints


def _turns(rounds: Rounds, takes: Numbered, discards: Numbered) -> tuple[Turns, _Entry]:
    """Pair each take with the entry of the discards that follows it."""
    count, first = rounds.takes.count, rounds.takes.first
    list_, take = expanded(first.ravel(), count.ravel())
    nth = take - first.ravel()[list_]
    there = nth < rounds.discards.count.ravel()[list_]
    discard = np.where(there, rounds.discards.first.ravel()[list_] + nth, -1)
    took, did = takes.entries, discards.entries
    of_take = takes.number[take]
    of_discard = discards.number[discard] if len(discards.number) else np.zeros(len(take), dtype=np.int64)
    kind_taken = took.kind[of_take] if len(of_take) else np.zeros(0, dtype=np.uint8)
    # An entry that cannot be read counts as a draw or a discard of an unknown tile.
    kind_taken = np.where(kind_taken == NOT_AN_ENTRY, CODE["draw"], kind_taken).astype(np.uint8)
    kind_done = np.where(there, did.kind[of_discard] if len(did.kind) else 0, NOT_AN_ENTRY)
    kind_done[there & (kind_done == NOT_AN_ENTRY)] = CODE["discard"]
    kind_done[(kind_done == NOTHING) & (kind_taken != CODE["daiminkan"])] = CODE["discard"]
    taken = took.tile_ids[of_take, 0]
    given = did.tile_ids[of_discard, 0] if len(did.kind) else taken
    given = np.where(there & _flag(did.tsumogiri, of_discard), np.where(kind_taken == CODE["draw"], taken, NONE), given)
    given = np.where(there, given, NONE).astype(np.int16)
    turns = Turns(first, count, kind_taken, kind_done.astype(np.uint8), taken, given, took.feeder[of_take])
    return turns, _Entry(take, discard)


def _flag(flags: Bools, number: npt.NDArray[np.integer]) -> Bools:
    return flags[number] if len(flags) else np.zeros(len(number), dtype=bool)


class _Events(NamedTuple):
    """The events of a batch, [n]; ``entry`` int64[n] is the place of a call in its list, ``of_take`` which list."""

    round: Ints
    number: npt.NDArray[np.uint32]
    kind: npt.NDArray[np.uint8]
    seat: npt.NDArray[np.int8]
    tile_id: npt.NDArray[np.int16]
    tsumogiri: npt.NDArray[np.bool_]
    entry: Ints
    first: Ints

    @classmethod
    def of(  # noqa: PLR0917
        cls, rounds: Rounds, turns: Turns, entry: _Entry, discards: Numbered, found: Order, ending: Ending
    ) -> _Events:
        """Lay out deals, turns with their indicators and sticks, and results, round by round."""
        count = len(rounds.game)
        turn, did = found.turn, turns.did[found.turn]
        of_discard = discards.number[entry.discard[turn]] if len(discards.number) else np.zeros(len(turn), np.int64)
        acts = did < NOTHING
        riichi = acts & _flag(discards.entries.riichi, of_discard)
        last = np.append(found.round[1:] != found.round[:-1], True)[: len(turn)]
        there = np.zeros((len(turn), _STEPS), dtype=bool)
        there[:, _TAKE], there[:, _ACT], there[:, _RIICHI] = True, acts, riichi
        there[:, _DEPOSIT] = riichi & ~(last & ending.won[found.round])
        indicator = _indicators(rounds, turns, found, there)
        row, step = np.nonzero(there)
        kind = np.choose(step, [turns.took[turn[row]], CODE["dora"], CODE["riichi"], did[row], CODE["deposit"], CODE["dora"]])
        tile = np.full(len(row), NONE, dtype=np.int16)
        tile[step == _TAKE] = turns.taken[turn[row[step == _TAKE]]]
        tile[step == _ACT] = turns.given[turn[row[step == _ACT]]]
        tile[kind == CODE["dora"]] = indicator
        place = np.where(step == _TAKE, entry.take[turn[row]], entry.discard[turn[row]])
        mark = (step == _ACT) & _flag(discards.entries.tsumogiri, of_discard)[row]
        seat = np.where(kind == CODE["dora"], -1, found.seat[row])
        ordered, rest = _between(np.bincount(found.round[row], minlength=count), ending.results)
        total = len(ordered)
        kinds = np.full(total, CODE["deal"], dtype=np.uint8)
        seats, tiles = np.tile(np.arange(SEATS), total // SEATS + 1)[:total].astype(np.int8), np.full(total, NONE, np.int16)
        marks, entries = np.zeros(total, dtype=bool), np.full(total, -1)
        deals, played, ended = (np.flatnonzero(rest == part) for part in range(3))
        seats[deals] = np.tile(np.arange(SEATS, dtype=np.int8), count)
        kinds[played], seats[played], tiles[played], marks[played], entries[played] = kind, seat, tile, mark, place
        kinds[ended], seats[ended] = CODE["result"], -1
        first = deals[::SEATS]
        number = _numbers(rounds, ordered, first, rest == 0)
        return cls(ordered, number, kinds, seats, tiles, marks, entries, first)

    def table(self) -> pl.DataFrame:
        """Return the canonical table."""
        frame = {
            "round": self.round,
            "event": self.number,
            "kind": pl.Series(self.kind).cat.to(tables.Kind),
            "seat": where_known(self.seat, self.seat >= 0),
            "tile_id": where_known(self.tile_id, self.tile_id < NONE),
            "tsumogiri": where_known(self.tsumogiri, self.kind == CODE["discard"]),
        }
        return tables.conform(frame, tables.EVENTS, ABSENT["events"])

    def melds(self, takes: Numbered, discards: Numbered, players: npt.NDArray[np.int8]) -> pl.DataFrame:
        """Return the canonical table of melds."""
        called = np.flatnonzero(is_kind(self.kind, *NEW_MELDS, "kakan", "kita"))
        fed = is_kind(self.kind[called], "chi", "pon", "daiminkan")
        tile_ids, feeder = np.full((len(called), 4), NONE, dtype=np.int16), np.zeros(len(called), dtype=np.int8)
        for chosen, source in ((fed, takes), (~fed, discards)):
            number = source.number[self.entry[called[chosen]]]
            if len(number):
                tile_ids[chosen], feeder[chosen] = source.entries.tile_ids[number], source.entries.feeder[number]
        source_seat = (self.seat[called] + feeder) % SEATS
        named = (feeder > 0) & (source_seat < players[self.round[called]])
        frame = {
            "row": called,
            "source": where_known(source_seat.astype(np.int8), named),
            **{f"p{place}": where_known(tile, tile < NONE) for place, tile in enumerate(tile_ids.T[1:].copy(), start=1)},
        }
        return tables.conform(frame, tables.MELDS)


def _between(turns: Ints, results: Ints) -> tuple[Ints, Ints]:
    """Return the round of each event, and what it is: 0 a deal, 1 of a turn, 2 a result; given how many each round has."""
    count = np.stack([np.full(len(turns), SEATS), turns, results], axis=1)
    part, _ = expanded(np.zeros(count.size, dtype=np.int64), count.ravel())
    return part // 3, part % 3


def _numbers(rounds: Rounds, round_: Ints, first: Ints, deal: Bools) -> npt.NDArray[np.uint32]:
    """Return the number of each event within its game; the deals of a round have the same number."""
    row = np.cumsum(~deal) + np.searchsorted(first, np.arange(len(round_)), side="right") - 1
    game = np.array(rounds.game, dtype=np.int64)
    begin = row[first][np.searchsorted(game, game)] if len(first) else first
    return (row - begin[round_]).astype(np.uint32)


def _indicators(rounds: Rounds, turns: Turns, found: Order, there: Bools) -> npt.NDArray[np.int16]:
    """Mark in ``there`` where further indicators are turned; return them in that order, int16[m]."""
    turn = found.turn
    ankan = np.flatnonzero(turns.did[turn] == CODE["ankan"])
    opened = np.flatnonzero((turns.did[turn] == CODE["kakan"]) | (turns.took[turn] == CODE["daiminkan"]))
    after = np.minimum(opened + 1, max(len(turn) - 1, 0))
    replaced = (after > opened) & (found.round[after] == found.round[opened]) & (turns.did[turn[after]] != NOT_AN_ENTRY)
    place = np.concatenate([ankan * _STEPS + _TURNED_AFTER, after[replaced] * _STEPS + _TURNED_BEFORE])
    place.sort()
    round_ = found.round[place // _STEPS] if len(place) else place
    nth = np.arange(len(place)) - np.searchsorted(round_, round_)
    more = np.array([max(len(each) - 1, 0) for each in rounds.dora], dtype=np.int64)
    turned = nth < more[round_] if len(place) else np.zeros(0, dtype=bool)
    there.ravel()[place[turned]] = True
    tiles = [rounds.dora[each][1 + which] for each, which in zip(round_[turned].tolist(), nth[turned].tolist(), strict=True)]
    return np.array(tiles, dtype=np.int16)


def _rounds(
    rounds: Rounds, players: npt.NDArray[np.int8], dealer: Ints, unique: Bools, number: npt.NDArray[np.uint32]
) -> pl.DataFrame:
    place, honba, sticks = (np.array(each, dtype=np.int64) for each in (rounds.place, rounds.honba, rounds.sticks))
    dora = np.array([each[0] if each else NONE for each in rounds.dora], dtype=np.int16)
    stated = np.array([each is not None for each in rounds.scores], dtype=bool)
    scores = np.array([each or [0] * SEATS for each in rounds.scores], dtype=np.int32).reshape(-1, SEATS)
    frame = {
        "round": np.arange(len(place)),
        "game": np.array(rounds.game, dtype=np.int64),
        "nth": np.array(rounds.nth, dtype=np.int64),
        "wind": where_known(place // SEATS, place >= 0),
        "dealer": where_known(dealer, place >= 0),
        "honba": where_known(honba, honba >= 0),
        "sticks": where_known(sticks, sticks >= 0),
        "start": by_seat(scores, players, stated),
        "dora": where_known(dora, dora < NONE),
        "ordered": unique,
        "event": number,
    }
    return tables.conform(frame, tables.ROUNDS, ABSENT["rounds"])


def _deals(rounds: Rounds) -> pl.DataFrame:
    hand = np.repeat(np.arange(len(rounds.deals.counts)), rounds.deals.counts)
    frame = {
        "round": hand // SEATS,
        "seat": hand % SEATS,
        "tile_id": np.array(rounds.deals.flat, dtype=np.int16),
    }
    return tables.conform(frame, tables.DEALS)


def _unreadable(rounds: Rounds, takes: Numbered, discards: Numbered) -> list[Fault]:
    """Return the entries that cannot be read, and lists of discards that are longer than those of takes."""
    found = []
    for name, lists, numbered in (("takes", rounds.takes, takes), ("discards", rounds.discards, discards)):
        wrong = np.flatnonzero((numbered.entries.kind == NOT_AN_ENTRY)[numbered.number]) if len(numbered.number) else []
        first = lists.first.ravel()
        for place in map(int, wrong):
            hand = int(np.searchsorted(first, place, side="right")) - 1
            text = numbered.texts[numbered.number[place]][:40]
            recorded = f"{name} of seat {hand % SEATS}, entry {place - first[hand] + 1}: {text}"
            found.append(Fault(hand // SEATS, recorded, "a tile, a call, or a kan", play=True))
    longer = rounds.discards.count > rounds.takes.count
    for round_, seat in np.argwhere(longer).tolist():
        counts = rounds.takes.count[round_, seat], rounds.discards.count[round_, seat]
        recorded = f"{counts[1]} discards of seat {seat} after {counts[0]} takes"
        found.append(Fault(round_, recorded, "a take before each discard", play=True, code="L004"))
    return found


def _unplaced(rounds: Rounds, turns: Turns, found: Order, takes: Numbered) -> list[Fault]:
    """Return one fault for each round whose turns cannot be put in order: the first take that has no place."""
    faults = []
    place = np.array(rounds.place, dtype=np.int64)
    for round_ in np.flatnonzero(~found.whole & (place >= 0)).tolist():
        used = np.bincount(found.seat[found.round == round_], minlength=SEATS)
        left = [seat for seat in range(SEATS) if used[seat] < turns.count[round_, seat]]
        shown = [takes.texts[takes.number[turns.first[round_, seat] + used[seat]]] for seat in left]
        named = ", ".join(f"{text[:20]} by seat {seat}" for seat, text in zip(left, shown, strict=True))
        recorded = f"takes that follow no turn: {named}"
        faults.append(Fault(round_, recorded, "takes and discards that fit together", play=True, rest=True, code="L004"))
    return faults

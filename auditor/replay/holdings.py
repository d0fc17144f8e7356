"""Who holds which tile: follow every tile from wall to hand to table, and find tiles that cannot be there."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.log.arrays import filled
from auditor.log.event_kinds import CODE, NEW_MELDS, OPEN_CALLS
from auditor.log.tables import SEATS
from auditor.log.tile_ids import BIT, KIND, NONE, PHYSICAL, TILE_IDS, TILE_SETS
from auditor.replay import calls
from auditor.replay.trust import TILE_DOUBTS, Doubt
from engine.tiles.kinds import KINDS, NORTH

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from auditor.log.tables import Log
    from auditor.replay.running_sums import Replay
    from auditor.replay.trust import Trust
    from auditor.replay.turn_order import TurnOrder

    Ints = npt.NDArray[np.int64]
    Bools = npt.NDArray[np.bool_]


_GONE, _TURNED = SEATS, SEATS + 1
"""In place of the seat that holds a tile: it left its hand, or is an indicator."""


@dataclass(frozen=True)
class Moved:
    """The n tiles that go one way: ``row`` int64[n] of ``log.events``, and ``tile_id`` int16[n]."""

    played: Replay
    row: Ints
    tile_id: npt.NDArray[np.int16]

    def __getitem__(self, chosen: Bools | Ints) -> Moved:
        """Return the tiles chosen by a mask or by number."""
        return Moved(self.played, self.row[chosen], self.tile_id[chosen])

    @property
    def round(self) -> Ints:
        """The round of each tile, int64[n]."""
        return self.played.round.take(self.row)

    @property
    def hand(self) -> Ints:
        """The number of the hand that each tile enters or leaves, int64[n]."""
        return self.played.hand.take(self.row)

    @property
    def place(self) -> Ints:
        """Return ``round * TILE_IDS + tile_id``, a number for each tile id of each round, int64[n]."""
        return self.round * TILE_IDS + self.tile_id

    def until(self, hand: Ints, tile_id: npt.NDArray[np.int16], row: Ints) -> Ints:
        """Return how often m tiles, each of a hand, move this way up to and including some rows, int64[m]."""
        rows = len(self.played.kind)
        moves = np.sort((self.hand * TILE_IDS + self.tile_id) * rows + self.row)
        begin = (hand * TILE_IDS + tile_id) * rows
        return np.searchsorted(moves, begin + row, side="right") - np.searchsorted(moves, begin)

    def table(self) -> pl.DataFrame:
        """Return the columns row, round, seat and tile_id."""
        seat = self.played.seat.take(self.row)
        return pl.DataFrame({"row": self.row, "round": self.round, "seat": seat, "tile_id": self.tile_id})


@dataclass(frozen=True)
class Moves:
    """Every tile that enters or leaves a hand in some ``rounds`` (bool[rounds of the log]) before their results.

    A called tile leaves (``left``) the hand that discards it and never comes to the caller's hand (``came``). The row
    of a dealt tile is that of the deal; the row of a round's first indicator is the round's first event.
    """

    log: Log
    played: Replay
    rounds: Bools

    @cached_property
    def came(self) -> Moved:
        """The tiles that come to a hand: those dealt, then those drawn."""
        dealt = np.repeat(self.played.rows("deal"), self.log.dealt), self.log.deals["tile_id"].to_numpy()
        return self._moved(dealt, self._of("draw"))

    @cached_property
    def left(self) -> Moved:
        """The tiles that leave a hand: those discarded, then those laid down."""
        return self._moved(self._of("discard"), _laid_down(self.played))

    @cached_property
    def turned(self) -> Moved:
        """The indicators: the first ones of the rounds, then the others."""
        return self._moved((self.played.start, filled(self.log.rounds["dora"], NONE)), self._of("dora"))

    def _of(self, *kinds: str) -> tuple[Ints, npt.NDArray[np.int16]]:
        rows = self.played.rows(*kinds)
        return rows, self.played.tile_id.take(rows)

    def _moved(self, *parts: tuple[Ints, npt.NDArray[np.int16]]) -> Moved:
        """Return the moves of these rows and tiles, except after a round's result and of tiles that are not named."""
        moved = Moved(self.played, *(np.concatenate(each) for each in zip(*parts, strict=True)))
        return moved[~self.played.over.take(moved.row) & (moved.tile_id < NONE) & self.rounds.take(moved.round)]


def _laid_down(played: Replay) -> tuple[Ints, npt.NDArray[np.int16]]:
    """Return row and tile of each tile that leaves a hand to be laid down, int64[n] and int16[n]."""
    row, tile_ids = played.made.row, played.made.tile_ids.copy()
    tile_ids[played.is_kind(*OPEN_CALLS)[row], 0] = NONE  # another seat's discard
    tile_ids[~played.is_kind(*NEW_MELDS)[row], 1:] = NONE  # laid down before
    named = tile_ids < NONE
    return np.repeat(row, named.sum(axis=1)), tile_ids[named]


@dataclass(frozen=True)
class Holdings:
    """Who holds which tile, and the faults found.

    ``owner`` int8[rounds, TILE_IDS] is the seat that holds each tile at the end of play, or another number if none
    does. It is right only in the ``plain`` rounds, bool[rounds], which have each tile once. ``moved`` has all moves.

    ``times_seen`` int32[rounds * TILE_IDS] is how often each tile of a round comes into play: is dealt, drawn or turned
    as an indicator, without draws out of order and superfluous indicators. ``twice`` (round, tile_id, row, capacity)
    has the tiles that come into play more often than the set has them (``capacity``); ``row`` is the first appearance
    too many. ``absent`` (row, round, seat, tile_id) has the departures of tiles that the hand does not hold at that
    moment. ``trust`` has the doubts so far, with those about tiles and indicators.
    """

    owner: npt.NDArray[np.int8]
    plain: Bools
    moved: Moves
    times_seen: npt.NDArray[np.int32]
    twice: pl.DataFrame
    absent: pl.DataFrame
    trust: Trust

    def held(self, hands: Ints) -> npt.NDArray[np.int8]:
        """Return how many of each tile these hands hold at the end of play, int8[n, TILE_IDS]."""
        round_ = hands // SEATS
        held: npt.NDArray[np.int8] = (self.owner[round_] == (hands % SEATS)[:, None]).view(np.int8)
        others, of_other = np.unique(hands[~self.plain[round_]], return_inverse=True)
        if len(others):
            line = np.full(len(self.plain) * SEATS, -1)
            line[others] = np.arange(len(others))
            counts = np.zeros((len(others), TILE_IDS), dtype=np.int8)
            for moved, change in ((self.moved.came, np.int8(1)), (self.moved.left, np.int8(-1))):
                mine = moved[line.take(moved.hand) >= 0]
                np.add.at(counts, (line.take(mine.hand), mine.tile_id), change)
            held[~self.plain[round_]] = counts[of_other]
        return held


def holdings(log: Log, played: Replay, order: TurnOrder, turned: pl.DataFrame) -> Holdings:
    """Follow every tile of a batch; ``turned`` has one row for each indicator, with its fault (indicators.py)."""
    wrong = turned["round"].filter(turned["fault"] != "").to_numpy()
    nameless = (played.tile_id == NONE) & played.is_kind("draw", "discard", "kakan", "ankan", "kita")
    kitas = played.rows("kita")
    unread = played.hand[np.append(np.flatnonzero(nameless), kitas[KIND[played.tile_id[kitas]] != NORTH])]
    made = calls.made_in_play(played, *NEW_MELDS, "kakan")
    formless = played.hand[made.row[calls.malformed(made, played.kind[made.row])]]
    trust = order.trust.plus(
        rounds={Doubt.INDICATORS_WRONG: wrong}, hands={Doubt.TILE_NOT_READ: unread, Doubt.NO_MELD: formless}
    )
    # A draw out of order is often a repetition, and an indicator without a kan is a fault of its own (K112): neither
    # is evidence that a tile exists twice.
    extra = turned["row"].filter(turned["fault"] == "extra").to_numpy()
    spare = np.concatenate([order.misplaced["row"].to_numpy(), extra])
    owner, plain = _owners(log, played)
    plain[played.round[spare]] = False
    times_seen = (owner >= 0).astype(np.int32)
    twice = pl.DataFrame(schema=_TWICE)
    gone = holders = Moved(played, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int16))
    if not plain.all():
        moved = Moves(log, played, ~plain)
        seen = [each[~np.isin(each.row, spare)] for each in (moved.came, moved.turned)]
        capacity = capacities(log)
        counts = np.bincount(np.concatenate([each.place for each in seen]), minlength=capacity.size)
        times_seen[~plain] = counts.reshape(capacity.shape)[~plain]
        often = counts > capacity.ravel()
        twice, holders = _too_often(seen, often, capacity.ravel()), moved.came[often[moved.came.place]]
        gone = moved.left[_not_held(moved)]
        gone = gone[~often[gone.place] & trust.hands.free_of(TILE_DOUBTS)[gone.hand]]
    trust = trust.plus(
        rounds={Doubt.EXTRA_COPY: twice["round"].to_numpy()},
        hands={Doubt.TILE_NOT_HELD: gone.hand, Doubt.HOLDS_EXTRA_COPY: holders.hand},
    )
    all_moves = Moves(log, played, np.ones_like(plain))
    return Holdings(owner, plain, all_moves, times_seen.ravel(), twice, gone.table(), trust)


def _owners(log: Log, played: Replay) -> tuple[npt.NDArray[np.int8], Bools]:
    """Return the owner of each tile at the end of play, int8[rounds, TILE_IDS], and the plain rounds, bool[rounds].

    In a plain round all tiles are physical ones of the set. Each comes once, to a hand or as an indicator, and leaves
    at most once: later, and from the hand that it came to. So it has no fault, and :class:`Moves` need not be examined.
    """
    width = TILE_IDS + 1  # the last is for NONE
    owner = np.full(played.rounds * width, -1, dtype=np.int8)
    since = np.zeros(len(owner), dtype=np.int32)
    plain = np.ones(played.rounds, dtype=bool)
    place = played.round * width + played.tile_id
    begin, seat = np.repeat(np.arange(played.rounds) * width, SEATS), np.arange(SEATS, dtype=np.int8)
    dealt = np.repeat(begin, log.dealt) + log.deals["tile_id"].to_numpy()
    owner[dealt] = np.repeat(np.tile(seat, played.rounds), log.dealt)
    draws, discards, (laid, laid_tile) = played.rows("draw"), played.rows("discard"), _laid_down(played)
    drawn = place.take(draws)
    owner[drawn], since[drawn] = played.seat.take(draws), draws
    # Each tile once: as many tiles have an owner as came. To count how often each came would take three times as long.
    if np.count_nonzero(owner >= 0) < len(dealt) + len(drawn):
        plain[_repeated(dealt, drawn) // width] = False
    row = np.concatenate([discards, laid])
    left = np.concatenate([place.take(discards), played.round[laid] * width + laid_tile])
    wrong = (owner.take(left) != played.seat.take(row)) | (since.take(left) > row)
    plain[played.round[row[wrong]]] = False
    owner[left] = _GONE
    if np.count_nonzero(owner == _GONE) < len(left):
        plain[_repeated(left) // width] = False
    turned = np.concatenate([begin[::SEATS] + filled(log.rounds["dora"], NONE), place[played.rows("dora")]])
    plain[turned[owner[turned] >= 0] // width] = False
    plain[_repeated(turned) // width] = False
    owner[turned] = _TURNED
    owners = owner.reshape(-1, width)[:, :TILE_IDS]
    plain[(owners[:, PHYSICAL:] >= 0).any(axis=1)] = False
    for rows, absent in _absent_tiles(log):
        plain[rows[(owners[rows[:, None], absent] >= 0).any(axis=1)]] = False
    late = np.flatnonzero(played.over)
    plain[played.round[late[played.kind[late] != CODE["result"]]]] = False
    return owners, plain


def _repeated(*numbers: Ints) -> Ints:
    """Return the numbers that occur more than once among all these."""
    ordered = np.sort(np.concatenate(numbers))
    again: Ints = ordered[1:][ordered[1:] == ordered[:-1]]
    return again


def _not_held(moved: Moves) -> Bools:
    """Return which departures are of tiles not held: a hand's nth departure of a tile needs its nth arrival before.

    A departure of a tile not held counts once: the same tile, drawn and used later, is held then.
    """
    left = moved.left
    order = np.lexsort((left.row, left.hand * TILE_IDS + left.tile_id))
    like = (left.hand * TILE_IDS + left.tile_id)[order]
    first = np.searchsorted(like, like)
    nth = np.arange(1, len(order) + 1) - first
    lacking = nth - moved.came.until(left.hand[order], left.tile_id[order], left.row[order])
    # The most that was lacking so far, of each tile of each hand; ``first`` rises with the tile.
    width = len(order) + 1
    most = np.maximum.accumulate(first * width + np.maximum(lacking, 0)) - first * width
    absent = np.empty(len(order), dtype=bool)
    absent[order] = most > np.where(nth == 1, 0, np.append(0, most)[:-1])
    return absent


_TWICE = {"round": pl.Int64, "tile_id": pl.Int16, "row": pl.Int64, "capacity": pl.UInt8}


def _too_often(seen: list[Moved], often: Bools, capacity: npt.NDArray[np.uint8]) -> pl.DataFrame:
    """Return the tiles that a round has more often than its set (capacity), with the row of the first one too many.

    ``often`` and ``capacity`` are by place.
    """
    if not often.any():
        return pl.DataFrame(schema=_TWICE)
    many = pl.concat([each[often.take(each.place)].table() for each in seen])
    return (
        many.with_columns(
            capacity=pl.Series(capacity[many["round"].to_numpy() * TILE_IDS + many["tile_id"].to_numpy()])
        )
        .sort("row", maintain_order=True)
        .group_by("round", "tile_id", maintain_order=True)
        .agg(pl.col("row").get(pl.col("capacity").first()), pl.col("capacity").first())
        .sort("row")
    )


def capacities(log: Log) -> npt.NDArray[np.uint8]:
    """Return how many of each tile each round's set has, uint8[rounds, TILE_IDS]; one of each physical tile."""
    sets = np.ones((len(log.rules), TILE_IDS), dtype=np.uint8)
    sets[:, PHYSICAL:] = 4
    for row, rules in enumerate(log.rules):
        for suit, reds in enumerate(rules.red_fives or ()):
            sets[row, PHYSICAL + KINDS + suit] = reds
            sets[row, PHYSICAL + 4 + 9 * suit] = 4 - reds
    if not len(log.rules):
        return np.ones((0, TILE_IDS), dtype=np.uint8)
    found: npt.NDArray[np.uint8] = sets[log.games["rules"].to_numpy()[log.rounds["game"].to_numpy()]]
    for rows, absent in _absent_tiles(log):
        found[rows[:, None], absent] = 0
    return found


def _absent_tiles(log: Log) -> Iterator[tuple[Ints, Ints]]:
    """Yield for each number of players whose set lacks tiles: the rounds, and the ids of these tiles."""
    for players, kinds in TILE_SETS.items():
        absent = np.flatnonzero(BIT & ~np.int64(kinds))
        rows = np.flatnonzero(log.players == players) if len(absent) else absent
        if len(rows):
            yield rows, absent

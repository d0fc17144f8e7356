"""Rounds as JSON has them → numbers: counters, scores, deals, takes and discards (auditor/readers/tenhou_json/FORMAT.md 2).

A round is a list of 17: three counters, the scores, the indicators, the ura dora indicators, three lists for each seat
(deal, takes, discards), and the result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.log.columns import RANGES, SEATS
from auditor.log.tile_ids import NONE
from auditor.readers.tenhou_json.tiles import TILE_ID, Entries, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from auditor.readers.tenhou_json.documents import Game

    Ints = npt.NDArray[np.int64]

LENGTH = 17
_FIRST_LIST = 4
_EMPTY: list[Any] = [[], [], [], [], *([[]] * 12), []]
_SHOWN = 60
_HONBA, _STICKS, _SCORE = (RANGES["rounds"][name] for name in ("honba", "sticks", "start"))


@dataclass
class Fault:
    """Something in a round that cannot be read; ``play`` and ``rest`` are those of the table problems."""

    round: int
    recorded: str
    expected: str
    play: bool = False
    rest: bool = False
    code: str = "L003"


@dataclass
class Lists:
    """A list for each seat of each round: ``flat`` entries, and how many each list has, int64[rounds, 4]."""

    flat: list[Any] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def add(self, lists: list[list[Any]]) -> None:
        """Add the lists of the four seats of the next round."""
        self.flat.extend(chain.from_iterable(lists))
        self.counts.extend(map(len, lists))

    @property
    def count(self) -> Ints:
        """How many entries each list has, int64[rounds, 4]."""
        return np.array(self.counts, dtype=np.int64).reshape(-1, SEATS)

    @property
    def first(self) -> Ints:
        """The place in ``flat`` where each list begins, int64[rounds, 4]."""
        count = self.count
        return (np.cumsum(count) - count.ravel()).reshape(-1, SEATS)


@dataclass
class Rounds:
    """All rounds of a batch, in order.

    Lists with one entry for each round: ``game``, ``nth``, ``place`` (4 * wind + dealer), ``honba``, ``sticks`` (-1
    where they cannot be read), ``scores`` (None likewise), ``dora`` and ``ura`` (tile ids), ``results`` (as JSON).
    """

    game: list[int] = field(default_factory=list)
    nth: list[int] = field(default_factory=list)
    place: list[int] = field(default_factory=list)
    honba: list[int] = field(default_factory=list)
    sticks: list[int] = field(default_factory=list)
    scores: list[list[int] | None] = field(default_factory=list)
    dora: list[list[int]] = field(default_factory=list)
    ura: list[list[int]] = field(default_factory=list)
    results: list[list[Any]] = field(default_factory=list)
    deals: Lists = field(default_factory=Lists)
    takes: Lists = field(default_factory=Lists)
    discards: Lists = field(default_factory=Lists)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, recorded: object, expected: str, *, play: bool = False, rest: bool = False) -> None:
        """Report a fault of the round that is being read."""
        self.faults.append(Fault(len(self.game) - 1, str(recorded)[:_SHOWN], expected, play, rest))


def players(game: Game) -> int:
    """Return how many play: three if the lists of the fourth seat are empty in every round."""
    last = [each[13:16] for each in game.rounds if isinstance(each, list) and len(each) == LENGTH]
    return 3 if last and not any(any(lists) for lists in last) else SEATS


def read(games: Sequence[Game], seats: Sequence[int]) -> Rounds:
    """Return the rounds of games; ``seats`` is the number of players of each."""
    found = Rounds()
    for number, (game, count) in enumerate(zip(games, seats, strict=True)):
        for nth, each in enumerate(game.rounds):
            found.game.append(number)
            found.nth.append(nth)
            _read_round(found, each, count)
    return found


def _read_round(found: Rounds, value: Any, seats: int) -> None:  # noqa: ANN401 - whatever JSON holds
    """Add one round."""
    if not isinstance(value, list) or len(value) != LENGTH or set(map(type, value)) != {list}:
        found.fault(f"round {value}", f"a list of {LENGTH} lists", play=True, rest=True)
        value = _EMPTY
    place, honba, sticks = _counters(found, value[0], seats)
    found.place.append(place)
    found.honba.append(honba)
    found.sticks.append(sticks)
    found.scores.append(_scores(found, value[1], seats))
    found.dora.append(_indicators(found, value[2], "indicators"))
    found.ura.append(_indicators(found, value[3], "ura dora indicators"))
    if seats < SEATS and any(value[_FIRST_LIST + 3 * seats : -1]):
        found.fault(f"lists of seat {seats}: {value[_FIRST_LIST + 3 * seats : -1]}", f"none: {seats} play", play=True)
        value = [*value[: _FIRST_LIST + 3 * seats], [], [], [], value[-1]]
    deals = [_tiles(deal) for deal in value[_FIRST_LIST:-1:3]]
    for seat, deal in enumerate(deals):
        if None in deal:
            found.fault(f"deal of seat {seat}: {value[_FIRST_LIST + 3 * seat]}", "numbers of tiles")
            deal.clear()
    found.deals.add(deals)
    found.takes.add(value[_FIRST_LIST + 1 : -1 : 3])
    found.discards.add(value[_FIRST_LIST + 2 : -1 : 3])
    found.results.append(value[-1])


def _counters(found: Rounds, value: list[Any], seats: int) -> tuple[int, int, int]:
    """Return the round's place (4 * wind + dealer), honba and sticks; -1 each if they cannot be read."""
    if value is _EMPTY[0]:
        return -1, -1, -1
    fits = len(value) >= 3 and set(map(type, value[:3])) == {int}  # noqa: PLR2004
    if fits:
        place, honba, sticks = value[:3]
        fits = 0 <= place < SEATS * SEATS and place % SEATS < seats
        if fits and 0 <= honba <= _HONBA.high and 0 <= sticks <= _STICKS.high:
            return place, honba, sticks
    found.fault(f"counters {value}", "round 0 to 15, honba, riichi sticks")
    return -1, -1, -1


def _scores(found: Rounds, value: list[Any], seats: int) -> list[int] | None:
    """Return four scores; None if they cannot be read."""
    if value is _EMPTY[1]:
        return None
    fits = len(value) in {seats, SEATS} and set(map(type, value)) == {int}
    if fits and _SCORE.low <= min(value) and max(value) <= _SCORE.high and not any(value[seats:]):
        return [*value, *[0] * (SEATS - len(value))]
    found.fault(f"scores {value}", f"{seats} scores")
    return None


def _indicators(found: Rounds, value: list[Any], name: str) -> list[int]:
    """Return indicators as tile ids; none if they cannot be read."""
    tiles = [TILE_ID.get(each, NONE) if type(each) is int else NONE for each in value]
    if NONE not in tiles:
        return tiles
    found.fault(f"{name} {value}", "numbers of tiles")
    return []


def _tiles(value: list[Any]) -> list[int | None]:
    """Return the tile id of each number; None for what is no tile."""
    try:
        return list(map(TILE_ID.get, value))
    except TypeError:  # a list or an object among them
        return [None]


@dataclass(frozen=True)
class Numbered:
    """The takes, or the discards, of all rounds as numbers of different entries, int32[n], and these entries."""

    number: npt.NDArray[np.int32]
    entries: Table
    texts: list[str]

    @classmethod
    def of(cls, lists: Lists, *, takes: bool) -> Numbered:
        """Read all entries of these lists."""
        entries = Entries(takes=takes)
        number = entries.numbers(lists.flat)
        return cls(number, entries.table(), entries.texts)

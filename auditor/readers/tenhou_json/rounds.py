"""Rounds as JSON has them → numbers: counters, scores, deals, entries (auditor/readers/tenhou_json/FORMAT.md 3).

A round is a list of 17: three counters, the scores, the indicators, the ura dora indicators, three lists for each seat
(deal, takes, discards), and the result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.log.columns import RANGES, SEATS
from auditor.log.tile_ids import HAND_SIZE, NONE
from auditor.readers.json_text import shown
from auditor.readers.tenhou_json.tiles import TILE_ID

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    Ints = npt.NDArray[np.int32]

LENGTH = 17
_DEAL, _TAKES, _DISCARDS, _RESULT = 4, 5, 6, 16
"""The places of the first seat's lists and of the result; each further seat has its lists three places on."""
_UNREAD: list[list[Any]] = [[]] * LENGTH
"""In place of a round that is none."""
_DORA = "indicators"
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


class Lists(list[list[Any]]):
    """Lists of entries. What is derived from them is kept, so it must not be asked for before all lists are there."""

    @cached_property
    def flat(self) -> list[Any]:
        """All entries, one list after the other."""
        return list(chain.from_iterable(self))

    @cached_property
    def lengths(self) -> Ints:
        """How many entries each list has, int32[lists]."""
        return np.fromiter(map(len, self), dtype=np.int32, count=len(self))

    @cached_property
    def first(self) -> Ints:
        """The place in ``flat`` where each list begins, int32[lists]."""
        return np.cumsum(self.lengths, dtype=np.int32) - self.lengths


@dataclass
class Rounds:
    """All rounds of a batch, in order.

    Lists with one entry for each round: ``game``, ``nth``, ``place`` (4 * wind + dealer), ``honba``, ``sticks`` (-1
    where they cannot be read), ``scores`` (None likewise) and ``results`` (as JSON). ``dora`` and ``ura`` have a list
    of tile ids for each round; ``deals``, ``takes`` and ``discards`` (as JSON) one for each seat of each round.
    """

    game: list[int] = field(default_factory=list)
    nth: list[int] = field(default_factory=list)
    place: list[int] = field(default_factory=list)
    honba: list[int] = field(default_factory=list)
    sticks: list[int] = field(default_factory=list)
    scores: list[list[int] | None] = field(default_factory=list)
    results: list[list[Any]] = field(default_factory=list)
    dora: Lists = field(default_factory=Lists)
    ura: Lists = field(default_factory=Lists)
    deals: Lists = field(default_factory=Lists)
    takes: Lists = field(default_factory=Lists)
    discards: Lists = field(default_factory=Lists)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, name: str, value: object, expected: str, *, play: bool = False, rest: bool = False) -> None:
        """Report a fault of the round that is being read."""
        self.faults.append(Fault(len(self.game) - 1, f"{name} {shown(value)}", expected, play, rest))


def players(rounds: Sequence[Any]) -> int | None:
    """Return how many play: three if the fourth seat has no tile in most rounds; None if there is no round."""
    last = [each[-4:-1] for each in rounds if isinstance(each, list) and len(each) == LENGTH]
    empty = sum(not any(lists) for lists in last)
    return None if not last else SEATS - 1 if 2 * empty > len(last) else SEATS


def read(games: Sequence[Sequence[Any]], seats: Sequence[int]) -> Rounds:
    """Return the rounds of games; ``seats`` is the number of players of each."""
    found = Rounds()
    for number, (rounds, count) in enumerate(zip(games, seats, strict=True)):
        for nth, each in enumerate(rounds):
            found.game.append(number)
            found.nth.append(nth)
            _read_round(found, each, count)
    _check_deals(found)
    return found


def _read_round(found: Rounds, value: Any, seats: int) -> None:  # noqa: ANN401 - whatever JSON holds
    """Add one round."""
    if not isinstance(value, list) or len(value) != LENGTH or set(map(type, value)) != {list}:
        number = f"a list of {len(value)}:" if isinstance(value, list) else ""
        found.fault(f"round {number}".strip(), value, f"a list of {LENGTH} lists", play=True, rest=True)
        value = _UNREAD
    place, honba, sticks = _counters(found, value[0], seats)
    found.place.append(place)
    found.honba.append(honba)
    found.sticks.append(sticks)
    found.scores.append(_scores(found, value[1], seats))
    found.dora.append(_indicators(found, _DORA, value[2]))
    found.ura.append(_indicators(found, "ura dora indicators", value[3]))
    if seats < SEATS and any(value[-4:-1]):
        found.fault(f"lists of seat {seats}", value[-4:-1], f"none: {seats} play", play=True)
        value = [*value[:-4], [], [], [], value[-1]]
    found.deals += value[_DEAL:_RESULT:3]
    found.takes += value[_TAKES:_RESULT:3]
    found.discards += value[_DISCARDS:_RESULT:3]
    if value is not _UNREAD and not all(value[_DEAL : _DEAL + 3 * seats : 3]):
        seat = next(seat for seat in range(seats) if not value[_DEAL + 3 * seat])
        found.fault(f"deal of seat {seat}", [], f"{HAND_SIZE} tiles")
    found.results.append(value[_RESULT])


def _counters(found: Rounds, value: list[Any], seats: int) -> tuple[int, int, int]:
    """Return the round's place (4 * wind + dealer), honba and sticks; -1 each if they cannot be read."""
    if value is _UNREAD[0]:
        return -1, -1, -1
    fits = len(value) == 3 and set(map(type, value)) == {int}
    if not fits:
        found.fault("counters", value, "round, honba, riichi sticks", play=True, rest=True)
        return -1, -1, -1
    place, honba, sticks = value
    if not (0 <= place < SEATS * SEATS and place % SEATS < seats):
        # Without the dealer nobody knows who begins.
        found.fault("round", place, f"0 to 15, with a dealer from 0 to {seats - 1}", play=True, rest=True)
        place = -1
    if not (0 <= honba <= _HONBA.high and 0 <= sticks <= _STICKS.high):
        found.fault("honba and riichi sticks", value[1:], f"each {_HONBA}")
        honba, sticks = (each if 0 <= each <= _HONBA.high else -1 for each in value[1:])
    return place, honba, sticks


def _scores(found: Rounds, value: list[Any], seats: int) -> list[int] | None:
    """Return four scores; None if they cannot be read."""
    if value is _UNREAD[0]:
        return None
    fits = len(value) in {seats, SEATS} and set(map(type, value)) == {int} and not any(value[seats:])
    if fits and _SCORE.low <= min(value) and max(value) <= _SCORE.high:
        return value if len(value) == SEATS else [*value, 0]
    found.fault("scores", value, f"{seats} scores")
    return None


def _indicators(found: Rounds, name: str, value: list[Any]) -> list[int]:
    """Return indicators as tile ids; none if they cannot be read."""
    tiles = [TILE_ID.get(each, NONE) if type(each) is int else NONE for each in value]
    if NONE not in tiles and (tiles or name != _DORA or value is _UNREAD[0]):
        return tiles
    found.fault(name, value, "numbers of tiles")
    return []


def _check_deals(found: Rounds) -> None:
    """Report the deals that cannot be read, and empty them."""
    try:
        if all(map(TILE_ID.__contains__, chain.from_iterable(found.deals))):
            return
    except TypeError:  # a list or an object among them
        pass
    for hand, deal in enumerate(found.deals):
        if not all(isinstance(each, int) and each in TILE_ID for each in deal):
            recorded = f"deal of seat {hand % SEATS} {shown(deal)}"
            found.faults.append(Fault(hand // SEATS, recorded, "numbers of tiles"))
            found.deals[hand] = []

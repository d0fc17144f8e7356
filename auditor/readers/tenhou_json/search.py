"""Searches the order of turns of one round, where following each call at once fails or may not be the only way."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from auditor.log.columns import SEATS
from auditor.log.event_kinds import CODE
from auditor.readers.tenhou_json.tiles import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from auditor.readers.tenhou_json.turns import Turns

_STAYS = frozenset([*(CODE[kind] for kind in ("ankan", "kakan", "kita")), NOTHING])
_MOST_TURNS = 150
"""Rounds with more turns are not searched. None can have so many: 70 tiles can be drawn, and each seat can call four."""
_MOST_STATES = 50_000
"""After so many states the search gives up; real rounds need some hundred."""


class _GaveUpError(Exception):
    """The search takes too long."""


class Found(NamedTuple):
    """An order that uses all turns of a round, as the seats that act (empty for none), and whether no other does."""

    seats: list[int]
    unique: bool


def search(turns: Turns, round_: int, dealer: int, players: int) -> Found | None:
    """Return the order of the turns of a round; None if the search takes too long."""
    first = turns.first[round_ * SEATS : (round_ + 1) * SEATS].tolist()
    count = turns.count[round_ * SEATS : (round_ + 1) * SEATS].tolist()
    if sum(count) > _MOST_TURNS:
        return None
    did, wanted, offered = (
        [each[begin : begin + many].tolist() for begin, many in zip(first, count, strict=True)]
        for each in (turns.did, turns.wanted, turns.offered)
    )
    seen = 0

    def following(seat: int, done: tuple[int, ...]) -> Iterator[tuple[int, bool]]:
        """Yield each seat that can act after a seat's last turn, and whether by a call."""
        last = done[seat] - 1
        if did[seat][last] in _STAYS:
            yield seat, False
        elif did[seat][last] == CODE["discard"]:
            for other in range(SEATS):
                if done[other] < count[other] and wanted[other][done[other]] == offered[seat][last]:
                    yield other, True
            yield (seat + 1) % players, False

    @cache
    def ways(seat: int, called: bool, done: tuple[int, ...]) -> tuple[int, list[int]]:  # noqa: FBT001
        """Return how many orders there are from here on, at most 2, and one of them."""
        nonlocal seen
        seen += 1
        if seen > _MOST_STATES:
            raise _GaveUpError
        if done[seat] >= count[seat] or (wanted[seat][done[seat]] >= 0) != called:
            return 0, []
        done = (*done[:seat], done[seat] + 1, *done[seat + 1 :])
        if list(done) == count:
            return 1, [seat]
        total, path = 0, []
        for other, by_call in following(seat, done):
            more, rest = ways(other, by_call, done)
            total, path = total + more, path or rest
        return min(total, 2), [seat, *path] if total else []

    try:
        total, path = ways(dealer, False, (0,) * SEATS)
    except _GaveUpError:
        return None
    return Found(path, total < 2)  # noqa: PLR2004

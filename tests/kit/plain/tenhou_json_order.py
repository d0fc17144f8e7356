"""A second, slow search of the order of turns in a round of Tenhou's JSON: it tries every order, turn by turn.

It shares no code with the reader, so an error would have to occur in both.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

CALL = re.compile(r"((?:\d\d)*)([cpm])(\d\d)")
AWAY = {0: 3, 2: 2, 4: 1, 6: 1}
"""By the place of the letter: how many seats after the caller the feeder sits."""


def called(take: Any, seat: int) -> tuple[int, int] | None:
    """Return the seat and tile that a take calls; None for a draw."""
    found = CALL.match(take) if isinstance(take, str) else None
    return ((seat + AWAY[len(found[1])]) % 4, int(found[3])) if found else None


def thrown(take: Any, entry: Any) -> int | None:
    """Return the tile that an entry of the discards throws; None if it throws none."""
    text = str(entry).removeprefix("r")
    if text == "60":
        return int(take)
    return int(text) if text.isdecimal() and text != "0" else None


def orders(round_: list[Any], players: int, most: int = 2) -> list[list[int]]:
    """Return up to ``most`` orders in which all takes fit, each as the seats that act."""
    takes, discards = [round_[5 + 3 * seat] for seat in range(4)], [round_[6 + 3 * seat] for seat in range(4)]

    def after(seat: int, done: list[int], path: list[int], by_call: bool) -> Iterator[list[int]]:
        nth = done[seat]
        if nth == len(takes[seat]) or (called(takes[seat][nth], seat) is not None) != by_call:
            return
        done, path = [*done[:seat], nth + 1, *done[seat + 1 :]], [*path, seat]
        if done == list(map(len, takes)):
            yield path
            return
        if nth >= len(discards[seat]):
            return
        entry = discards[seat][nth]
        tile = thrown(takes[seat][nth], entry)
        if tile is None:
            yield from after(seat, done, path, False)
            return
        for other in range(4):
            if done[other] < len(takes[other]) and called(takes[other][done[other]], other) == (seat, tile):
                yield from after(other, done, path, True)
        yield from after((seat + 1) % players, done, path, False)

    found = []
    for path in after(round_[0][0] % 4, [0] * 4, [], False):
        found.append(path)
        if len(found) == most:
            break
    return found


def random_round(rng: Random, players: int, turns: int) -> tuple[list[Any], list[int]]:
    """Return a round with calls of few tiles, and the order in which it was made; hands and walls do not matter."""
    tiles = [11, 12, 51]
    takes: list[list[Any]] = [[], [], [], []]
    discards: list[list[Any]] = [[], [], [], []]
    dealer = rng.randrange(players)
    seat, take, path = dealer, rng.choice(tiles), []
    for turn in range(turns):
        path.append(seat)
        takes[seat].append(take)
        if turn == turns - 1:
            break
        if isinstance(take, str) and "m" in take:
            discards[seat].append(0)
            take = rng.choice(tiles)
            continue
        kind = rng.random()
        if kind < 0.04 and not isinstance(take, str):
            discards[seat].append(rng.choice(("111111a11", "f44")))
            take = rng.choice(tiles)
            continue
        entry = 60 if kind < 0.4 and not isinstance(take, str) else rng.choice(tiles)
        tile = take if entry == 60 else entry
        discards[seat].append(entry)
        if rng.random() < 0.45:
            caller = rng.choice([other for other in range(players) if other != seat])
            away = (seat - caller) % 4
            letter = rng.choice("cppm" if away == 3 else "ppm")
            own = {"c": 2, "p": 2, "m": 3}[letter]
            place = {3: 0, 2: 1, 1: own}[away]
            take = "".join([*["11"] * place, f"{letter}{tile}", *["11"] * (own - place)])
            seat = caller
        else:
            seat, take = (seat + 1) % players, rng.choice(tiles)
    lists = [each for other in range(4) for each in ([11] * 13 * (other < players), takes[other], discards[other])]
    return [[dealer, 0, 0], [25000] * players + [0] * (4 - players), [11], [], *lists, []], path

"""What a yaku is, and the list of all: yaku.py fills it by its declarations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.arrays import I8, Bools, Ints
    from engine.features import Features

    Condition = Callable[[Features], Bools]

YAKU_COUNT = 55
DORA, URA_DORA, RED_FIVE = 52, 53, 54


@dataclass(frozen=True, slots=True)
class Yaku:
    """One yaku.

    Attributes
    ----------
    id
        Tenhou's number.
    kanji, romaji
        Names.
    meaning
        What it asks for, in English.
    holds
        Tells for which readings it holds, before replacement.
    closed, open
        Han; 0 where it does not count. Both 0 for a yakuman.
    yakuman
        Units; 0 for an ordinary yaku.
    double
        Whether ``double_yakuman`` makes it two units.
    beats
        Numbers of the yaku that it replaces.
    """

    id: int
    kanji: str
    romaji: str
    meaning: str
    holds: Condition
    closed: int = 0
    open: int = 0
    yakuman: int = 0
    double: bool = False
    beats: tuple[int, ...] = ()


ALL_YAKU: list[Yaku] = []
"""In the order of their declaration."""


def yaku(
    number: int,
    kanji: str,
    romaji: str,
    *,
    closed: int = 0,
    open: int = 0,  # noqa: A002 - the game's word for a hand with called tiles
    beats: tuple[int, ...] = (),
) -> Callable[[Condition], Condition]:
    """Declare a yaku worth so many han; the condition's docstring is its meaning."""

    def declare(holds: Condition) -> Condition:
        meaning = holds.__doc__ or ""
        ALL_YAKU.append(Yaku(number, kanji, romaji, meaning, holds, closed=closed, open=open, beats=beats))
        return holds

    return declare


def yakuman(
    number: int, kanji: str, romaji: str, *, double: bool = False, beats: tuple[int, ...] = ()
) -> Callable[[Condition], Condition]:
    """Declare a yakuman."""

    def declare(holds: Condition) -> Condition:
        meaning = holds.__doc__ or ""
        ALL_YAKU.append(Yaku(number, kanji, romaji, meaning, holds, yakuman=1, double=double, beats=beats))
        return holds

    return declare


def worth_of(f: Features, entries: list[Yaku], value: Callable[[Yaku], Ints]) -> I8:
    """Value yaku where they hold, replaced ones left out; int8 [55, rows]."""
    worth = np.zeros((YAKU_COUNT, len(f.kinds)), dtype=np.int8)
    for entry in entries:
        worth[entry.id] = entry.holds(f) * value(entry)
    for entry in entries:
        for beaten in entry.beats:
            worth[beaten][worth[entry.id] > 0] = 0
    return worth

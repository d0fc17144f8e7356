"""What a yaku is, and the list of all, filled by the declarations of the modules that define them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.tiles.arrays import I8, Bools, Ints
    from engine.yaku.features import Features

    Condition = Callable[[Features], Bools]

YAKU_COUNT = 160
"""Numbers of yaku lie below this. 0-54 are Tenhou's, 110 and more are free for local ones (engine/README.md)."""

FIRST_LOCAL = 110
DORA, URA_DORA, RED_FIVE = 52, 53, 54


@dataclass(frozen=True, slots=True)
class Yaku:
    """One yaku.

    Attributes
    ----------
    id
        Tenhou's number, or one of the auditor's own.
    name
        One word, as rule files write it.
    kanji, romaji, english
        Names.
    meaning
        What it asks for, and where that is recorded.
    holds
        Tells for which readings it holds, before replacement; None for dora, which are counted.
    closed, open
        Han; 0 where it does not count. Both 0 for a yakuman.
    yakuman
        Units; 0 for an ordinary yaku.
    double
        Whether ``double_yakuman`` makes it two units.
    beats
        Numbers of the yaku that it replaces.
    majiang
        Name in 電脳麻将; empty where it has none.
    mahjong_soul
        Number in Mahjong Soul; 0 where it has none.
    local
        Whether it counts only where the rule ``local_yaku`` names it.
    """

    id: int
    name: str
    kanji: str
    romaji: str
    english: str
    meaning: str
    holds: Condition | None
    closed: int = 0
    open: int = 0
    yakuman: int = 0
    double: bool = False
    beats: tuple[int, ...] = ()
    majiang: str = ""
    mahjong_soul: int = 0
    local: bool = False

    @property
    def tenhou(self) -> int | None:
        """Tenhou's number, None where Tenhou has no such yaku."""
        return self.id if self.id < FIRST_LOCAL else None


ALL_YAKU: list[Yaku] = []
"""In the order of their declaration, dora included."""


def yaku(
    number: int,
    kanji: str,
    romaji: str,
    english: str,
    *,
    closed: int = 0,
    open: int = 0,  # noqa: A002 - the game's word for a hand with called tiles
    beats: tuple[int, ...] = (),
    majiang: str | None = None,
    mahjong_soul: int = 0,
    name: str = "",
) -> Callable[[Condition], Condition]:
    """Declare a yaku worth so many han; the condition's docstring is its meaning, its name the yaku's."""

    def declare(holds: Condition) -> Condition:
        _add(
            Yaku(
                number, name or holds.__name__, kanji, romaji, english, holds.__doc__ or "", holds, closed=closed,
                open=open, beats=beats, majiang=_majiang(number, kanji, majiang), mahjong_soul=mahjong_soul,
                local=number >= FIRST_LOCAL,
            )
        )  # fmt: skip
        return holds

    return declare


def yakuman(
    number: int,
    kanji: str,
    romaji: str,
    english: str,
    *,
    double: bool = False,
    beats: tuple[int, ...] = (),
    majiang: str | None = None,
    mahjong_soul: int = 0,
) -> Callable[[Condition], Condition]:
    """Declare a yakuman."""

    def declare(holds: Condition) -> Condition:
        _add(
            Yaku(
                number, holds.__name__, kanji, romaji, english, holds.__doc__ or "", holds, yakuman=1, double=double,
                beats=beats, majiang=_majiang(number, kanji, majiang), mahjong_soul=mahjong_soul,
                local=number >= FIRST_LOCAL,
            )
        )  # fmt: skip
        return holds

    return declare


def counted(number: int, kanji: str, romaji: str, english: str, *, meaning: str, mahjong_soul: int) -> None:
    """Declare what adds han but is no yaku."""
    name = romaji.replace(" ", "_")
    _add(Yaku(number, name, kanji, romaji, english, meaning, None, majiang=kanji, mahjong_soul=mahjong_soul))


def _majiang(number: int, kanji: str, name: str | None) -> str:
    """電脳麻将 writes most names as Tenhou does, and has no local yaku."""
    return name if name is not None else kanji if number < FIRST_LOCAL else ""


def _add(entry: Yaku) -> None:
    taken = [other.name for other in ALL_YAKU if other.id == entry.id and bool(other.yakuman) == bool(entry.yakuman)]
    if taken or not 0 <= entry.id < YAKU_COUNT:
        raise ValueError(f"{entry.name} cannot be yaku {entry.id}: {taken or f'numbers lie below {YAKU_COUNT}'}")
    ALL_YAKU.append(entry)


def worth_of(f: Features, entries: list[Yaku], value: Callable[[Yaku], Ints]) -> I8:
    """Value yaku where they hold and the rules have them, replaced ones left out; int8 [``YAKU_COUNT``, rows]."""
    worth = np.zeros((YAKU_COUNT, len(f.kinds)), dtype=np.int8)
    played = [entry for entry in entries if not entry.local or f.rules.plays_anywhere(entry.name)]
    for entry in played:
        if entry.holds is not None:
            holds = entry.holds(f) & f.rules.plays(entry.name) if entry.local else entry.holds(f)
            worth[entry.id] = holds * value(entry)
    for entry in played:
        for beaten in entry.beats:
            worth[beaten][worth[entry.id] > 0] = 0
    return worth

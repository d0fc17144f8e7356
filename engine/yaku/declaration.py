"""`Yaku`: the record of one yaku; the decorators that declare one; and the list that they fill."""

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
"""Numbers of yaku are below this: 0 to 54 are Tenhou's, local ones begin at ``FIRST_LOCAL``."""

FIRST_LOCAL = 110
DORA, URA_DORA, RED_FIVE = 52, 53, 54


@dataclass(frozen=True, slots=True)
class Yaku:
    """One yaku.

    Attributes
    ----------
    id
        Tenhou's number, or a number from ``FIRST_LOCAL`` on for a local yaku.
    name
        Name in rule files: one word.
    kanji, romaji, english
        Names for people.
    meaning
        Its condition, in one sentence.
    holds
        Flags the readings for which the condition holds, even if another yaku replaces it; None for dora, which are
        counted.
    closed, open
        Han of a closed and of an open hand; 0 where it does not count. Both are 0 for a yakuman.
    yakuman
        Units of yakuman; 0 for an ordinary yaku.
    double
        Whether the rule ``double_yakuman`` makes it two units.
    beats
        Numbers of the yaku that it replaces.
    majiang
        Name in 電脳麻将; empty if it has no such yaku.
    mahjong_soul
        Number in Mahjong Soul; 0 if it has no such yaku.
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
        """Tenhou's number; None if Tenhou has no such yaku."""
        return self.id if self.id < FIRST_LOCAL else None


ALL_YAKU: list[Yaku] = []
"""All yaku in the order of their declaration, dora included. `engine.yaku.all_yaku` imports the declarations."""


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
    """Declare an ordinary yaku: put this above the function that flags the readings where it holds.

    The function's name is the yaku's (unless `name` gives another), its docstring the yaku's meaning. The other
    parameters are attributes of `Yaku`; without `majiang`, the name in 電脳麻将 is the kanji.

    Raises
    ------
    ValueError
        If the number is taken or out of range.
    """

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
    """Declare a yakuman; parameters and errors as `yaku`."""

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
    """Declare a kind of dora, which adds han but is not a yaku."""
    name = romaji.replace(" ", "_")
    _add(Yaku(number, name, kanji, romaji, english, meaning, None, majiang=kanji, mahjong_soul=mahjong_soul))


def _majiang(number: int, kanji: str, name: str | None) -> str:
    """Give the name in 電脳麻将: that of Tenhou unless another is stated; empty for local yaku, which it lacks."""
    return name if name is not None else kanji if number < FIRST_LOCAL else ""


def _add(entry: Yaku) -> None:
    taken = [other.name for other in ALL_YAKU if other.id == entry.id and bool(other.yakuman) == bool(entry.yakuman)]
    if taken or not 0 <= entry.id < YAKU_COUNT:
        raise ValueError(f"{entry.name} cannot be yaku {entry.id}: {taken or f'numbers lie below {YAKU_COUNT}'}")
    ALL_YAKU.append(entry)


def worth_of(f: Features, entries: list[Yaku], value: Callable[[Yaku], Ints]) -> I8:
    """Give the worth of each yaku in each reading; 0 where it does not hold, is replaced, or the rules do not play it.

    Parameters
    ----------
    f
        The readings.
    entries
        The yaku to be valued.
    value
        Gives the worth of a yaku where it holds: one number, or one for each reading.

    Returns
    -------
    int8 [``YAKU_COUNT``, readings]
    """
    worth = np.zeros((YAKU_COUNT, len(f.kinds)), dtype=np.int8)
    held = []
    for entry in entries:
        if entry.holds is not None and (not entry.local or f.rules.plays_anywhere(entry.name)):
            holds = entry.holds(f) & f.rules.plays(entry.name) if entry.local else entry.holds(f)
            if holds.any():  # most yaku occur in no win of a batch
                worth[entry.id] = holds * value(entry)
                held.append(entry)
    for entry in held:
        for beaten in entry.beats:
            worth[beaten][worth[entry.id] > 0] = 0
    return worth

"""All yaku: by number and by name, and their worth in readings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.yaku import local, ordinary, yakuman
from engine.yaku.declaration import ALL_YAKU, Yaku, worth_of

if TYPE_CHECKING:
    from engine.tiles.arrays import I8, Bools
    from engine.yaku.features import Features

__all__ = [
    "ALL_YAKU",
    "BY_ID",
    "BY_MAHJONG_SOUL",
    "BY_MAJIANG",
    "DECLARED_IN",
    "DOUBLE_FORMS",
    "LOCAL_YAKU",
    "Yaku",
    "han",
    "units",
]

DECLARED_IN = (ordinary, yakuman, local)
"""The modules that declare yaku. Their import fills the list of all yaku."""

BY_ID: dict[int, Yaku] = {entry.id: entry for entry in ALL_YAKU}
"""Yaku by number. Number 36 is the yakuman renhou; renhou in han has the same number."""

BY_MAJIANG: dict[str, Yaku] = {entry.majiang: entry for entry in ALL_YAKU if entry.majiang}
"""Yaku by their name in 電脳麻将."""

BY_MAHJONG_SOUL: dict[int, tuple[Yaku, ...]] = {
    number: tuple(entry for entry in ALL_YAKU if entry.mahjong_soul == number)
    for number in sorted({entry.mahjong_soul for entry in ALL_YAKU} - {0})
}
"""Yaku by their number in Mahjong Soul; 10 and 11 are four winds each."""

LOCAL_YAKU: dict[str, Yaku] = {entry.name: entry for entry in ALL_YAKU if entry.local}
"""Local yaku by the name that the rule ``local_yaku`` gives them."""

DOUBLE_FORMS = tuple(entry.name for entry in ALL_YAKU if entry.double and not entry.local)
"""Yakuman that can count twice, by name, in the order of the columns of the rule ``double_yakuman_forms``."""

_ORDINARY = [entry for entry in ALL_YAKU if not entry.yakuman and entry.holds]
_YAKUMAN = [entry for entry in ALL_YAKU if entry.yakuman]


def han(f: Features) -> I8:
    """Give the han of each ordinary yaku in each reading, 0 where it does not hold or is replaced.

    Returns
    -------
    int8 [``YAKU_COUNT``, readings]
        Dora are not counted here.
    """
    worth = worth_of(f, _ORDINARY, lambda entry: np.where(f.closed, np.int8(entry.closed), np.int8(entry.open)))
    worth[36] *= f.renhou_han
    return worth


def units(f: Features, double: Bools) -> I8:
    """Give the units of each yakuman in each reading, 0 where it does not hold or is replaced.

    Parameters
    ----------
    f
        The readings.
    double
        Whether the rules play double yakuman; bool [readings].

    Returns
    -------
    int8 [``YAKU_COUNT``, readings]
    """
    worth = worth_of(f, _YAKUMAN, lambda entry: entry.yakuman + (double & _can_count_twice(f, entry)))
    first_turn = list(yakuman.FIRST_TURN)
    kept = worth[first_turn]
    alone = (kept > 0).any(axis=0) & ~f.rules.on("first_turn_yakuman_stacking")
    worth[:, alone] = 0
    worth[first_turn] = kept
    return worth


def _can_count_twice(f: Features, entry: Yaku) -> Bools | bool:
    """Return for which readings a yakuman is one of those that count twice where the rules play double yakuman."""
    if entry.name not in DOUBLE_FORMS:
        return entry.double
    twice: Bools = f.rules.columns.double_yakuman_forms[f.rules.row, DOUBLE_FORMS.index(entry.name)]
    return twice

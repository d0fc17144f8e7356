"""Fu: every source of fu as one expression over `engine.yaku.features.Features` (RULES.md 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.shapes.readings import KANCHAN, PENCHAN
from engine.tiles.kinds import DRAGONS, ORPHANS, SIMPLES, count

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.tiles.arrays import I16, Ints
    from engine.yaku.features import Features

    Source = Callable[[Features], Ints]

SOURCES: dict[str, Source] = {
    "base": lambda f: np.full(len(f.kinds), 20),
    "closed ron": lambda f: 10 * (f.closed & ~f.tsumo),
    "tsumo": lambda f: 2 * (f.tsumo & ~f.pinfu & (f.rules.rinshan_tsumo_fu | ~f.rinshan)),
    "wait": lambda f: 2 * (f.tanki | (f.wait == KANCHAN) | (f.wait == PENCHAN)),
    "pair of dragons": lambda f: 2 * (f.pair & DRAGONS != 0),
    "pair of winds": lambda f: np.minimum(
        2 * (f.pair & f.seat_wind != 0) + 2 * (f.pair & f.round_wind != 0), f.rules.double_wind_pair_fu
    ),
    "open triplets, simple": lambda f: 2 * count(f.open_triplets & ~f.kans & SIMPLES),
    "open triplets, terminal or honour": lambda f: 4 * count(f.open_triplets & ~f.kans & ORPHANS),
    "concealed triplets, simple": lambda f: 4 * count(f.concealed_triplets & ~f.kans & SIMPLES),
    "concealed triplets, terminal or honour": lambda f: 8 * count(f.concealed_triplets & ~f.kans & ORPHANS),
    "open kans, simple": lambda f: 8 * count(f.open_triplets & f.kans & SIMPLES),
    "open kans, terminal or honour": lambda f: 16 * count(f.open_triplets & f.kans & ORPHANS),
    "ankan, simple": lambda f: 16 * count(f.concealed_triplets & f.kans & SIMPLES),
    "ankan, terminal or honour": lambda f: 32 * count(f.concealed_triplets & f.kans & ORPHANS),
}

SEVEN_PAIRS_FU = 25
ORPHANS_FU = 0
"""Fu that Tenhou records for thirteen orphans (auditor/readers/mjlog/FORMAT.md 7)."""


def itemised(f: Features) -> dict[str, I16]:
    """Give the fu of each source before rounding, by the names of ``SOURCES``; int16 [readings] each.

    0 for seven pairs and thirteen orphans, which have fixed fu.
    """
    return {name: np.where(f.standard, source(f), 0).astype(np.int16) for name, source in SOURCES.items()}


def fu(f: Features) -> I16:
    """Count the fu of readings, rounded up to ten.

    Returns
    -------
    int16 [readings]
        25 for seven pairs, 0 for thirteen orphans, at least 30 for an open hand.
    """
    total = np.zeros(len(f.kinds), dtype=np.int64)
    for source in SOURCES.values():
        total += source(f)
    rounded = (total + 9) // 10 * 10
    rounded[(rounded == 20) & ~f.closed] = 30
    rounded[f.seven_pairs] = SEVEN_PAIRS_FU
    rounded[f.orphans] = ORPHANS_FU
    return rounded.astype(np.int16)

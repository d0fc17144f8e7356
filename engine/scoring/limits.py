"""Limits and base points: the worth of fu and han before each seat's payment is rounded (RULES.md 3.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from engine.rules.rule_table import RuleTable
    from engine.tiles.arrays import I16, I64, U8, Ints

YAKUMAN_BASE = 8000

NO_LIMIT, MANGAN, HANEMAN, BAIMAN, SANBAIMAN, YAKUMAN = range(6)
LIMIT_BASE: I64 = np.array([0, 2000, 3000, 4000, 6000, YAKUMAN_BASE])
LIMIT_OF_HAN: U8 = np.array(
    [NO_LIMIT] * 5 + [MANGAN] + [HANEMAN] * 2 + [BAIMAN] * 3 + [SANBAIMAN] * 2 + [YAKUMAN], dtype=np.uint8
)
"""Limit by han; 13 means 13 or more (RULES.md 3.2)."""

LIMIT_NAMES = ("", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")
"""Names of the limits by number."""


def limit_and_base(total_fu: I16, total_han: I16, rule: Ints, table: RuleTable) -> tuple[U8, I64]:
    """Find the limit and the base points of fu and han (RULES.md 3.2).

    Parameters
    ----------
    total_fu, total_han
        Rounded fu, and han with dora; int16 [n].
    rule
        Rows of the table; [n].
    table
        The rules.

    Returns
    -------
    uint8 [n], int64 [n]
        Limit (``NO_LIMIT`` to ``YAKUMAN``) and base points.
    """
    limit = LIMIT_OF_HAN[np.minimum(total_han, 13)]
    limit[(limit == YAKUMAN) & ~table.kazoe_yakuman[rule]] = SANBAIMAN
    base = total_fu.astype(np.int64) << np.minimum(total_han.astype(np.int64) + 2, 7)
    limit[(limit == NO_LIMIT) & (base >= LIMIT_BASE[MANGAN])] = MANGAN
    # Kiriage mangan has the points of a mangan and limit 0, as the logs of Tenhou's chip tables record it.
    base[(base == 1920) & table.kiriage_mangan[rule]] = LIMIT_BASE[MANGAN]
    return limit, np.where(limit > NO_LIMIT, LIMIT_BASE[limit], base)

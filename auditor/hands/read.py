"""Wins of a table from its columns, and what is wrong with each row: the one gate of `hand` and `score`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.hands.contradictions import contradictions
from auditor.hands.told import told

if TYPE_CHECKING:
    import polars as pl

    from engine.rules.rule_sets import RuleSet
    from engine.yaku.wins import Wins


def read(known: pl.DataFrame, rules: RuleSet) -> tuple[Wins, pl.Series]:
    """Return the wins that the rows tell, the winner in seat 0, and what is wrong with each row (null if nothing).

    What cannot be read hides what would contradict it: nothing is said of a hand that is not known. A row with a
    problem still has a win, which means nothing.
    """
    rows = told(known)
    everywhere = np.ones(len(rows), dtype=np.bool_)
    wrong = contradictions(rows, rules, won=everywhere)
    return rows.wins(), rows.unreadable.zip_with(rows.unreadable.is_not_null(), wrong)

"""Wins of a table from its columns, and the problem of each row. ``auditor score`` reads its table here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from auditor.hands.contradictions import contradictions
from auditor.hands.parsing import parse_hands

if TYPE_CHECKING:
    import polars as pl

    from engine.rules.rule_sets import RuleSet
    from engine.yaku.wins import Wins


def read(known: pl.DataFrame, rules: RuleSet) -> tuple[Wins, pl.Series]:
    """Return the wins that the rows describe, and what is wrong with each row.

    Parameters
    ----------
    known
        the columns that :func:`auditor.hands.parsing.parse_hands` takes; n rows
    rules
        how many red fives there are, and how many play where a row does not say

    Returns
    -------
    tuple
        wins [n], the winner in seat 0; problems, String [n], null where a row has none. A row with a problem still has
        a win, which means nothing. Where a text cannot be read, contradictions of that row are not reported.

    """
    rows = parse_hands(known, rules)
    everywhere = np.ones(len(rows), dtype=np.bool_)
    wrong = contradictions(rows, rules, won=everywhere)
    return rows.wins(), rows.unreadable.zip_with(rows.unreadable.is_not_null(), wrong)

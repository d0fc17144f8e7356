"""Games that a dataset has more than once (L005): no single batch can find them, so all batches are written first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from auditor.audit.findings import FINDINGS
from auditor.log.words import format_source

if TYPE_CHECKING:
    from auditor.audit.check import Check

CODE = "L005"
"""The check that is judged here. Its findings are a part of their own, with this name."""


def repeated(games: pl.LazyFrame, check: Check) -> pl.DataFrame:
    """Return a finding for each copy of a game but the first, in the order of the sources' names.

    Parameters
    ----------
    games
        the table ``games`` of the whole dataset
    check
        L005

    Returns
    -------
    pl.DataFrame
        a row a finding, with the columns ``FINDINGS``

    """
    numbered = games.select("game_id", "source", "within").with_row_index("row")
    again = numbered.group_by("game_id").agg(copies=pl.len()).filter(pl.col("copies") > 1)
    copies = numbered.join(again, on="game_id", how="semi").collect(engine="streaming").sort("source", "row")
    later = (
        copies.with_columns(recorded=format_source(), expected=format_source().first().over("game_id"))
        .filter(~pl.col("game_id").is_first_distinct())
        .with_columns(code=pl.lit(check.code), severity=pl.lit(check.severity.value))
    )
    messages = [
        check.message.format(recorded=recorded, expected=expected)
        for recorded, expected in later.select("recorded", "expected").iter_rows()
    ]
    found = later.with_columns(message=pl.Series(messages, dtype=pl.String))
    return pl.DataFrame(
        {name: found[name] if name in found.columns else pl.Series([None] * len(found)) for name in FINDINGS}
    ).cast(FINDINGS)  # type: ignore[arg-type]

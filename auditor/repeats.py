"""Games that a run meets in more than one batch: what no batch can know is found when all are written (L005)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from auditor.findings import FINDINGS
from auditor.words import told_source

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from auditor.check import Check


def across(out: Path, parts: Sequence[str], check: Check) -> pl.DataFrame:
    """Return a finding for the first copy in every later batch; further copies in the same one are that batch's own.

    Parameters
    ----------
    out
        the dataset
    parts
        the run's batches by name, in order
    check
        L005

    """
    places = [out / "games" / f"{part}.parquet" for part in parts]
    games = pl.scan_parquet(places, include_file_paths="part", row_index_name="row").select(
        "row", "part", "game_id", "source", "within"
    )
    repeated = games.group_by("game_id").agg(batches=pl.col("part").n_unique()).filter(pl.col("batches") > 1)
    copies = games.join(repeated, on="game_id", how="semi").collect(engine="streaming").sort("row")
    later = (
        copies.with_columns(
            expected=told_source().first().over("game_id"), first=pl.col("part").first().over("game_id")
        )
        .unique(["game_id", "part"], keep="first", maintain_order=True)
        .filter(pl.col("part") != pl.col("first"))
        .with_columns(recorded=told_source())
    )
    messages = [
        check.message.format(recorded=recorded, expected=expected)
        for recorded, expected in later.select("recorded", "expected").iter_rows()
    ]
    found = later.with_columns(
        code=pl.lit(check.code), severity=pl.lit(check.severity.value), message=pl.Series(messages, dtype=pl.String)
    )
    return pl.DataFrame(
        {name: found[name] if name in found.columns else pl.Series([None] * len(found)) for name in FINDINGS}
    ).cast(FINDINGS)  # type: ignore[arg-type]

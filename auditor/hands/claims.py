"""What a client claims for each hand of a table, beside what the engine makes of it."""

from __future__ import annotations

import polars as pl

from engine.yaku import BY_ID

CLAIMS = ("fu", "han", "points", "yaku")

_YAKU_OF = {
    name.lower(): str(number)
    for number, yaku in BY_ID.items()
    for name in (yaku.name, yaku.kanji, yaku.romaji, yaku.english, yaku.majiang, str(number))
    if name
}


def mismatch(known: pl.DataFrame, expected: pl.DataFrame) -> pl.Series:
    """Return the names of claims that differ, parted by commas; null where all that is claimed is right.

    A claim about a hand that cannot be scored is a mismatch: its problem's name stands there.
    """
    name = pl.element().str.strip_chars().str.replace(r"\s+\d+$", "")
    number = name.replace_strict(_YAKU_OF, default="?", return_dtype=pl.String)
    claimed = pl.col("yaku").str.to_lowercase().str.split(",").list.eval(number).list.sort().list.join(",")
    both = known.select(*CLAIMS).with_columns(claimed=claimed).hstack(expected)
    differs = {
        "fu": pl.col("fu") != pl.col("expected_fu"),
        "han": pl.col("han") != pl.col("expected_han"),
        "points": pl.col("points") != pl.col("expected_points"),
        "yaku": pl.col("claimed") != pl.col("yaku_ids"),
    }
    names = pl.concat_list(
        pl.col("problem"),
        *(pl.when(wrong.fill_null(value=False)).then(pl.lit(name)) for name, wrong in differs.items()),
    )
    joined = names.list.drop_nulls().list.join(", ")
    return both.select(pl.when(joined != "").then(joined)).to_series()


SHOWN = 20


def mismatches(table: pl.DataFrame) -> str:
    """Say how many rows of a scored table differ, and the first of them."""
    wrong = table.with_row_index("row", offset=1).filter(pl.col("mismatch").is_not_null())
    lines = [
        f"row {row['row']}: {row['hand']}: {row['mismatch']}"
        + ("" if row["problem"] else f"; expected {row['expected_han']} han {row['expected_fu']} fu"
           f" {row['expected_points']} points: {row['expected_yaku']}")
        for row in wrong.head(SHOWN).iter_rows(named=True)
    ]  # fmt: skip
    more = [f"... and {len(wrong) - SHOWN:,} more"] if len(wrong) > SHOWN else []
    return "\n".join([*lines, *more, f"{len(table):,} hands, {len(wrong):,} differ"])

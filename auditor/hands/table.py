"""A table of won hands with what a client claims for them → the same table with what the engine makes of them.

Columns that are read (README says the same): ``hand`` (電脳麻将 ``m123p406,z111=`` or suit-last ``123m406p,111=z``;
the winning tile among the concealed ones, last, or apart in ``win``), ``win`` (the winning tile with the mark of
the seat that gave it, ``8s=``; none is a tsumo), ``riichi`` (0, 1, 2), ``ippatsu``, ``rinshan``, ``chankan``,
``last_tile``, ``first_turn``, ``seat`` and ``round`` (``E S W N``), ``dora`` and ``ura`` (indicators), ``honba``,
``sticks``, and the claims: ``fu``, ``han``, ``points``, ``yaku`` (numbers, or names in any of the engine's
languages, parted by commas). Only ``hand`` is needed; what is missing is none, the seat South, the round East, or
not claimed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.hands.claims import mismatch
from auditor.hands.files import TableError
from auditor.hands.read import read
from auditor.hands.told import FLAGS, NUMBERS, TEXTS, in_writing
from engine.rules import RuleTable
from engine.score import score
from engine.yaku import BY_ID

if TYPE_CHECKING:
    from engine.rules import RuleSet
    from engine.score import Scores


def scored(table: pl.DataFrame, rules: RuleSet) -> pl.DataFrame:
    """Return the table with ``expected_fu``, ``expected_han``, ``expected_yaku``, ``expected_limit``,
    ``expected_points``, ``expected_payments`` and ``mismatch``, the names of the claims that differ.

    ``problem`` says why a hand could not be scored; its expected values are null.

    Raises
    ------
    TableError
        when there is no column ``hand``, or a column is of a type that it cannot be

    """  # noqa: D205
    known = _known(table)
    wins, problem = read(known, rules)
    result = score(wins, RuleTable.from_rules([rules]))
    problem = problem.set(pl.Series(~result.complete) & problem.is_null(), "no winning hand")
    problem = problem.set(pl.Series(~result.has_yaku) & problem.is_null(), "no yaku")
    found = _expected(result).with_columns(problem=problem)
    valid = pl.col("problem").is_null()
    expected = found.select(pl.when(valid).then(pl.exclude("problem")).name.keep(), pl.col("problem"))
    return table.hstack(expected.drop("yaku_ids")).with_columns(mismatch=mismatch(known, expected))


def _known(table: pl.DataFrame) -> pl.DataFrame:
    """Return the columns that are read, each of its type, in place of missing ones null."""
    if "hand" not in table.columns:
        raise TableError(f"no column 'hand'; there are {', '.join(table.columns)}")
    types: dict[str, Any] = {
        **dict.fromkeys(TEXTS, pl.String), **dict.fromkeys(FLAGS, pl.Boolean), **dict.fromkeys(NUMBERS, pl.Int16),
        "fu": pl.Int32, "han": pl.Int32, "points": pl.Int32,
    }  # fmt: skip
    columns = []
    for name, kind in types.items():
        if name not in table.columns:
            columns.append(pl.Series(name, [None], dtype=kind).new_from_index(0, len(table)))
            continue
        try:
            columns.append(_as(table[name], kind).alias(name))
        except pl.exceptions.PolarsError as error:
            raise TableError(f"column {name!r} ({table[name].dtype}) cannot be read as {kind}: {error}") from error
    return pl.DataFrame(columns)


def _as(column: pl.Series, kind: Any) -> pl.Series:  # noqa: ANN401  (a Polars type)
    if kind == pl.Boolean and column.dtype == pl.String:
        return column.str.to_lowercase().is_in(["true", "1", "yes"])
    return (in_writing(column) if kind == pl.String else column).cast(kind)


def _expected(result: Scores) -> pl.DataFrame:
    row, yaku = np.nonzero((result.yaku > 0) | result.yakuman)
    lists = (
        pl.DataFrame({"row": row, "yaku": yaku})
        .with_columns(
            name=pl.col("yaku").replace_strict(
                {n: y.romaji for n, y in BY_ID.items()}, default="?", return_dtype=pl.String
            ),
            han=pl.Series(np.where(result.yakuman[row, yaku], 0, result.yaku[row, yaku])),
        )
        .group_by("row", maintain_order=True)
        .agg(
            names=pl.when(pl.col("han") > 0).then(pl.format("{} {}", "name", "han")).otherwise("name").str.join(", "),
            ids=pl.col("yaku").cast(pl.String).sort().str.join(","),
        )
    )
    named = pl.DataFrame({"row": np.arange(len(result.fu))}).join(lists, on="row", how="left", maintain_order="left")
    return pl.DataFrame(
        {
            "expected_fu": result.fu,
            "expected_han": result.han,
            "expected_yaku": named["names"],
            "yaku_ids": named["ids"],
            "expected_limit": result.limit,
            "expected_points": result.points,
            "expected_payments": pl.Series(result.deltas, dtype=pl.Array(pl.Int32, 4)),
        }
    )

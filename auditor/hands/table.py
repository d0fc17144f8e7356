"""Scores a table of won hands, and compares with what a client claims for them.

columns.py lists the columns that are read, and README explains them. Only ``hand`` is needed. Without the others the
seat is South, the round East, there is no riichi and the like, and nothing is claimed. Cells that cannot be read are
reported in their own row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from auditor.hands.cells import read_cells
from auditor.hands.claims import compared, read_claims
from auditor.hands.columns import ADDED, CLAIMS, EXPECTED
from auditor.hands.parsing import PLAYERS
from auditor.hands.read import read
from auditor.hands.unknown_rules import outcomes
from auditor.log.yaku_names import DORAS
from engine.yaku.all_yaku import BY_ID

if TYPE_CHECKING:
    import numpy.typing as npt

    from auditor.hands.claims import Claims
    from auditor.hands.unknown_rules import Outcomes
    from engine.rules.rule_sets import RuleSet
    from engine.tiles.arrays import I32, Ints
    from engine.yaku.wins import Wins


def scored(table: pl.DataFrame, rules: RuleSet) -> pl.DataFrame:
    """Return the table with the columns `ADDED`; columns of these names are replaced.

    ``expected_fu``, ``expected_han``, ``expected_yaku``, ``expected_limit``, ``expected_points`` and
    ``expected_payments`` are null where the hand cannot be scored, or where they depend on an unknown rule:
    ``depends_on`` names it. ``problem`` says why a hand cannot be scored, ``unreadable`` which claims cannot be read,
    ``compared`` which were compared, ``not_checkable`` which depend on an unknown rule, ``mismatch`` which are wrong
    whatever the unknown rules are, or the problem.

    Raises
    ------
    TableError
        when there is no column ``hand``

    """
    table = table.drop(ADDED, strict=False)
    cells = read_cells(table)
    wins, problem = read(cells.known, rules)
    problem = cells.fault.zip_with(cells.fault.is_not_null(), problem)
    claims = read_claims(cells)
    parts = [_part(found, wins, claims, problem[found.start : found.stop]) for found in outcomes(wins, rules)]
    return table.hstack(pl.concat(parts))


def _part(found: Outcomes, wins: Wins, claims: Claims, problem: pl.Series) -> pl.DataFrame:
    """Return the columns that are added to some rows of the table."""
    worth = _worth(found, wins)
    judged = compared(claims, pl.Series(found.row + found.start), worth)
    rows = _by_row(found, worth, judged)
    best = judged[rows["best"]].with_columns(pl.col(f"wrong {name}") & ~_undecided(found) for name in CLAIMS)
    ready = pl.concat(
        [
            worth[rows["first"]],
            best,
            rows.drop("first", "best"),
            pl.DataFrame(
                {
                    "problem": _problem(found, rows["first"].to_numpy(), problem),
                    "unreadable": claims.unreadable[found.start : found.stop],
                    "depends": pl.Series(found.depends, dtype=pl.String),
                }
            ),
        ],
        how="horizontal",
    )
    return ready.select(_columns())


def _columns() -> list[pl.Expr]:
    """Return the added columns as expressions of the values of hands, wrong claims and what varies by filling."""
    valid = pl.col("problem").is_null()
    wrong = {name: valid & pl.col(f"wrong {name}") for name in CLAIMS}
    hangs = {name: valid & pl.col(f"varies {name}") & ~pl.col(f"wrong {name}") for name in CLAIMS}
    sure = {name: valid & pl.col(f"compared {name}") & ~hangs[name] for name in CLAIMS}
    rules = pl.when(pl.col("depends").str.contains(",")).then(pl.lit("rules ")).otherwise(pl.lit("rule "))
    return [
        *(pl.when(valid & pl.col(f"same {name}")).then(name).alias(f"expected_{name}") for name in _VALUES),
        pl.col("problem"),
        pl.col("unreadable"),
        pl.when(valid & (pl.col("depends") != "")).then("depends").alias("depends_on"),
        _listed(sure).alias("compared"),
        (_listed(hangs) + ": depends on " + rules + pl.col("depends")).alias("not_checkable"),
        pl.coalesce("problem", _listed(wrong)).alias("mismatch"),
    ]


def _listed(holds: dict[str, pl.Expr]) -> pl.Expr:
    """Return the names whose expression is true, with commas between; null for none."""
    names = pl.concat_list(pl.when(which).then(pl.lit(name)) for name, which in holds.items())
    return names.list.drop_nulls().list.join(", ").replace("", None)


def _by_row(found: Outcomes, worth: pl.DataFrame, judged: pl.DataFrame) -> pl.DataFrame:
    """Gather the outcomes of each row.

    Returns
    -------
    DataFrame
        a row for each of the table: ``first``, an outcome of it; ``best``, the one with the fewest wrong claims;
        ``same NAME`` for each value, whether it is the same in all; ``varies NAME`` for each claim, whether it is wrong
        in any

    """
    if len(found.row) == len(found.depends):
        at = pl.DataFrame({"first": np.arange(len(found.row)), "best": np.arange(len(found.row))})
        same = [pl.lit(value=True).alias(f"same {name}") for name in _VALUES]
        rows = at.with_columns(same).hstack(
            judged.select(pl.col(f"wrong {name}").alias(f"varies {name}") for name in CLAIMS)
        )
    else:
        every = (
            pl.concat([worth, judged], how="horizontal")
            .with_columns(row=pl.Series(found.row), payments=pl.col("payments").cast(pl.List(pl.String)).list.join(" "))
            .with_row_index("at")
            .filter(pl.Series(found.counted))
        )
        slips = pl.sum_horizontal(pl.col(f"wrong {name}").cast(pl.UInt8) for name in CLAIMS)
        rows = (
            every.group_by("row", maintain_order=True)
            .agg(
                pl.col("at").first().alias("first"),
                pl.col("at").get(slips.arg_min()).alias("best"),
                *((pl.col(name).n_unique() == 1).alias(f"same {name}") for name in _VALUES),
                *(pl.col(f"wrong {name}").any().alias(f"varies {name}") for name in CLAIMS),
            )
            .drop("row")
        )
    if not found.undecided.any():
        return rows
    asked = judged[rows["best"]]
    return rows.with_columns(
        *(pl.col(f"same {name}") & ~_undecided(found) for name in _VALUES),
        *(pl.col(f"varies {name}") | (_undecided(found) & asked[f"compared {name}"]) for name in CLAIMS),
    )


def _undecided(found: Outcomes) -> pl.Expr:
    return pl.lit(pl.Series(found.undecided))


def _problem(found: Outcomes, first: npt.NDArray[np.int64], problem: pl.Series) -> pl.Series:
    """Return why each row cannot be scored: its problem, or what its hand lacks; null where it can be scored."""
    scores = found.scores
    lacks = np.where(~scores.complete[first], "no winning hand", np.where(~scores.has_yaku[first], "no yaku", ""))
    reasons = pl.Series(np.where(found.undecided, "", lacks).tolist(), dtype=pl.String).replace("", None)
    return problem.zip_with(problem.is_not_null(), reasons)


_VALUES = tuple(name.removeprefix("expected_") for name in EXPECTED)


def _worth(found: Outcomes, wins: Wins) -> pl.DataFrame:
    """Return what hands are worth, a row for each outcome: the values to print, and those to compare claims with."""
    scores = found.scores
    row, number = np.nonzero((scores.yaku > 0) | scores.yakuman)
    han = np.where(scores.yakuman[row, number], 0, scores.yaku[row, number])
    names = pl.Series([BY_ID[each].romaji if each in BY_ID else "" for each in range(scores.yaku.shape[1])])
    is_dora = pl.col("yaku").is_in(DORAS)
    lists = (
        pl.DataFrame({"row": row, "yaku": number, "han": han, "name": names[number]})
        .with_columns(text=pl.when(pl.col("han") > 0).then(pl.format("{} {}", "name", "han")).otherwise("name"))
        .group_by("row", maintain_order=True)
        .agg(
            names=pl.col("text").str.join(", "),
            yaku=pl.col("yaku").filter(~is_dora),
            dora=pl.col("han").filter(is_dora).sum(),
        )
    )
    named = pl.DataFrame({"row": np.arange(len(found.row))}).join(lists, on="row", how="left", maintain_order="left")
    at = found.row + found.start
    return pl.DataFrame(
        {
            "fu": scores.fu,
            "han": scores.han,
            "yaku": named["names"],
            "limit": scores.limit,
            "points": scores.points,
            "payments": _payments(scores.deltas, wins.players[at]),
            "units": scores.units,
            "dealer": (wins.winner == wins.dealer)[at],
            "numbers": named["yaku"].fill_null(pl.Series([[]], dtype=named["yaku"].dtype)),
            "dora": named["dora"].fill_null(0),
        }
    )


def _payments(deltas: I32, players: Ints) -> pl.Series:
    """Return what each seat gets, from the winner on; null for the seat that three players leave empty."""
    empty = np.flatnonzero(players == PLAYERS[0]) * deltas.shape[1] + deltas.shape[1] - 1
    amounts = pl.Series(deltas.ravel(), dtype=pl.Int32)
    return amounts.scatter(empty, None).reshape(deltas.shape)

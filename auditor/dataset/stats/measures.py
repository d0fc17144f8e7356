"""From rows to figures: numerators over denominators by group, with an interval where the figure is a rate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

Z = 1.959963984540054
"""Of a normal distribution, 95 % lie within so many deviations."""

NEVER = pl.lit(value=False)


@dataclass(frozen=True)
class Measure:
    """A figure: sums of two expressions over rows, one over the other.

    ``says`` states both in words, numerator / denominator; a rate counts rows of which the denominator counts all.
    ``settled`` says of a group's rows whether the figure is what it is by construction: then nothing is uncertain.
    ``units`` counts what may differ on its own, where several rows of the denominator always agree.
    """

    name: str
    says: str
    numerator: pl.Expr
    denominator: pl.Expr
    rate: bool = True
    settled: pl.Expr = NEVER
    units: pl.Expr | None = None


def rate(
    name: str,
    says: str,
    of: pl.Expr | str,
    *,
    among: pl.Expr | None = None,
    settled: pl.Expr = NEVER,
    units: pl.Expr | None = None,
) -> Measure:
    """Return the share of rows (of those ``among``) for which an expression is true."""
    condition = pl.col(of) if isinstance(of, str) else of
    rows = pl.lit(value=True) if among is None else among
    return Measure(name, says, condition & rows, condition.is_not_null() & rows, settled=settled, units=units)


def mean(name: str, says: str, of: str, among: pl.Expr | None = None) -> Measure:
    """Return the mean of a column over the rows (of those ``among``) that have it."""
    rows = pl.col(of).is_not_null() if among is None else pl.col(of).is_not_null() & among
    return Measure(name, says, pl.when(rows).then(pl.col(of).cast(pl.Float64)).otherwise(0.0), rows, rate=False)


def measured(rows: pl.LazyFrame, keys: Sequence[str], measures: Sequence[Measure]) -> pl.LazyFrame:
    """Return one row a group and measure, named, with ``numerator`` and ``denominator``; ``at`` is its place.

    ``uncertain`` is true for rates that might have been others: they have an interval, of so many ``units``.
    """
    figures = pl.concat_list(
        pl.struct(
            measure=pl.lit(each.name),
            numerator=each.numerator.sum().cast(pl.Float64),
            denominator=each.denominator.sum().cast(pl.Int64),
            uncertain=pl.lit(each.rate) & ~each.settled.all(),
            units=(each.denominator.sum() if each.units is None else each.units).cast(pl.Int64),
            at=pl.lit(at, pl.Int64),
        )
        for at, each in enumerate(measures)
    ).alias("figures")
    grouped = rows.group_by(keys).agg(figures) if keys else rows.select(figures)
    return grouped.explode("figures").unnest("figures")


def with_values(figures: pl.LazyFrame) -> pl.LazyFrame:
    """Add the value, and the bounds of Wilson's 95 % interval where it is an uncertain rate of at least one row."""
    denominator = pl.col("denominator")
    among = pl.col("units").cast(pl.Float64)
    value = pl.when(denominator > 0).then(pl.col("numerator") / denominator)
    share = pl.col("value")
    middle = (share + Z**2 / (2 * among)) / (1 + Z**2 / among)
    half = Z * (share * (1 - share) / among + Z**2 / (4 * among**2)).sqrt() / (1 + Z**2 / among)
    bounded = pl.col("uncertain") & (denominator > 0)
    return figures.with_columns(value=value).with_columns(
        # Of none or all, a bound is the share itself, but for what the last digit makes of it.
        low=pl.when(bounded).then(pl.max_horizontal(middle - half, 0.0).clip(upper_bound=share)),
        high=pl.when(bounded).then(pl.min_horizontal(middle + half, 1.0).clip(lower_bound=share)),
    )

"""Figures from rows: numerator over denominator by group; a rate has an interval, a mean a standard error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from collections.abc import Sequence

Z = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations."""

NEVER = pl.lit(value=False)


@dataclass(frozen=True)
class Measure:
    """A figure: the sum of one expression over rows, divided by the sum of another.

    Parameters
    ----------
    name
        name of the figure
    says
        numerator / denominator in words
    numerator, denominator
        the expressions
    rate
        whether the numerator counts some of the rows that the denominator counts
    settled
        expression over rows: true if the figure cannot be otherwise, so that it gets no interval
    units
        expression that counts the independent units, if several rows of the denominator always agree; None: each row
        is one
    largest
        whether the figure is the largest numerator, not a quotient
    values
        expression of the values of which the figure is the mean; None: it is no plain mean

    """

    name: str
    says: str
    numerator: pl.Expr
    denominator: pl.Expr
    rate: bool = True
    settled: pl.Expr = NEVER
    units: pl.Expr | None = None
    largest: bool = False
    values: pl.Expr | None = None


def rate(
    name: str,
    says: str,
    of: pl.Expr | str,
    *,
    among: pl.Expr | None = None,
    settled: pl.Expr = NEVER,
    units: pl.Expr | None = None,
) -> Measure:
    """Return the share of the rows (of those where ``among`` is true) for which ``of`` is true; null does not count."""
    condition = pl.col(of) if isinstance(of, str) else of
    rows = pl.lit(value=True) if among is None else among
    return Measure(name, says, condition & rows, condition.is_not_null() & rows, settled=settled, units=units)


def mean(name: str, says: str, of: str, among: pl.Expr | None = None, *, settled: pl.Expr = NEVER) -> Measure:
    """Return the mean of a column over the rows (of those where ``among`` is true) that have a value."""
    rows = pl.col(of).is_not_null() if among is None else pl.col(of).is_not_null() & among
    summed = pl.when(rows).then(pl.col(of).cast(pl.Float64)).otherwise(0.0)
    values = pl.col(of) if among is None else pl.when(rows).then(pl.col(of))
    return Measure(name, says, summed, rows, rate=False, settled=settled, values=values)


def largest(name: str, says: str, of: str) -> Measure:
    """Return the largest value of a column; its denominator counts the rows that have one."""
    return Measure(name, says, pl.col(of), pl.col(of).is_not_null(), rate=False, largest=True)


def measured(rows: pl.LazyFrame, keys: Sequence[str], measures: Sequence[Measure]) -> pl.LazyFrame:
    """Return one row for each group and measure, with ``numerator`` and ``denominator``; ``at`` numbers the measures.

    ``uncertain`` is true for rates that could be otherwise and so get an interval; ``units`` counts what it rests on.
    ``se`` is the standard error of a mean (:func:`_error`).
    """
    figures = pl.concat_list(
        pl.struct(
            measure=pl.lit(each.name),
            numerator=(each.numerator.max() if each.largest else each.numerator.sum()).cast(pl.Float64).fill_null(0),
            denominator=each.denominator.sum().cast(pl.Int64),
            uncertain=pl.lit(each.rate) & ~each.settled.all(),
            units=_units(each),
            largest=pl.lit(each.largest),
            se=pl.lit(None, pl.Float64)
            if each.rate or each.largest
            else pl.when(~each.settled.all()).then(_error(each)),
            at=pl.lit(at, pl.Int64),
        )
        for at, each in enumerate(measures)
    ).alias("figures")
    grouped = rows.group_by(keys).agg(figures) if keys else rows.select(figures)
    return grouped.explode("figures").unnest("figures")


def _units(measure: Measure) -> pl.Expr:
    return (measure.denominator.sum() if measure.units is None else measure.units).cast(pl.Int64)


def _error(measure: Measure) -> pl.Expr:
    """Return the standard error of a quotient of two sums over n independent rows; null for fewer than two.

    Of a plain mean it is the standard deviation divided by the root of n. Of a quotient R of sums of x and y, it is
    that of the ratio estimator: the same of the rests x - R y, divided by the mean of y.
    """
    if measure.values is not None:
        error = measure.values.std() / measure.values.count().sqrt()
    else:
        above, below, count = measure.numerator.cast(pl.Float64), measure.denominator.cast(pl.Float64), _units(measure)
        rest = ((above - above.sum() / below.sum() * below) ** 2).sum()
        error = pl.when((count > 1) & (below.sum() > 0)).then((rest * count / (count - 1)).sqrt() / below.sum())
    # The last digits depend on the order of the rows.
    return error.round_sig_figs(10)


def with_values(figures: pl.LazyFrame) -> pl.LazyFrame:
    """Add ``value``, and for an uncertain rate of at least one row the bounds of Wilson's 95 % interval."""
    denominator = pl.col("denominator")
    among = pl.col("units").cast(pl.Float64)
    quotient = pl.when("largest").then(pl.col("numerator")).otherwise(pl.col("numerator") / denominator)
    value = pl.when(denominator > 0).then(quotient)
    share = pl.col("value")
    middle = (share + Z**2 / (2 * among)) / (1 + Z**2 / among)
    half = Z * (share * (1 - share) / among + Z**2 / (4 * among**2)).sqrt() / (1 + Z**2 / among)
    bounded = pl.col("uncertain") & (denominator > 0)
    return figures.with_columns(value=value).with_columns(
        # At a share of 0 or 1, a bound is the share itself; rounding must not put it beyond.
        low=pl.when(bounded).then(pl.max_horizontal(middle - half, 0.0).clip(upper_bound=share)),
        high=pl.when(bounded).then(pl.min_horizontal(middle + half, 1.0).clip(lower_bound=share)),
    )

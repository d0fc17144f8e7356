"""Frames as plots, by Altair, drawn as SVG without a browser or a network (vl-convert).

A plot of a statistic has the statistic's own key along one axis: a line with its interval where the key is a number,
bars or points with intervals where it is a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any

import altair as alt
import polars as pl
import vl_convert

from auditor.base.printing import escaped, shortened
from auditor.dataset.stats.measures import Z as _Z

if TYPE_CHECKING:
    from collections.abc import Sequence

COLOURS = ("#1f8a68", "#c0562b", "#4d79d6", "#a2559c", "#8c7a1e", "#5d7f8c", "#d0517a", "#6a8f2b")
"""Colours of series: each has a contrast of at least 3 against white and against the page's dark."""
SEVERITIES = {"error": "#c8453b", "rule": "#b07a12", "note": "#4d79d6"}
PLACES = ("#1f8a68", "#7fb59c", "#c9a86a", "#b5533c")
FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
SIZE = 300
"""Width of a plot in pixels, without its labels: a phone has room for it."""
MOST_NAMES = 40
"""Names on an axis."""
MOST_NAME = 28
"""Columns of a name at an axis."""
_FIGURES = ("measure", "numerator", "denominator", "value", "low", "high", "se", "games")
_NUMBERS = ("turn", "kinds", "unseen", "kita")
"""Keys of statistics that are numbers."""


@dataclass(frozen=True)
class Cell:
    """A cell of the table below a plot."""

    text: str
    number: bool


@dataclass(frozen=True)
class Chart:
    """A plot on the page: title, what it shows, SVG, and its numbers as a table."""

    title: str
    says: str
    svg: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]


def config(ink: str, background: str) -> dict[str, Any]:
    """Return Vega's settings for a plot in this ink."""
    text = {"labelColor": ink, "titleColor": ink, "labelFontSize": 12, "titleFontSize": 12, "labelFont": FONT,
            "titleFont": FONT, "titleFontWeight": "normal"}  # fmt: skip
    axis = {"domainColor": ink, "tickColor": ink, "gridColor": ink, "gridOpacity": 0.16, "domainOpacity": 0.5,
            "tickOpacity": 0.5, "labelLimit": 230}  # fmt: skip
    numbers = {"labelFlush": False, "labelOverlap": True, "labelSeparation": 10}
    return {
        "background": background, "font": FONT, "aria": False, "view": {"stroke": None},
        "padding": {"left": 24, "right": 12, "top": 5, "bottom": 5},  # a reader's font may be wider
        "axis": text | axis, "axisQuantitative": numbers, "axisTemporal": numbers,
        "legend": text | {"orient": "top", "symbolStrokeWidth": 3}, "header": text,
        "title": {"color": ink, "font": FONT}, "range": {"category": list(COLOURS)},
    }  # fmt: skip


# What Vega writes for scripts and readers that a page's plot, which has a label and a table, does not need.
_SMALLER = (
    (re.compile(r'<path class="(?:background|foreground)"[^>]*/>'), ""),
    (re.compile(r' (?:class|role|aria-[a-z]+|pointer-events|xmlns:xlink|version|stroke-miterlimit)="[^"]*"'), ""),
    (re.compile(r' opacity="1"'), ""),
    (re.compile(r"(\d+\.\d\d)\d+"), r"\1"),
)


def svg(chart: alt.TopLevelMixin, name: str) -> str:
    """Return a plot as SVG for a page: in the ink of the text around it, with ids of its own (``name``)."""
    text = _svg(chart.configure(**config("currentColor", "transparent")))
    for what, instead in _SMALLER:
        text = what.sub(instead, text)
    return re.sub(r'\b(id="|url\(#)', rf"\g<1>{name}-", text)


def saved(chart: alt.TopLevelMixin, form: str) -> str | bytes:
    """Return a plot as a file: ``svg`` and ``html`` as text, ``png`` as bytes."""
    whole = chart.configure(**config("#222222", "white"))
    if form == "html":
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>auditor stats</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1"></head>'
            f'<body style="margin:1rem;background:white">{_svg(whole)}</body></html>\n'
        )
    if form == "png":
        drawn: bytes = vl_convert.vegalite_to_png(whole.to_json(), scale=2)
        return drawn
    return _svg(whole) + "\n"


def _svg(configured: alt.TopLevelMixin) -> str:
    buffer = StringIO()
    configured.save(buffer, format="svg")
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def table(frame: pl.DataFrame) -> tuple[list[str], list[list[Cell]]]:
    """Return the columns and cells of a frame as text: shares in percent, other numbers with a few digits."""
    kinds = [kind.is_numeric() for kind in frame.schema.dtypes()]
    rows = [[Cell(_text(value), number) for value, number in zip(row, kinds, strict=True)] for row in frame.rows()]
    return [escaped(name.replace("_", " ")) for name in frame.columns], rows


def _text(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 or value.is_integer() else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else shortened(escaped(str(value)), 80)


def plotted(answer: pl.DataFrame, key: str | None) -> Any:  # noqa: ANN401
    """Return a plot of a statistic: a panel for each measure.

    If there are too many names, the plot has the first :data:`MOST_NAMES` of those with most games.

    Parameters
    ----------
    answer
        as auditor.dataset.stats.computed returns it; or a table with a column for each figure
    key
        the statistic's own key; None: it has none

    """
    if "measure" not in answer.columns:
        names = [name for name, kind in answer.schema.items() if not kind.is_numeric() or name in ("players", "games")]
        answer = answer.unpivot(index=names, variable_name="measure").with_columns(low=None, high=None)
    if "se" in answer.columns:  # of means; 95 % of a normal distribution lie within this many standard errors
        for name, side in (("low", -_Z), ("high", _Z)):
            answer = answer.with_columns(pl.coalesce(name, pl.col("value") + side * pl.col("se")).alias(name))
    split = [name for name in answer.columns if name not in (*_FIGURES, key)]
    group = " · ".join(split) or None
    if group:
        text = pl.concat_str(pl.col(split).cast(pl.String).fill_null("not known"), separator=" · ")
        answer = _most(answer.with_columns(text.alias(group)), group, MOST_NAMES if key is None else len(COLOURS))
    if key is not None and key not in _NUMBERS:
        answer = _most(answer, key, MOST_NAMES)
    if group is None and key is None:
        return points(answer, "measure").properties(width=SIZE)
    panels = []
    for measure in answer["measure"].unique(maintain_order=True):
        rows = answer.filter(pl.col("measure") == measure)
        drawn = lines(rows, key, group) if key in _NUMBERS else bars(rows, key, group) if key else points(rows, group)
        panels.append(drawn.properties(title=measure.replace("_", " ")))
    return alt.concat(*panels, columns=2)


def _most(answer: pl.DataFrame, name: str, most: int) -> pl.DataFrame:
    """Return the rows of at most so many values of a column: those with most games, or else the most frequent."""
    by = next((figure for figure in ("games", "numerator") if figure in answer.columns), None)
    if by is None or answer[name].n_unique() <= most:
        return answer
    if name not in answer.columns or answer[by].n_unique() == 1:
        by = "numerator"
    ranked = answer.group_by(name, maintain_order=True).agg(pl.col(by).max())
    ranked = ranked.sort(by, descending=True, maintain_order=True)
    return answer.filter(pl.col(name).is_in(ranked.head(most)[name].implode()))


def _named(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return rows with the names in a column harmless and short enough for an axis; two names never become one."""
    texts = rows[name].cast(pl.String).fill_null("not known")
    taken: dict[str, str] = {}
    for text in texts.unique(maintain_order=True):
        short = first = shortened(escaped(text), MOST_NAME)
        count = 1
        while short in taken.values():
            count += 1
            short = f"{shortened(first, MOST_NAME - 4)} ({count})"
        taken[text] = short
    return rows.with_columns(texts.replace_strict(taken, return_dtype=pl.String).alias(name))


def _form(rows: pl.DataFrame) -> str:
    """Return how the values are written: as percent if all are shares."""
    known = [rows[name].cast(pl.Float64).drop_nulls() for name in ("value", "low", "high") if name in rows.columns]
    return "%" if all(each.is_between(0, 1).all() for each in known) else "~s"


def _colour(name: str | None, rows: pl.DataFrame, **options: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return the colour of a series; a single one has no legend."""
    if name is None or rows[name].n_unique() < 2:
        return {"color": alt.value(COLOURS[0])}
    return {"color": alt.Color(f"{name}:N", title=name, legend=alt.Legend(symbolOpacity=1), **options)}


def lines(rows: pl.DataFrame, key: str | None, group: str | None = None, form: str | None = None) -> Any:  # noqa: ANN401
    """Return lines over a number, with the band from ``low`` to ``high``."""
    rows = _named(rows, group) if group else rows
    colour = _colour(group, rows)
    base = alt.Chart(rows).encode(x=alt.X(f"{key}:Q", title=key, axis=alt.Axis(tickMinStep=1, grid=False)))
    y = alt.Y("value:Q", title=None, axis=alt.Axis(format=form or _form(rows), tickCount=5))
    band = base.mark_area(opacity=0.2).encode(y="low:Q", y2="high:Q", **colour)
    line = base.mark_line(point=True, strokeWidth=2).encode(y=y, **colour)
    return (band + line).properties(width=SIZE, height=200)


def points(rows: pl.DataFrame, key: str | None, group: str | None = None) -> Any:  # noqa: ANN401
    """Return a point for each name, with its interval."""
    del group
    key = key or "measure"
    rows = _named(rows, key)
    y = alt.Y(f"{key}:N", title=None, sort=rows[key].unique(maintain_order=True).to_list())
    base = alt.Chart(rows).encode(y=y, color=alt.value(COLOURS[0]))
    span = base.mark_rule(strokeWidth=2.5, opacity=0.5).encode(x="low:Q", x2="high:Q")
    x = alt.X("value:Q", title=None, axis=alt.Axis(format=_form(rows), tickCount=4), scale=alt.Scale(zero=False))
    point = base.mark_point(filled=True, size=65, opacity=1).encode(x=x)
    return (span + point).properties(width=SIZE - 60, height=alt.Step(21))


def bars(rows: pl.DataFrame, key: str | None, group: str | None = None) -> Any:  # noqa: ANN401
    """Return a bar for each name, with its interval; the bars of a group's members stand below each other."""
    key = key or "measure"
    rows = _named(_named(rows, key), group) if group else _named(rows, key)
    many = group is not None and rows[group].n_unique() > 1
    y = alt.Y(f"{key}:N", title=None, sort=rows[key].unique(maintain_order=True).to_list())
    offset = {"yOffset": f"{group}:N"} if many else {}
    base = alt.Chart(rows).encode(y=y, **_colour(group, rows), **offset)
    bar = base.mark_bar(opacity=0.8).encode(
        x=alt.X("value:Q", title=None, axis=alt.Axis(format=_form(rows), tickCount=4))
    )
    span = base.mark_rule(strokeWidth=1.5, opacity=0.8, color="#808080").encode(x="low:Q", x2="high:Q")
    return (bar + span).properties(width=SIZE - 60, height=alt.Step(10 if many else 19))


def places(rows: pl.DataFrame, key: str | None, group: str | None = None) -> Any:  # noqa: ANN401
    """Return a bar for each name, made of the shares of its places."""
    key, group = key or "measure", group or "place"
    rows = _named(rows, key)
    order = rows[group].unique(maintain_order=True).to_list()
    ranked = rows.with_columns(at=pl.col(group).replace_strict({name: at for at, name in enumerate(order)}))
    colour = alt.Color(f"{group}:N", title=group, sort=order, scale=alt.Scale(range=list(PLACES)))
    y = alt.Y(f"{key}:N", title=None, sort=rows[key].unique(maintain_order=True).to_list())
    x = alt.X("value:Q", title=None, stack="normalize", axis=alt.Axis(format="%", tickCount=4))
    made = alt.Chart(ranked).mark_bar().encode(x=x, y=y, color=colour, order="at:Q")
    return made.properties(width=SIZE - 60, height=alt.Step(21))


def nights(rows: pl.DataFrame, key: str | None, group: str | None = None) -> Any:  # noqa: ANN401
    """Return lines over time, with a point for each run."""
    times = rows[key or "begun"].to_list()
    days = (max(times) - min(times)).days
    form = "%H:%M" if days < 1 else "%d %b" if days < 300 else "%b %Y"
    x = alt.X(f"{key}:T", title=None, axis=alt.Axis(grid=False, tickCount=4, labelOverlap=True, format=form))
    top = max(1.0, *rows["value"].to_list())
    y = alt.Y(
        "value:Q", title="per 1,000 rounds", axis=alt.Axis(tickCount=5), scale=alt.Scale(domain=[0, top], nice=True)
    )
    scale = alt.Scale(domain=list(SEVERITIES), range=list(SEVERITIES.values()))
    base = alt.Chart(rows).encode(x=x, y=y, color=alt.Color(f"{group}:N", title=None, scale=scale))
    made = base.mark_line(point=alt.OverlayMarkDef(size=50), strokeWidth=2)
    return made.properties(width=SIZE, height=200)


KINDS = {"lines": lines, "points": points, "bars": bars, "places": places, "nights": nights}
"""The plots by name, as :class:`~auditor.report.figures.Figure` names them."""

"""The page: a dataset's night, findings and statistics, put into the templates."""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import jinja2
import polars as pl

from auditor import __version__
from auditor.base.printing import escaped
from auditor.log.tables import KINDS
from auditor.report import changes, charts, drawing, figures, gather, night, rows, steps, tiles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from auditor.report.gather import Card

MOST_FINDINGS = 1000
"""The most findings that a page shows."""
MOST_PLAIN = 100
"""Findings that stand in the page itself; its script unpacks the others, so that the page stays small."""
_CHOICES = (
    ("code", "code"),
    ("severity", "severity"),
    ("platform", "platform"),
    ("client", "client"),
    ("rules", "rules"),
)
"""The filters with a list of values: the name of a card's value, and its label."""


def report(tables: dict[str, pl.LazyFrame], where: str, since: str | None = None) -> str:
    """Return the page of a dataset, as HTML.

    Parameters
    ----------
    tables
        of the dataset, lazy
    where
        the dataset's folder, for the page's first sentence
    since
        the run that it is compared with, as in :func:`auditor.dataset.history.before`

    Raises
    ------
    RunError
        when no run has this name

    """
    change = changes.changes(tables, since)
    alone = since is not None and change.run is None
    of_night = night.night(tables, change.found)
    total = sum(row["findings"] for row in of_night.codes)
    has = gather.gathered(tables, chosen(change.found, MOST_FINDINGS))
    groups = [(heading, [_chart(figure) for figure in made]) for heading, made in figures.groups(tables)]
    run = of_night.run
    return _filled(
        has.cards,
        has.rounds,
        title="The morning after",
        lead=_lead(of_night, where) + (f" No run began before {since}: nothing is called new." if alone else ""),
        night=of_night,
        figures=_figures(of_night, total, change),
        changes=change,
        left=total - len(has.cards),
        groups=groups,
        statistics_say="Every figure is of the whole dataset; a game that is in it twice counts once. Bars and bands "
        "around a rate are Wilson’s 95\N{NO-BREAK SPACE}% interval.",
        foot=f"riichi-log-auditor {__version__}" + (f", run of {run['begun']:%Y-%m-%d %H:%M} UTC" if run else ""),
    )


def of_findings(tables: dict[str, pl.LazyFrame], found: pl.LazyFrame, limit: int, asked: str = "") -> str:
    """Return a page of findings alone, as HTML.

    Parameters
    ----------
    tables
        of the dataset, lazy
    found
        the findings: rows of the table `findings`, perhaps with ``first_seen``
    limit
        the most findings that the page shows, at most :data:`MOST_FINDINGS`
    asked
        what they were chosen by, as text; empty: they are all

    """
    total = found.select(pl.len()).collect().item()
    has = gather.gathered(tables, found.head(min(limit, MOST_FINDINGS)))
    return _filled(
        has.cards,
        has.rounds,
        title="Findings",
        lead=f"Chosen by {escaped(asked)}." if asked else "",
        night=None,
        left=total - len(has.cards),
        groups=[],
        foot=f"riichi-log-auditor {__version__}",
    )


def chosen(found: pl.LazyFrame, most: int) -> pl.LazyFrame:
    """Return at most so many findings: new ones, then some of every code.

    They are in the order of the page: new ones first, then by severity, by code, and as in the dataset.
    """
    rank = pl.col("severity").replace_strict(night.RANKS, default=len(night.RANKS))
    numbered = found.with_row_index("number").with_columns(
        of_code=pl.int_range(pl.len()).over("code", "is_new"), rank=rank, old=~pl.col("is_new")
    )
    kept = numbered.sort("old", "of_code", "rank", "code").head(most)
    return kept.sort("old", "rank", "code", "number").drop("number", "of_code", "rank", "old")


def _filled(cards: list[Card], rounds: list[str], **values: Any) -> str:  # noqa: ANN401
    """Return the page of some cards with the rest of its values."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("auditor.report"),
        autoescape=True,
        trim_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters["seen"] = lambda value: escaped(str(value))
    folder = files("auditor.report") / "templates"
    choices = _choices(cards)
    numbered = list(enumerate(cards, 1))
    for card in cards[MOST_PLAIN:]:
        card.svg = None if card.steps else card.svg  # the script can draw it from the steps
    finding = getattr(environment.get_template("finding.html").module, "finding")  # noqa: B009  (a macro)
    packed = {"rounds": rounds, "cards": [str(finding(card, number)) for number, card in numbered[MOST_PLAIN:]]}
    codes = {card.row["code"]: card for card in cards}
    geometry = drawing.GEOMETRY | {
        "marks": rows.MARKS, "classes": drawing.CLASSES, "first": steps.FIRST, "kinds": KINDS, "phrases": steps.PHRASES,
    }  # fmt: skip
    return environment.get_template("page.html").render(
        style=(folder / "page.css").read_text("utf-8"),
        script=(folder / "page.js").read_text("utf-8"),
        symbols=tiles.symbols(),
        boards=[(players, _empty(players)) for players in sorted({card.seats for card in cards if card.steps})],
        cards=numbered[:MOST_PLAIN],
        count=len(cards),
        choices=choices,
        names=sorted({name for card in cards for _, name, _ in card.players}),
        any_new=any(card.is_new for card in cards),
        checks=[
            {"code": code, "title": card.title, "why": card.why, "source": card.source}
            for code, card in sorted(codes.items())
        ],
        geometry=json.dumps(geometry, ensure_ascii=False).replace("<", "\\u003c"),
        packed=_packed(packed),
        **values,
    )


def _empty(players: int) -> str:
    """Return a table without tiles, which the script fills."""
    parts = {f"{part}{seat}": "" for part in "hrs" for seat in range(players)}
    return drawing.drawn(parts | {"dd": "", "nn": "", "tt": ""}, players, 0, 0)


def _packed(parts: dict[str, list[str]]) -> str:
    """Return texts in a form that a browser can unpack: base64 of zlib of JSON."""
    return base64.b64encode(zlib.compress(json.dumps(parts).encode(), 9)).decode()


def _choices(cards: list[Card]) -> list[tuple[str, str, list[tuple[str, str, int]]]]:
    """Return the filters with their values; sets ``picks`` of each card to the values' numbers."""
    found = []
    for name, label in _CHOICES:
        counts = Counter(card.value(name) for card in cards)
        numbers = {text: str(number) for number, text in enumerate(sorted(counts))}
        if name in ("code", "severity"):
            numbers = {text: text for text in numbers}
        for card in cards:
            card.picks[name] = numbers[card.value(name)]
        if len(counts) > 1 or name == "code":
            found.append((name, label, [(numbers[text], text or "not known", counts[text]) for text in numbers]))
    return found


def _chart(figure: figures.Figure) -> charts.Chart:
    shown = figure.frame.drop(
        [name for name in ("low", "high", "value") if name not in figure.frame.columns], strict=False
    )
    columns, cells = charts.table(shown)
    drawn = charts.svg(charts.KINDS[figure.kind](figure.frame, figure.key, figure.group), _name(figure.title))
    return charts.Chart(figure.title, figure.says, drawn, columns, cells)


def _name(title: str) -> str:
    return "".join(char for char in title.lower() if char.isalnum())


def _lead(of_night: night.Night, where: str) -> str:
    run = of_night.run
    if run is None:
        return f"The dataset {escaped(where)}."
    took = (run["ended"] - run["begun"]).total_seconds()
    stopped = f" It was stopped early by {run['stopped']}." if run["stopped"] else ""
    met = f"{run['files']:,} file{'s' * (run['files'] != 1)} met"
    counts = f"{met}, {run['audited']:,} audited, {run['unchanged']:,} unchanged"
    return (
        f"The dataset {escaped(where)} after the run of {run['begun']:%A, %d %B %Y, %H:%M} UTC, which took "
        f"{_time(took)}: {counts}.{stopped}"
    )


def _time(seconds: float) -> str:
    blank = "\N{NO-BREAK SPACE}"
    return f"{seconds:.0f}{blank}s" if seconds < 120 else f"{seconds / 60:.0f}{blank}min"


def _figures(of_night: night.Night, total: int, change: changes.Changes) -> list[tuple[str, str, str]]:
    run = of_night.run or {}
    counts = of_night.totals
    found = [
        (name, f"{counts[name]:,}", f"{run[name]:,} in the last run" if name in run else "")
        for name in ("games", "rounds", "wins")
    ]
    each: Iterable[str] = (f"{count:,} {name}" for name, count in of_night.severities.items() if count)
    found.append(("findings", f"{total:,}", ", ".join(each)))
    if change.run is not None:
        found.append(("new", f"{change.new:,}", f"since the run of {change.run:%d %B, %H:%M} UTC"))
        found.append(("gone", f"{change.gone_count:,}", "of those that there were then"))
    if of_night.unread_count:
        found.append(("not read", f"{of_night.unread_count:,}", "files and members"))
    return found

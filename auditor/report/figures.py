"""The statistics of the page, as frames: which figures it plots, and the few that auditor.dataset.stats has not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import polars as pl

from auditor.audit.check import all_checks
from auditor.base.choices import By
from auditor.dataset.stats import STATISTICS, computed
from auditor.dataset.stats.base import Base
from auditor.dataset.stats.measures import measured, rate, with_values

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Tables = dict[str, pl.LazyFrame]

MOST_GROUPS = 14
"""Players, clients or rule sets in a plot: those with most games."""
_INTERVAL = "95\N{NO-BREAK SPACE}% interval"
MOST_YAKU = 24
LAST_TURN = 20
SPREAD = (0.1, 0.5, 0.9)
"""The shares of hands whose shanten the plot by turn shows."""


@dataclass(frozen=True)
class Figure:
    """A frame to be plotted.

    Parameters
    ----------
    title, says
        its heading, and what it shows
    frame
        the numbers
    kind
        how it is plotted: a function of :mod:`auditor.report.plots`
    key, group
        the columns of its axis and of its series; None: none

    """

    title: str
    says: str
    frame: pl.DataFrame
    kind: str
    key: str | None = None
    group: str | None = None


def groups(tables: Tables) -> Iterator[tuple[str, list[Figure]]]:
    """Yield the headings of the page's statistics with their figures; a figure without numbers is left out."""
    base = Base(tables)
    parts: list[tuple[str, list[Callable[[Tables, Base], list[Figure]]]]] = [
        ("Mismatches", [_by_night, _affected_games]),
        ("Hands", [_shanten, _waits, _yaku, _worth]),
        ("Clients", [_rates_by_client]),
        ("Players", [_rates_by_player, _placement]),
    ]
    for heading, makers in parts:
        found = [figure for make in makers for figure in make(tables, base) if not figure.frame.is_empty()]
        if found:
            yield heading, found


def _by_night(tables: Tables, _base: Base) -> list[Figure]:
    """Return findings of each run by severity, over its rounds."""
    severity = {check.code: str(check.severity) for check in all_checks()}
    runs = tables["runs"].filter(pl.col("rounds") > 0).select("begun", "rounds", "checks").collect()
    each = (
        runs.explode("checks")
        .unnest("checks")
        .with_columns(severity=pl.col("code").replace_strict(severity, default="note"))
        .group_by("begun", "rounds", "severity")
        .agg(pl.col("findings").sum())
        .with_columns(value=1000 * pl.col("findings") / pl.col("rounds"))
        .sort("begun", "severity")
    )
    says = "Findings per 1,000 rounds that a run audited, by severity; a point is a run."
    return [Figure("By night", says, each, "nights", "begun", "severity")]


def _affected_games(tables: Tables, base: Base) -> list[Figure]:
    """Shares of games with a finding that is no note, by platform, client and rule set."""
    wrong = (
        tables["findings"].filter(pl.col("severity") != "note", pl.col("game_id").is_not_null())
        .select("game_id").unique().with_columns(wrong=pl.lit(value=True))
    )  # fmt: skip
    games = base.games.join(wrong, on="game_id", how="left").with_columns(pl.col("wrong").fill_null(value=False))
    found = []
    for by, name in ((By.platform, "platform"), (By.client, "client"), (By.rules, "rule set")):
        counted = measured(games, [by.value], [rate("wrong", "", "wrong")])
        frame = with_values(counted).sort("denominator", descending=True).head(MOST_GROUPS).collect()
        frame = frame.select(by.value, "numerator", "denominator", "value", "low", "high")
        says = f"Share of games with an error or a broken rule, with {_INTERVAL}."
        found.append(Figure(f"By {name}", says, frame, "points", by.value))
    return found


def _shanten(tables: Tables, base: Base) -> list[Figure]:
    """Shanten at the draws of each turn: median, the middle 80 % of hands, mean."""
    drawn = tables["turns"].filter(
        pl.col("kind") == "draw", pl.col("turn") <= LAST_TURN, pl.col("shanten").is_not_null()
    )  # fmt: skip
    counts = (
        base.counted_once(drawn).group_by("players", "turn", "shanten").agg(hands=pl.len()).collect(engine="streaming")
    )
    ordered = counts.sort("players", "turn", "shanten").with_columns(
        below=pl.col("hands").cum_sum().over("players", "turn") / pl.col("hands").sum().over("players", "turn")
    )
    shanten = pl.col("shanten")
    quantiles = [shanten.filter(pl.col("below") >= share).first().alias(f"p{share * 100:.0f}") for share in SPREAD]
    mean = (shanten * pl.col("hands")).sum() / pl.col("hands").sum()
    frame = ordered.group_by("players", "turn", maintain_order=True).agg(
        mean.alias("value"), *quantiles, hands=pl.col("hands").sum()
    )
    frame = frame.rename({"p10": "low", "p50": "median", "p90": "high"}).with_columns(pl.col("players").cast(pl.String))
    says = "Mean at the draw; the band holds the middle 80 % of hands. 0 is tenpai, −1 a win."
    return [Figure("Shanten by turn", says, frame, "lines", "turn", "players")]


def _waits(_tables: Tables, base: Base) -> list[Figure]:
    counted = _of_seats(base)[1].lazy().filter(pl.col("kinds") > 0)
    frame = with_values(counted).sort("players", "kinds").with_columns(pl.col("players").cast(pl.String)).collect()
    titles = {"win": "Riichi won, by width of the wait", "deal_in": "Riichi dealt in, by width of the wait"}
    says = f"By how many kinds the hand waits for, with {_INTERVAL}."
    return [
        Figure(title, says, _shown(frame.filter(measure=measure), "players", "kinds"), "lines", "kinds", "players")
        for measure, title in titles.items()
    ]


def _shown(frame: pl.DataFrame, *keys: str) -> pl.DataFrame:
    return frame.select(*keys, "numerator", "denominator", "value", "low", "high")


@cache
def _of_seats(base: Base) -> list[pl.DataFrame]:
    """Return figures of seats in rounds, by players, client and player; and figures of riichi, by players and kinds.

    Both are made of the same rows, the slowest to make of all, so they are collected together.
    """
    asked = (("rates", tuple(_RATES), ["client", "player"]), ("waits", ("win", "deal_in"), ["kinds"]))
    return pl.collect_all(
        [
            measured(
                STATISTICS[name].rows(base), ["players", *keys],
                [measure for measure in STATISTICS[name].measures if measure.name in names],
            )
            for name, names, keys in asked
        ],
        engine="streaming",
    )  # fmt: skip


def _yaku(tables: Tables, base: Base) -> list[Figure]:
    frame = _series(computed(tables, "yaku"), base)
    found = []
    for (players,), part in frame.group_by(["players"], maintain_order=True):
        most = part.sort("numerator", descending=True).head(MOST_YAKU).drop("measure", "players", "games")
        says = f"Share of the wins of {players} players that have it, as recorded."
        found.append(Figure(f"Yaku, {players} players", says, most, "bars", "yaku"))
    return found


def _worth(tables: Tables, base: Base) -> list[Figure]:
    wins = base.counted_once(tables["wins"].filter(pl.col("points") > 0))
    steps = [1000, 2000, 3000, 4000, 6000, 8000, 12000, 16000, 24000, 32000]
    names = [f"{low:,}–{high:,}" for low, high in zip([1, *(each + 1 for each in steps[:-1])], steps, strict=True)]
    names.append(f"over {steps[-1]:,}")
    beyond = pl.sum_horizontal(pl.col("points") > step for step in steps)
    counts = wins.group_by("players", at=beyond).agg(wins=pl.len()).collect(engine="streaming")
    frame = counts.sort("players", "at").select(
        pl.col("players").cast(pl.String),
        pl.col("at").replace_strict(list(range(len(names))), names, return_dtype=pl.String).alias("worth"),
        "wins",
        value=pl.col("wins") / pl.col("wins").sum().over("players"),
        low=None,
        high=None,
    )
    says = "Points of winning hands as recorded, without honba and sticks."
    return [Figure("Worth of wins", says, frame, "bars", "worth", "players")]


def _series(frame: pl.DataFrame, base: Base) -> pl.DataFrame:
    """Return a statistic with its column ``players`` as text, also if all games have as many."""
    if "players" in frame.columns:
        return frame.with_columns(pl.col("players").cast(pl.String))
    all_have = base.games.select("players").head(1).collect()["players"].cast(pl.String).to_list()
    return frame.with_columns(players=pl.lit(all_have[0] if all_have else "4"))


_RATES = {"win": "Win rate", "deal_in": "Deal-in rate", "riichi": "Riichi rate", "call": "Call rate"}


def _rates_by_client(_tables: Tables, base: Base) -> list[Figure]:
    return _rates(base, By.client, f"Rounds of a seat, by format of the log, with {_INTERVAL}.")


def _rates_by_player(_tables: Tables, base: Base) -> list[Figure]:
    return _rates(base, By.player, f"The {MOST_GROUPS} players with most rounds, with {_INTERVAL}.")


def _rates(base: Base, by: By, says: str) -> list[Figure]:
    """Return the rates of the groups with most rounds; three and four players become part of a group's name."""
    sums, keys = ("numerator", "denominator", "units"), ("players", by.value, "measure")
    rows = _of_seats(base)[0]
    others = [name for name in rows.columns if name not in (*sums, "client", "player", "players", "measure")]
    counted = rows.group_by(keys, maintain_order=True).agg(pl.col(sums).sum(), pl.col(others).first())
    most = counted.group_by("players", by.value).agg(pl.col("denominator").max())
    most = most.sort("denominator", by.value, "players", descending=[True, False, False]).head(MOST_GROUPS)
    frame = most.lazy().drop("denominator").join(
        counted.lazy(), on=["players", by.value], nulls_equal=True, maintain_order="left"
    )  # fmt: skip
    name = pl.col(by.value).cast(pl.String).fill_null("not known")
    if base.mixed:
        name = pl.format("{} ({} players)", name, "players").alias(by.value)
    found = with_values(frame.with_columns(name)).collect()
    return [
        Figure(title, says, _shown(found.filter(measure=measure), by.value), "points", by.value)
        for measure, title in _RATES.items()
    ]


def _most(frame: pl.DataFrame, by: By) -> pl.DataFrame:
    """Return the rows of the groups with most games; three and four players become part of a group's name."""
    name = pl.col(by.value).cast(pl.String).fill_null("not known")
    if "players" in frame.columns:
        frame = frame.with_columns(pl.format("{} ({} players)", name, "players").alias(by.value)).drop("players")
    most = frame.select(by.value, "games").unique().sort("games", by.value, descending=[True, False]).head(MOST_GROUPS)
    return most.select(by.value).join(frame, on=by.value, how="left", nulls_equal=True, maintain_order="left")


def _placement(tables: Tables, _base: Base) -> list[Figure]:
    places = {"first": 1, "second": 2, "third": 3, "fourth": 4}
    frame = _most(computed(tables, "placement", By.player), By.player).filter(pl.col("measure").is_in(list(places)))
    frame = frame.filter(pl.col("denominator") > 0).rename({"measure": "place"})
    says = "Shares of first to last place in games with final scores."
    return [Figure("Placement", says, frame, "places", "player", "place")]

"""Reader of 電脳麻将 (Majiang) paipu: JSON objects, arrays and lines → canonical tables.

Facts: auditor/readers/majiang/FORMAT.md. A paipu does not state its rules, except in a line
``{"rule": …, "paipu": …}``. Otherwise ``--rules`` holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from auditor.base import steps
from auditor.log import tables
from auditor.readers.contract import Reader
from auditor.readers.majiang import faults, play, results, rules
from auditor.readers.majiang.absent import ABSENT
from auditor.readers.majiang.documents import documents

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.sources.log_files import Source
    from engine.rules.rule_sets import RuleSet

SEARCHED = 1 << 20
_BESIDE = (b'"log"', b'"player"')


def is_format(data: bytes) -> bool:
    """Return whether a file is a paipu of 電脳麻将: JSON with the keys of a game or a round, or mostly lines of it."""
    start = data[:SEARCHED]
    if data[:1] == b"<" or not (b'"qipai"' in start or (b'"qijia"' in start and any(key in start for key in _BESIDE))):
        return False
    if data[:1] in (b"{", b"["):
        return True
    lines = [line.lstrip() for line in start.split(b"\n") if line.strip()]
    return 2 * sum(line.startswith(b"{") for line in lines) >= len(lines)


def parse(sources: Sequence[Source], base: RuleSet) -> tables.Log:
    """Read a batch of files.

    Parameters
    ----------
    sources
        files whose ``data`` is UTF-8 JSON
    base
        rules of games that state none

    Returns
    -------
    Log
        one game for each game in the files, and for each text that should be a game

    """
    games, notes = documents(sources)
    games = games.with_columns(players=pl.when(pl.col("code") == "L007").then(tables.SEATS - 1).otherwise(tables.SEATS))
    games, of_headers = faults.headers(games)
    steps.reached(0.3)
    played = play.read(games, notes)
    steps.reached(0.9)
    ended = results.read(played.acts, played.rounds)
    ruled = rules.read(games, base)
    table = _games(games, sources, ruled.row)
    last = played.events.join(played.rounds.select("round", "game"), on="round").group_by("game").agg(
        last_event=pl.col("event").max()
    )  # fmt: skip
    return tables.Log(
        games=tables.conform(
            table.join(last, on="game", how="left", maintain_order="left"), tables.GAMES, ABSENT["games"]
        ),
        rounds=played.rounds,
        events=played.events,
        melds=played.melds,
        deals=played.deals,
        deposits=pl.DataFrame(schema=tables.DEPOSITS),
        claims=ended.claims,
        shows=ended.shows,
        problems=pl.concat([of_headers, played.problems, ended.problems, ruled.problems]),
        rules=ruled.sets,
    )


def _games(games: pl.DataFrame, sources: Sequence[Source], row: pl.Series) -> pl.DataFrame:
    """Return the games table; ``row`` has each game's place in the list of rule sets."""
    names = pl.Series([source.name for source in sources], dtype=pl.String)
    return games.with_columns(
        source=names.gather(games["file"]),
        platform=pl.lit("majiang"),
        deposits_inferred=pl.lit(value=True),
        hands_shown=pl.lit(value=True),
        liable_stated=pl.lit(value=True),
        kan_indicator=pl.lit("after_draw"),
        rules=row,
        names=_by_seat("player"),
        table="title",
        final_scores=_by_seat("defen").list.to_array(tables.SEATS),
        places=_by_seat("rank").list.to_array(tables.SEATS),
        final_points=_by_seat("point").cast(pl.List(pl.Float64)).list.to_array(tables.SEATS),
    )


def _by_seat(column: str) -> pl.Expr:
    """Turn a list by player into one by seat; null if it has not four values, or the first dealer is unknown."""
    values = pl.col(column)
    turned = pl.concat_list(
        [values.list.get((pl.col("qijia") + seat) % tables.SEATS, null_on_oob=True) for seat in range(tables.SEATS)]
    )
    first = pl.col("qijia").is_between(0, tables.SEATS - 1)
    return pl.when(values.list.len() == tables.SEATS, first).then(turned)


READER = Reader("majiang", is_format, parse, ABSENT)

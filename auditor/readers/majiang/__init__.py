"""電脳麻将 (Majiang) paipu: JSON objects, arrays and lines → canonical tables.

Facts: formats/majiang-paipu.md. The paipu does not record its rules; a line ``{"rule": …, "paipu": …}`` does, else
``--rules`` holds.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import polars as pl

from auditor import log, steps
from auditor.readers.majiang import play, results
from auditor.readers.majiang.documents import documents
from engine.rules import RuleSet, from_majiang

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.sources import Source

NAME = "majiang"
SEARCHED = 1 << 20


def is_format(data: bytes) -> bool:
    """Say whether a file is 電脳麻将 paipu: JSON with the key that begins every round."""
    return data[:1] in (b"{", b"[") and b'"qipai"' in data[:SEARCHED]


def read(sources: Sequence[Source], base: RuleSet) -> log.Log:
    """Read a batch.

    Parameters
    ----------
    sources
        files whose ``data`` is UTF-8 JSON
    base
        rules of games that bring none

    """
    games = documents(sources).with_row_index("game")
    steps.reached(0.3)
    played = play.read(games)
    steps.reached(0.9)
    ended = results.read(played.acts, played.rounds)
    table, rules, faults = _games(games, sources, base)
    last = played.events.join(played.rounds.select("round", "game"), on="round").group_by("game").agg(
        last_event=pl.col("event").max()
    )  # fmt: skip
    return log.Log(
        games=log.conform(table.join(last, on="game", how="left", maintain_order="left"), log.GAMES),
        rounds=played.rounds,
        events=played.events,
        melds=played.melds,
        deals=played.deals,
        deposits=pl.DataFrame(schema=log.DEPOSITS),
        claims=ended.claims,
        shows=ended.shows,
        problems=pl.concat([played.problems, ended.problems, faults]),
        rules=rules,
    )


def _games(
    games: pl.DataFrame, sources: Sequence[Source], base: RuleSet
) -> tuple[pl.DataFrame, list[RuleSet], pl.DataFrame]:
    """Return the games table, the rule sets it points into, and rule objects that could not be read as problems."""
    found: dict[RuleSet, int] = {}
    known: dict[str | None, tuple[RuleSet, str | None]] = {}
    for text in games["rule"].unique(maintain_order=True):
        known[text] = _rules(text, base)
        found.setdefault(known[text][0], len(found))
    faults = games.select(
        "game",
        code=pl.lit("L003"),
        recorded=pl.col("rule").replace_strict(
            {text: fault for text, (_, fault) in known.items()}, default=None, return_dtype=pl.String
        ),
        expected=pl.lit("a rule object of 電脳麻将"),
    ).drop_nulls("recorded")
    names = pl.Series([source.name for source in sources], dtype=pl.String)
    table = games.with_columns(
        source=names.gather(games["file"]),
        platform=pl.lit("majiang"),
        rules=pl.Series([found[known[text][0]] for text in games["rule"]], dtype=pl.UInt16),
        players=pl.lit(log.SEATS),
        names=_by_seat("player"),
        table="title",
        ended=pl.when(pl.col("defen").is_not_null()).then(pl.lit(value=True)),
        final_scores=_by_seat("defen").list.to_array(log.SEATS),
        places=_by_seat("rank").list.to_array(log.SEATS),
        final_points=_by_seat("point").cast(pl.List(pl.Float64), strict=False).list.to_array(log.SEATS),
    )
    return table, list(found), log.conform(faults, log.PROBLEMS)


def _rules(text: str | None, base: RuleSet) -> tuple[RuleSet, str | None]:
    """Return the rule set that a rule object states; of one that cannot be read, no rule is known, and why."""
    if text is None:
        return base, None
    try:
        return from_majiang(json.loads(text)), None
    except ValueError as error:
        return RuleSet(), f"rule: {error}"


def _by_seat(column: str) -> pl.Expr:
    """Return a list by player number as one by seat; null without four values or the first dealer's number."""
    values = pl.col(column)
    turned = pl.concat_list(
        [values.list.get((pl.col("qijia") + seat) % log.SEATS, null_on_oob=True) for seat in range(log.SEATS)]
    )
    first = pl.col("qijia").is_between(0, log.SEATS - 1)
    return pl.when(values.list.len() == log.SEATS, first).then(turned)

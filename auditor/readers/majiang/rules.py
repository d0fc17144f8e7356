"""The rules of paipu, from the rule object beside a game; without one, the rounding from the final points.

Source: RULES.md 1 (順位点), 5.31.
"""

from __future__ import annotations

import json
import re
from typing import NamedTuple

import polars as pl

from auditor.log import tables
from auditor.log.columns import RANGES
from auditor.readers.json_text import printable
from auditor.readers.majiang.faulty_game import UNREADABLE_RULE
from engine.rules.rule_sets import RuleSet, for_players, from_majiang

ROUNDED = "thousand_half_up"
"""The way in which 電脳麻将 rounds final points. Before rules could be chosen (January 2022) it always rounded."""
_PLACE_POINTS = re.compile(r"[-+]?[0-9]{1,5}(?:\.[0-9]{1,9})?")


class Rules(NamedTuple):
    """The rule sets of a batch. ``row`` has each game's place in ``sets``; unreadable rule objects are problems."""

    row: pl.Series
    sets: list[RuleSet]
    problems: pl.DataFrame


def read(games: pl.DataFrame, base: RuleSet) -> Rules:
    """Return the rules of games (columns game, rule, point, players); ``base`` holds for games that state none."""
    whole = games.select(_whole_points() & pl.col("rule").is_null()).to_series()
    asked = list(zip(games["rule"], whole, games["players"], strict=True))
    known = {
        (text, rounded, players): _rules(text, for_players(base, players), rounded=rounded)
        for text, rounded, players in dict.fromkeys(asked)
    }
    sets = {rules: number for number, rules in enumerate(dict.fromkeys(rules for rules, _ in known.values()))}
    faults = [
        (game, "L003", known[each][1], "a rule object of 電脳麻将")
        for game, each in zip(games["game"], asked, strict=True)
        if known[each][1]
    ]
    schema = {name: tables.PROBLEMS[name] for name in ("game", "code", "recorded", "expected")}
    return Rules(
        pl.Series([sets[known[each][0]] for each in asked], dtype=tables.GAMES["rules"]),
        list(sets),
        tables.problem_rows(pl.DataFrame(faults, schema=schema, orient="row")),
    )


def _whole_points() -> pl.Expr:
    """Return whether a game's final points are four numbers without decimals."""
    return pl.col("point").list.eval(~pl.element().str.contains(".", literal=True)).list.all().fill_null(value=False)


def _rules(text: str | None, base: RuleSet, *, rounded: bool) -> tuple[RuleSet, str | None]:
    """Return a game's rule set, and what is wrong with its rule object; None if nothing is.

    If the rule object is wrong, every rule is unknown. If a game has no rule object and its four final points are whole
    (``rounded``), they were rounded, even if ``base`` has exact points.
    """
    if text is None:
        return (base.changed(final_points_rounding=ROUNDED) if rounded and _exact(base) else base), None
    if text == UNREADABLE_RULE:
        return RuleSet(), None
    values = json.loads(text)
    if not isinstance(values, dict):
        return RuleSet(), f"rule {printable(text)[:80]}"
    fault = _fault(values)
    if fault is None:
        try:
            return from_majiang(values), None
        except ValueError as error:
            fault = str(error)
    return RuleSet(), printable(f"rule: {fault}")


def _exact(base: RuleSet) -> bool:
    return base.final_points_rounding == "exact"


def _fault(values: dict[str, object]) -> str | None:
    """Return what is wrong with the numbers of a rule object; None if nothing is."""
    start, most = values.get("配給原点", 0), RANGES["rounds"]["start"].high
    if type(start) is int and start > most:
        return f"配給原点 {start} is more than {most}"
    points = values.get("順位点")
    if isinstance(points, list) and not all(isinstance(each, str) and _PLACE_POINTS.fullmatch(each) for each in points):
        return f'順位点 {json.dumps(points, ensure_ascii=False)[:80]} is no list of texts such as "20.0"'
    return None

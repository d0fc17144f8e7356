"""Mismatches that hang on rules which nobody states: whether they are wrong under every value that these can have.

The games concerned are audited again under every filling of those rules, a game of one log for each. The fillings go
by how many rules differ from the values that stand in for unknown ones (those of the preset ``tenhou``): what a single
other value makes right is settled first, and only what is left is tried under all combinations, since two rules may
matter only together.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor import findings
from auditor.check import all_checks
from auditor.excerpts import taken
from auditor.frames import Frames
from engine.rules import BASE, contradictions, known_values, preset

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from auditor.log import Log
    from engine.rules import RuleSet

MOST = 2000
"""A mismatch that has more fillings than this is tried under those that differ in one rule, and stays undecided."""
EVENTS = 2_000_000
"""So many events are audited again for a batch, twice: under single changes, then under combinations."""
AT_ONCE = 250_000
"""Of these so many at a time, to bound memory."""

KEY = ("round", "event", "seat", "code", "recorded")
"""What tells the findings of a game apart; an expected value may change with the rules."""
_SHOWN = 3
"""So many different expected values are told."""


def judged(hanging: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Return these mismatches with what trying the unknown rules says of each.

    ``holds`` is true where it is there under every filling, false where it is gone under one, null where that was not
    tried to the end. ``on`` names the rules on which it depends, as a list: those that make it right alone, else those
    that do so together. Of what holds, ``expected`` has the values expected under the fillings.

    Parameters
    ----------
    hanging
        mismatches as :func:`auditor.findings.mismatches` gives them, in games one of whose rules is unknown
    frames
        what they were found in

    """
    scopes, fillings, sets = _fillings(hanging, frames.log)
    cases = hanging.select("game", *KEY).unique().join(scopes, on=["game", "code"])
    single, there = _tried(cases, fillings.filter(pl.col("changed").list.len() <= 1), frames, sets)
    gone = _gone(single, there)
    left = cases.join(gone, on=["game", *KEY], how="anti", nulls_equal=True)
    complete = left.filter(pl.col("fillings") <= MOST).join(single, on=["game", *KEY], how="semi", nulls_equal=True)
    several, there_too = _tried(complete, fillings.filter(pl.col("changed").list.len() > 1), frames, sets)
    gone = pl.concat([gone, _gone(several, there_too)])
    made = pl.concat([single, several]).group_by("game", *KEY).agg(made=pl.len())
    seen = (
        pl.concat([there, there_too])
        .group_by("game", *KEY, maintain_order=True)
        .agg(pl.col("expected").drop_nulls().unique(maintain_order=True))
    )
    return (
        hanging.drop("hangs")
        .join(cases, on=["game", *KEY], how="left", nulls_equal=True, maintain_order="left")
        .join(made, on=["game", *KEY], how="left", nulls_equal=True, maintain_order="left")
        .join(gone, on=["game", *KEY], how="left", nulls_equal=True, maintain_order="left")
        .join(seen, on=["game", *KEY], how="left", nulls_equal=True, maintain_order="left", suffix="_seen")
        .with_columns(
            # Gone as soon as all are filled: each of them may be why.
            on=pl.when(pl.col("on").list.len() == 0).then(pl.col("regardless_of").str.split(", ")).otherwise("on"),
        )
        .with_columns(
            holds=pl.when(pl.col("on").is_not_null())
            .then(pl.lit(value=False))
            .when((pl.col("made") == pl.col("fillings")) & (pl.col("fillings") > 0))
            .then(pl.lit(value=True)),
            expected=pl.when(pl.col("expected_seen").list.len() > 0)
            .then(
                pl.col("expected_seen").list.head(_SHOWN).list.join(" or ")
                + pl.when(pl.col("expected_seen").list.len() > _SHOWN).then(pl.lit(" or others")).otherwise(pl.lit(""))
            )
            .otherwise("expected"),
        )
        .drop("scope", "fillings", "made", "expected_seen")
    )


def _fillings(hanging: pl.DataFrame, log: Log) -> tuple[pl.DataFrame, pl.DataFrame, list[RuleSet]]:
    """Return what is to be tried.

    The first table has the ``scope`` of each ``game`` and ``code``, and how many ``fillings`` it has; the second those
    of each scope: the rules ``changed`` from the values that stand in, and ``rules``, the place in the list of sets.
    A scope is a rule set with some of its unknown parameters. A filling that contradicts itself is none. Where a
    scope has more than :data:`MOST`, only those of single changes are listed.
    """
    asked = hanging.select("game", "code").unique(maintain_order=True)
    rows = log.games["rules"].gather(asked["game"])
    obeyed = {check.code: frozenset(check.rules) for check in all_checks()}
    keys = [(row, log.rules[row].unknown & obeyed[code]) for row, code in zip(rows, asked["code"], strict=True)]
    place = {key: nth for nth, key in enumerate(dict.fromkeys(keys))}
    sets: dict[RuleSet, int] = {}
    listed = []
    counts = {}
    for (nth, unknown), scope in place.items():
        names = sorted(unknown)
        counts[scope] = 0
        for changed, rules in _filled(log.rules[nth], names):
            listed.append((scope, changed, sets.setdefault(rules, len(sets))))
            counts[scope] += 1
        size = prod(len(known_values(name)) for name in names)
        if size > MOST:
            counts[scope] = size
    fillings = pl.DataFrame(
        listed, schema={"scope": pl.UInt32, "changed": pl.List(pl.String), "filling": pl.UInt32}, orient="row"
    )
    scopes = asked.with_columns(
        scope=pl.Series([place[key] for key in keys], dtype=pl.UInt32),
        fillings=pl.Series([counts[place[key]] for key in keys], dtype=pl.UInt32),
    )
    return scopes, fillings, list(sets)


def usual_value(name: str) -> Any:  # noqa: ANN401 - each parameter has its own type
    """Return the value that stands in for an unknown one: that of ``tenhou``, or the first known if it has none."""
    stated = getattr(preset(BASE), name)
    return known_values(name)[0] if stated is None else stated


def _filled(rules: RuleSet, names: list[str]) -> Iterator[tuple[list[str], RuleSet]]:
    """Yield a rule set with these parameters filled in every way, or in one place at a time, and what differs."""
    usual = {name: usual_value(name) for name in names}
    values = [(usual[name], *(value for value in known_values(name) if value != usual[name])) for name in names]
    plain = tuple(usual.values())
    single = [(*plain[:nth], value, *plain[nth + 1 :]) for nth, each in enumerate(values) for value in each[1:]]
    combinations: Iterable[tuple[Any, ...]] = product(*values) if prod(map(len, values)) <= MOST else [plain, *single]
    for combination in combinations:
        chosen = dict(zip(names, combination, strict=True))
        filled = replace(rules, **chosen)
        if not contradictions(filled):
            yield [name for name in names if chosen[name] != usual[name]], filled


def _tried(
    cases: pl.DataFrame, fillings: pl.DataFrame, frames: Frames, sets: list[RuleSet]
) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Audit the games of these cases again under these fillings of their scopes.

    Returns the trials that were made, a row a case and filling with ``changed``, and those of them in which the
    mismatch is there, with what is ``expected`` then.
    """
    log = frames.log
    trials = _affordable(cases, fillings, log)
    made = cases.join(trials, on=["game", "scope"])
    key = ["game", *KEY, "filling"]
    there = [pl.DataFrame(schema={**made.select(key).schema, "expected": pl.String})]
    for _, part in trials.group_by("chunk", maintain_order=True):
        codes = set(cases.join(part, on=["game", "scope"], how="semi")["code"])
        copies = taken(log, part["game"].to_numpy().astype(np.int64))
        used = part["filling"].unique(maintain_order=True)
        rows = part["filling"].replace_strict(
            used, pl.Series(range(len(used))), return_dtype=copies.games.schema["rules"]
        )
        copies = replace(
            copies, games=copies.games.with_columns(rules=rows), rules=[sets[each] for each in used.to_list()]
        )
        checks = [check for check in all_checks() if check.code in codes]
        found, _ = findings.run(Frames(copies, frames.sources), checks)
        at = part[found["game"]]
        there.append(
            found.with_columns(game=at["game"], filling=at["filling"], scope=at["scope"])
            .join(cases, on=["game", *KEY, "scope"], how="semi", nulls_equal=True)
            .select(*key, "expected")
        )
    return made.select(*key, "changed"), pl.concat(there)


def _affordable(cases: pl.DataFrame, fillings: pl.DataFrame, log: Log) -> pl.DataFrame:
    """Return trials, a row a game, scope and filling, and the ``chunk`` it is made in.

    Where there are too many, games are tried in turn of codes: each code's first, each code's second …, each game
    under all of its fillings or none.
    """
    events = log.events.group_by("round").len("events").join(log.rounds.select("round", "game"), on="round")
    size = events.group_by("game").agg(pl.col("events").sum().cast(pl.Int64))
    count = fillings.group_by("scope").len("count")
    chosen = (
        cases.sort("game", "code")
        .with_columns(turn=pl.col("game").rank("dense").over("code"))
        .group_by("game", "scope")
        .agg(pl.col("turn").min(), pl.col("code").min())
        .sort("turn", "code", "scope")
        .join(size, on="game", maintain_order="left")
        .join(count, on="scope", maintain_order="left")
        .filter((pl.col("events") * pl.col("count")).cum_sum() <= EVENTS)
    )
    return (
        chosen.select("game", "scope", "events")
        .join(fillings, on="scope", maintain_order="left_right")
        .with_columns(chunk=pl.col("events").cum_sum() // AT_ONCE)
    )


def _gone(made: pl.DataFrame, there: pl.DataFrame) -> pl.DataFrame:
    """Return the cases that some of these trials make right, with the rules ``on`` which that hangs.

    These are the rules changed in the trials that changed the fewest of them.
    """
    key = ["game", *KEY]
    return (
        made.join(there, on=[*key, "filling"], how="anti", nulls_equal=True)
        .with_columns(count=pl.col("changed").list.len())
        .filter(pl.col("count") == pl.col("count").min().over(key))
        .explode("changed")
        .group_by(key)
        .agg(on=pl.col("changed").drop_nulls().unique().sort())
    )

"""Mismatches that an unknown rule decides: whether they are wrong under every value that the rule can have.

A filling gives every unknown rule of a game a value. The games concerned are audited again under every filling, each
copy a game of one log. If the rules decide nothing but final scores, the copy has only the game's last round. First
come the fillings that differ in one rule from the usual values (Tenhou's, for the number of players), then some
combinations, last all others: two rules may matter only together, but most mismatches that some filling makes right
need only one change.

A rule whose type lists its values has no others; nor has a rule with a single known value. A number with several known
values is open-ended: it may have others, so a finding must expect the same under all of them.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.audit import findings
from auditor.audit.check import all_checks
from auditor.audit.excerpts import taken, under
from auditor.audit.frames import Frames
from auditor.log.columns import SEATS
from auditor.scoring.final_scores import FINAL_RULES
from auditor.scoring.succession import of_rounds
from engine.rules.rule_sets import PARAMETERS, contradictions, known_values, stand_in

if TYPE_CHECKING:
    from auditor.replay.columns import Columns
    from engine.rules.rule_sets import RuleSet

MOST = 2000
"""A mismatch with more fillings than this is tried only under those that change one rule, and stays undecided."""
SAMPLE = 24
"""The number of combinations that are tried before all others."""
EVENTS = 2_000_000
"""The most events that are audited again for a batch, at each stage."""
AT_ONCE = 250_000
"""How many of these are audited at a time, to bound memory."""

KEY = ("round", "event", "seat", "code", "recorded")
"""The columns that identify a finding within its game; an expected value may change with the rules."""
_CASE = ["game", *KEY]
_FILLING: Columns = {"scope": pl.UInt32, "filling": pl.UInt32, "changed": pl.List(pl.String), "listed": pl.Int64}
"""The columns of a filling: ``scope``, its place among the fillings of the scope, ``changed`` (the names of the rules
that differ from the usual values), ``listed`` (one number for all fillings that differ only in open-ended rules)."""
_SHOWN = 3
"""The most expected values that a finding lists."""


def judged(hanging: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Return these mismatches with the outcome of trying the unknown rules.

    ``holds`` is true if the mismatch is there under every filling, false if it is gone under one, null if not all were
    tried. ``on`` lists the rules on which it depends: those that make it right alone, otherwise those that do so
    together. ``expected`` has the values expected under the fillings, if the mismatch holds.

    Parameters
    ----------
    hanging
        mismatches as :func:`auditor.audit.findings.mismatches` returns them, in games with unknown rules
    frames
        the frames that they were found in

    """
    cases = hanging.select(*_CASE, "regardless_of").unique(_CASE, maintain_order=True)
    cases = cases.with_columns(rules=frames.log.games["rules"].gather(cases["game"]))
    scopes = cases.select("rules", names="regardless_of").unique(maintain_order=True).with_row_index("scope")
    cases = cases.join(scopes, left_on=["rules", "regardless_of"], right_on=["rules", "names"], maintain_order="left")
    left, present, gone, stages = cases, [], [], []
    for fillings in _stages(scopes, frames):
        made, there = _tried(left, fillings, frames)
        present.append(there)
        stages.append(made)
        gone.append(_gone(made, there))
        left = left.join(gone[-1], on=_CASE, how="anti", nulls_equal=True)
    seen = pl.concat(present)
    gone.append(_swayed(seen.join(left, on=_CASE, how="semi", nulls_equal=True)))
    count = pl.concat(stages).group_by(_CASE).agg(made=pl.len())
    expected = seen.group_by(_CASE, maintain_order=True).agg(
        pl.col("expected").drop_nulls().unique(maintain_order=True)
    )
    complete = pl.DataFrame(
        [(nth, len(_filled(frames.log.rules[row], names))) for nth, row, names in scopes.iter_rows()],
        schema={"scope": pl.UInt32, "all": pl.UInt32},
        orient="row",
    )
    verdict = (
        cases.drop("rules", "regardless_of")
        .join(complete, on="scope", maintain_order="left")
        .join(count, on=_CASE, how="left", nulls_equal=True, maintain_order="left")
        .join(pl.concat(gone), on=_CASE, how="left", nulls_equal=True, maintain_order="left")
        .join(expected, on=_CASE, how="left", nulls_equal=True, maintain_order="left")
    )
    values = pl.col("expected_right")
    more = pl.when(values.list.len() > _SHOWN).then(pl.lit(" or others")).otherwise(pl.lit(""))
    every = (pl.col("made") == pl.col("all")).fill_null(value=False) & (pl.col("all") > 0)
    return (
        hanging.drop("hangs")
        .join(verdict, on=_CASE, how="left", nulls_equal=True, maintain_order="left", suffix="_right")
        .with_columns(
            holds=pl.when(pl.col("on").is_not_null()).then(pl.lit(value=False)).when(every).then(pl.lit(value=True)),
            # The mismatch is gone under the usual values already, so it may depend on each of the unknown rules.
            on=pl.when(pl.col("on").list.len() == 0).then(pl.col("regardless_of").str.split(", ")).otherwise("on"),
            expected=pl.when(values.list.len() > 0)
            .then(values.list.head(_SHOWN).list.join(" or ") + more)
            .otherwise("expected"),
        )
        .drop("scope", "all", "made", "expected_right")
    )


def _stages(scopes: pl.DataFrame, frames: Frames) -> list[pl.DataFrame]:
    """Return the fillings of all scopes in three stages: single changes, some combinations, all others."""
    stages: list[list[tuple[int, int, str, int]]] = [[], [], []]
    for scope, row, names in scopes.iter_rows():
        filled = _filled(frames.log.rules[row], names)
        several = [nth for nth, (changed, _, _) in enumerate(filled) if len(changed) > 1]
        sample = set(several[:: -(-len(several) // SAMPLE)] if several else [])
        for nth, (changed, listed, rules) in enumerate(filled):
            if rules is not None:
                stage = stages[0 if len(changed) <= 1 else 1 if nth in sample else 2]
                stage.append((scope, nth, " ".join(changed), listed))
    # By column, and lists as texts, because Polars reads rows and lists slowly.
    words, texts = pl.col("changed").str.extract_all(r"\w+"), {**_FILLING, "changed": pl.String}
    return [
        pl.DataFrame(list(zip(*rows, strict=True)), texts, orient="col").with_columns(changed=words) for rows in stages
    ]


@cache
def _filled(rules: RuleSet, names: str) -> list[tuple[list[str], int, RuleSet | None]]:
    """Return a rule set with these unknown parameters (a comma between) filled in every way.

    Each comes with the names of the parameters that differ from the usual values, a number that is the same for all
    fillings that differ only in open-ended parameters, and the rule set. Rule sets that contradict themselves are
    left out. Beyond :data:`MOST` fillings only single changes are made, and one entry without a rule set stands for
    the rest.
    """
    asked = names.split(", ")
    usual = {name: usual_value(rules, name) for name in asked}
    values = [(usual[name], *(value for value in values_of(rules, name) if value != usual[name])) for name in asked]
    few = prod(map(len, values)) <= MOST
    found: list[tuple[list[str], int, RuleSet | None]] = [] if few else [(asked, 0, None)]
    closed = [name for name in asked if not _open_ended(rules, name)]
    plain = tuple(usual.values())
    single = [(*plain[:nth], value, *plain[nth + 1 :]) for nth, each in enumerate(values) for value in each[1:]]
    places: dict[tuple[Any, ...], int] = {}
    for combination in product(*values) if few else [plain, *single]:
        chosen = dict(zip(asked, combination, strict=True))
        filled = rules.tried(**chosen)
        if not contradictions(filled):
            changed = [name for name in asked if chosen[name] != usual[name]]
            listed = tuple(chosen[name] for name in closed)
            found.append((changed, places.setdefault(listed, len(places)), filled))
    return found


def values_of(rules: RuleSet, name: str) -> tuple[Any, ...]:
    """Return the known values of a parameter for the number of players of a rule set."""
    return known_values(name, rules.players or SEATS)


def usual_value(rules: RuleSet, name: str) -> Any:  # noqa: ANN401 - each parameter has its own type
    """Return the value that stands in for an unknown one: Tenhou's (`stand_in`), or the first known if it has none."""
    stated = stand_in(rules, name)
    return values_of(rules, name)[0] if stated is None else stated


def _open_ended(rules: RuleSet, name: str) -> bool:
    """Say whether a parameter may have other values than those known."""
    return not PARAMETERS[name].listed and len(values_of(rules, name)) > 1


def _tried(cases: pl.DataFrame, fillings: pl.DataFrame, frames: Frames) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Audit the games of these cases again under these fillings of their scopes.

    Returns the trials that were made, a row a case and filling; and those in which the mismatch is there, with the
    value ``expected`` then.
    """
    log = frames.log
    late = [each.code for each in all_checks() if each.subject is Frames.final_scores and {*each.rules} <= FINAL_RULES]
    trials = _affordable(cases, fillings, frames).join(
        cases.group_by("scope").agg(late=pl.col("code").is_in(late).all()), on="scope", maintain_order="left"
    )
    made = cases.join(trials, on=["game", "scope"]).select(*_CASE, *_FILLING)
    there = [made.head(0).with_columns(expected=pl.lit(None, pl.String))]
    scopes = {
        scope: (log.rules[row], names) for scope, row, names in cases[["scope", "rules", "regardless_of"]].iter_rows()
    }
    for (_, only_ends), part in trials.group_by("chunk", "late", maintain_order=True):
        codes = set(cases.join(part, on=["game", "scope"], how="semi")["code"])
        games = part["game"].to_numpy().astype(np.int64)
        rules = [_filled(*scopes[scope])[nth][2] for scope, nth in part[["scope", "filling"]].iter_rows()]
        tried = Frames(under(taken(log, games, only_ends=only_ends), rules), frames.sources)
        if only_ends:
            last = np.searchsorted(log.rounds["game"].to_numpy(), games, side="right") - 1
            tried.round_succession, tried.ends = (
                of_rounds(each, last) for each in (frames.round_succession, frames.ends)
            )
        found, _ = findings.run(tried, [each for each in all_checks() if each.code in codes])
        there.append(
            found.drop("game")
            .hstack(part[["game", *_FILLING]][found["game"]])
            .join(cases, on=[*_CASE, "scope"], how="semi", nulls_equal=True)
            .select(*_CASE, *_FILLING, "expected")
        )
    return made, pl.concat(there)


def _affordable(cases: pl.DataFrame, fillings: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Return trials, a row a game, scope and filling, and the ``chunk`` it is made in.

    If there are too many, the first game of each code is tried, then the second of each, and so on. A game is tried
    under all of its fillings or under none.
    """
    log = frames.log
    game = log.rounds["game"].to_numpy()[log.events["round"].to_numpy()]
    size = pl.DataFrame([log.games["game"], pl.Series("events", np.bincount(game, minlength=len(log.games)))])
    chosen = (
        cases.sort("game", "code", maintain_order=True)
        .with_columns(turn=pl.col("game").rank("dense").over("code"))
        .group_by("game", "scope")
        .agg(pl.col("turn").min(), pl.col("code").min())
        .sort("turn", "code", "scope")
        .join(size.filter(pl.col("events") > 0), on="game", maintain_order="left")
        .join(fillings.group_by("scope").len("count"), on="scope", maintain_order="left")
        .filter((pl.col("events") * pl.col("count")).cum_sum() <= EVENTS)
    )
    return (
        chosen.select("game", "scope", "events")
        .join(fillings, on="scope", maintain_order="left_right")
        .with_columns(chunk=pl.col("events").cum_sum() // AT_ONCE)
    )


def _gone(made: pl.DataFrame, there: pl.DataFrame) -> pl.DataFrame:
    """Return the cases that some of these trials make right, and the rules ``on`` which that depends.

    These are the rules that were changed in the trials with the fewest changes.
    """
    return (
        made.join(there, on=[*_CASE, "filling"], how="anti", nulls_equal=True)
        .filter(pl.col("changed").list.len() == pl.col("changed").list.len().min().over(_CASE))
        .explode("changed")
        .group_by(_CASE)
        .agg(on=pl.col("changed").drop_nulls().unique().sort())
    )


def _swayed(seen: pl.DataFrame) -> pl.DataFrame:
    """Return the cases whose expected value depends on open-ended rules, and these rules."""
    usual = seen.filter(pl.col("changed").list.len() == 0).select(*_CASE, usual="expected")
    open_ended = [name for name in PARAMETERS if not PARAMETERS[name].listed]  # one with a single value is unchanged
    swayed = seen.group_by(*_CASE, "listed").agg(pl.col("expected").n_unique()).filter(pl.col("expected") > 1)
    alone = (
        seen.filter(pl.col("changed").list.len() == 1)
        .with_columns(pl.col("changed").list.first())
        .join(usual, on=_CASE, nulls_equal=True)
        .filter(pl.col("expected").ne_missing(pl.col("usual")), pl.col("changed").is_in(open_ended))
    )
    return (
        swayed.select(_CASE)
        .unique()
        .join(alone.select(*_CASE, "changed"), on=_CASE, how="left", nulls_equal=True)
        .group_by(_CASE)
        .agg(on=pl.col("changed").drop_nulls().unique().sort())
    )

"""Other rules under which a finding would be right: games with findings are audited again under other rules.

Each game is copied once for every other value of every parameter that decides its findings, and once under its own
rules. All copies together are one log, and the checks run once over it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from auditor.audit import findings, unknown_rules
from auditor.audit.check import all_checks
from auditor.audit.excerpts import taken, under
from auditor.audit.findings import decides
from auditor.audit.frames import Frames
from auditor.log.tables import conform
from engine.rules.declaration import format_value
from engine.rules.rule_sets import PARAMETERS, known_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from auditor.audit.check import Check
    from auditor.audit.findings import Tally
    from auditor.log.tables import Log
    from engine.rules.rule_sets import RuleSet

TRIALS = 600
"""The most trials a batch, besides the games under their own rules. It bounds the time for an archive that is audited
under wrong rules, which has the same findings in all its games."""
COURSE = "G"
"""The letter of checks whose findings are about the whole game, not one round of it."""


@dataclass(frozen=True)
class Trial:
    """A game of the log under rules in which one ``parameter`` has another ``value``; None: under its own rules."""

    game: int
    parameter: str | None
    value: Any
    rules: RuleSet

    @property
    def text(self) -> str | None:
        """The other rule, as a rule file has it."""
        return None if self.parameter is None else f"{self.parameter}={format_value(self.value)}"


def run(frames: Frames, checks: Iterable[Check]) -> tuple[pl.DataFrame, list[Tally]]:
    """Return the findings of these checks as rows of the output table, and a tally a check.

    If a rule that decides a mismatch is unknown, the mismatch is a finding only if it is there under every value of it.
    """
    found, tallies = findings.mismatches(frames, checks)
    if found.is_empty():
        return found[[*findings.FINDINGS]], tallies
    if found["hangs"].any():
        found, tallies = _decided(found, tallies, frames)
    return conform(found.with_columns(right_under(found, frames)), findings.FINDINGS), tallies


def _decided(found: pl.DataFrame, tallies: Sequence[Tally], frames: Frames) -> tuple[pl.DataFrame, list[Tally]]:
    """Return the findings, now with the mismatches that hold under all values of unknown rules; and new tallies."""
    judged = unknown_rules.judged(found.filter("hangs"), frames)
    holding = judged.filter("holds").drop("holds", "on")
    holding = holding.with_columns(findings.messages(holding))
    more = {tally.code: tally for tally in tallies}
    for here in judged.partition_by("code"):
        tally = more[here["code"][0]]
        holds, depends = int(here["holds"].sum()), int((~here["holds"]).sum())
        on = Counter(here["on"].explode().drop_nulls().to_list())
        more[tally.code] = replace(
            tally, not_checkable=tally.not_checkable - holds - depends, findings=tally.findings + holds,
            depends=depends, on=on,
        )  # fmt: skip
    return findings.ordered(pl.concat([found.filter(~pl.col("hangs")).drop("hangs"), holding])), list(more.values())


def right_under(found: pl.DataFrame, frames: Frames) -> pl.Series:
    """Return for each finding the rules, each alone, under which it would be right; null for none.

    A finding is right under a rule if it is gone, and no check that depends on the rule has a new finding in the round
    or can judge fewer of its rows. For a finding about a game's course, this must hold in the whole game.

    Parameters
    ----------
    found
        findings as :func:`auditor.audit.findings.run` returns them
    frames
        the frames that they were found in

    """
    nothing = pl.Series("right_under", [None] * len(found), dtype=pl.String)
    asked = _asked(found, frames.log.games["players"])
    trials = _trials(asked, frames.log)
    if not trials:
        return nothing
    copies = taken(frames.log, np.array([trial.game for trial in trials], dtype=np.int64))
    tried = Frames(under(copies, [trial.rules for trial in trials]), frames.sources)
    checks = _concerned(trials)
    again, _ = findings.run(tried, checks)
    right = _without_findings(again, _blind(tried, checks), trials).join(asked, on=["game", "code"], how="semi")
    rules = right.sort("trial").group_by("game", *unknown_rules.KEY).agg(right_under=pl.col("text").str.join("; "))
    return found.drop("right_under").join(
        rules, on=["game", *unknown_rules.KEY], how="left", nulls_equal=True, maintain_order="left"
    )["right_under"]


def _asked(found: pl.DataFrame, players: pl.Series) -> pl.DataFrame:
    """Return the pairs of game and code to be tried: each code's first game, then each code's second, and so on.

    ``players`` is how many play in each game.
    """
    cost = pl.DataFrame(
        [
            (check.code, seats, sum(len(known_values(name, seats)) for name in check.rules if decides(name, seats)))
            for check in all_checks()
            if check.rules
            for seats in players.unique()
        ],
        schema={"code": pl.String, "players": players.dtype, "cost": pl.UInt32},
        orient="row",
    )
    pairs = found.unique(["code", "game"])
    return (
        pairs.with_columns(players=players.gather(pairs["game"]))
        .join(cost, on=["code", "players"])
        .sort("code", "game")
        .with_columns(turn=pl.int_range(pl.len()).over("code"))
        .sort("turn", "code")
        .filter(pl.col("cost").cum_sum() <= TRIALS)
        .select("game", "code", "regardless_of")
    )


def _trials(asked: pl.DataFrame, log: Log) -> list[Trial]:
    """Return the trials, games in order: each under its own rules, then under each other value in turn."""
    rules = {check.code: check.rules for check in all_checks()}
    trials = []
    by_game = asked.sort("game").group_by("game", maintain_order=True).agg("code", "regardless_of")
    for game, codes, regardless in by_game.iter_rows():
        own = _filled(log.rules[log.games["rules"][game]], regardless)
        trials.append(Trial(game, None, None, own))
        players = log.games["players"][game]
        concerned = {name for code in codes for name in rules[code] if decides(name, players)}
        trials += [
            Trial(game, name, value, own.tried(**{name: value}))
            for name in PARAMETERS
            if name in concerned
            for value in known_values(name, players)
            if value != getattr(own, name)
        ]
    return trials


def _filled(rules: RuleSet, regardless: Iterable[str | None]) -> RuleSet:
    """Return a rule set with the usual values for the unknown rules that findings do not depend on.

    If these rules stayed unknown, the findings would not be found again.
    """
    names = {name for names in regardless if names for name in names.split(", ")}
    return rules.tried(**{name: unknown_rules.usual_value(rules, name) for name in names})


def _concerned(trials: Iterable[Trial]) -> tuple[Check, ...]:
    """Return the checks that some trial can change, selected or not: another check may then report the fault."""
    tried = {trial.parameter for trial in trials}
    return tuple(check for check in all_checks() if tried.intersection(check.rules))


def _blind(frames: Frames, checks: Iterable[Check]) -> pl.DataFrame:
    """Return how many rows each check cannot judge in a game and round: ``trial``, ``round``, ``code``, ``blind``."""
    rounds = frames.log.rounds.select("round", trial="game", nth="nth")
    parts = [pl.DataFrame(schema={"trial": pl.UInt32, "round": pl.UInt16, "code": pl.String, "blind": pl.UInt32})]
    for check in checks:
        if check.subject and check.needs:
            unseen = check.subject.of(frames).filter(pl.any_horizontal(pl.col(*check.needs).is_null())).select("round")
            placed = unseen.cast(pl.UInt32).join(rounds, on="round")
            parts.append(
                placed.group_by("trial", round="nth").agg(code=pl.lit(check.code), blind=pl.len().cast(pl.UInt32))
            )
    return pl.concat(parts)


def _without_findings(again: pl.DataFrame, blind: pl.DataFrame, trials: Sequence[Trial]) -> pl.DataFrame:
    """Return the findings that are gone in a trial, if the trial makes nothing else in their round worse."""
    trial = pl.DataFrame(
        {
            "trial": np.arange(len(trials), dtype=np.uint32),
            "game": pl.Series([each.game for each in trials], dtype=pl.UInt32),
            "parameter": pl.Series([each.parameter for each in trials], dtype=pl.String),
            "text": pl.Series([each.text for each in trials], dtype=pl.String),
        }
    )
    depends = pl.DataFrame(
        [(check.code, name) for check in all_checks() for name in check.rules],
        schema={"code": pl.String, "parameter": pl.String},
        orient="row",
    )
    made = again.select(pl.col("game").alias("trial"), *unknown_rules.KEY).join(trial, on="trial")
    tried = trial.filter(pl.col("parameter").is_not_null())
    as_is = made.filter(pl.col("parameter").is_null()).select("game", *unknown_rules.KEY)
    still = made.join(depends, on=["code", "parameter"], how="semi")
    possible = as_is.join(tried, on="game").join(depends, on=["code", "parameter"], how="semi")
    gone = possible.join(still, on=["trial", *unknown_rules.KEY], how="anti", nulls_equal=True)
    new = still.join(as_is, on=["game", *unknown_rules.KEY], how="anti", nulls_equal=True)
    unseen = blind.join(trial, on="trial")
    seen_before = unseen.filter(pl.col("parameter").is_null()).select("game", "round", "code", before="blind")
    less = (
        unseen.join(depends, on=["code", "parameter"], how="semi")
        .join(seen_before, on=["game", "round", "code"], how="left")
        .filter(pl.col("blind") > pl.col("before").fill_null(0))
    )
    worse = pl.concat([new.select("trial", "round"), less.select("trial", "round")])
    course = pl.col("code").str.starts_with(COURSE)
    of_round = gone.join(worse, on=["trial", "round"], how="anti", nulls_equal=True)
    return pl.concat([of_round.filter(~course), gone.filter(course).join(worse, on="trial", how="anti")])

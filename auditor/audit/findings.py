"""Running checks over frames: their findings as one table, and the number of rows that each check could judge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING

import polars as pl

from auditor.audit.check import all_checks
from auditor.base import steps
from auditor.dataset.schema import TABLES
from auditor.log.words import format_round
from engine.rules.rule_sets import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from auditor.audit.check import Check
    from auditor.audit.frames import Frames
    from engine.rules.rule_sets import RuleSet

SANMA_PLAYERS = 3
FINDINGS = TABLES["findings"].types


@dataclass(frozen=True)
class Tally:
    """How many rows a check looked at, how many of them it could not judge, and its findings.

    ``depends`` counts the mismatches that are right under some value of an unknown rule; ``on`` counts them by rule.
    """

    code: str
    looked: int
    not_checkable: int
    findings: int
    depends: int = 0
    on: Counter[str] = field(default_factory=Counter)

    def __add__(self, other: Tally) -> Tally:
        """Add up two tallies of one check."""
        return Tally(
            self.code,
            self.looked + other.looked,
            self.not_checkable + other.not_checkable,
            self.findings + other.findings,
            self.depends + other.depends,
            self.on + other.on,
        )


def run(frames: Frames, checks: Iterable[Check]) -> tuple[pl.DataFrame, list[Tally]]:
    """Return the findings of these checks, in the order of the log, and a tally a check.

    The columns are ``game`` (row of the log) and those of the output table; ``right_under`` is null. If a rule that
    decides a mismatch is unknown in its game, the mismatch is no finding here; it counts as not checkable.
    """
    found, tallies = mismatches(frames, checks)
    return found.filter(~pl.col("hangs")).drop("hangs"), tallies


def mismatches(frames: Frames, checks: Iterable[Check]) -> tuple[pl.DataFrame, list[Tally]]:
    """Return all mismatches of these checks, and a tally a check.

    ``hangs`` is true where a rule that decides the mismatch is unknown in its game. The log was then compared with the
    value that the preset ``tenhou`` has.
    """
    parts, tallies = [_NONE_OF_CHECK], []
    finds = [(check, check.find) for check in checks if check.find is not None]
    for at, (check, find) in enumerate(finds):
        steps.reached(at / len(finds))
        looked, blind = _seen(check, frames)
        mismatched = find(frames)
        if len(mismatched):
            parts.append(_of_check(mismatched, check))
        tallies.append(Tally(check.code, looked, blind, len(mismatched)))
    if len(parts) == 1:
        return _NONE, tallies
    found = _output_rows(_placed(pl.concat(parts, how="diagonal", rechunk=True), frames), frames)
    undecided = Counter(found.filter("hangs")["code"])
    # A mismatch that hangs is no finding yet.
    hanging = (Tally(tally.code, 0, undecided[tally.code], -undecided[tally.code]) for tally in tallies)
    return ordered(found), [tally + less for tally, less in zip(tallies, hanging, strict=True)]


def decides(rule: str, players: int) -> bool:
    """Say whether a rule parameter decides anything in a game of so many players; those of kita need three."""
    return players == SANMA_PLAYERS or not PARAMETERS[rule].sanma


@cache
def unknown(rules: RuleSet, players: int) -> frozenset[str]:
    """Return the names of the unknown rules that decide anything in a game of so many players."""
    return frozenset(name for name in rules.unknown if decides(name, players))


def ordered(table: pl.DataFrame) -> pl.DataFrame:
    """Return findings in the order of the log."""
    return table.sort("game", "event", "code", nulls_last=False, maintain_order=True)


def messages(table: pl.DataFrame) -> pl.Series:
    """Return the sentence of each finding."""
    sentences = {check.code: check.message for check in all_checks()}
    return pl.Series(
        "message",
        [
            sentences[code].format(recorded=recorded, expected=expected, seat="?" if seat is None else seat)
            for code, recorded, expected, seat in table.select("code", "recorded", "expected", "seat").iter_rows()
        ],
        dtype=pl.String,
    )


_MISMATCH = {
    "game": pl.UInt32, "source": pl.String, "round": pl.UInt32, "event": pl.UInt32, "pos": pl.UInt32, "seat": pl.Int8,
    "recorded": pl.String, "expected": pl.String, "code": pl.String, "severity": pl.String,
}  # fmt: skip
"""The columns that a check's ``find`` can return, and those of its code and severity."""
_NONE_OF_CHECK = pl.DataFrame(schema=_MISMATCH)
_NONE = pl.DataFrame(schema={"game": pl.UInt32, **FINDINGS, "hangs": pl.Boolean})
"""No mismatches, made once: as checks find them, and as rows of the output table."""


def _of_check(found: pl.DataFrame, check: Check) -> pl.DataFrame:
    """Return what a check's ``find`` has returned, with its code and severity."""
    columns = {name: pl.col(name).cast(kind) for name, kind in _MISMATCH.items() if name in found.columns}
    return found.select(**columns | {"code": pl.lit(check.code), "severity": pl.lit(check.severity.value)})


def _placed(found: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Return mismatches with game and source; those without an event get the first event of their round."""
    log, at = frames.log, found["round"]
    found = found.with_columns(
        *(pl.coalesce(name, log.rounds[name][at]) for name in ("game", "event", "pos")),
        *(log.rounds[name][at] for name in ("nth", "wind", "dealer", "honba")),
    )
    game = found["game"]
    return found.with_columns(
        *(log.games[name][game] for name in ("game_id", "rules", "within", "names")),
        pl.coalesce("source", log.games["source"][game]),
        round_name=format_round(),
    )


def _seen(check: Check, frames: Frames) -> tuple[int, int]:
    """Return how many rows a check looks at, and how many of them lack a value that it needs."""
    if check.subject is None:
        return 0, 0
    rows = check.subject.of(frames)
    lacking = [rows[name] for name in check.needs if rows[name].null_count()]
    if len(lacking) < 2:
        return len(rows), sum(column.null_count() for column in lacking)
    return len(rows), int(reduce(or_, (column.is_null() for column in lacking)).sum())


def _output_rows(found: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Return placed mismatches as rows of the output table, with ``game`` and ``hangs``."""
    by_code = {check.code: check for check in all_checks()}
    of_game = [found["code"], found["rules"], frames.log.games["players"][found["game"]]]
    cases = [
        (by_code[code], frozenset() if row is None else unknown(frames.log.rules[row], players))
        for code, row, players in zip(*of_game, strict=True)
    ]
    hangs = [not names.isdisjoint(check.tried_rules) for check, names in cases]
    depends = [", ".join(sorted(names.intersection(check.rules))) or None for check, names in cases]
    return found.with_columns(
        messages(found),
        round=pl.col("nth"),
        player=pl.col("names").list.get(pl.col("seat").cast(pl.Int64), null_on_oob=True).replace("", None),
        right_under=pl.lit(None, pl.String),
        regardless_of=pl.Series(depends, dtype=pl.String),
        hangs=pl.Series(hangs, dtype=pl.Boolean),
    ).select("game", *FINDINGS, "hangs")

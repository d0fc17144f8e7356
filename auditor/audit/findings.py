"""Running checks over frames: their findings as one table, and the number of rows that each check could judge."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import polars as pl

from auditor.audit.check import all_checks
from auditor.base import steps
from auditor.dataset.schema import TABLES
from auditor.log.words import format_round

if TYPE_CHECKING:
    from collections.abc import Iterable

    from auditor.audit.check import Check
    from auditor.audit.frames import Frames

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
    parts, tallies = [pl.DataFrame(schema=_MISMATCH)], []
    finds = [(check, check.find) for check in checks if check.find is not None]
    for at, (check, find) in enumerate(finds):
        steps.reached(at / len(finds))
        looked, blind = _seen(check, frames)
        mismatched = find(frames)
        if len(mismatched):
            parts.append(_of_check(mismatched, check))
        tallies.append(Tally(check.code, looked, blind, len(mismatched)))
    if len(parts) == 1:
        return pl.DataFrame(schema={"game": pl.UInt32, **FINDINGS, "hangs": pl.Boolean}), tallies
    found = _output_rows(_placed(pl.concat(parts, how="diagonal", rechunk=True), frames), frames)
    undecided = Counter(found.filter("hangs")["code"])
    # A mismatch that hangs is no finding yet.
    hanging = (Tally(tally.code, 0, undecided[tally.code], -undecided[tally.code]) for tally in tallies)
    return ordered(found), [tally + less for tally, less in zip(tallies, hanging, strict=True)]


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
        *(log.games[name][game] for name in ("game_id", "rules", "within")),
        pl.coalesce("source", log.games["source"][game]),
        round_name=format_round(),
    )


def _seen(check: Check, frames: Frames) -> tuple[int, int]:
    """Return how many rows a check looks at, and how many of them lack a value that it needs."""
    if check.subject is None:
        return 0, 0
    rows = check.subject.of(frames)
    if not any(rows[name].null_count() for name in check.needs):
        return len(rows), 0
    blind = rows.select(pl.any_horizontal(pl.col(*check.needs).is_null()).sum()).item()
    return len(rows), int(blind or 0)


def _output_rows(found: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Return placed mismatches as rows of the output table, with ``game`` and ``hangs``."""
    by_code = {check.code: check for check in all_checks()}
    unknown = {row: frames.log.rules[row].unknown for row in found["rules"].unique().drop_nulls()}
    cases = [(by_code[code], unknown.get(row, frozenset())) for code, row in found.select("code", "rules").iter_rows()]
    hangs = [not unknown.isdisjoint(check.tried_rules) for check, unknown in cases]
    depends = [", ".join(sorted(unknown.intersection(check.rules))) or None for check, unknown in cases]
    return found.with_columns(
        messages(found),
        round=pl.col("nth"),
        right_under=pl.lit(None, pl.String),
        regardless_of=pl.Series(depends, dtype=pl.String),
        hangs=pl.Series(hangs, dtype=pl.Boolean),
    ).select("game", *FINDINGS, "hangs")

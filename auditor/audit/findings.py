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
    found, tallies = [pl.DataFrame(schema={"game": pl.UInt32, **FINDINGS, "hangs": pl.Boolean})], []
    finds = [(check, check.find) for check in checks if check.find is not None]
    for at, (check, find) in enumerate(finds):
        steps.reached(at / len(finds))
        looked, blind = _seen(check, frames)
        mismatched = find(frames)
        count = undecided = 0
        if len(mismatched):
            placed = _placed(mismatched, frames)
            hangs = _undecided(check, placed, frames)
            undecided = int(hangs.sum())
            count = len(placed) - undecided
            found.append(
                _output_rows(placed, check).with_columns(hangs=hangs, regardless_of=_unknown(check, placed, frames))
            )
        tallies.append(Tally(check.code, looked, blind + undecided, count))
    return ordered(pl.concat(found)), tallies


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


def _placed(found: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """Return findings with game and source; those without an event get the first event of their round."""
    log = frames.log
    whole = pl.DataFrame(
        schema={
            "game": pl.UInt32,
            "source": pl.String,
            "round": pl.UInt32,
            "event": pl.UInt32,
            "pos": pl.UInt32,
            "seat": pl.Int8,
            "recorded": pl.String,
            "expected": pl.String,
        }
    )
    found = pl.concat(
        [whole, found.cast({name: pl.String for name in ("recorded", "expected") if name in found.columns})],
        how="diagonal_relaxed",
    )
    rounds = log.rounds.with_columns(round_name=format_round()).select(
        "round", "nth", "round_name", of_game="game", of_event="event", of_pos="pos"
    )
    games = log.games.select("game", "game_id", "rules", "within", of_source="source")
    return (
        found.cast({"game": pl.UInt32, "round": pl.UInt32})
        .join(rounds, on="round", how="left", maintain_order="left")
        .with_columns(
            pl.coalesce("game", "of_game").alias("game"),
            pl.coalesce("event", "of_event").alias("event"),
            pl.coalesce("pos", "of_pos").alias("pos"),
        )
        .join(games, on="game", how="left", maintain_order="left")
        .with_columns(pl.coalesce("source", "of_source").alias("source"))
    )


def _undecided(check: Check, found: pl.DataFrame, frames: Frames) -> pl.Series:
    """Return for each mismatch whether a rule that decides it (``tried_rules``) is unknown in its game."""
    hangs = [bool(rules.unknown & set(check.tried_rules)) for rules in frames.log.rules]
    return _by_rules(pl.Series(hangs, dtype=pl.Boolean), found).fill_null(value=False)


def _unknown(check: Check, found: pl.DataFrame, frames: Frames) -> pl.Series:
    """Return for each mismatch the check's rules that are unknown in its game, as text; null if all are known."""
    names = [", ".join(sorted(rules.unknown & set(check.rules))) or None for rules in frames.log.rules]
    return _by_rules(pl.Series(names, dtype=pl.String), found)


def _by_rules(table: pl.Series, found: pl.DataFrame) -> pl.Series:
    """Return for each mismatch the entry of its game's rule set; null if it is in no game."""
    if not len(table):
        return pl.repeat(None, len(found), dtype=table.dtype, eager=True)
    return table.gather(found["rules"].fill_null(0)).set(found["rules"].is_null(), None)


def _seen(check: Check, frames: Frames) -> tuple[int, int]:
    """Return how many rows a check looks at, and how many of them lack a value that it needs."""
    if check.subject is None:
        return 0, 0
    rows = check.subject.of(frames)
    if not any(rows[name].null_count() for name in check.needs):
        return len(rows), 0
    blind = rows.select(pl.any_horizontal(pl.col(*check.needs).is_null()).sum()).item()
    return len(rows), int(blind or 0)


def _output_rows(findings: pl.DataFrame, check: Check) -> pl.DataFrame:
    """Return a check's findings as rows of the output table."""
    return findings.select(
        "game",
        code=pl.lit(check.code, pl.String),
        severity=pl.lit(check.severity.value),
        game_id="game_id",
        source="source",
        within="within",
        round="nth",
        round_name="round_name",
        event="event",
        pos="pos",
        seat="seat",
        recorded="recorded",
        expected="expected",
        message=messages(findings.with_columns(code=pl.lit(check.code))),
        right_under=pl.lit(None, pl.String),
        regardless_of=pl.lit(None, pl.String),
    )
